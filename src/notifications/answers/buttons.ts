import type { Button } from "@slack/types";
import * as z from "zod";
import { isActInput } from "../../operation/act-input.ts";
import type { Step } from "../../operation/answer.ts";
import { fieldsOf } from "../../operation/fields.ts";
import { describeInput } from "../../operation/input.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { characters, type PlainText, plainly } from "../../plain-text.ts";
import { button, confirmation } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";

import type { Offer } from "./offer.ts";
import { valueSentences } from "./values.ts";

// Short names: a button's value holds 2,000 characters.
const Packed = z.object({
  c: z.string(),
  t: z.string().optional(),
  i: z.record(z.string(), z.unknown()).optional(),
  r: z.literal(1).optional(),
  s: z.literal(1).optional(),
  v: z.literal(1).optional(),
  e: z.literal(1).optional(),
  k: z.literal(1).optional(),
  f: z.record(z.string(), z.string()).optional(),
  p: z.number().int().min(1).optional(),
  o: z.string().optional(),
  d: z.string().optional(),
  m: z.literal(1).optional(),
  n: z.array(z.string()).optional(),
  w: z
    .object({
      text: z.string().optional(),
      status: z.string().optional(),
      project: z.string().optional(),
      all: z.literal(true).optional(),
    })
    .optional(),
  a: z.number().int().min(1).optional(),
});

export function packInvocation(invocation: Invocation): string {
  const { command, target, input, replace, share, reveal, details, confirmed, faults, part, originator, draft } =
    invocation;
  const { several, stopAfter, form } = invocation;
  return JSON.stringify({
    c: command,
    ...(target === undefined ? {} : { t: target }),
    ...(Object.keys(input).length > 0 ? { i: input } : {}),
    ...(replace ? { r: 1 } : {}),
    ...(share ? { s: 1 } : {}),
    ...(reveal ? { v: 1 } : {}),
    ...(details ? { e: 1 } : {}),
    ...(confirmed ? { k: 1 } : {}),
    ...(faults ? { f: faults } : {}),
    ...(part === undefined ? {} : { p: part }),
    ...(originator ? { o: originator } : {}),
    ...(draft ? { d: draft } : {}),
    ...(form ? { m: 1 } : {}),
    ...(several && "names" in several ? { n: several.names } : {}),
    ...(several && "where" in several ? { w: several.where } : {}),
    ...(stopAfter === undefined ? {} : { a: stopAfter }),
  });
}

/** The invocation in a button's value; null for an old or forged value. */
export function unpackInvocation(value: string): Invocation | null {
  const parsed = Packed.safeParse(readJson(value));
  if (!parsed.success) return null;
  const { c, t, i, r, s, v, e, k, f, p, o, d, m, n, w, a } = parsed.data;
  return {
    command: c,
    input: i ?? {},
    ...(t === undefined ? {} : { target: t }),
    replace: r === 1,
    share: s === 1,
    ...(v === 1 ? { reveal: true } : {}),
    ...(e === 1 ? { details: true } : {}),
    ...(k === 1 ? { confirmed: true } : {}),
    ...(f ? { faults: f } : {}),
    ...(p === undefined ? {} : { part: p }),
    ...(o ? { originator: o } : {}),
    ...(d ? { draft: d } : {}),
    ...(m === 1 ? { form: true } : {}),
    ...(n ? { several: { names: n } } : {}),
    ...(w ? { several: { where: w } } : {}),
    ...(a === undefined ? {} : { stopAfter: a }),
  };
}

function readJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** The action ids of buttons that are invocations begin with this. */
export const invokePrefix = "invoke:";

/** Action id of the button that asks a colleague to run the invocation in its value. */
export const delegateAction = "handover";

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
  const consequence = asks ?? ((!invocation.confirmed && operation?.interrupts?.(invocation.input)) || null);
  // The dialog is the confirmation, so the invocation counts as confirmed.
  const value = packInvocation(consequence === null ? invocation : { ...invocation, confirmed: true });
  if (value.length > limits.button.value) return [];
  if (!operation || consequence === null) return [button(label, actionId, value, { style })];
  const act = interruption(operation, name);
  const { input, chosen } = operation;
  // A chosen value is an id that only its list can name; the button's label names it for people.
  const typed = Object.entries(invocation.input).filter(([name]) => !chosen.includes(name));
  const values = valueSentences(describeInput(input, Object.fromEntries(typed)));
  const words = { title: plainly`${act}?`, text: `${consequence} ${values}`.trim(), confirm: act, deny: leaveIt };
  return [button(label, actionId, value, { style, confirm: confirmation({ ...words, style: "danger" }) })];
}

/** Label of the button that cancels an interruption. */
export const leaveIt = "Leave it as it is";

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
    const opens = step.form || (characters(step.label).endsWith("…") && asksNothingElse(operation, input));
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

/**
 * True when a step would run at once although it has inputs to fill in: an ellipsis in its label promises a form. Acts that spend or
 * destroy ask in a request, and those that interrupt ask in a dialog.
 */
function asksNothingElse(operation: Operation, input: Record<string, unknown>): boolean {
  if (operation.risk === "spend" || operation.risk === "destroy" || operation.interrupts?.(input)) return false;
  return fieldsOf(operation.input).some(({ name }) => isActInput(operation, name) && input[name] === undefined);
}
