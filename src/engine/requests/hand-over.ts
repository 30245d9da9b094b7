import { InputError, Refusal } from "../../operation/errors.ts";
import { fieldsOf, isSecret } from "../../operation/fields.ts";
import type { Invocation, PlatformOperation } from "../../operation/operation.ts";
import { reasonIn } from "../../operation/reason.ts";
import type { Registry } from "../../operation/registry.ts";
import { withSettled } from "../../operation/when.ts";
import { actions, facts, type Message, section } from "../../views/blocks.ts";
import { code, prose } from "../../views/text.ts";
import { invocationButton, invokePrefix } from "../answers/buttons.ts";
import { type Origin, threadIn } from "../answers/origin.ts";
import type { Reply } from "../answers/reply.ts";
import type { ReadPutOff } from "../when.ts";
import type { Approvers } from "./approvers.ts";
import type { FindPlace } from "./place.ts";

/**
 * Asks others to do what a member's key cannot (design section 4). Whoever takes it asks it with their own key, which reads the facts;
 * nothing secret and no key is carried over, and who wanted it never approves it.
 */
export type HandOver = (invocation: Invocation, origin: Origin) => Promise<void>;

export function createHandOver(deps: {
  registry: Registry;
  approvers: Approvers;
  findPlace: FindPlace;
  reply: Reply;
  putOff: ReadPutOff;
}): HandOver {
  const { registry, approvers, findPlace, reply, putOff } = deps;
  return async (invocation, origin) => {
    const operation = registry.find(invocation.command);
    if (!operation || operation.api === "app") throw new Refusal("That command is no longer there. Nothing was asked.");
    const called = await approvers.toDo(origin.slackUser, operation);
    if (called === null)
      throw new Refusal(
        `Nobody who is linked could do this: a member whose key has the scope ${code(operation.scope)} is needed. Nothing was asked.`,
      );
    // A time is meant by the clocks of who wanted it, whoever takes it.
    const when = await putOff(invocation.input, origin.slackUser);
    const input = when ? withSettled(invocation.input, when.at) : invocation.input;
    const { channel } = await findPlace(origin, { peer: true });
    const carried = carriedOver(operation, { ...invocation, input }, origin);
    const message = handOverMessage(operation, carried, called, origin);
    await reply.inChannel({ ...origin, channel, thread: threadIn(channel, origin), responseUrl: null }, message);
    const text = `I asked ${called} in <#${channel}>. Whoever takes it does it with their own key.`;
    await reply.ephemeral(origin, { text, blocks: [section(text)] });
  };
}

/** What was asked, without what is secret or somebody's key. */
function carriedOver(
  operation: PlatformOperation,
  { command, target, several, stopAfter, input }: Invocation,
  { slackUser }: Origin,
): Invocation {
  const left = fieldsOf(operation.input)
    .filter((field) => isSecret(field) || field.kind === "lines")
    .map(({ name }) => name);
  const kept = Object.entries(input).filter(([name, value]) => !left.includes(name) && value !== undefined);
  return {
    command,
    input: Object.fromEntries(kept),
    originator: slackUser,
    ...(target === undefined ? {} : { target }),
    ...(several === undefined ? {} : { several }),
    ...(stopAfter === undefined ? {} : { stopAfter }),
  };
}

function handOverMessage(
  operation: PlatformOperation,
  invocation: Invocation,
  called: string,
  { slackUser }: Origin,
): Message {
  const { target, input } = invocation;
  const title = target === undefined ? operation.verb : `${operation.verb} ${code(target)}`;
  const take = invocationButton("Take it…", `${invokePrefix}take`, invocation, {
    operation,
    name: target ?? "",
    style: "primary",
  });
  if (take.length === 0)
    throw new InputError("What you asked for is too long to be handed over in a message. Ask somebody yourself.");
  const why = reasonIn(input);
  const said = fieldsOf(operation.input).flatMap(({ name, label }) =>
    name in input && String(input[name]) !== why ? [{ label, value: code(String(input[name]), 300) }] : [],
  );
  const text = `${called} <@${slackUser}> would like somebody to *${title}*: their own key may not.`;
  return {
    text,
    blocks: [
      section(text),
      ...facts([...(why ? [{ label: "Why", value: prose(why, 500) }] : []), ...said]),
      ...actions(take, "take"),
    ],
  };
}
