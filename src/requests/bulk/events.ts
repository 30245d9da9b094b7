import { type Block, context, type Message, section } from "../../views/blocks.ts";
import { duration } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { eventArrived, eventTimeoutOf } from "../expected-events.ts";
import type { Request } from "../request.ts";
import type { RequestStore } from "../store.ts";
import { titleOf } from "../view.ts";
import { targetRequestId } from "./record.ts";

/** A message names this many missing resources and counts the others. */
const mostNamed = 10;

/** Reads the requests of the targets that were sent and expect webhook events. Empty for any other request. */
export async function requestsWithEvents(requests: RequestStore, request: Request): Promise<Request[]> {
  const { bulk, id, state } = request;
  if (!bulk || state === "pending") return [];
  const targets = await requests.targets.read(id);
  const parts: Request[] = [];
  for (const [at, target] of targets.entries()) {
    const outcome = bulk.outcomes[at];
    if (outcome === "waiting" || outcome === "left out") continue;
    const part = await requests.read(targetRequestId(id, target.id, bulk.putOff[at]?.times ?? 0));
    if (!part) continue;
    // All targets share one operation. If it expects no events, reading up to 2,000 requests would be in vain.
    if (!part.expects && part.state === "done") return [];
    if (part.expects) parts.push(part);
  }
  return parts;
}

/** Counts the targets whose events arrived, and names those whose events are late. */
export function bulkEventBlocks({ slackUser }: Request, targetRequests: readonly Request[]): Block[] {
  const arrived = targetRequests.filter(eventArrived).length;
  const of =
    arrived === targetRequests.length ? `all ${targetRequests.length}` : `${arrived} of ${targetRequests.length}`;
  return [
    ...(arrived > 0
      ? [context(`:incoming_envelope: The supplier tells of ${of}. Expected: asked by <@${slackUser}>.`)]
      : []),
    ...(lateRequests(targetRequests).length > 0 ? [context(`:warning: ${lateWords(targetRequests)}`)] : []),
  ];
}

/**
 * Notifies the requester of missing events. `said`: this was sent before, and is corrected once all have arrived. Null if there is nothing
 * to say.
 */
export function bulkOverdueMessage(
  request: Request,
  targetRequests: readonly Request[],
  wasSent: boolean,
): Message | null {
  const isLate = lateRequests(targetRequests).length > 0;
  if (!isLate && !wasSent) return null;
  const words = isLate
    ? `${lateWords(targetRequests)} Look whether it is really so.`
    : "The supplier told late of what was missing.";
  const text = `:warning: <@${request.slackUser}> ${titleOf(request)}: ${words}`;
  return { text, blocks: [section(text)] };
}

function lateRequests(targetRequests: readonly Request[]): Request[] {
  return targetRequests.filter((part) => part.overdueAt !== null && !eventArrived(part));
}

function lateWords(targetRequests: readonly Request[]): string {
  const missing = lateRequests(targetRequests);
  const named = missing.slice(0, mostNamed).map(({ target }) => code(target?.name ?? "(not named)", 60));
  const more = missing.length - named.length;
  const within = duration(Math.max(...missing.map(eventTimeoutOf)));
  return `The supplier has not told of ${listing([...named, ...(more > 0 ? [`${more} more`] : [])])} in ${within}.`;
}
