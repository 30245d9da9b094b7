import { indexedKindOf, type TargetKind } from "../../operation/target.ts";
import { type Dedicated, listDedicated, readDedicated } from "../../platform/customer/dedicated.ts";
import { stateWords } from "../../views/states.ts";
import { dotted } from "../../views/text.ts";
import { byHostname } from "../kits/by-hostname.ts";
import { powerWord } from "../kits/power.ts";
import { markOf as billingMark, serviceStates } from "../kits/service-states.ts";
import { project } from "../project/project.ts";

/** Dedicated servers of the account. */
export const dedicated: TargetKind<"customer", Dedicated> = {
  noun: "dedicated",
  label: "dedicated server",
  foundBy: "name, host name, address",
  inPanel: true,
  states: serviceStates,
  projects: indexedKindOf(project),
  card: "dedicated show",
  inProjects: true,
  list: listDedicated,
  read: readDedicated,
  reads: [readDedicated],
  find: byHostname(readDedicated),
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: [row.hostname, row.primary_ip].filter((text) => typeof text === "string"),
    state: standingOf(row),
    states: [stateOf(row)],
    project: row.project?.name ?? "",
    ...(row.project ? { projectId: row.project.id } : {}),
    hostname: row.hostname ?? null,
    detail: dotted([standingOf(row), modelOf(row), row.hostname]),
    columns: { Model: modelOf(row) ?? "", "Host name": row.hostname ?? "" },
    ...(row.status === "suspended" ? { trouble: "suspended" } : {}),
  }),
};

export function nameOf({ id, name, hostname }: Dedicated): string {
  return name ?? hostname ?? id;
}

/** The billing state; only the server's own page has the state of the machine. */
export function stateOf({ status }: Dedicated): string {
  return stateWords(status);
}

/** "Practice Metal PM-1", or null until a machine is bound. */
export function modelOf({ hardware }: Dedicated): string | null {
  const parts = [hardware?.manufacturer, hardware?.model].filter((part) => part);
  return parts.length > 0 ? parts.join(" ") : (hardware?.name ?? null);
}

/** "on", "off" or another word of the management controller; null if it reports nothing. */
export function powerOf({ provisioning }: Dedicated): string | null {
  return powerWord(provisioning?.power_state);
}

/** The machine's power while the service is active and reports it; otherwise the billing state. */
export function standingOf(row: Dedicated): string {
  const power = powerOf(row);
  return row.status === "active" && power ? power : stateOf(row);
}

export function markOf(state: string): string {
  if (state === "on") return ":large_green_circle:";
  // The rows of a list have the billing state alone: an active server may be off.
  return state === "off" ? ":white_circle:" : billingMark(state);
}
