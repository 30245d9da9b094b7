import * as z from "#zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { CallContext } from "./call-context.ts";
import type { Field } from "./fields.ts";
import type { Given } from "./input.ts";
import { reasonField } from "./reason.ts";

/** The form shows this once its leading input is chosen: the product of an order, for example. */
export interface Led {
  /** A sentence or two about the chosen value, as mrkdwn. */
  words: string;
  /** Inputs that make no sense for it: the form leaves them out. */
  unasked: readonly string[];
  /** Inputs that it needs, though others may not. */
  required: readonly string[];
  /** The values of inputs that nobody gave. The form shows them, so that they can be changed. */
  presets?: Given;
  /** Fields that the platform names for it alone: they are the parts of the input `of`, and secret ones of the input `secrets`. */
  own?: { of: string; secrets: string; fields: readonly Field[] };
}

/** The input on which the choices of others depend: the form asks it first. */
export interface Leading {
  input: string;
  /** Sets of inputs that leave nothing to ask in most cases: with all of one set typed, no form opens. */
  enough: readonly (readonly string[])[];
}

/** The same with its reader. It throws a Refusal if the chosen value cannot be had. */
export interface LeadingDeclaration<A extends ApiName, I extends z.ZodObject> extends Leading {
  input: keyof z.output<I> & string;
  enough: readonly (readonly (keyof z.output<I> & string)[])[];
  read(call: CallContext<A>, chosen: string, given: Given): Promise<Led>;
}

/** One of several things in a request, as its input has it. */
export type CartRow = Readonly<Record<string, unknown>>;

/** Several things of one kind can be in one request, each with values of its own. */
export interface Cart {
  /** The input with all things but the one that the form shows. */
  rows: string;
  /** The inputs of the request as a whole. */
  shared: readonly string[];
  /** The inputs that the form of one more thing begins with, where they fit it. */
  carried: readonly string[];
  /** How many things it can have. */
  most: number;
  /** The button that adds one: "Add a product…". */
  add: string;
}

export interface CartDeclaration<A extends ApiName, I extends z.ZodObject> extends Cart {
  rows: keyof z.output<I> & string;
  shared: readonly (keyof z.output<I> & string)[];
  carried: readonly (keyof z.output<I> & string)[];
  /** The name of each row, for the form. */
  names(call: CallContext<A>, rows: readonly CartRow[]): Promise<PlainText[]>;
}

/** The thing that an input shows, as one of several. */
export function rowIn({ rows, shared }: Cart, input: CartRow): CartRow {
  return Object.fromEntries(
    Object.entries(input).filter(([name]) => name !== rows && name !== reasonField && !shared.includes(name)),
  );
}

/** The things in an input beside the one that its form shows. */
export function otherRows({ rows }: Cart, input: CartRow): CartRow[] {
  const found = input[rows];
  return Array.isArray(found) ? found : [];
}

/** All things in an input: the one that its form shows comes last. */
export function allRows(cart: Cart, input: CartRow): CartRow[] {
  return [...otherRows(cart, input), rowIn(cart, input)];
}

/** The input with only those of its things for which `stays` is true, by their place; null if none is left. */
export function withRows(cart: Cart, input: CartRow, stays: (at: number) => boolean): Record<string, unknown> | null {
  const rows = allRows(cart, input).filter((_, at) => stays(at));
  const shown = rows.at(-1);
  const whole = Object.entries(input).filter(([name]) => name === reasonField || cart.shared.includes(name));
  const others = rows.slice(0, -1);
  return shown
    ? { ...Object.fromEntries(whole), ...shown, ...(others.length > 0 ? { [cart.rows]: others } : {}) }
    : null;
}

/** How an act takes the place of a request of the same member. */
export const Replacing = z.object({
  request: z.string(),
  /** It adds one thing to those of the request; otherwise it is that request, corrected. */
  adds: z.literal(true).optional(),
  /** The things of the request that stay beside the one that the form shows, by their place; all if absent. */
  stay: z.array(z.number()).optional(),
});
export type Replacing = z.infer<typeof Replacing>;
