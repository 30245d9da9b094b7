import { isIP } from "node:net";
import * as z from "#zod";
import { idFact } from "../../operation/identity.ts";
import { indexedKindOf, type TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { type Dedicated, dedicatedParts, listDedicated, readDedicated } from "../../platform/customer/dedicated.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { unlistedStatus } from "../../platform/service-stage.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { dotted } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { locationNames } from "../catalog/places.ts";
import { byHostname } from "../kits/by-hostname.ts";
import { reportedPower } from "../kits/power.ts";
import { serviceStates, troubleIn } from "../kits/service-states.ts";
import { project } from "../project/project.ts";

/** Dedicated servers of the account. */
export const dedicated: TargetKind<"customer", Dedicated> = {
  noun: "dedicated",
  label: "dedicated server",
  foundBy: "name, host name, address",
  inPanel: true,
  states: { all: serviceStates, unlisted: ({ status }) => unlistedStatus(status) },
  projects: indexedKindOf(project),
  card: "dedicated show",
  inProjects: true,
  list: listDedicated,
  read: readDedicated,
  reads: [readDedicated],
  find: byHostname(readDedicated),
  entry: (row) => ({
    id: row.id,
    name: serverName(row),
    nameless: !row.name,
    aliases: [row.hostname, row.primary_ip].filter((text) => typeof text === "string"),
    state: serverState(row),
    detail: dotted([serverState(row), modelOf(row), row.hostname]),
    columns: { Model: modelOf(row) ?? "", "Host name": row.hostname ?? "" },
    ...troubleIn(row.status),
  }),
  places: locationNames,
  identity: {
    project: (row) => row.project ?? null,
    address: (row) => (typeof row.primary_ip === "string" ? row.primary_ip : null),
    hostname: (row) => row.hostname ?? null,
    location: ({ location }) => placeIn(location),
    apart: ({ id }) => [idFact(id)],
    // The spec has addresses at a route of their own, and not in the server's row.
    elsewhere: async (client, { id }) => ({ address: firstAddressIn(await dedicatedParts.ips(client, id)) }),
  },
};

/** The first text that is an address, under a field that names one: the spec does not show the fields. A gateway is none of the server's. */
function firstAddressIn(found: unknown): string | null {
  if (Array.isArray(found)) return found.map(firstAddressIn).find((address) => address !== null) ?? null;
  if (typeof found === "string") return isIP(found) === 0 ? null : found;
  if (typeof found !== "object" || found === null) return null;
  const own = Object.entries(found).filter(([name]) => !/gateway|subnet|netmask|broadcast|dns|nameserver/i.test(name));
  return own.map(([, value]) => firstAddressIn(value)).find((address) => address !== null) ?? null;
}

/** The location of a server: the spec shows only its field, so a text, or the name in an object. */
function placeIn(location: unknown): string | null {
  if (typeof location === "string") return location;
  const { data } = z.object({ name: z.string() }).safeParse(location);
  return data?.name ?? null;
}

export function serverName({ id, name, hostname }: Dedicated): PlainText {
  return name ?? hostname ?? id;
}

/** The billing state; only the server's own page has the state of the machine. */
export function serverState({ status }: Dedicated): string {
  return stateWords(status);
}

/** "Practice Metal PM-1", or null until a machine is bound. */
export function modelOf({ hardware }: Dedicated): PlainText | null {
  const parts = [hardware?.manufacturer, hardware?.model].filter((part) => part);
  return parts.length > 0 ? plainly`${parts.join(" ")}` : (hardware?.name ?? null);
}

/** The power, which the spec has at a route of its own (section 2.5). Null where the platform does not show it. */
export async function readPower(client: CustomerClient, id: string): Promise<string | null> {
  return reportedPower(await dedicatedParts["power-status"](client, id).catch(nullIfRefused(403, 404)));
}

/** The mark of its power; an hourglass for a change under way. */
export function powerMark(power: string): string {
  if (power === "on") return ":large_green_circle:";
  return power === "off" ? ":white_circle:" : ":hourglass_flowing_sand:";
}
