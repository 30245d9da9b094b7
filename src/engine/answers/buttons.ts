import type { Button } from "@slack/types";
import * as z from "zod";
import type { Step } from "../../operation/answer.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { button, confirmation } from "../../views/blocks.ts";
import { limits } from "../../views/limits.ts";
import { oneLine } from "../../views/text.ts";
import type { Offer } from "./offer.ts";

// Short names: a button's value holds 2,000 characters.
const Packed = z.object({
  c: z.string(),
  t: z.string().optional(),
  i: z.record(z.string(), z.unknown()).optional(),
  r: z.literal(1).optional(),
  s: z.literal(1).optional(),
  k: z.literal(1).optional(),
  f: z.record(z.string(), z.string()).optional(),
  p: z.number().int().min(1).optional(),
  o: z.string().optional(),
  d: z.string().optional(),
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
  const { command, target, input, replace, share, confirmed, faults, part, originator, draft } = invocation;
  const { several, stopAfter } = invocation;
  return JSON.stringify({
    c: command,
    ...(target === undefined ? {} : { t: target }),
    ...(Object.keys(input).length > 0 ? { i: input } : {}),
    ...(replace ? { r: 1 } : {}),
    ...(share ? { s: 1 } : {}),
    ...(confirmed ? { k: 1 } : {}),
    ...(faults ? { f: faults } : {}),
    ...(part === undefined ? {} : { p: part }),
    ...(originator ? { o: originator } : {}),
    ...(draft ? { d: draft } : {}),
    ...(several && "names" in several ? { n: several.names } : {}),
    ...(several && "where" in several ? { w: several.where } : {}),
    ...(stopAfter === undefined ? {} : { a: stopAfter }),
  });
}

/** The invocation in a button's value, or null when it is none: an old button, or somebody's invention. */
export function unpackInvocation(value: string): Invocation | null {
  const parsed = Packed.safeParse(readJson(value));
  if (!parsed.success) return null;
  const { c, t, i, r, s, k, f, p, o, d, n, w, a } = parsed.data;
  return {
    command: c,
    input: i ?? {},
    ...(t === undefined ? {} : { target: t }),
    replace: r === 1,
    share: s === 1,
    ...(k === 1 ? { confirmed: true } : {}),
    ...(f ? { faults: f } : {}),
    ...(p === undefined ? {} : { part: p }),
    ...(o ? { originator: o } : {}),
    ...(d ? { draft: d } : {}),
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

/** A button that asks others to do what its value is the invocation of. */
export const handOverAction = "handover";

/** The button of a row in a list: an invocation about that one row, which `of` tells apart from its neighbours. */
export function rowButton(label: string, { command, target, input = {} }: RowInvocation, of: string): Button {
  const value = packInvocation({ command, ...(target === undefined ? {} : { target }), input });
  return button(label, `${invokePrefix}${command}:${of}`.slice(0, limits.id), value);
}

type RowInvocation = Pick<Invocation, "command" | "target"> & Partial<Pick<Invocation, "input">>;

/** A button that is an invocation; none where it says more than a button can carry. What interrupts a service asks first. */
export function invocationButton(
  label: string,
  actionId: string,
  invocation: Invocation,
  { operation, name = "", style }: { operation: Operation | undefined; name?: string; style?: Step["style"] },
): Button[] {
  const consequence = (!invocation.confirmed && operation?.interrupts?.(invocation.input)) || null;
  // The dialog is the press that is asked for.
  const value = packInvocation(consequence === null ? invocation : { ...invocation, confirmed: true });
  if (value.length > limits.button.value) return [];
  if (!operation || consequence === null) return [button(label, actionId, value, { style })];
  const act = interruption(operation, name);
  const words = { title: `${act}?`, text: consequence, confirm: act, deny: leaveIt };
  return [button(label, actionId, value, { style, confirm: confirmation({ ...words, style: "danger" }) })];
}

/** The way out of an interruption. */
export const leaveIt = "Leave it as it is";

/** The act and the thing, for the button that interrupts it: "Reboot web-1". */
export function interruption({ verb }: { verb: string }, name: string): string {
  return `${verb} ${name ? oneLine(name) : ""}`.trim();
}

/** The action ids of buttons that lead out of Slack begin with this: their press asks for nothing. */
export const outsidePrefix = "outside:";

/** A button that opens a page elsewhere. */
export function outsideButton(label: string, url: string): Button[] {
  return url.length > limits.button.url ? [] : [button(label, `${outsidePrefix}${label}`, "-", { url })];
}

/** Buttons for the steps that are offered to this member. */
export function stepButtons(steps: Step[], offer: Offer, name = ""): Button[] {
  return steps.flatMap((step, at) => {
    const operation = offer(step.command);
    if (!operation) return [];
    const { command, target, input = {}, replace = false, originator } = step;
    const taken = originator === undefined ? {} : { originator };
    const invocation = { command, input, replace, ...taken, ...(target === undefined ? {} : { target }) };
    return invocationButton(step.label, `${invokePrefix}${step.command}:${at}`, invocation, {
      operation,
      name,
      style: step.style,
    });
  });
}
