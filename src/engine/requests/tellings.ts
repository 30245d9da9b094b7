import type { Registry } from "../../operation/registry.ts";
import { actions, type Block, type Message } from "../../views/blocks.ts";
import type { Access } from "../access.ts";
import { stepBlocks } from "../answers/answers.ts";
import { invocationButton, invokePrefix } from "../answers/buttons.ts";
import { draftCorrection } from "../answers/correction.ts";
import { offerTo } from "../answers/offer.ts";
import { threadIn } from "../answers/origin.ts";
import type { Telling, TellingSource } from "../telling/outbox.ts";
import type { Place } from "../telling/postman.ts";
import { bulkBlocks } from "./bulk/blocks.ts";
import { heardOfManyBlocks, overdueOfManyMessage, partsToHearOf } from "./bulk/heard.ts";
import { heardBlocks, heardMessage, overdueMessage } from "./heard-view.ts";
import { isHeard } from "./hearing.ts";
import { movedMessage, plannedBlocks, startMessage } from "./planned-view.ts";
import { isAskedAlone, isBeforeAct, isOpen, type Request, wasPlanned } from "./request.ts";
import type { RequestStore } from "./store.ts";
import {
  closingMessage,
  decidedMessage,
  endingMessage,
  glassMessage,
  pendingMessage,
  reminderMessage,
} from "./view.ts";

/** The message that all may see, what only its asker sees (alone, or in the modal that it was asked in), the second call to decide it, and the line that reaches them at the end. */
const cardSlot = "card";
const askerSlot = "asker";
const reminderSlot = "reminder";
const glassSlot = "glass";
const endingSlot = "ending";
const startSlot = "start";
const movedSlot = "moved";
/** What the supplier tells of it, and that they have not. */
const heardSlot = "heard";
const overdueSlot = "overdue";

/** An edit notifies nobody: who waited longer than this is told by a reply. */
const worthTelling = 20_000;

/** All that is told of a request, made from what is stored of it (design section 4). */
export function createRequestTellings(deps: {
  requests: RequestStore;
  access: Access;
  registry: Registry;
  /** A request that nobody can see cannot be decided. */
  onUnplaced: (request: Request, reason: string) => Promise<void>;
}): TellingSource {
  const { requests, access, registry, onUnplaced } = deps;

  async function stepsOf(request: Request): Promise<Block[]> {
    const steps = [...request.next, ...waysByCopy(request)];
    if (steps.length === 0) return [];
    const offer = offerTo(await access.links(request.member), registry);
    return stepBlocks(steps, offer, request.target?.name ?? "");
  }

  return {
    async tellings(id, told) {
      const request = await requests.read(id);
      if (!request) return null;
      const parts = await partsToHearOf(requests, request);
      const bulk = [...(await bulkBlocks(requests, request)), ...heardOfManyBlocks(request, parts)];
      const steps = await stepsOf(request);
      return [
        ...askerTellings(request, { bulk, steps, correction: correctionBlocks(request) }),
        ...(isPublic(request) || told.has(cardSlot) ? [cardTelling(request, bulk, steps)] : []),
        ...(request.state === "pending" && request.remindedAt !== null ? [reminderTelling(request)] : []),
        ...plannedTellings(request, told),
        ...(request.glass ? [glassTelling(request)] : []),
        ...(isWorthAReply(request, told) ? [endingTelling(request)] : []),
        ...(request.bulk ? heardOfManyTellings(request, parts, told) : heardTellings(request, told)),
      ];
    },
    async unplaced(id, slot, reason) {
      const request = await requests.read(id);
      if (request?.state === "pending" && slot === cardSlot) await onUnplaced(request, reason);
    },
  };
}

/** The ways back by the copy that came first: once nothing of it goes on any more. */
function waysByCopy(request: Request): Request["next"] {
  const ended = !isOpen(request) && request.state !== "working";
  return ended ? (request.copy?.next ?? []) : [];
}

/** Whether others see it: what is asked of them from the start, anything else once something came of it. */
function isPublic(request: Request): boolean {
  if (request.mode !== "none" && !isAskedAlone(request)) return true;
  // What was shown to be unclear is shown to be clear, though nothing came of it.
  if (request.mode === "none" && (request.state === "unknown" || request.looks > 0)) return true;
  return wasPlanned(request) || ["working", "done", "failed", "left"].includes(request.state);
}

function cardTelling(request: Request, bulk: Block[], steps: Block[]): Telling {
  const pending = request.state === "pending";
  return {
    slot: cardSlot,
    to: placeOf(request),
    message: pending
      ? pendingMessage(request, { alone: false, listed: bulk })
      : decidedMessage(request, [...bulk, ...underIt(request), ...heardBlocks(request), ...steps]),
    priority: request.state === "working" ? "progress" : pending || request.mode === "none" ? "answer" : "ending",
    since: request.createdAt,
  };
}

function underIt(request: Request): Block[] {
  return request.state === "planned" ? plannedBlocks(request) : [];
}

function placeOf(request: Request): Place {
  const { channel, origin, mode, slackUser, state } = request;
  if (channel === null) return { in: "direct", user: slackUser };
  const thread = threadIn(channel, origin);
  // A peer cannot press what stands in somebody's direct messages.
  const otherwise = mode === "peer" && state === "pending" ? null : origin;
  const lasting = mode !== "none" || request.job !== null || request.planned !== null || state === "unknown";
  return { in: "channel", channel, ...(thread === null ? {} : { thread }), otherwise, lasting };
}

/** The way back into the form of what was not done. */
function correctionBlocks({ command, draft, originator, faults, state, outcome }: Request): Block[] {
  // One that was refused and waits again can be put right as well.
  const over = ["refused", "void", "expired", "withdrawn"].includes(state) || (state === "pending" && outcome !== "");
  if (draft === null || !over) return [];
  const invocation = draftCorrection({ command, draft, originator }, faults);
  const label = state === "refused" || state === "pending" ? "Correct it…" : "Change it…";
  return actions(invocationButton(label, `${invokePrefix}correct`, invocation, { operation: undefined }));
}

function withBlocks({ text, blocks }: Message, more: Block[]): Message {
  return { text, blocks: [...blocks, ...more] };
}

function askerTellings(
  request: Request,
  { bulk, steps, correction }: { bulk: Block[]; steps: Block[]; correction: Block[] },
): Telling[] {
  const alone = isAskedAlone(request);
  const { channel, origin, createdAt, state } = request;
  const inView = origin.view !== null;
  if (!alone && !inView) return [];
  // Who asked in a thread has the answer below, and not under the channel's name.
  const inThread = threadIn(channel, origin) !== null;
  const where = channel === null ? "" : inThread ? " See below, in this thread." : ` See <#${channel}>.`;
  const message =
    state === "pending"
      ? withBlocks(pendingMessage(request, { alone, listed: bulk }), correction)
      : isPublic(request) && !inView
        ? closingMessage(request, where)
        : decidedMessage(request, [...bulk, ...underIt(request), ...steps, ...correction]);
  // A modal may be closed; what others see as well is not told a second time for that.
  const fleeting = inView && isPublic(request);
  return [{ slot: askerSlot, to: { in: "private", origin, fleeting }, message, priority: "answer", since: createdAt }];
}

/** What took longer than anybody looks at a message, and what somebody else decided. */
function isWorthAReply(request: Request, told: ReadonlySet<string>): boolean {
  const { job, state, decidedBy, slackUser, changedAt, decidedAt, createdAt } = request;
  const copied = isBeforeAct(request) && ["void", "withdrawn"].includes(state);
  const putOff = wasPlanned(request) && ["void", "withdrawn"].includes(state);
  const ended = ["done", "failed", "left", "refused", "undecided"].includes(state) || copied || putOff;
  if (!ended || !(isPublic(request) || told.has(cardSlot))) return false;
  // Nobody watches for it, whenever it ends.
  if (wasPlanned(request)) return state !== "withdrawn" || decidedBy !== slackUser;
  if (job) return state !== "done" || (job.endedAt ?? changedAt) - job.since > worthTelling;
  return (decidedBy !== null && decidedBy !== slackUser) || changedAt - (decidedAt ?? createdAt) > worthTelling;
}

/** What is told of its time while it waits, and when it has come. */
function plannedTellings(request: Request, told: ReadonlySet<string>): Telling[] {
  const { planned, changedAt } = request;
  if (!planned || !(isPublic(request) || told.has(cardSlot))) return [];
  const { moves, begunAt } = planned;
  // Each move is a reply of its own: an edit would reach nobody.
  const slot = `${movedSlot}-${moves}`;
  const waits = request.state === "planned" || request.state === "pending";
  return [
    ...(moves > 0 && waits ? [replyTelling(request, { slot, message: movedMessage(request), since: changedAt })] : []),
    ...(begunAt === null
      ? []
      : [replyTelling(request, { slot: startSlot, message: startMessage(request), since: begunAt })]),
  ];
}

/** A message of its own, as loud as can be: whoever reads the channel sees it. */
function glassTelling(request: Request): Telling {
  return {
    slot: glassSlot,
    to: placeOf(request),
    message: glassMessage(request),
    priority: "ending",
    since: request.decidedAt ?? request.changedAt,
  };
}

/** A reply under the card: an edit of the card notifies nobody. */
function replyTelling(
  { slackUser }: Request,
  { slot, message, since }: Pick<Telling, "slot" | "message" | "since">,
): Telling {
  return { slot, to: { in: "thread", under: cardSlot, user: slackUser }, message, priority: "ending", since };
}

function reminderTelling(request: Request): Telling {
  const since = request.remindedAt ?? request.changedAt;
  return replyTelling(request, { slot: reminderSlot, message: reminderMessage(request), since });
}

function endingTelling(request: Request): Telling {
  return replyTelling(request, { slot: endingSlot, message: endingMessage(request), since: request.createdAt });
}

/** What the supplier tells of it joins its thread; where they tell nothing in time, that is said aloud. */
function heardTellings(request: Request, told: ReadonlySet<string>): Telling[] {
  const { heard, overdueAt, slackUser, expects } = request;
  if (!isPublic(request) && !told.has(cardSlot)) return [];
  const place = { in: "thread", under: cardSlot, user: null } as const;
  const [first] = heard;
  // What is waited for before the message is told by it alone.
  const joined: Telling[] =
    first && !expects?.awaited
      ? [{ slot: heardSlot, to: place, message: heardMessage([request]), priority: "progress", since: first.at }]
      : [];
  if (overdueAt === null || (isHeard(request) && !told.has(overdueSlot))) return joined;
  const aloud = { ...place, user: slackUser };
  return [
    ...joined,
    { slot: overdueSlot, to: aloud, message: overdueMessage(request), priority: "ending", since: overdueAt },
  ];
}

/** The same of what is done to many, in the thread of the message that they were asked by. */
function heardOfManyTellings(request: Request, parts: readonly Request[], told: ReadonlySet<string>): Telling[] {
  if (!isPublic(request) && !told.has(cardSlot)) return [];
  const place = { in: "thread", under: cardSlot, user: null } as const;
  const heard = parts.flatMap((part) => part.heard.map(({ at }) => at));
  const overdue = parts.flatMap(({ overdueAt }) => overdueAt ?? []);
  const missing = overdueOfManyMessage(request, parts, told.has(overdueSlot));
  const telling = { to: place, message: heardMessage(parts), priority: "progress" } as const;
  const aloud = { to: { ...place, user: request.slackUser }, priority: "ending" } as const;
  return [
    ...(heard.length > 0 ? [{ ...telling, slot: heardSlot, since: Math.min(...heard) }] : []),
    ...(missing ? [{ ...aloud, slot: overdueSlot, message: missing, since: Math.min(...overdue) }] : []),
  ];
}
