import type { Act } from "../../operation/operation.ts";
import type { BoundOperation } from "../bound.ts";
import type { Request } from "./request.ts";
import type { RequestStore } from "./store.ts";

/** The act that a request stands for, with its target read again: nothing is written. */
export function beginRequest(
  requests: RequestStore,
  request: Request,
  bound: BoundOperation,
  now: number,
): Promise<Act> {
  const { id, target } = request;
  const input = requests.input(request);
  return bound.begin({ id, targetId: target?.id ?? null, input, resolved: true, now });
}
