import { newestEntries } from "../audit/audit.ts";
import type { AuditKind } from "../audit/kinds.ts";
import { stepBlocks } from "../messages/answers/answers.ts";
import { offerTo } from "../messages/answers/offer.ts";
import { resultThread, threadIn } from "../messages/origin.ts";
import { directNotifications, type Notification, type NotificationSource } from "../messages/outbox.ts";
import type { Place } from "../messages/postman.ts";
import {
  type Responsibility,
  readResponsibility,
  type WaitingSubject,
} from "../policy/responsibility/responsibility.ts";
import type { MadeStep } from "../policy/responsibility/steps.ts";
import { takeBlocks, takeButton } from "../policy/responsibility/take-view.ts";
import { actions, type Block, type Message } from "../views/blocks.ts";
import { takeAction } from "./actions.ts";
import type { RequestsApp } from "./app.ts";
import { bulkBlocks, bulkEventBlocks, bulkOverdueMessage, requestsWithEvents } from "./facets/bulk/view.ts";
import { deferredMessage, resumedMessage } from "./facets/defer/view.ts";
import { eventArrived } from "./facets/events/record.ts";
import { eventBlocks, eventsMessage, overdueMessage } from "./facets/events/view.ts";
import { decidingOverride } from "./facets/override/record.ts";
import { overrideMessage } from "./facets/override/view.ts";
import { rescheduledMessage, scheduleBlocks, startMessage } from "./facets/schedule/view.ts";
import { pendingMessage, shortMessage } from "./pending-view.ts";
import {
  hasEnded,
  isForRequesterAlone,
  isPublic,
  isWaiting,
  type Request,
  unsentOutcome,
  wasScheduled,
} from "./request.ts";
import { isBeforeMainAct, type PressEvent, pressEvents, states } from "./states.ts";
import { step, worthReplyMs } from "./step.ts";
import { readRequest, requestSubject } from "./store.ts";
import {
  approvedMessage,
  askAgainBlocks,
  calledMessage,
  changedBackupMessage,
  closingMessage,
  decidedMessage,
  endingMessage,
  raisedMessage,
  recordBlocks,
  reminderMessage,
  reopenedMessage,
  waitingMessage,
} from "./view.ts";
import { requestWaiting } from "./waiting.ts";

// The names of a request's messages, which are stored with their places in Slack: an old message is edited by its name.
const publicSlot = "card";
/** The requester's private message, or their modal. */
const requesterSlot = "requester";
/** Calls a member who linked a key after the request was posted, or is a stand-in since. */
const calledSlot = "called";
/** Calls the approvers after a rule began to ask for more approvals. */
const raisedSlot = "raised";
/** Calls them after the backup first was chosen, or taken back. */
const backupSlot = "backup";
/** Notifies those who decide and the requester that it waits again. */
const reopenedSlot = "reopened";
/** Notifies the requester of a deferral, and those who decide of its end. */
const deferredSlot = "deferred";
const resumedSlot = "resumed";
/** A direct message to somebody who only pays. */
const shortSlot = "short";
const overrideSlot = "override";
/** The reply at the end. */
const endingSlot = "ending";
const approvedSlot = "approved";
const startSlot = "start";
const rescheduledSlot = "moved";
/** The supplier's events. */
const eventsSlot = "events";
/** Notifies the requester that an event is late. */
const overdueSlot = "overdue";

/** Milliseconds. An act that ends this soon after its approval makes one reply, about its end. */
const endsSoonMs = 60_000;

/** Derives all messages of a request from its stored record. */
export function requestMessages(app: RequestsApp): NotificationSource {
  return {
    ofRequests: true,
    async notifications(id, postedSlots) {
      const request = await readRequest(app, id);
      if (!request) return null;
      const isPending = request.state === "pending";
      const responsibility = await readResponsibility(app, { kind: requestSubject, id });
      const wait = { responsibility, waiting: await requestWaiting(app, request) };
      const targetRequests = await requestsWithEvents(app, request);
      const bulk = [...(await bulkBlocks(app, request)), ...bulkEventBlocks(request, targetRequests)];
      const steps = await nextStepBlocks(app, request);
      const entry = await decisionEntry(app, request);
      return [
        ...requesterMessages(request, { bulk, steps, correction: askAgainBlocks(request), wait, entry }),
        ...(hasPublicMessage(request, postedSlots) ? [publicMessage(request, { bulk, steps, wait, entry })] : []),
        ...shortMessages(request, { bulk, steps, wait, entry }),
        ...(isPending ? callingReplies(request, responsibility) : []),
        ...(isPending ? reopenedReplies(request, postedSlots) : []),
        ...(isPending ? deferralMessages(request, postedSlots) : []),
        ...scheduleMessages(request, postedSlots),
        ...overrideMessages(request),
        ...approvalMessages(request, postedSlots),
        ...(isWorthAReply(request, postedSlots) ? [endingReply(request, postedSlots)] : []),
        ...(request.bulk
          ? bulkEventMessages(request, targetRequests, postedSlots)
          : eventMessages(request, postedSlots)),
      ];
    },
    async unplaced(id, slot, reason) {
      const request = await readRequest(app, id);
      if (request?.state !== "pending" || slot !== publicSlot) return;
      // No place is left for it, so nobody could decide it.
      const fact = `Rackbell cannot show this request to those who decide. ${reason}.`;
      await step(app, request, "void", { outcome: unsentOutcome(request, fact, "") });
    },
  };
}

/** The kinds of entries that end the wait for a decision, or what was decided. */
const decisions = [
  "approved",
  "confirmed",
  "overridden",
  "scheduled",
  "denied",
  "withdrawn",
  "replaced",
  "narrowed",
  "expired",
  "void",
  "not sent again",
] as const satisfies readonly AuditKind[];
/** Entries of a request that are looked at, the newest first. */
const mostEntries = 20;

/** The number of the audit entry of the last decision; null while it waits, and where nobody was to decide. */
async function decisionEntry({ store }: RequestsApp, { id, mode, state }: Request): Promise<string | null> {
  if (mode === "none" || state === "pending") return null;
  const found = await newestEntries({ store }, { about: id, limit: mostEntries, begun: true });
  return found.find(({ entry }) => decisions.some((kind) => kind === entry.what))?.id ?? null;
}

async function nextStepBlocks({ identities, registry }: RequestsApp, request: Request): Promise<Block[]> {
  // The steps of a bulk request are for all its targets: its own blocks have them.
  const steps = request.bulk ? [] : [...request.next, ...backupSteps(request)];
  if (steps.length === 0) return [];
  const offer = offerTo(await identities.links(request.requester.member), registry);
  // A step after a failure, such as another charge of the order, is still what that member wanted: they never approve it.
  const isRetry = states[request.state].result === "failure" && request.originator !== null;
  const carried = isRetry ? steps.map((step) => ({ ...step, originator: request.originator ?? undefined })) : steps;
  return stepBlocks(carried, offer, request.target?.name ?? "");
}

/** Steps that use the backup, offered once nothing of the request is under way. */
function backupSteps(request: Request): Request["next"] {
  return hasEnded(request) ? (request.backupFirst?.next ?? []) : [];
}

/** The people who are to act on it, and its steps while it waits. */
interface Wait {
  responsibility: Responsibility;
  waiting: WaitingSubject | null;
}

/** The parts of a message that the store has beside the request. `entry`: the number of the audit entry of its decision; null without one. */
interface Beside {
  bulk: Block[];
  steps: Block[];
  wait: Wait;
  entry: string | null;
}

function publicMessage(request: Request, { bulk, steps, wait, entry }: Beside): Notification {
  const pending = request.state === "pending";
  return {
    slot: publicSlot,
    to: placeOf(request),
    message: isOwners(request)
      ? closingMessage(request, "")
      : pending
        ? pendingMessage(request, { alone: false, listed: bulk, ...wait })
        : decidedMessage(
            request,
            [
              ...[...bulk, ...scheduleBlocksOf(request), ...eventBlocks(request), ...steps],
              ...unknownTake(request, wait),
              ...askAgainBlocks(request),
            ],
            { alone: false, entry },
          ),
    priority: request.state === "working" ? "progress" : pending || request.mode === "none" ? "answer" : "ending",
    since: request.createdAt,
  };
}

/** Somebody can take what has no known outcome, so that one looks at it and not three. */
function unknownTake(request: Request, { responsibility, waiting }: Wait): Block[] {
  if (!waiting) return [];
  return [...takeBlocks(responsibility), ...actions([takeButton(takeAction, request.id, responsibility)], "take")];
}

/** It was scheduled for all to see by a rule, and now its owner is asked in a message of their own. */
function isOwners(request: Request): boolean {
  return request.state === "pending" && request.agent !== null && isForRequesterAlone(request);
}

function scheduleBlocksOf(request: Request): Block[] {
  return request.state === "scheduled" ? scheduleBlocks(request) : [];
}

function placeOf(request: Request): Place {
  const { channel, origin, mode, state } = request;
  const { slackUser } = request.requester;
  if (channel === null) return { in: "direct", user: slackUser };
  const thread = resultThread(channel, origin);
  // An approver cannot press a button in somebody else's direct messages.
  const otherwise = mode === "peer" && state === "pending" ? null : origin;
  const lasting = mode !== "none" || request.job !== null || request.schedule !== null || state === "unknown";
  return { in: "channel", channel, ...(thread === null ? {} : { thread }), otherwise, lasting };
}

function withBlocks({ text, blocks }: Message, more: Block[]): Message {
  return { text, blocks: [...blocks, ...more] };
}

function requesterMessages(
  request: Request,
  { bulk, steps, correction, wait, entry }: Beside & { correction: Block[] },
): Notification[] {
  const alone = isForRequesterAlone(request);
  const { channel, origin, createdAt, state } = request;
  const inView = origin.view !== null;
  if (!alone && !inView) return [];
  const isPending = state === "pending";
  // The public message has the outcome, so the private one only names its place. A modal shows the whole request.
  const isPointer = !isPending && !inView && isPublic(request);
  const message = isPending
    ? withBlocks(pendingMessage(request, { alone, listed: bulk, ...wait, may: requesterMay(request) }), correction)
    : isPointer
      ? closingMessage(request, publicPlaceWords(request), recordBlocks(request, { alone, entry }))
      : decidedMessage(request, [...bulk, ...scheduleBlocksOf(request), ...steps, ...correction], { alone, entry });
  // The modal may be closed. No second message is needed if the answer stands elsewhere, too.
  const fleeting = (inView && isPublic(request)) || (alone && isEndedUnpressed(request));
  // The public message is where they asked: one message says the outcome.
  const gone = isPointer && channel === origin.channel && !isUnderAlert(request);
  // An agent's proposal is no answer to an interaction, so a private answer would vanish unseen.
  const to: Place = request.agent
    ? { in: "direct", user: request.requester.slackUser }
    : { in: "private", origin, fleeting, ...(gone ? { gone } : {}) };
  return [{ slot: requesterSlot, to, message, priority: "answer", since: createdAt }];
}

/** Only the requester sees this message, so it has none of the buttons that are for others. */
function requesterMay(request: Request): ReadonlySet<PressEvent> {
  return new Set(request.mode === "peer" ? ["withdraw", "move", "narrow", "chooseBackup", "leaveBackup"] : pressEvents);
}

/** The public message is in the thread of the alert that it was requested from. */
function isUnderAlert({ channel, origin }: Request): boolean {
  return threadIn(channel, origin) === null && resultThread(channel, origin) !== null;
}

/** Names the place of the public message, with a leading space. A requester who asked in a thread finds it there, not only in the channel. */
function publicPlaceWords(request: Request): string {
  const { channel, origin } = request;
  if (channel === null) return "";
  if (threadIn(channel, origin) !== null) return " See below, in this thread.";
  return isUnderAlert(request) ? " See the thread of the alert." : ` See <#${channel}>.`;
}

/** True if the requester gets a reply: somebody else ended it, nobody decided it, or it took long. */
function isWorthAReply(request: Request, postedSlots: ReadonlySet<string>): boolean {
  const { job, state, decidedBy, changedAt, decidedAt, createdAt } = request;
  const { slackUser } = request.requester;
  const { notifies } = states[state];
  if (notifies === "never") return false;
  if (notifies === "always" || isEndedUnpressed(request)) return true;
  if (!hasPublicMessage(request, postedSlots)) return endedUnknownAlone(request);
  if (notifies === "if another did it") return decidedBy !== slackUser;
  // Nobody watches a scheduled request, however soon it ends.
  if (wasScheduled(request)) return true;
  if (decidedBy !== null && decidedBy !== slackUser) return true;
  if (state === "void" && !isBeforeMainAct(request)) return request.mode === "peer";
  // The message of a bulk request has just shown the failures.
  if (job) return (state !== "done" && !request.bulk) || (job.endedAt ?? changedAt) - job.since > worthReplyMs;
  return changedAt - (decidedAt ?? createdAt) > worthReplyMs;
}

/** The requester alone saw that its outcome was unknown. Rackbell then checked for minutes, and an edit notifies nobody. */
function endedUnknownAlone({ state, looks }: Request): boolean {
  return looks > 0 && !states[state].accepted;
}

/** It ended without a decision: it expired, or a rule or key changed. */
function isEndedUnpressed({ state, decidedAt, unsettled }: Request): boolean {
  return (
    state === "expired" || ((state === "void" || (state === "undecided" && unsettled !== null)) && decidedAt === null)
  );
}

/** Notifies the requester of each approval by somebody else. If the act runs at once, only if it does not end soon. */
function approvalMessages(request: Request, postedSlots: ReadonlySet<string>): Notification[] {
  const { approvals, decidedBy, decidedAt } = request;
  const { slackUser } = request.requester;
  const { phase } = states[request.state];
  if (
    phase === "ended" ||
    approvals.length === 0 ||
    (phase !== "pending" && decidingOverride(request)) ||
    !hasPublicMessage(request, postedSlots)
  )
    return [];
  if (decidedBy === slackUser) return [];
  const message = approvedMessage(request, phase);
  const since = decidedAt ?? request.changedAt;
  const reply = notification(request, postedSlots, { slot: approvedSlot, message, since });
  if (phase === "pending") return [{ ...reply, slot: `${approvedSlot}-${approvals.at(-1)?.slackUser}` }];
  if (phase === "scheduled") return [reply];
  // It was approved long before its scheduled time, and the requester was notified then.
  if (wasScheduled(request)) return [];
  return [{ ...reply, notBefore: since + endsSoonMs }];
}

/** Replies about the schedule: each change of its time, and its start. */
function scheduleMessages(request: Request, postedSlots: ReadonlySet<string>): Notification[] {
  const { schedule, changedAt } = request;
  if (!schedule || !hasPublicMessage(request, postedSlots)) return [];
  const { moves, begunAt } = schedule;
  // Each change of the time gets its own reply: an edit would notify nobody.
  const slot = `${rescheduledSlot}-${moves}`;
  return [
    ...(moves > 0 && isWaiting(request)
      ? [replyBelow(request, { slot, message: rescheduledMessage(request), since: changedAt })]
      : []),
    ...(begunAt === null
      ? []
      : [replyBelow(request, { slot: startSlot, message: startMessage(request), since: begunAt })]),
  ];
}

/** A message for each override, with the highest priority: every reader of the channel must see it. */
function overrideMessages(request: Request): Notification[] {
  return request.overrides.map((override, at) => ({
    slot: at === 0 ? overrideSlot : `${overrideSlot}-${at}`,
    to: placeOf(request),
    message: overrideMessage(request, override),
    priority: "ending",
    since: override.at,
  }));
}

/** A reply below the public message: an edit of that message notifies nobody. */
function replyBelow(
  { requester: { slackUser } }: Request,
  { slot, message, since }: Pick<Notification, "slot" | "message" | "since">,
): Notification {
  return { slot, to: { in: "thread", under: publicSlot, user: slackUser }, message, priority: "ending", since };
}

/** Slack notifies nobody of a mention in a channel that they are not in. Such a requester gets a direct message. */
function isInDirectMessages(request: Request, postedSlots: ReadonlySet<string>): boolean {
  const { channel, origin } = request;
  return !hasPublicMessage(request, postedSlots) || (channel !== null && channel !== origin.channel);
}

function hasPublicMessage(request: Request, postedSlots: ReadonlySet<string>): boolean {
  return isPublic(request) || postedSlots.has(publicSlot);
}

/** The direct messages to those who only pay: while it waits, with the buttons; then, with its outcome. */
function shortMessages(request: Request, { bulk, entry }: Beside): Notification[] {
  const { state, approvers, createdAt } = request;
  const users = approvers?.direct.flatMap(({ slackUser, short }) => (short ? [slackUser] : [])) ?? [];
  const message =
    state === "pending"
      ? shortMessage(request, bulk)
      : closingMessage(request, publicPlaceWords(request), recordBlocks(request, { alone: false, entry }));
  return directNotifications(users, { message, since: createdAt, prefix: `${shortSlot}-` });
}

/** Replies that call the approvers: a reminder, those who could approve it later, and all of them once more. An edit would notify nobody. */
function callingReplies(request: Request, { steps }: Responsibility): Notification[] {
  const { called = [], raisedAt = null } = request.approvers ?? {};
  return [
    ...steps.flatMap((made) => stepReplies(request, made)),
    ...called.map((call) =>
      replyBelow(request, {
        slot: `${calledSlot}-${call.slackUser}`,
        message: calledMessage(request, call),
        since: call.at,
      }),
    ),
    ...(raisedAt === null
      ? []
      : callsOf(request, { slot: `${raisedSlot}-${raisedAt}`, words: raisedMessage, since: raisedAt })),
    ...backupReplies(request),
  ];
}

/** Notifies those who decide it, and its requester, that it waits again: they had approved it, or left it alone while it was sent. */
function reopenedReplies(request: Request, postedSlots: ReadonlySet<string>): Notification[] {
  const { reopened, mode } = request;
  if (reopened === null) return [];
  const { at: since } = reopened;
  const slot = `${reopenedSlot}-${since}`;
  const toRequester = notification(request, postedSlots, {
    slot: `${slot}:requester`,
    message: reopenedMessage(request, "requester"),
    since,
  });
  if (mode !== "peer") return [toRequester];
  const calls = callsOf(request, { slot, words: (one) => reopenedMessage(one, "deciders"), since });
  return isInDirectMessages(request, postedSlots) ? [...calls, toRequester] : calls;
}

/** A reply that calls those who decide, and the same to each of them who is not in the channel. */
function callsOf(
  request: Request,
  { slot, words, since }: Pick<Notification, "slot" | "since"> & { words: (request: Request) => Message },
): Notification[] {
  const { approvers } = request;
  const users = approvers?.direct.flatMap(({ slackUser, found }) => (found ? [slackUser] : [])) ?? [];
  const alone = words({ ...request, approvers: approvers && { ...approvers, mention: null } });
  return [
    replyBelow(request, { slot, message: words(request), since }),
    ...directNotifications(users, { message: alone, since, prefix: `${slot}:` }),
  ];
}

/** The reply of a step, and a direct message to each whom it notifies outside of the channel. The request's own message made the first. */
function stepReplies(request: Request, made: MadeStep): Notification[] {
  const { name, at: since, kind, notified } = made;
  // The card of those who only pay is their first message.
  const hasCard = (user: string) =>
    kind === "notified" && (request.approvers?.direct.some((one) => one.slackUser === user && one.short) ?? false);
  const message = kind === "reminded" ? reminderMessage(request) : waitingMessage(request, made, { alone: false });
  const direct = notified.flatMap(({ slackUser: user, direct: isDirect }): Notification[] =>
    user === null || !isDirect || hasCard(user)
      ? []
      : [
          {
            slot: `${name}:${user}`,
            to: { in: "direct", user },
            message: waitingMessage(request, made, { alone: true }),
            priority: "ending",
            since,
          },
        ],
  );
  return [...(kind === "notified" ? [] : [replyBelow(request, { slot: name, message, since })]), ...direct];
}

/** Calls the approvers after the requester chose the backup, or took that back: what they approved is another act now. */
function backupReplies(request: Request): Notification[] {
  const since = request.backupFirst?.changedAt ?? null;
  if (since === null) return [];
  return callsOf(request, { slot: `${backupSlot}-${since}`, words: changedBackupMessage, since });
}

/** Notifies the requester of a deferral, and those who decide of its end. */
function deferralMessages(request: Request, postedSlots: ReadonlySet<string>): Notification[] {
  const { deferred } = request;
  if (!deferred) return [];
  const { at, overAt } = deferred;
  const deferral = { slot: `${deferredSlot}-${at}`, message: deferredMessage(request, deferred), since: at };
  return [
    notification(request, postedSlots, deferral),
    ...(overAt === null
      ? []
      : callsOf(request, { slot: `${resumedSlot}-${overAt}`, words: resumedMessage, since: overAt })),
  ];
}

/** A notification to the requester: a reply, or a direct message. */
function notification(
  request: Request,
  postedSlots: ReadonlySet<string>,
  { slot, message, since }: Pick<Notification, "slot" | "message" | "since">,
): Notification {
  const { slackUser: user } = request.requester;
  const reply = replyBelow(request, { slot, message, since });
  return isInDirectMessages(request, postedSlots) ? { ...reply, to: { in: "direct", user } } : reply;
}

function endingReply(request: Request, postedSlots: ReadonlySet<string>): Notification {
  const message = endingMessage(request, { apart: isInDirectMessages(request, postedSlots) });
  return notification(request, postedSlots, { slot: endingSlot, message, since: request.createdAt });
}

/** Replies about webhook events, and a notification when they are late. */
function eventMessages(request: Request, postedSlots: ReadonlySet<string>): Notification[] {
  const { events } = request;
  if (!events || !hasPublicMessage(request, postedSlots)) return [];
  const { received, overdueAt, awaited } = events;
  const [first] = received;
  // An awaited event is shown in the public message, not in a reply.
  const joined: Notification[] =
    first && !awaited
      ? [{ slot: eventsSlot, to: inThread, message: eventsMessage([request]), priority: "progress", since: first.at }]
      : [];
  if (overdueAt === null || (eventArrived(request) && !postedSlots.has(overdueSlot))) return joined;
  return [...joined, overdueNotification(request, overdueMessage(request), overdueAt)];
}

/** The same for a bulk request, in one thread for all targets. */
function bulkEventMessages(
  request: Request,
  targetRequests: readonly Request[],
  postedSlots: ReadonlySet<string>,
): Notification[] {
  if (!hasPublicMessage(request, postedSlots)) return [];
  const all = targetRequests.flatMap(({ events }) => events ?? []);
  const received = all.flatMap((events) => events.received.map(({ at }) => at));
  const overdue = all.flatMap(({ overdueAt }) => overdueAt ?? []);
  const missing = bulkOverdueMessage(request, targetRequests, postedSlots.has(overdueSlot));
  const message = { to: inThread, message: eventsMessage(targetRequests), priority: "progress" } as const;
  return [
    ...(received.length > 0 ? [{ ...message, slot: eventsSlot, since: Math.min(...received) }] : []),
    ...(missing ? [overdueNotification(request, missing, Math.min(...overdue))] : []),
  ];
}

const inThread = { in: "thread", under: publicSlot, user: null } as const;

function overdueNotification({ requester }: Request, message: Message, since: number): Notification {
  return { slot: overdueSlot, to: { ...inThread, user: requester.slackUser }, message, priority: "ending", since };
}
