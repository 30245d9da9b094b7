import type { Service } from "../../world/service.ts";
import type { Call } from "../request/call.ts";

export type Backend = "vps" | "dedicated" | "upstream" | "plugin" | null;

/** The system that runs a service; null if none can be controlled from here. */
export function backendOf({ world }: Call, service: Service): Backend {
  if (service.kind === "dedicated") return "dedicated";
  if (service.kind === "game") return null;
  if (service.provider === "native") return service.kind === "vps" ? "vps" : null;
  if (service.provider === "upstream") return "upstream";
  return world.plugins.has(service.provider) ? "plugin" : null;
}

const powerVerbs = ["start", "stop", "restart"] as const;
export type PowerVerb = (typeof powerVerbs)[number];

/** The customer API's words for them. */
export const actionOf = { start: "start", stop: "shutdown", restart: "reboot" } as const;

/** Which verbs a service takes: a native VPS those that its product switches on. */
export function powerActionsOf(call: Call, service: Service): PowerVerb[] {
  const backend = backendOf(call, service);
  if (backend === null) return [];
  if (backend === "vps" && service.kind === "vps") {
    return powerVerbs.filter((verb) => service.capabilities.actions.includes(actionOf[verb]));
  }
  return [...powerVerbs];
}

const nothing = {
  power: false,
  powerActions: [],
  stats: false,
  console: false,
  reinstall: false,
  password: false,
  backups: false,
};

/** Spec 2.4. */
export function capabilitiesOf(call: Call, service: Service) {
  const backend = backendOf(call, service);
  if (backend === null || service.status === "terminated") return { backend, ...nothing };
  const powerActions = powerActionsOf(call, service);
  if (backend !== "vps" || service.kind !== "vps") {
    const everything = { power: true, powerActions, stats: true, console: true, reinstall: true, password: true };
    return { backend, ...everything, backups: backend !== "dedicated" };
  }
  const { console, reinstall, password_reset, snapshots } = service.capabilities;
  return {
    backend,
    power: powerActions.length > 0,
    powerActions,
    stats: true,
    console,
    reinstall,
    password: password_reset,
    backups: snapshots,
  };
}
