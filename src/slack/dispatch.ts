import { withoutEverywhere } from "../commands/channel-default.ts";
import { currentAct } from "../commands/guard.ts";
import { invoke } from "../commands/invoke.ts";
import { whichNoun } from "../commands/which-noun.ts";
import { admit, may } from "../members/access/access.ts";
import { isAdmin } from "../messages/admins.ts";
import { formFor } from "../messages/answers/answers.ts";
import type { Origin } from "../messages/origin.ts";
import { actInputs, isActInput, isEnough, isGiven } from "../operation/act-input.ts";
import { formAsksAdmin } from "../operation/app-operation.ts";
import { Refusal } from "../operation/errors.ts";
import { fieldsOf, fillPasswords, isSecret } from "../operation/fields.ts";
import type { Invocation, Operation } from "../operation/operation.ts";
import { traceCommand } from "../process/trace.ts";
import type { Readings } from "./command/parse.ts";
import { openForm } from "./forms/form.ts";
import { guardInteraction, placeForAnswer } from "./interaction.ts";
import type { SlackApp } from "./slack-app.ts";

export const busy = "I am busy with other work right now, so nothing was done. Try again in a few seconds.";

/** Queues work outside Slack's three seconds; an error in it becomes an answer. False if the queue is full. */
export function enqueue(app: SlackApp, origin: Origin, task: () => Promise<void>): boolean {
  const release = currentAct.getStore()?.hold() ?? noAct;
  const enqueued = app.queue.tryEnqueue(async () => {
    await guardInteraction(app, origin, task);
    release();
  });
  if (!enqueued) release();
  return enqueued;
}

/** The same, but if the queue is full the member is notified. */
export async function enqueueOrSay(app: SlackApp, origin: Origin, task: () => Promise<void>): Promise<void> {
  if (!enqueue(app, origin, task)) await say(app, origin, busy);
}

export async function say(app: SlackApp, origin: Origin, text: string): Promise<void> {
  await guardInteraction(app, origin, () => app.reply.say(origin, text));
}

/**
 * Opens the form that an invocation still needs, or runs the operation: at once if a trigger must be used in time, else by the queue. False
 * if the queue is full; then the member is not notified yet. An event has no trigger, so its form is offered by a button.
 */
export async function dispatch(
  app: SlackApp,
  invocation: Invocation,
  origin: Origin,
  trigger: string | null,
): Promise<boolean> {
  const operation = app.registry.find(invocation.command);
  const asks = operation && needsForm(operation, invocation) && (await mayAsk(app, operation, invocation, origin));
  if (!asks) {
    const placed = trigger === null ? origin : await placeForAnswer(app, invocation, origin, trigger);
    const { filled, generated } = operation
      ? withPasswords(operation, invocation)
      : { filled: invocation, generated: [] };
    return enqueue(app, placed, () => invoke(app, filled, placed, generated));
  }
  if (trigger === null) return enqueue(app, origin, () => app.reply.ephemeral(origin, formFor(operation, invocation)));
  await openNow(app, operation, invocation, origin, trigger);
  return true;
}

/** The same for a command without its noun, or with a synonym for its verb: finds out which reading is meant, and runs or offers it. */
export function dispatchOneOf(app: SlackApp, readings: Readings, origin: Origin): boolean {
  return enqueue(app, origin, async () => {
    const meant = await whichNoun(app, readings, origin);
    // The lookup took longer than a trigger lives.
    if (meant && !(await dispatch(app, meant, origin, null))) await say(app, origin, busy);
  });
}

/** Opens a form at once, past the queue: a trigger lives three seconds. */
async function openNow(
  app: SlackApp,
  operation: Operation,
  invocation: Invocation,
  origin: Origin,
  trigger: string,
): Promise<void> {
  traceCommand(operation.command);
  await guardInteraction(app, origin, async () => {
    const opened = await openForm(app, operation, invocation, origin, trigger);
    if (opened) await enqueueOrSay(app, origin, opened.fill);
  });
}

/**
 * Makes the passwords that were left out beside other values, as a form does whose field stays empty. Nothing is made where the password is all
 * that could be said: its form is the only way to choose it.
 */
function withPasswords(operation: Operation, invocation: Invocation) {
  const fields = fieldsOf(operation.input);
  const hasPassword = fields.some(({ kind }) => kind === "password");
  const hasOthers = fields.some((one) => !isSecret(one) && isActInput(operation, one.name));
  if (!hasPassword || !hasOthers || invocation.target === undefined) return { filled: invocation, generated: [] };
  const { values, generated } = fillPasswords(operation.input, invocation.input);
  return { filled: { ...invocation, input: values }, generated };
}

/** Checks before a form opens: a guest, or a member without the role, the key or the scope, must not fill it in for nothing. */
async function mayAsk(app: SlackApp, operation: Operation, { input }: Invocation, origin: Origin): Promise<boolean> {
  if (!(await isAdmitted(app, origin))) return false;
  // Without an answer of Slack the form opens, and its submit asks again.
  if (operation.api === "app")
    return !formAsksAdmin(operation, input) || isAdmin(app, origin.slackUser).catch(() => true);
  // Without an answer of the store the form opens and shows that error.
  const links = await app.identities.links(origin.member).catch(() => null);
  return links === null || may(links, operation);
}

/** False only if the member is surely not admitted. If that is unknown now, the submit checks it again. */
async function isAdmitted(app: SlackApp, { slackUser }: Pick<Origin, "slackUser">): Promise<boolean> {
  return (await outsiderRefusal(app, slackUser)) === null;
}

/** The refusal of a guest, of somebody in another organisation or of a deactivated member; null for others, and while Slack does not answer. */
export async function outsiderRefusal(app: SlackApp, slackUser: string): Promise<Refusal | null> {
  try {
    await admit(app, slackUser);
    return null;
  } catch (error) {
    return error instanceof Refusal ? error : null;
  }
}

/**
 * True for those who may press and submit. Others get the reason: a button or a form may be older than their becoming a guest, and each
 * one would have to think of that.
 */
export async function isLetIn(app: SlackApp, origin: Origin): Promise<boolean> {
  const refusal = await outsiderRefusal(app, origin.slackUser);
  if (refusal) await guardInteraction(app, origin, () => Promise.reject(refusal));
  return refusal === null;
}

/** Some payloads are no act: nobody waits for their answer. */
function noAct(): void {}

/** True if a form must ask for more before the operation can run. Only this function decides it. */
export function needsForm(operation: Operation, invocation: Invocation): boolean {
  const { target, several, faults, form } = invocation;
  if (faults || form) return true;
  const { filled } = withPasswords(operation, invocation);
  const { input } = operation.api === "app" ? filled : withoutEverywhere(operation, filled);
  // A form is for one resource. Missing input for a filter's result is reported as an error.
  if (several && "where" in several) return false;
  if (operation.target && target === undefined) return true;
  if (operation.leading) return !isEnough(operation.leading, input);
  // Some inputs need one of several fields, none of which is required alone. A reason or a time is not among them.
  const accepted = operation.accept(actInputs(operation, input));
  const wrong = "error" in accepted ? accepted.error.fields : [];
  if (wrong.length > 0 && wrong.every(({ field }) => isMissing(operation, input, field))) return true;
  return fieldsOf(operation.input).some(
    (field) => input[field.name] === undefined && (field.required || isSecret(field)),
  );
}

function isMissing({ input: schema }: Operation, input: Record<string, unknown>, field: string): boolean {
  return field in schema.shape && !isGiven(input[field]);
}
