import type { Act } from "../../operation/operation.ts";
import type { BoundOperation } from "../bound.ts";
import { beginBulk } from "./bulk/act.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** The act that is in hand for a request, the copy that comes first or what was asked, with its target read again: nothing is written. */
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
