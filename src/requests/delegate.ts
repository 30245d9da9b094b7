import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { scheduledTime } from "../members/access/when.ts";
import { invocationButton, invokePrefix, packInvocation, unpackInvocation } from "../messages/answers/buttons.ts";
import { Origin, threadIn } from "../messages/origin.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "../messages/outbox.ts";
import { InputError, Refusal } from "../operation/errors.ts";
import { fieldsOf, isSecret } from "../operation/fields.ts";
import type { Invocation, PlatformOperation } from "../operation/operation.ts";
import { reasonIn } from "../operation/reason.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, replacing } from "../storage/record.ts";
import { update } from "../storage/update.ts";
import { actions, facts, type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { limits } from "../views/limits.ts";
import { code, prose } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { findPlace, mentionForRun } from "./audience.ts";
import { operationOf } from "./checks.ts";
import type { Proposal } from "./create.ts";
import type { Claim } from "./store.ts";

/**
 * Asks colleagues to run what a member's key cannot. A colleague who takes it uses their own key, which reads the
 * preconditions. No secret and no key is carried over, and the originator never approves it.
 */
export async function delegate(app: RequestsApp, invocation: Invocation, origin: Origin): Promise<void> {
  const { reply, store, clock } = app;
  const operation = operationOf(app, invocation);
  if (!operation) throw new Refusal("Rackbell no longer has that command. Nothing was requested.");
  const mentions = await mentionForRun(app, origin.member, operation);
  if (mentions === null)
    throw new Refusal(
      `No linked member can do this. It needs a key with the scope ${code(operation.scope)}. Nothing was requested.`,
    );
  // The requester typed a time in their own time zone, whichever colleague takes it.
  const when = await scheduledTime(app, invocation.input, origin.slackUser);
  const input = when ? withResolvedTime(invocation.input, when.at) : invocation.input;
  const { channel } = await findPlace(app, origin, { peer: true });
  // `findPlace` refuses where no channel is left for others.
  if (channel === null) return;
  const id = randomUUID();
  const taking = packInvocation({ ...withoutSecrets(operation, { ...invocation, input }, origin), delegation: id });
  if (taking.length > limits.button.value)
    throw new InputError("This request is too long for a message to a colleague. Ask a colleague yourself.");
  const at = clock.now();
  const record = { at, origin, channel, mentions, taking, taken: null };
  await store.transact({
    records: [creating(delegations, id, record)],
    timers: [{ id: notificationTimer(delegationSubject, id), at }],
  });
  await reply.say(origin, `I asked ${mentions} in <#${channel}>. The member who takes it uses their own key.`);
}

export const delegationSubject = "delegation";
const month = 30 * 24 * 60 * 60_000;

/** An act that a member asks colleagues to take. */
const Delegation = z.object({
  at: z.number(),
  origin: Origin,
  channel: z.string(),
  mentions: z.string(),
  /** The packed invocation of the button. */
  taking: z.string(),
  /** The member who took it last, and when. */
  taken: z.object({ slackUser: z.string(), at: z.number() }).nullable(),
});
type Delegation = z.infer<typeof Delegation>;
const delegations = defineKind({
  name: "delegation",
  namespace: "delegations",
  schema: Delegation,
  ttlMs: month,
});

type Taking = Pick<Proposal, "delegation" | "origin">;

/**
 * The claim with which a taken act or request is stored. Throws a Refusal if a colleague took it before: Slack may show a message with its
 * button for hours after that, and a second press would do the act twice.
 */
export async function claimOffer(
  { store, clock }: RequestsApp,
  { delegation, origin: { slackUser } }: Taking,
): Promise<Claim | undefined> {
  if (delegation === undefined) return undefined;
  const { offer, ...stored } = await readOffer({ store }, delegation);
  const at = clock.now();
  return {
    record: replacing(stored, { ...offer, taken: { slackUser, at } }),
    timer: { id: notificationTimer(delegationSubject, delegation), at },
    lost: "A colleague took this in the same moment, so nothing was done twice. Its message says who it was.",
  };
}

/** Throws a Refusal if a colleague took it already. */
export async function requireOffer(app: Pick<RequestsApp, "store">, delegation: string | undefined): Promise<void> {
  if (delegation !== undefined) await readOffer(app, delegation);
}

async function readOffer({ store }: Pick<RequestsApp, "store">, delegation: string) {
  const { value: offer, ...stored } = await store.read(delegations, delegation);
  if (!offer) throw new Refusal("This message to colleagues is too old to be taken. Nothing was done.");
  const { taken } = offer;
  if (taken)
    throw new Refusal(
      `<@${taken.slackUser}> took this ${moment(taken.at)}, so nothing was done twice. The message of that request says how it goes on.`,
    );
  return { ...stored, offer };
}

/** Gives it back to all colleagues: the platform refused the act, so nothing was done. */
export async function releaseOffer({ store, clock }: RequestsApp, { delegation }: Taking): Promise<void> {
  if (delegation === undefined) return;
  await update(store, delegations, delegation, (was) => was && { ...was, taken: null });
  await store.timers.set(notificationTimer(delegationSubject, delegation), clock.now());
}

export function delegationMessages(app: Pick<RequestsApp, "store" | "registry">): NotificationSource {
  return fromRecords(app, delegations, (delegation) => {
    const message = delegateMessage(app, delegation);
    if (!message) return [];
    const { origin, channel, at: since } = delegation;
    const thread = threadIn(channel, origin);
    const place = { channel, ...(thread === null ? {} : { thread }), otherwise: origin, lasting: true };
    return [{ slot: "offer", to: { in: "channel", ...place }, message, priority: "answer", since }];
  });
}

/** Copies the invocation without secrets and keys. The first originator stays, however often it is passed on. */
function withoutSecrets(
  operation: PlatformOperation,
  { command, target, several, stopAfter, input, originator }: Invocation,
  { slackUser }: Origin,
): Invocation {
  const secretNames = fieldsOf(operation.input)
    .filter((field) => isSecret(field) || field.kind === "lines")
    .map(({ name }) => name);
  const openInputs = Object.entries(input).filter(
    ([name, value]) => !secretNames.includes(name) && value !== undefined,
  );
  return {
    command,
    input: Object.fromEntries(openInputs),
    originator: originator ?? slackUser,
    ...(target === undefined ? {} : { target }),
    ...(several === undefined ? {} : { several }),
    ...(stopAfter === undefined ? {} : { stopAfter }),
  };
}

/** Null if this version has the command no more. */
function delegateMessage(app: Pick<RequestsApp, "registry">, delegation: Delegation): Message | null {
  const { mentions, origin, taking, taken } = delegation;
  const invocation = unpackInvocation(taking);
  const operation = invocation && operationOf(app, invocation);
  if (!operation) return null;
  const { target, input } = invocation;
  const title = target === undefined ? operation.phrase : `${operation.verb} ${code(target)}`;
  const take = invocationButton("Take it…", `${invokePrefix}take`, invocation, {
    operation,
    name: target ?? "",
    style: "primary",
  });
  const why = reasonIn(input);
  const inputFacts = fieldsOf(operation.input).flatMap(({ name, label }) =>
    name in input && String(input[name]) !== why ? [{ label, value: code(String(input[name]), 300) }] : [],
  );
  const who = `<@${origin.slackUser}>`;
  const asked = `${who} asks somebody to *${title}*. The key of ${who} lacks ${code(operation.scope)}.`;
  const text = taken
    ? `:ballot_box_with_check: <@${taken.slackUser}> took this ${moment(taken.at)}. The message of that request says how it goes on.`
    : `${mentions}: ${asked}`;
  return {
    text,
    blocks: [
      section(taken ? `${text}\nBefore that: ${asked}` : text),
      ...facts([...(why ? [{ label: "Why", value: prose(why, 500) }] : []), ...inputFacts]),
      ...(taken ? [] : actions(take, "take")),
    ],
  };
}
