import { scheduledTime } from "../access/when.ts";
import { invocationButton, invokePrefix } from "../notifications/answers/buttons.ts";
import { type Origin, threadIn } from "../notifications/origin.ts";
import { InputError, Refusal } from "../operation/errors.ts";
import { fieldsOf, isSecret } from "../operation/fields.ts";
import type { Invocation, PlatformOperation } from "../operation/operation.ts";
import { reasonIn } from "../operation/reason.ts";
import { withResolvedTime } from "../operation/schedule-input.ts";
import { actions, facts, type Message, section } from "../views/blocks.ts";
import { code, prose } from "../views/text.ts";
import type { RequestsApp } from "./app.ts";
import { findPlace, mentionForRun } from "./audience.ts";
import { operationOf } from "./checks.ts";

/**
 * Asks colleagues to run what a member's key cannot. A colleague who takes it uses their own key, which reads the
 * preconditions. No secret and no key is carried over, and the originator never approves it.
 */
export async function delegate(app: RequestsApp, invocation: Invocation, origin: Origin): Promise<void> {
  const { reply } = app;
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
  const safeInvocation = withoutSecrets(operation, { ...invocation, input }, origin);
  const message = delegateMessage(operation, safeInvocation, mentions, origin);
  await reply.inChannel({ ...origin, channel, thread: threadIn(channel, origin), responseUrl: null }, message);
  await reply.say(origin, `I asked ${mentions} in <#${channel}>. The member who takes it uses their own key.`);
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

function delegateMessage(
  operation: PlatformOperation,
  invocation: Invocation,
  mentions: string,
  { slackUser }: Origin,
): Message {
  const { target, input } = invocation;
  const title = target === undefined ? operation.phrase : `${operation.verb} ${code(target)}`;
  const take = invocationButton("Take it…", `${invokePrefix}take`, invocation, {
    operation,
    name: target ?? "",
    style: "primary",
  });
  if (take.length === 0)
    throw new InputError("This request is too long for a message to a colleague. Ask a colleague yourself.");
  const why = reasonIn(input);
  const inputFacts = fieldsOf(operation.input).flatMap(({ name, label }) =>
    name in input && String(input[name]) !== why ? [{ label, value: code(String(input[name]), 300) }] : [],
  );
  const text = `${mentions}: <@${slackUser}> asks somebody to *${title}*. The key of <@${slackUser}> lacks ${code(operation.scope)}.`;
  return {
    text,
    blocks: [
      section(text),
      ...facts([...(why ? [{ label: "Why", value: prose(why, 500) }] : []), ...inputFacts]),
      ...actions(take, "take"),
    ],
  };
}
