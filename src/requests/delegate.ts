import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { type BindingApp, type BoundOperation, bind } from "../members/access/bound.ts";
import { scheduledTime } from "../members/access/when.ts";
import { packInvocation, takeOfferAction, unpackInvocation } from "../messages/answers/buttons.ts";
import { Origin, threadIn } from "../messages/origin.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "../messages/outbox.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf, isSecret } from "../operation/fields.ts";
import { uuid } from "../operation/matching.ts";
import type { Invocation, PlatformOperation } from "../operation/operation.ts";
import { reasonField, reasonIn } from "../operation/reason.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import { PlainText } from "../process/plain-text.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, replacing } from "../storage/record.ts";
import { update } from "../storage/update.ts";
import { actions, button, facts, type Message, paragraphs, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code, count, prose } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { findPlace, mentionForRun } from "./audience.ts";
import { operationOf } from "./checks.ts";
import type { Proposal } from "./create.ts";
import type { Claim } from "./store.ts";

/** A resource that colleagues are asked to act on, and the facts by which people know it, as mrkdwn. */
const OfferedTarget = z.object({ id: z.string(), name: PlainText, facts: z.string() });
export type OfferedTarget = z.infer<typeof OfferedTarget>;

/**
 * Asks colleagues to run what a member's key cannot, on targets that this key read. A colleague who takes it uses their own key, which reads
 * the preconditions. No secret and no key is carried over, and the originator never approves it.
 */
export async function delegate(
  app: RequestsApp,
  {
    bound: { operation, actor, link },
    invocation,
    targets,
  }: { bound: BoundOperation; invocation: Invocation; targets: readonly OfferedTarget[] },
  origin: Origin,
): Promise<void> {
  const { reply, store, clock } = app;
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
  const taking = packInvocation(pinned(withoutSecrets(operation, { ...invocation, input }, origin), targets));
  const at = clock.now();
  const project = actor.project ?? (link.api === "customer" ? link.bound : null);
  const record = { at, origin, channel, mentions, taking, project, targets: [...targets], taken: null };
  await store.transact({
    records: [creating(delegations, id, record)],
    timers: [{ id: notificationTimer(delegationSubject, id), at }],
  });
  const asked = `I asked ${mentions} in <#${channel}> to *${titleOf(operation, record)}*.`;
  await reply.say(origin, `${[asked, ...targetLines(record)].join("\n")}\nThe member who takes it uses their own key.`);
}

/** The invocation with the ids of its targets in the place of their names. */
function pinned(invocation: Invocation, targets: readonly OfferedTarget[]): Invocation {
  if (targets.length === 0) return invocation;
  const names = targets.map(({ id }) => id);
  return { ...invocation, target: names.join(" "), ...(invocation.several ? { several: { names } } : {}) };
}

export const delegationSubject = "delegation";
const month = 30 * 24 * 60 * 60_000;

/** An act that a member asks colleagues to take. */
const Delegation = z.object({
  at: z.number(),
  origin: Origin,
  channel: z.string(),
  mentions: z.string(),
  /** The packed invocation, with the ids of its targets. */
  taking: z.string(),
  /** The project in which its names and filters were read. */
  project: z.object({ id: z.string(), name: PlainText }).nullable().default(null),
  targets: z.array(OfferedTarget).default([]),
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

/** The invocation of a press of *Take it…*. Throws a Refusal if a colleague took it already. */
export async function takeOffer(app: Pick<RequestsApp, "store">, id: string): Promise<Invocation> {
  const { offer } = uuid.test(id) ? await readOffer(app, id) : { offer: null };
  const invocation = offer && unpackInvocation(offer.taking);
  // An earlier version stored names alone, which may be other resources' by now.
  if (!invocation || (invocation.target !== undefined && offer.targets.length === 0))
    throw new Refusal(
      "This message is from an older version of Rackbell. Nothing was done. Ask your colleague to ask again.",
    );
  return { ...invocation, delegation: id };
}

/** Binds an operation to the member's key: what they took from a colleague, on exactly the resources that this colleague meant. */
export async function bindOffered(
  app: BindingApp & Pick<RequestsApp, "store">,
  operation: PlatformOperation,
  member: string,
  delegation: string | undefined,
): Promise<BoundOperation> {
  return placeAsOffered(app, await bind(app, operation, member), delegation);
}

/** The same for an operation that is bound already. It refuses a target that was renamed since it was offered. */
export async function placeAsOffered(
  app: Pick<RequestsApp, "store">,
  own: BoundOperation,
  delegation: string | undefined,
): Promise<BoundOperation> {
  if (delegation === undefined) return own;
  const { project, targets } = (await readOffer(app, delegation)).offer;
  const confined = own.link.api === "customer" ? own.link.bound : null;
  if (confined && project && confined.id !== project.id)
    throw new Refusal(
      `Your key is confined to project ${code(confined.name)}, and this is about project ${code(project.name)}. Nothing was done.`,
    );
  const bound = own.in(project);
  const names = new Map(targets.map(({ id, name }) => [id, name]));
  const asOffered = <T extends { id: string; name: PlainText | null }>(found: T): T => ({
    ...found,
    name: names.get(found.id) ?? found.name,
  });
  return {
    ...bound,
    async resolve(typed, several) {
      const target = await bound.resolve(typed, several);
      if (target.is === "id") return asOffered(target);
      return target.is === "several" ? { ...target, found: target.found.map(asOffered) } : target;
    },
  };
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
  return fromRecords(app, delegations, (delegation, id) => {
    const message = delegateMessage(app, id, delegation);
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

/** The act, and its only resource or the number of them. */
function titleOf(operation: PlatformOperation, { targets, taking }: Pick<Delegation, "targets" | "taking">): string {
  const [only, second] = targets;
  if (only && !second) return `${operation.verb} ${code(only.name)}`;
  const { target } = operation;
  if (only) return `${operation.verb} ${count(targets.length, target?.label ?? "resource", target?.plural)}`;
  const several = unpackInvocation(taking)?.several;
  return several && "where" in several ? `${operation.verb} ${target?.plural ?? "resources"}` : operation.phrase;
}

/** Every resource with the facts by which people know it: the colleague typed none of them. */
function targetLines({ targets }: Pick<Delegation, "targets">): string[] {
  const [only, second] = targets;
  if (only && !second) return only.facts === "" ? [] : [only.facts];
  return targets.map(({ name, facts: known }) => [`• ${code(name)}`, known].filter((part) => part !== "").join(" "));
}

/** The filters of an act on several resources, and the place without one. */
function filterFacts({ several, stopAfter }: Invocation, { targets, project }: Delegation) {
  const where = several && "where" in several ? Object.entries(several.where) : [];
  const filters = where.flatMap(([name, value]) =>
    value === undefined
      ? []
      : [{ label: filterLabels[name] ?? name, value: value === true ? "yes" : code(value, 100) }],
  );
  return [
    ...(project && targets.length === 0 ? [{ label: "In project", value: code(project.name) }] : []),
    ...filters,
    ...(stopAfter === undefined ? [] : [{ label: "Stops after", value: count(stopAfter, "failure") }]),
  ];
}

const filterLabels: Readonly<Record<string, string>> = {
  text: "With the text",
  status: "With the status",
  project: "With the project",
  all: "All of them",
};

/** Null if this version has the command no more. */
function delegateMessage(app: Pick<RequestsApp, "registry">, id: string, delegation: Delegation): Message | null {
  const { mentions, origin, taking, taken } = delegation;
  const invocation = unpackInvocation(taking);
  const operation = invocation && operationOf(app, invocation);
  if (!operation) return null;
  const { input, several } = invocation;
  const why = reasonIn(input);
  const inputFacts = fieldsOf(operation.input).flatMap(({ name, label }) =>
    name in input && name !== reasonField ? [{ label, value: code(String(input[name]), 300) }] : [],
  );
  const who = `<@${origin.slackUser}>`;
  const asked = `${who} asks somebody to *${titleOf(operation, delegation)}*. The key of ${who} lacks ${code(operation.scope)}.`;
  const text = taken
    ? `:ballot_box_with_check: <@${taken.slackUser}> took this ${moment(taken.at)}. The message of that request says how it goes on.`
    : `${mentions}: ${asked}`;
  const isMany = delegation.targets.length > 1 || (several !== undefined && "where" in several);
  const shown = isMany ? ["The member who takes it sees each of them, and confirms that, before anything runs."] : [];
  return {
    text,
    blocks: [
      section(taken ? `${text}\nBefore that: ${asked}` : text),
      ...paragraphs([...targetLines(delegation), ...(taken ? [] : shown)]),
      ...facts([
        ...filterFacts(invocation, delegation),
        ...(why ? [{ label: "Why", value: prose(why, 500) }] : []),
        ...inputFacts,
      ]),
      ...(taken ? [] : actions([button("Take it…", takeOfferAction, id, { style: "primary" })], "take")),
    ],
  };
}
