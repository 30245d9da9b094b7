import { type Block, context, type Message, paragraphs, section } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { expectedWithin, isHeard } from "./hearing.ts";
import type { Heard, Request } from "./request.ts";
import { titleOf } from "./view.ts";

/** What stands in small under what was done: that the supplier has told of it, or has not in its time. */
export function heardBlocks(request: Request): Block[] {
  const { expects, heard, overdueAt, slackUser } = request;
  const first = heard.find(({ event }) => expects?.first.includes(event));
  if (expects?.awaited) return awaitedBlocks(request, expects.awaited, first);
  if (first)
    return [
      context(
        `:incoming_envelope: The supplier tells of it. Expected: asked by <@${slackUser}>, ${laterWords(request, first)} before.`,
      ),
    ];
  if (overdueAt === null || isHeard(request)) return [];
  return [context(`:warning: The supplier has not told of it in ${duration(expectedWithin(request))}.`)];
}

/** What somebody waits for before it: the message moves from one to the other. */
function awaitedBlocks(request: Request, { waits, came, missing }: Awaited, first: Heard | undefined): Block[] {
  if (first) return [section(`:white_check_mark: ${came} It took ${laterWords(request, first)}.`)];
  if (request.overdueAt !== null) return [section(`:x: ${missing}`)];
  return [section(`:hourglass_flowing_sand: ${waits}`)];
}

/** So much of what was heard of many is told. */
const mostLines = 100;

/** All that the supplier told of it, or of each of many, in its thread; edited as more comes, so that it notifies nobody. */
export function heardMessage(requests: readonly Request[]): Message {
  const all = requests.flatMap((request) =>
    request.heard.map((one) => ({ at: one.at, line: heardLine(request, one) })),
  );
  const lines = all
    .toSorted((a, b) => a.at - b.at)
    .slice(-mostLines)
    .map(({ line }) => line);
  return { text: lines.join(" "), blocks: paragraphs(lines) };
}

function heardLine(request: Request, one: Heard): string {
  const { slackUser, expects } = request;
  const words = expects?.failing.includes(one.event)
    ? `not what <@${slackUser}> asked for`
    : `expected: asked by <@${slackUser}>, ${laterWords(request, one)} before`;
  return `${moment(one.at)} ${one.line} · ${words}`;
}

/** Says aloud, to who asked, that what must come of it has not come. */
export function overdueMessage(request: Request): Message {
  const since = `in ${duration(expectedWithin(request))}`;
  const [late] = isHeard(request) ? request.heard : [];
  const words = late
    ? `the supplier had not told of it ${since}, and told late, ${laterWords(request, late)} after it was asked.`
    : (request.expects?.awaited?.missing ?? `the supplier has not told of it ${since}. Look whether it is really so.`);
  const text = `:warning: <@${request.slackUser}> ${titleOf(request)}: ${words}`;
  return { text, blocks: [section(text)] };
}

type Awaited = NonNullable<NonNullable<Request["expects"]>["awaited"]>;

function laterWords({ decidedAt, createdAt }: Request, { at }: Heard): string {
  return duration(at - (decidedAt ?? createdAt));
}
