import type { Act, Call, Operation, TargetKind } from "../../operation/operation.ts";
import { listServices, readService, type Service, type ServiceDetail } from "../../platform/customer/services.ts";

/** How a service of any kind is found, named and read. */
export const service: TargetKind<ServiceDetail> = {
  noun: "service",
  label: "service",
  async list(client, query) {
    const { rows, pagination } = await listServices(client, query);
    return { rows: rows.map((row) => ({ service: row })), pagination };
  },
  read: readService,
  entry: ({ service: row }) => ({
    id: row.id,
    name: nameOf(row),
    aliases: row.hostname ? [row.hostname] : [],
    state: stateOf(row),
    // Rows of services do not name their project.
    project: "",
    detail: [stateOf(row), kindOf(row), row.hostname].filter((text) => text).join(" · "),
  }),
};

/** The same services, for what acts on their machine: there a 404 is about the machine, and the id is right. */
export const machine: TargetKind<ServiceDetail> = {
  ...service,
  missing: () =>
    "This service has no machine that this could be done to, so nothing changed. Its id is right; if it was just ordered, wait until it is built.",
};

export function nameOf({ name, hostname, id }: Service): string {
  return name ?? hostname ?? id;
}

/** The billing state in words. */
export function stateOf({ status }: Service): string {
  return status?.replaceAll("_", " ") ?? "of unknown state";
}

const kinds: Record<Service["serviceType"], string> = {
  vps: "VPS",
  dedicated: "dedicated server",
  game: "game server",
  unknown: "service of another kind",
};

export function kindOf({ serviceType }: Service): string {
  return kinds[serviceType];
}

const marks: Record<string, string> = {
  active: ":large_green_circle:",
  suspended: ":no_entry:",
  terminated: ":black_circle:",
  cancelled: ":black_circle:",
  "provisioning failed": ":red_circle:",
  "of unknown state": ":white_circle:",
};

export function markOf(state: string): string {
  return marks[state] ?? ":hourglass_flowing_sand:";
}

/** The same act of another noun on this service, for what its own reads can tell: of a VPS more is known than of services at large. */
export function actOf(
  operation: Operation,
  call: Call<ServiceDetail, unknown>,
  input: Record<string, unknown>,
): Promise<Act> {
  const { id, client, actor, target, now, listing } = call;
  return operation.begin({ id, client, context: null, actor, targetId: target.service.id, input, now, listing });
}
