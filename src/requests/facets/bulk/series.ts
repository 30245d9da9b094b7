import type { Origin } from "../../../messages/origin.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { Duplicate } from "../../repeats.ts";
import { type BulkRequest, hasEnded, isBulk, isSeenByRequesterAlone, type Request, titleOf } from "../../request.ts";
import { amendNewest, type RequestStoreApp, readRequest } from "../../store.ts";
import { askedBy } from "../agent/view.ts";
import { targetOutcome } from "./progress.ts";
import type { ApprovedTarget, TargetOutcome } from "./record.ts";
import { readTargetRequest, readTargets } from "./targets.ts";

// A series: a bulk request, and those that were made with its buttons or theirs. Each target has one act in it at a time.

/** Enters a request into its series, before it is stored: a crash in between leaves the id of no request, which counts for nothing. */
export async function enterSeries(app: RequestStoreApp, first: string, id: string): Promise<void> {
  if (first === id) return;
  const enter = ({ bulk }: Request) => bulk && { bulk: { ...bulk, followers: [...bulk.followers, id] } };
  await amendNewest(app, first, enter, { silent: true });
}

/** The others of the series that do this act. */
async function othersDoing(app: RequestStoreApp, request: BulkRequest, act: string | undefined) {
  const { id, bulk } = request;
  const { series } = bulk;
  // Most requests are the first and only one, and this is asked at each of up to 2,000 targets.
  const first = series === id ? request : await readRequest(app, series);
  const ids = [series, ...(first?.bulk?.followers ?? [])].filter((other) => other !== id);
  const others = await Promise.all(ids.map((other) => readRequest(app, other)));
  return others.flatMap((other) => (other && isBulk(other) && other.acts[0] === act ? [other] : []));
}

/** The outcomes after which a target is not acted on again. */
const lasting = {
  running: "is doing it now",
  done: "has done it",
  unknown: "was sent, and its outcome is unknown",
} as const satisfies Partial<Record<TargetOutcome, string>>;

function isLasting(outcome: TargetOutcome | undefined): outcome is keyof typeof lasting {
  return outcome !== undefined && outcome in lasting;
}

/**
 * The targets on which no other request of the series has done the act since; or the one that is open for any of them, if the presser
 * may know of it. Throws a Refusal if none is left.
 */
export async function stillToDo(
  app: RequestStoreApp,
  request: BulkRequest,
  targets: readonly ApprovedTarget[],
  { act, origin }: { act: string | undefined; origin: Origin },
): Promise<{ open: Duplicate } | { left: ApprovedTarget[] }> {
  const settled = new Set<string>();
  for (const other of await othersDoing(app, request, act)) {
    const its = await readTargets(app, other.id);
    const shares = its.some(({ id }) => targets.some((target) => target.id === id));
    if (shares && isOpenTo(other, origin, app.clock.now())) return { open: other };
    // A stop that a start took back is no reason against the next stop. The review of an override changes the request later.
    if ((other.job?.endedAt ?? other.changedAt) < request.createdAt) continue;
    for (const [at, { id }] of its.entries()) if (isLasting(other.bulk.outcomes[at])) settled.add(id);
  }
  const left = targets.filter(({ id }) => !settled.has(id));
  if (left.length > 0) return { left };
  throw new Refusal("None of these is left: each was done since, or its outcome is unknown. Nothing was requested.");
}

/** Somebody else's question, which they alone see, holds nobody up. */
function isOpenTo(request: Request, { member }: Origin, now: number): request is Duplicate {
  if (hasEnded(request) || (request.state === "pending" && request.expiresAt <= now)) return false;
  return request.requester.member === member || !isSeenByRequesterAlone(request);
}

/** Refuses a target to which another request of the series does the same, or did it: two may have waited for a decision at once. */
export async function refuseDoneInSeries(
  app: RequestStoreApp,
  request: Request,
  target: ApprovedTarget,
): Promise<void> {
  if (!isBulk(request)) return;
  for (const other of await othersDoing(app, request, request.acts[0])) {
    const at = (await readTargets(app, other.id)).findIndex(({ id }) => id === target.id);
    const part = at < 0 ? undefined : await readTargetRequest(app, other.id, other.bulk, at, target);
    const outcome = part && targetOutcome(part);
    const isSince = outcome === "running" || (part?.changedAt ?? 0) >= request.createdAt;
    if (isSince && isLasting(outcome))
      throw new Refusal(`${titleOf(other)}, ${askedBy(other)}, ${lasting[outcome]}. So it was left as it is.`);
  }
}

/** Notes the targets that a request has done in the others of its series, whose buttons then ask for the rest. `done`: ids. */
export async function noteDoneLater(
  app: RequestStoreApp,
  request: BulkRequest,
  done: ReadonlySet<string>,
): Promise<void> {
  for (const other of await othersDoing(app, request, request.acts[0])) {
    const places = (await readTargets(app, other.id)).flatMap(({ id }, at) => (done.has(id) ? [at] : []));
    await amendNewest(app, other.id, (newest) => {
      const { bulk } = newest;
      if (!bulk || !hasEnded(newest)) return null;
      const isOpen = (at: number) => bulk.outcomes[at] === "failed" || bulk.outcomes[at] === "waiting";
      const added = places.filter((at) => isOpen(at) && !bulk.doneLater.includes(at));
      return added.length === 0 ? null : { bulk: { ...bulk, doneLater: [...bulk.doneLater, ...added] } };
    });
  }
}
