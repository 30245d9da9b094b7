// commands/: from an invocation to its answer: checks the member's right, binds the key, finds the target, runs or asks.

import { randomUUID } from "node:crypto";
import { admit } from "../members/access/access.ts";
import type { BoundOperation } from "../members/access/bound.ts";
import type { Target } from "../members/access/resolve.ts";
import { type ScheduledTime, scheduledTime } from "../members/access/when.ts";
import { shownKeyLabel } from "../members/identities/link.ts";
import { noteLastCommand } from "../members/settings/last-commands.ts";
import { isAdmin, requireAdmin } from "../messages/admins.ts";
import { type ErrorActions, privateAnswer } from "../messages/answers/answers.ts";
import { askedAct, withoutSecretInput } from "../messages/answers/buttons.ts";
import { correctionOf } from "../messages/answers/correction.ts";
import { isFailedRead } from "../messages/answers/error-text.ts";
import { explainError } from "../messages/answers/explain.ts";
import { offerTo, stepsInRole } from "../messages/answers/offer.ts";
import { askedToConfirm, askWhich } from "../messages/answers/questions.ts";
import type { Origin } from "../messages/origin.ts";
import { offerSecrets, secretTitle } from "../messages/secrets.ts";
import type { Act } from "../operation/act.ts";
import { asksAdmin } from "../operation/app-operation.ts";
import { beforeAct, InputError, Refusal, ScopeMissing, withTarget } from "../operation/errors.ts";
import { generatedSecrets } from "../operation/fields.ts";
import { describeInput } from "../operation/input.ts";
import { namesMeant, sameName } from "../operation/matching.ts";
import type { AppOperation, Invocation, Operation } from "../operation/operation.ts";
import { clockTime, withoutSchedule, withResolvedTime } from "../operation/schedule-input.ts";
import type { PlainText } from "../process/plain-text.ts";
import { inRequest, traceCommand } from "../process/trace.ts";
import type { Assertion } from "../process/webauthn/assertion.ts";
import { startAct } from "../requests/ask.ts";
import type { Proposal } from "../requests/create.ts";
import { bindOffered } from "../requests/delegate.ts";
import { type BulkProposal, proposeBulk } from "../requests/facets/bulk/propose.ts";
import { withRowsBefore } from "../requests/replacing.ts";
import { code, listing } from "../views/text.ts";
import type { App, AppWith } from "./app.ts";
import {
  applyChannelDefault,
  type DefaultedInvocation,
  explainWithin,
  isUnknownStatus,
  resolveWithin,
  sayingWhere,
} from "./channel-default.ts";
import { commandOutcome, guard } from "./guard.ts";
import { askedForPasskey } from "./passkey.ts";
import { read } from "./read.ts";
import { offerTimed } from "./timed-words.ts";

/** An invocation with the channel's default and its scheduled time; null means now. */
interface ScheduledInvocation extends DefaultedInvocation {
  when: ScheduledTime | null;
}

/** Not stored as a last command: it repeats the one before it. */
const againCommand = "rackbell again";

/** Runs the invocation of a command, a form or a button, and answers the member. Never throws. */
export async function invoke<C>(
  app: AppWith<C>,
  invocation: Invocation,
  origin: Origin,
  generated: string[] = [],
): Promise<void> {
  const operation = app.registry.find(invocation.command);
  if (operation) traceCommand(operation.command);
  const ways = (error: unknown) => errorActions(error, operation, invocation);
  const id = randomUUID();
  const outcome = await inRequest(id, () =>
    guard(app, origin, () => carryOut(app, invocation, origin, { id, generated }), ways),
  );
  app.onInvoked(operation?.command ?? "unknown", outcome);
}

/** The id of the act, and of the request that comes of it; and the names of the secrets that were generated for it. */
interface Fresh {
  id: string;
  generated: string[];
}

/**
 * Runs an invocation that a passkey proved, and resolves with the text of its answer, for the page. The answer goes to Slack as well.
 * Throws what stands against it.
 */
export async function invokeProven<C>(
  app: AppWith<C>,
  invocation: Invocation,
  origin: Origin,
  assertion: Assertion,
): Promise<string> {
  let text = "";
  const ephemeral: typeof app.reply.ephemeral = async (to, message, options) => {
    text = message.text;
    await app.reply.ephemeral(to, message, options);
  };
  const fresh = { id: randomUUID(), generated: [] };
  const command = app.registry.find(invocation.command)?.command ?? "unknown";
  try {
    await carryOut({ ...app, reply: { ...app.reply, ephemeral } }, invocation, origin, fresh, assertion);
  } catch (error) {
    app.onInvoked(command, commandOutcome(error));
    throw error;
  }
  app.onInvoked(command, "ok");
  return text;
}

async function carryOut<C>(
  app: AppWith<C>,
  invocation: Invocation,
  origin: Origin,
  fresh: Fresh,
  assertion?: Assertion,
) {
  const operation = app.registry.find(invocation.command);
  if (!operation)
    throw new Refusal(`There is no ${code(invocation.command)} any more. \`/rackbell help\` shows what there is.`);
  // The platform's reads take as long as Slack's answer about the channel, so neither waits for the other.
  if (origin.channel !== null && postsInChannel(operation, invocation))
    app.requests.people.expectChannel(origin.channel);
  await admit(app, origin.slackUser);
  if (!origin.pressed && !origin.home && operation.command !== againCommand)
    noteLastCommand(app, origin.member, operation, invocation);
  // Check the right first: errors in the input do not help a member who may not run the operation.
  if (operation.api === "app") {
    if (asksAdmin(operation, invocation.input)) await requireAdmin(app, origin.slackUser);
    return runOwn(app, operation, acceptedOf(operation, invocation), origin, assertion);
  }
  // A key that the platform rejected is tried again first, and that read can fail.
  const bound = await bindOffered(app.requests, operation, origin.member, invocation.delegation).catch((error) => {
    throw operation.risk !== "read" && isFailedRead(error) ? beforeAct(error) : error;
  });
  const input = await withRowsBefore(app.requests, operation, invocation, origin);
  const meant = await applyChannelDefault(app, bound, { ...invocation, input }, origin);
  try {
    await runBound(app, await readScheduled(app, meant, origin), origin, fresh);
  } catch (error) {
    const shown = explainWithin(error, meant);
    throw operation.risk !== "read" && isOfReading(shown) ? beforeAct(shown) : shown;
  }
}

/** True for a failed read and for a name that is nothing: what they say is not about the change that was asked for. */
function isOfReading(error: unknown): boolean {
  return isFailedRead(error) || (error instanceof InputError && error.fields.every(({ field }) => field === "target"));
}

/** True if its answer is for all in the channel. Other answers are private, and ask nothing about the channel. */
function postsInChannel({ api, risk }: Operation, { share }: Invocation): boolean {
  return api !== "app" && (risk !== "read" || share === true);
}

async function runOwn<C>(
  app: AppWith<C>,
  operation: AppOperation<C>,
  invocation: Invocation,
  origin: Origin,
  assertion: Assertion | undefined,
) {
  const { identities, registry, reply, context } = app;
  const links = await identities.links(origin.member);
  const { member, slackUser, channel } = origin;
  const described = describeInput(operation.input, invocation.input);
  const actor = {
    member,
    slackUser,
    keyLabel: shownKeyLabel(links),
    project: links.customer?.project ?? null,
    assertion,
  };
  const call = { context, actor, channel, input: invocation.input, now: app.clock.now() };
  if (operation.interrupts) await operation.check(call);
  if (
    await askedToConfirm(
      reply,
      operation,
      { verb: askedAct(operation, invocation), name: "", described },
      invocation,
      origin,
    )
  )
    return;
  if (!assertion && (await askedForPasskey(app, { operation, invocation, actor, origin }))) return;
  const answer = await operation.run(call);
  if (answer.file) return reply.file(origin, answer.file, answer.text);
  // It is done: a failed read of what the answer offers would show it as not done.
  const orElse = <T>(work: Promise<T>, otherwise: T): Promise<T> =>
    work.catch((error: unknown) => {
      app.log.error({ err: error, command: operation.command }, "The answer to a command lacks what it offers");
      return otherwise;
    });
  // Revealing them again would run the command again, so the answer has no such button.
  const { secrets = [], ...open } = answer;
  if (secrets.length > 0)
    await offerSecrets(app, randomUUID(), origin, secretTitle(secrets, ""), secrets).catch((error: unknown) => {
      app.log.error({ err: error, command: operation.command }, "A secret could not be kept");
      const lost = listing(secrets.map(({ label }) => code(label)));
      throw new Refusal(
        `It was done, but Rackbell could not keep this: ${lost}. Nobody can read it. Undo it, and try again.`,
        answer.next,
      );
    });
  // Read the links again: linking changes which buttons can be offered.
  const offer = offerTo(await orElse(identities.links(member), links), registry);
  const next = await orElse(
    stepsInRole(answer.next ?? [], registry, () => isAdmin(app, slackUser)),
    [],
  );
  await reply.ephemeral(origin, privateAnswer({ ...open, next }, { offer, name: "", invocation, shareLabel: null }), {
    replace: invocation.replace === true,
  });
}

async function runBound(app: App, meant: ScheduledInvocation, origin: Origin, fresh: Fresh): Promise<void> {
  const { bound, invocation } = meant;
  const { several } = invocation;
  if (several && "where" in several) return runBulk(app, several, meant, origin);
  const target = await targetIn(app, meant, origin);
  if (target === "offered") return;
  if (target?.is === "ambiguous") return askWhich(app.reply, bound.operation, sayingWhere(meant), target, origin);
  if (target?.is !== "several") return runOn(app, meant, target, origin, fresh);
  const [only, second] = target.found;
  if (only && !second) return runOn(app, meant, { is: "id", ...only }, origin, { ...fresh, generated: [] });
  if (bound.operation.bulk) return runBulk(app, target.found, meant, origin);
  for (const found of target.found) {
    const each = { id: randomUUID(), generated: [] };
    await inRequest(each.id, () => runOn(app, meant, { is: "id", id: found.id, name: null }, origin, each));
  }
}

/** The resource that was typed; null without one. "offered": the words have a time in them, and the member is asked if they mean that. */
async function targetIn(app: App, meant: ScheduledInvocation, origin: Origin): Promise<Target | null | "offered"> {
  const { bound, invocation } = meant;
  if (!bound.operation.target || invocation.target === undefined) return null;
  try {
    return await resolveWithin(meant, invocation.target, app.registry);
  } catch (error) {
    // Only a name that was refused may be words with a time. After a failed reading, another one would fail as well.
    const isRefused = error instanceof InputError || error instanceof Refusal;
    if (isRefused && (await offerTimed(app, [meant], origin))) return "offered";
    throw error;
  }
}

async function runOn(
  app: App,
  meant: ScheduledInvocation,
  target: Extract<Target, { is: "id" }> | null,
  origin: Origin,
  { id, generated }: Fresh,
): Promise<void> {
  const { bound, invocation } = meant;
  const targetId = target?.id ?? null;
  let name = target?.name ?? null;
  try {
    const input = withoutSchedule(invocation.input);
    const act = await bound.begin({ id, targetId, input, now: app.clock.now() });
    name = act.target?.name ?? null;
    if (act.risk === "read") return await read(app, meant, act, origin);
    await refuseRenamed(bound, act, { typed: invocation.target ?? "", name: target?.name ?? null });
    await refuseRelabelled(bound, act, invocation);
    await act.usable();
    // A target that makes its own password takes none, so none was generated.
    const sent = generated.filter((name) => generatedSecrets(bound.operation.input, act.input, [name]).length > 0);
    await submit(app, { bound, act, generated: sent, origin }, meant);
  } catch (error) {
    if (meant.plainer === null || !isUnknownStatus(error))
      throw withTarget(await explainError(app, error, bound, targetId), name);
    await runOn(app, plainerOf(meant, meant.plainer), target, origin, { id, generated: [] });
  }
}

async function runBulk(
  app: App,
  chosen: BulkProposal["chosen"],
  { bound, invocation, when }: ScheduledInvocation,
  origin: Origin,
): Promise<void> {
  const { stopAfter, confirmed, originator, delegation } = invocation;
  const input = withoutSchedule(invocation.input);
  try {
    await proposeBulk(app.requests, {
      bound,
      origin,
      input,
      chosen,
      stopAfter,
      confirmed,
      originator,
      delegation,
      when,
    });
  } catch (error) {
    throw await explainError(app, error, bound, null);
  }
  if (invocation.replace) await app.reply.dismiss(origin);
}

function errorActions(error: unknown, operation: Operation | undefined, invocation: Invocation): ErrorActions {
  const isForOthers = error instanceof ScopeMissing && operation !== undefined && operation.risk !== "read";
  return {
    correct: operation ? correctionOf(operation, invocation, error) : null,
    delegate: isForOthers ? withoutSecretInput(operation, invocation) : null,
  };
}

/** The same list without a status that this kind does not know. */
function plainerOf(
  meant: ScheduledInvocation,
  { invocation, note }: NonNullable<DefaultedInvocation["plainer"]>,
): ScheduledInvocation {
  return { ...meant, invocation: acceptedOf(meant.bound.operation, invocation), note, plainer: null };
}

/** The invocation with its input parsed and its time made absolute, since a button may carry it and run it later. */
async function readScheduled(
  app: App,
  meant: DefaultedInvocation,
  { slackUser }: Origin,
): Promise<ScheduledInvocation> {
  const invocation = acceptedOf(meant.bound.operation, meant.invocation);
  const when = await scheduledTime(app, invocation.input, slackUser);
  const input = when ? withResolvedTime(invocation.input, when.at) : invocation.input;
  return { ...meant, when, invocation: { ...invocation, input } };
}

/** Passes a change on: the member confirms it first, a request is made, or it runs at once. */
async function submit(
  { requests, reply, clock }: App,
  proposal: Pick<Proposal, "bound" | "act" | "generated" | "origin">,
  { when, invocation }: ScheduledInvocation,
): Promise<void> {
  const { bound, act, origin } = proposal;
  const { originator, delegation, replaces, confirmed } = invocation;
  const wanted = { ...proposal, originator, delegation, replaces, confirmed, when };
  const pinned = { ...invocation, ...(act.target ? { target: act.target.id } : {}) };
  const later = when && { at: clockTime(when.at, when.zone, clock.now()), said: when.said };
  const title = {
    verb: act.verb,
    name: act.target?.name ?? "",
    described: act.described,
    when: later,
    readIdentity: act.readIdentity,
  };
  await startAct(requests, wanted, (conflict) =>
    askedToConfirm(reply, bound.operation, title, pinned, origin, conflict),
  );
  if (invocation.confirmed && invocation.replace) await reply.dismiss(origin);
}

/** The invocation with its input as the operation parses it. Throws the operation's InputError. */
function acceptedOf(operation: Operation, invocation: Invocation): Invocation {
  const accepted = operation.accept(invocation.input);
  if ("error" in accepted) throw accepted.error;
  return { ...invocation, input: accepted.input };
}

/**
 * The name index may be minutes old, and the name may belong to another machine by now. Throws a Refusal unless another name of the act's
 * target is what the member typed.
 */
export async function refuseRenamed(
  bound: Pick<BoundOperation, "listing">,
  act: Pick<Act, "target" | "names">,
  { typed, name }: { typed: string; name: PlainText | null },
): Promise<void> {
  if (name === null || !act.target || act.target.name === name) return;
  if (namesMeant(typed).some((meant) => act.names.some((each) => sameName(each, meant)))) return;
  await refuseOldName(bound, name, act.target.name);
}

/** Labels that Slack surely returns as they were sent: it may write other signs in another way. */
const plainLabel = /^[\w.-]+$/;

/** The same for a target that was chosen from a list, which may be as old. */
async function refuseRelabelled(bound: BoundOperation, act: Act, { chosenLabel = "" }: Invocation): Promise<void> {
  if (!act.target || !plainLabel.test(chosenLabel) || act.names.includes(chosenLabel)) return;
  await refuseOldName(bound, chosenLabel, act.target.name);
}

/** Has the list read again, so that the next try finds the new name. */
async function refuseOldName(
  bound: Pick<BoundOperation, "listing">,
  before: PlainText,
  now: PlainText,
): Promise<never> {
  await bound.listing({ fresh: true });
  throw new Refusal(
    `The platform shows ${code(before)} as ${code(now)} now, so nothing was done. Ask again by that name.`,
  );
}
