/** A provider plugin: which verbs it has, and who may use them. */
export interface Plugin {
  slug: string;
  /** `customer`: routed; `hidden`: the plugin has it but customers may not. An absent one is not implemented. */
  verbs: Record<string, "customer" | "hidden">;
  /** True if its API answers. If it does not, reads say `unknown` or nothing, changes fail. */
  reachable: boolean;
  /** Verbs whose flow reports failure. */
  failing: string[];
  /** By service, newest first. */
  backups: Map<string, Backup[]>;
}

export interface Backup {
  id: string;
  name: string;
  created_at: string;
  size_mb: number;
  state: "running" | "complete" | "failed";
}

export function createPlugins(): Map<string, Plugin> {
  const plugins = [
    plugin("acme-cloud", {
      start: "customer",
      stop: "customer",
      restart: "customer",
      reboot: "customer",
      shutdown: "customer",
      reinstall: "customer",
      password: "customer",
      status: "customer",
      stats: "customer",
      "backups.list": "customer",
      "backups.create": "customer",
      "backups.restore": "customer",
      "rebuild-network": "customer",
      "wipe-host": "hidden",
    }),
    // One that lets customers do little: power only, and its password verb is for the operator.
    plugin("nimbus", {
      start: "customer",
      stop: "customer",
      restart: "hidden",
      password: "hidden",
      status: "customer",
    }),
    plugin("postbox", { status: "customer", stats: "customer", "add-mailbox": "customer", purge: "customer" }),
  ];
  return new Map(plugins.map((one) => [one.slug, one]));
}

function plugin(slug: string, verbs: Plugin["verbs"]): Plugin {
  return { slug, verbs, reachable: true, failing: [], backups: new Map() };
}
