import { ownValue } from "../process/own-value.ts";

interface NounWords {
  /** The words that Slack shows beside the command while it is typed. */
  purpose: string;
  /** The subject of its commands, for the help. */
  title: string;
  /** The verbs that most members search for. Of a noun with sub-nouns, these. */
  verbs: readonly string[];
}

/** The slash commands, in the order of the help. `reseller` has the commands of the reseller API, `rackbell` the app's own. */
export const nouns = {
  vps: {
    purpose: "Run your virtual servers",
    title: "virtual servers",
    verbs: ["list", "show", "reboot", "stats", "snapshot", "reinstall", "cancel"],
  },
  service: {
    purpose: "Run any service",
    title: "services of every kind",
    verbs: ["list", "show", "upgrade", "renew", "backup", "cancel"],
  },
  dedicated: {
    purpose: "Run dedicated servers",
    title: "dedicated servers",
    verbs: ["list", "show", "restart", "traffic", "reinstall"],
  },
  game: {
    purpose: "Run game servers",
    title: "game servers",
    verbs: ["list", "show", "start", "stop", "restart"],
  },
  order: { purpose: "Order, and see orders", title: "ordering", verbs: ["new", "list", "show"] },
  catalog: {
    purpose: "See what can be ordered",
    title: "products and prices",
    verbs: ["products", "locations", "availability"],
  },
  billing: {
    purpose: "Balance, invoices and paying",
    title: "money",
    verbs: ["balance", "invoices", "proformas", "pay"],
  },
  image: { purpose: "Custom images", title: "custom images", verbs: ["list", "register", "delete"] },
  sshkey: { purpose: "SSH keys of the account", title: "SSH keys", verbs: ["list", "add", "delete"] },
  project: { purpose: "Projects", title: "projects", verbs: ["list", "use", "create", "move"] },
  reseller: {
    purpose: "Resell: products, orders, services and customers",
    title: "what you resell",
    verbs: ["service", "order", "product", "customer", "game", "event"],
  },
  rackbell: {
    purpose: "Link your key, approvals, audit and help",
    title: "Rackbell itself",
    verbs: ["link", "setup", "search", "approvals", "scheduled", "alerts", "watch", "audit"],
  },
} as const satisfies Record<string, NounWords>;

/** The nouns of the customer API's commands. */
export type CustomerNoun = Exclude<keyof typeof nouns, "reseller" | "rackbell">;

/** The words of a noun. Throws for a word that is none. */
export function nounWords(noun: string): NounWords {
  const words = ownValue<NounWords>(nouns, noun);
  if (!words) throw new Error(`operation/nouns.ts has no words for /${noun}`);
  return words;
}
