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
  f: z.record(z.string(), z.string()).optional(),
  o: z.string().optional(),
});

export function packInvocation({ command, target, input, replace, share, faults, originator }: Invocation): string {
  return JSON.stringify({
    c: command,
    ...(target === undefined ? {} : { t: target }),
    ...(Object.keys(input).length > 0 ? { i: input } : {}),
    ...(replace ? { r: 1 } : {}),
    ...(share ? { s: 1 } : {}),
    ...(faults ? { f: faults } : {}),
    ...(originator ? { o: originator } : {}),
  });
}

/** The invocation in a button's value, or null when it is none: an old button, or somebody's invention. */
export function unpackInvocation(value: string): Invocation | null {
  const parsed = Packed.safeParse(readJson(value));
  if (!parsed.success) return null;
  const { c, t, i, r, s, f, o } = parsed.data;
  return {
    command: c,
    input: i ?? {},
    ...(t === undefined ? {} : { target: t }),
    replace: r === 1,
    share: s === 1,
    ...(f ? { faults: f } : {}),
    ...(o ? { originator: o } : {}),
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

/** A button that is an invocation; none where it says more than a button can carry. What interrupts a service asks first. */
export function invocationButton(
  label: string,
  actionId: string,
  invocation: Invocation,
  { operation, name = "", style }: { operation: Operation | undefined; name?: string; style?: Step["style"] },
): Button[] {
  const value = packInvocation(invocation);
  if (value.length > limits.button.value) return [];
  const confirm = operation?.interrupts
    ? confirmation({
        title: `${`${operation.verb} ${name ? oneLine(name) : ""}`.trim()}?`,
        text: operation.interrupts,
        confirm: `Yes, ${operation.verb.toLowerCase()}`,
        deny: "Not now",
        style: "danger",
      })
    : undefined;
  return [button(label, actionId, value, { style, confirm })];
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
    const { command, target, input = {}, replace = false } = step;
    const invocation = { command, input, replace, ...(target === undefined ? {} : { target }) };
    return invocationButton(step.label, `${invokePrefix}${step.command}:${at}`, invocation, {
      operation,
      name,
      style: step.style,
    });
  });
}
