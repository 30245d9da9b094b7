import type { Button } from "@slack/types";
import * as z from "#zod";
import { isActInput } from "../../operation/act-input.ts";
import type { Step } from "../../operation/answer.ts";
import { fieldsOf, withoutSecrets } from "../../operation/fields.ts";
import { describeInput, isUuid } from "../../operation/input.ts";
import { Replacing } from "../../operation/leading.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { readJson } from "../../process/json.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { button, confirmation } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { lowerFirst, unmarked } from "../../views/text.ts";

import type { Offer } from "./offer.ts";
import { valueSentences } from "./values.ts";

/** The fields of an invocation by the letters of a button's value, which holds 2,000 characters, and an option's 150. */
const letters = {
  ...{ command: "c", target: "t", input: "i", replace: "r", share: "s", reveal: "v", details: "e", confirmed: "k" },
  ...{
    faults: "f",
    part: "p",
    originator: "o",
    form: "m",
    several: "n",
    stopAfter: "a",
    replaces: "q",
    delegation: "d",
    typed: "y",
  },
} as const satisfies Record<Exclude<keyof Invocation, "chosenLabel">, string>;
const letterOf = new Map<string, string>(Object.entries(letters));

const word = z.string();
const flag = z
  .literal(1)
  .transform(() => true)
  .exactOptional();
const count = z.number().int().min(1).exactOptional();
const where = {
  text: word.optional(),
  status: word.optional(),
  project: word.optional(),
  all: z.literal(true).optional(),
};
const fields = {
  command: word,
  target: word.exactOptional(),
  input: z.record(word, z.unknown()).default({}),
  ...{ replace: flag, share: flag, reveal: flag, details: flag, confirmed: flag, form: flag, typed: flag },
  faults: z.record(word, word).exactOptional(),
  part: count,
  originator: word.exactOptional(),
  delegation: word.exactOptional(),
  several: z.union([z.object({ names: z.array(word) }), z.object({ where: z.object(where) })]).exactOptional(),
  stopAfter: count,
  replaces: Replacing.exactOptional(),
} satisfies Record<keyof typeof letters, z.ZodType>;
const Packed = z.object(fields) satisfies z.ZodType<Invocation>;

export function packInvocation(invocation: Invocation): string {
  const input = Object.keys(invocation.input).length > 0 ? invocation.input : undefined;
  const packed = Object.entries({ ...invocation, input }).flatMap(([name, value]) => {
    const letter = letterOf.get(name);
    return letter === undefined || value === undefined || value === false ? [] : [[letter, value === true ? 1 : value]];
  });
  return JSON.stringify(Object.fromEntries(packed));
}

/** The invocation in a button's value; null for an old or forged value. */
export function unpackInvocation(value: string): Invocation | null {
  const read = z.record(word, z.unknown()).safeParse(readJson(value)).data ?? {};
  const named = [...letterOf].flatMap(([name, letter]) => (read[letter] === undefined ? [] : [[name, read[letter]]]));
  return Packed.safeParse(Object.fromEntries(named)).data ?? null;
}

/**
 * The invocation as a message may carry it. A press has new passwords made, of which the member is notified, and a form asks for other
 * secrets.
 */
export function withoutSecretInput({ input: schema }: Pick<Operation, "input">, invocation: Invocation): Invocation {
  return { ...invocation, input: withoutSecrets(schema, invocation.input) };
}

/** The action ids of buttons that are invocations begin with this. */
export const invokePrefix = "invoke:";

/** Action id of the button that asks a colleague to run the invocation in its value. */
export const delegateAction = "delegate";

/** Action id of the button with which a colleague takes it. */
export const takeOfferAction = `${invokePrefix}take`;

/** The button of a list row: an invocation about that row. `of` makes its action id unique. */
export function rowButton(label: PlainText, { command, target, input = {} }: RowInvocation, of: string): Button {
  const value = packInvocation({ command, ...(target === undefined ? {} : { target }), input });
  return button(label, `${invokePrefix}${command}:${of}`.slice(0, limits.id), value);
}

type RowInvocation = Pick<Invocation, "command" | "target"> & Partial<Pick<Invocation, "input">>;

/** A button that runs an invocation; none when the invocation is too long for a button. One that interrupts a service asks first. */
export function invocationButton(
  label: PlainText,
  actionId: string,
  invocation: Invocation,
  {
    operation,
    name = "",
    style,
    asks,
  }: { operation: Operation | undefined; name?: PlainText; style?: Step["style"]; asks?: Step["asks"] },
): Button[] {
  const consequence = asks?.loss ?? ((!invocation.confirmed && operation?.interrupts?.(invocation.input)) || null);
  // The dialog is the confirmation, so the invocation counts as confirmed.
  const open = operation ? withoutSecretInput(operation, invocation) : invocation;
  const value = packInvocation(consequence === null ? open : { ...open, confirmed: true });
  if (value.length > limits.button.value) return [];
  if (!operation || consequence === null) return [button(label, actionId, value, { style })];
  if (asks) {
    const words = { title: plainly`${asks.act}?`, text: unmarked(asks.loss), deny: leaveIt };
    const confirm = plainly`Yes, ${lowerFirst(characters(label).replace(/…$/, ""))}`;
    return [button(label, actionId, value, { style, confirm: confirmation({ ...words, confirm, style: "danger" }) })];
  }
  const act = askedAct(operation, invocation, name);
  const { input, chosen } = operation;
  const carried = fieldsOf(input).flatMap(({ name, byButton }) => (byButton ? [name] : []));
  // A chosen value is an id that only its list can name, and so is one that a button carries; the label names it for people.
  const typed = Object.entries(open.input).filter(
    ([name, value]) => !chosen.includes(name) && !(carried.includes(name) && isUuid(value)),
  );
  const values = valueSentences(describeInput(input, Object.fromEntries(typed)));
  const words = { title: plainly`${act}?`, text: `${consequence} ${values}`.trim(), confirm: act, deny: leaveIt };
  return [button(label, actionId, value, { style, confirm: confirmation({ ...words, style: "danger" }) })];
}

/** Label of the button that cancels an interruption. */
export const leaveIt = "Leave it as it is";

/** The same for an invocation: of Rackbell's own commands, one may do several acts. */
export function askedAct(operation: Operation, { input }: Pick<Invocation, "input">, name: PlainText = ""): PlainText {
  const own = operation.api === "app" ? operation.asked?.(input) : undefined;
  return own ?? interruption(operation, name);
}

/** The act and the resource, for the button that interrupts it: "Reboot web-1". */
export function interruption({ verb }: { verb: PlainText }, name: PlainText): PlainText {
  return name ? plainly`${verb} ${name}` : verb;
}

/** The action ids of buttons that open a page outside Slack begin with this. A press on them runs nothing. */
export const outsidePrefix = "outside:";

/** The panel's page of a service, by the configured address with `{id}`. */
export function servicePage(address: string, id: string): string {
  return address.replaceAll("{id}", encodeURIComponent(id));
}

/** A button that opens a page elsewhere. */
export function outsideButton(label: string, url: string): Button[] {
  return url.length > limits.button.url ? [] : [button(label, `${outsidePrefix}${label}`, "-", { url })];
}

/** Buttons for the steps that are offered to this member. */
export function stepButtons(steps: Step[], offer: Offer, name: PlainText = ""): Button[] {
  return offeredSteps(steps, offer).flatMap((offered, at) => offeredButton(offered, at, name));
}

/** A step that the member's keys allow, and the invocation of its press. */
export interface OfferedStep {
  step: Pick<Step, "label" | "style" | "asks">;
  operation: Operation;
  invocation: Invocation;
}

export function offeredSteps(steps: Step[], offer: Offer): OfferedStep[] {
  return steps.flatMap((step) => {
    const operation = offer(step.command);
    if (!operation) return [];
    const { command, target, input = {}, replace = false, originator, details } = step;
    const taken = originator === undefined ? {} : { originator };
    const isQuestion = step.asks !== undefined || asksOtherwise(operation, input);
    const opens = step.form ?? (characters(step.label).endsWith("…") && !isQuestion && hasMore(operation, input));
    const how = { ...(opens ? { form: true } : {}), ...(details ? { details } : {}) };
    const invocation = { command, input, replace, ...taken, ...how, ...(target === undefined ? {} : { target }) };
    return [{ step, operation, invocation }];
  });
}

/** The button of an offered step. `at` makes its action id unique. */
export function offeredButton({ step, operation, invocation }: OfferedStep, at: number, name: PlainText): Button[] {
  const { label, style, asks } = step;
  const id = `${invokePrefix}${operation.command}:${at}`;
  return invocationButton(label, id, invocation, { operation, name, style, asks });
}

/** True when a press asks by itself: acts that spend or destroy ask in a request, and those that interrupt ask in a dialog. */
function asksOtherwise(operation: Operation, input: Record<string, unknown>): boolean {
  return operation.risk === "spend" || operation.risk === "destroy" || Boolean(operation.interrupts?.(input));
}

/** True when there are inputs to fill in: an ellipsis in the label of such a step promises a form. */
function hasMore(operation: Operation, input: Record<string, unknown>): boolean {
  return fieldsOf(operation.input).some(({ name }) => isActInput(operation, name) && input[name] === undefined);
}
