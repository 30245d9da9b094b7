import { type Block, context, type Message, section } from "../../../views/blocks.ts";
import { duration } from "../../../views/format.ts";
import { code, listing } from "../../../views/text.ts";
import { expectedWithin, isHeard } from "../hearing.ts";
import type { Request } from "../request.ts";
import type { RequestStore } from "../store.ts";
import { titleOf } from "../view.ts";
import { partId } from "./record.ts";

/** So many are named that the supplier has not told of: the others are counted. */
const mostNamed = 10;

/** What was sent of a request for many, where the supplier tells of such; none of any other request. */
export async function partsToHearOf(requests: RequestStore, request: Request): Promise<Request[]> {
  const { bulk, id, state } = request;
  if (!bulk || state === "pending") return [];
  const targets = await requests.targets.read(id);
  const parts: Request[] = [];
  for (const [at, target] of targets.entries()) {
    const outcome = bulk.outcomes[at];
    if (outcome === "waiting" || outcome === "left out") continue;
    const part = await requests.read(partId(id, target.id, bulk.putOff[at]?.times ?? 0));
    if (!part) continue;
    // All are of one operation: what the supplier never tells of is not read any further.
    if (!part.expects && part.state === "done") return [];
    if (part.expects) parts.push(part);
  }
  return parts;
}

/** Under what was done: of how many the supplier has told, and of which they have not in their time. */
export function heardOfManyBlocks({ slackUser }: Request, parts: readonly Request[]): Block[] {
  const heard = parts.filter(isHeard).length;
  const of = heard === parts.length ? `all ${parts.length}` : `${heard} of ${parts.length}`;
  return [
    ...(heard > 0
      ? [context(`:incoming_envelope: The supplier tells of ${of}. Expected: asked by <@${slackUser}>.`)]
      : []),
    ...(late(parts).length > 0 ? [context(`:warning: ${lateWords(parts)}`)] : []),
  ];
}

/** Says aloud, to who asked, of which of them nothing has come in its time; `said`: it was said before, and is corrected where all has come since. Null where there is nothing to say. */
export function overdueOfManyMessage(request: Request, parts: readonly Request[], said: boolean): Message | null {
  const isLate = late(parts).length > 0;
  if (!isLate && !said) return null;
  const words = isLate
    ? `${lateWords(parts)} Look whether it is really so.`
    : "The supplier told late of what was missing.";
  const text = `:warning: <@${request.slackUser}> ${titleOf(request)}: ${words}`;
  return { text, blocks: [section(text)] };
}

function late(parts: readonly Request[]): Request[] {
  return parts.filter((part) => part.overdueAt !== null && !isHeard(part));
}

function lateWords(parts: readonly Request[]): string {
  const missing = late(parts);
  const named = missing.slice(0, mostNamed).map(({ target }) => code(target?.name ?? "(not named)", 60));
  const more = missing.length - named.length;
  const within = duration(Math.max(...missing.map(expectedWithin)));
  return `The supplier has not told of ${listing([...named, ...(more > 0 ? [`${more} more`] : [])])} in ${within}.`;
}
