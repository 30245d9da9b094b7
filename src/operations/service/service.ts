import * as z from "#zod";
import { everyProject, listFields } from "../../messages/answers/list.ts";
import type { Act } from "../../operation/act.ts";
import { type Identity, identityIn, idFact, readIdentity } from "../../operation/identity.ts";
import type { Call, CustomerOperation } from "../../operation/operation.ts";
import type { TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { readDedicated } from "../../platform/customer/dedicated.ts";
import { listServices, readService, type Service, type ServiceDetail } from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { unlistedStatus } from "../../platform/service-stage.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { code, dotted } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { locationNames } from "../catalog/places.ts";
import { dedicated } from "../dedicated/dedicated.ts";
import { byHostname } from "../kits/by-hostname.ts";
import { serviceStates, stageRefusal, troubleIn } from "../kits/service-states.ts";
import { vps } from "../vps/vps.ts";

/** Services of any kind. */
export const service: TargetKind<"customer", ServiceDetail> = {
  noun: "service",
  label: "service",
  foundBy: "name, host name",
  inPanel: true,
  states: { all: serviceStates, unlisted: ({ service: { status } }) => unlistedStatus(status) },
  lostWith: ["snapshots", "backups", "add-ons", "addresses"],
  card: "service show",
  inProjects: true,
  kinds: ["vps", "dedicated", "game", "service"],
  async list(client, query) {
    const { rows, pagination } = await listServices(client, query);
    return { rows: rows.map((row) => ({ service: row })), pagination };
  },
  read: readService,
  reads: [readService],
  find: byHostname(readService),
  entry: ({ service: row }) => ({
    id: row.id,
    name: serviceName(row),
    nameless: !row.name,
    aliases: row.hostname ? [row.hostname] : [],
    state: serviceState(row),
    type: row.serviceType,
    detail: dotted([serviceState(row), kindOf(row), row.hostname]),
    columns: { Kind: kindOf(row), "Host name": row.hostname ?? "" },
    ...troubleIn(row.status),
  }),
  places: locationNames,
  identity: {
    // The panel's document may name none of these: the spec has them on the service's page of its own kind.
    project: () => null,
    address: () => null,
    hostname: ({ service: row }) => row.hostname ?? null,
    location: () => null,
    elsewhere: (client, { service: row }) => ownIdentity(client, row),
    apart: ({ service: { id } }) => [idFact(id)],
  },
};

/** The facts of a service on the page of its own kind; null for a kind without one. */
async function ownIdentity(client: CustomerClient, { id, serviceType }: Service): Promise<Partial<Identity>> {
  if (serviceType === "vps") return identityIn(vps, await readVps(client, id));
  if (serviceType === "dedicated") return readIdentity(dedicated, client, await readDedicated(client, id));
  return {};
}

/** The inputs of a list of services. `states` are examples of them. */
export function listInput(states: string) {
  return z.object({
    text: z.string().optional().meta({ title: "Text", description: "In the name, host name or id" }),
    status: z
      .string()
      .optional()
      .meta({ title: "Status", description: `Such as ${states}` }),
    sort: z.enum(["name", "state"]).optional().meta({ title: "Sorted by" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  });
}

/** The same services, for acts on their machine: there a 404 is about the machine, although the id is right. */
export const machine: TargetKind<"customer", ServiceDetail> = {
  ...service,
  missing: () =>
    "This service has no machine for this action, so nothing changed. Its id is right: if it was just ordered, wait until it is built.",
};

export function serviceName({ name, hostname, id }: Service): PlainText {
  return name ?? hostname ?? id;
}

/** Refuses an act on what the service runs, before anybody is asked, where the platform would refuse it. Spec section 5. */
export function requireLive({ service: row }: ServiceDetail): void {
  const refusal = stageRefusal(row.status, code(serviceName(row)));
  if (refusal) throw refusal;
}

/** The billing state in words. */
export function serviceState({ status }: Service): string {
  return status ? stateWords(status) : "of unknown state";
}

const kinds: Record<Service["serviceType"], string> = {
  vps: "VPS",
  dedicated: "dedicated server",
  game: "game server",
  unknown: "service of unnamed kind",
};

/** The command that shows a service as its own kind, with all that can be done with it there; null if its kind has none. */
export const ownCard: Record<Service["serviceType"], string | null> = {
  vps: "vps show",
  dedicated: "dedicated show",
  game: "game show",
  unknown: null,
};

export function kindOf({ serviceType }: Service): string {
  return kinds[serviceType];
}

/** The command that backs up a service's disk; null if its kind has none. */
export function captureOf({ service: row }: ServiceDetail): string | null {
  return row.serviceType === "vps" ? "vps capture" : null;
}

/** The same act under the noun of the service's own kind: for a VPS the app knows more than for services in general. */
export function actOf(
  operation: CustomerOperation,
  call: Call<"customer", ServiceDetail, unknown>,
  input: Record<string, unknown>,
): Promise<Omit<Act, "run">> {
  const { id, target, now } = call;
  return operation.look(call).begin({ id, targetId: target.service.id, input, now });
}

const Cancellation = z.object({ scheduled_date: z.string() });

/** The day of its end. Null: not cancelled; undefined: the row does not say. */
export function endsAt(row: Service): string | null | undefined {
  if (row.cancellation === null) return null;
  const parsed = Cancellation.safeParse(row.cancellation);
  return parsed.success ? parsed.data.scheduled_date : undefined;
}
