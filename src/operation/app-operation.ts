import type * as z from "#zod";
import type { Answer } from "./answer.ts";
import type { Actor } from "./call-context.ts";
import { acceptInput, parseInput } from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import type { AppDeclared, AppOperation, PasskeyAsked } from "./operation.ts";
import { verbOf } from "./phrase.ts";

/**
 * Declares an operation on Rackbell itself. It needs no linked key unless `needs` says so. Only the requester sees the answer. `More`: what
 * `run` gets beside the call.
 */
export type AppOperationDeclaration<C, I extends z.ZodObject, More = unknown> = CommonDeclaration<C, I, More> &
  (AsksNothing<C, I> | AsksFirst<C, I>);

interface AsksNothing<C, I extends z.ZodObject> {
  interrupts?: undefined;
  check?: Check<C, I>;
}

/** Its question comes after the check: without one, a member would confirm an act on something that does not exist. */
interface AsksFirst<C, I extends z.ZodObject> {
  interrupts: Interrupts<z.output<I>>;
  check: Check<C, I>;
}

/**
 * Validates the input, also while the form is still open: throws an InputError that names the field, or a Refusal with the reason for which
 * `run` would do nothing. Changes nothing.
 */
type Check<C, I extends z.ZodObject> = (call: {
  context: C;
  actor: Actor;
  input: z.output<I>;
  now: number;
}) => Promise<void>;

interface CommonDeclaration<C, I extends z.ZodObject, More> extends AppDeclared<C> {
  /** The platform routes that it calls, if any. */
  routes?: string[];
  input: I;
  positional?: keyof z.output<I> & string;
  /** The label of a button; made from the command by default. */
  verb?: string;
  /** The act as words that stand alone, in at most 24 characters; the verb by default. */
  phrase?: string;
  /**
   * Says that this invocation takes the member's passkey: a sentence with its consequence, and the facts that it rests on. Null if it takes
   * none. Throws as `run` would; changes nothing.
   */
  passkey?: (call: { context: C; actor: Actor; input: z.output<I> }) => Promise<PasskeyAsked | null>;
  /** The input so far as one mrkdwn sentence, which the form shows while it is filled in. Throws as `check` does; changes nothing. */
  preview?: (call: { context: C; actor: Actor; input: z.output<I> }) => Promise<string>;
  run: (
    call: { context: C; actor: Actor; channel: string | null; input: z.output<I>; now: number } & More,
  ) => Promise<Answer>;
}

/** True if only an admin may run this invocation of the operation. */
export function asksAdmin({ admins = [] }: Pick<AppOperation, "admins">, input: Record<string, unknown>): boolean {
  if (admins === true) return true;
  const names = admins === "to change" ? Object.keys(input) : admins;
  return names.some((name) => input[name] !== undefined);
}

/** True if only an admin may open its form. One that everybody may look at changes something by its form alone. */
export function formAsksAdmin(operation: Pick<AppOperation, "admins">, input: Record<string, unknown>): boolean {
  return operation.admins === "to change" || asksAdmin(operation, input);
}

/** `C` is the context that these operations work with; the engine defines and passes it. */
export function createAppOperation<C, I extends z.ZodObject>(
  declaration: AppOperationDeclaration<C, I>,
): AppOperation<C> {
  const { preview, passkey, ...declared } = declaration;
  const { command, input, routes = [], verb = verbOf(command), phrase = verb } = declared;
  return {
    ...declared,
    api: "app",
    routes,
    scope: null,
    // `read` means no act on the platform, although it may change Rackbell's own settings. So its synonyms run at once, and no rule applies.
    risk: "read",
    target: null,
    chosen: [],
    interrupts: interruptsOf(input, declaration.interrupts),
    asksFirst: declaration.interrupts !== undefined,
    verb,
    phrase,
    personal: true,
    accept: (raw) => acceptInput(input, raw),
    async check(call) {
      await declaration.check?.({ ...call, input: parseInput(input, call.input) });
    },
    ...(passkey ? { passkey: (call) => passkey({ ...call, input: parseInput(input, call.input) }) } : {}),
    ...(preview ? { preview: (call) => preview({ ...call, input: parseInput(input, call.input) }) } : {}),
    run: (call) => declaration.run({ ...call, input: parseInput(input, call.input) }),
  };
}
