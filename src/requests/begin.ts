import type { BoundOperation } from "../access/bound.ts";
import type { Act } from "../operation/act.ts";
import { beginBulk } from "./facets/bulk/act.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** Prepares the act that a request runs next, the backup or the act itself, and reads its target again. Writes nothing at the platform. */
export async function beginRequest(
  requests: RequestStore,
  request: Request,
  bound: BoundOperation,
  now: number,
): Promise<Act> {
  const { id, target, copy } = request;
  if (request.bulk) return beginBulk(request, await requests.targets.read(id), bound);
  const input = copy?.step === "taking" ? { name: copy.name } : requests.input(request);
  return bound.begin({ id, targetId: target?.id ?? null, input, resolved: true, now });
}
