import type { BoundOperation } from "../access/bound.ts";
import type { Act } from "../operation/act.ts";
import type { RequestsApp } from "./app.ts";
import { beginBulk } from "./facets/bulk/act.ts";
import { readTargets } from "./facets/bulk/targets.ts";
import type { Request } from "./request.ts";
import { inputOf } from "./store.ts";

/** Prepares the act that a request runs next, the backup or the act itself, and reads its target again. Writes nothing at the platform. */
export async function beginRequest(app: RequestsApp, request: Request, bound: BoundOperation): Promise<Act> {
  const { id, target, copy } = request;
  if (request.bulk) return beginBulk(request, await readTargets(app, id), bound);
  const input = copy?.step === "taking" ? { name: copy.name } : inputOf(app, request);
  return bound.begin({ id, targetId: target?.id ?? null, input, resolved: true, now: app.clock.now() });
}
