import { newestEntries } from "../../../audit/audit.ts";
import type { EffectiveAct } from "../../../operation/effects.ts";
import type { RequestsApp } from "../../app.ts";
import { type Request, wasSent } from "../../request.ts";
import { states } from "../../states.ts";
import { readRequest } from "../../store.ts";

/** How many of the newest audit entries about a resource are searched: an act has about three. */
const entriesSearched = 50;
/** Milliseconds. The longest time that a machine takes for an act whose end the platform never shows. */
const unseenEndMs = 10 * 60_000;

/** The acts that were sent, newest first, on a resource or that made it. */
export async function actsOn(app: RequestsApp, id: string): Promise<EffectiveAct[]> {
  const entries = await newestEntries(app, { about: id, limit: entriesSearched, begun: true });
  const ids = new Set(entries.flatMap(({ entry }) => entry.request ?? []));
  const requests = await Promise.all([...ids].map((request) => readRequest(app, request)));
  return requests.flatMap((request) => (request ? effectiveActs(request) : []));
}

/** The act of a request that was sent. A backup first is a request of its own. */
function effectiveActs(request: Request): EffectiveAct[] {
  if (!wasSent(request)) return [];
  const { id, requester, target, command, effects } = request;
  const { slackUser, member } = requester;
  return [{ request: id, slackUser, member, command, target: target?.id ?? null, effects, ...endOf(request) }];
}

function endOf(request: Request): Pick<EffectiveAct, "endsAt" | "reached"> {
  const { state, job, attemptedAt, changedAt, endUnknown } = request;
  const { phase } = states[state];
  if (phase === "claimed" || phase === "unknown" || phase === "working")
    return { endsAt: Number.POSITIVE_INFINITY, reached: false };
  const endedAt = job?.endedAt ?? attemptedAt ?? changedAt;
  if (state === "done" && !endUnknown) return { endsAt: endedAt, reached: true };
  return { endsAt: state === "failed" ? endedAt : endedAt + unseenEndMs, reached: false };
}
