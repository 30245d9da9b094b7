import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { Answer } from "./answer.ts";
import type { Actor } from "./call-context.ts";
import { acceptInput, parseInput } from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import { type AppOperation, verbOf } from "./operation.ts";

/**
 * Declares an operation on Rackbell itself. It needs no linked key unless `needs` says so. Only the requester sees the answer.
 */
export interface AppOperationDeclaration<C, I extends z.ZodObject> {
  command: string;
  summary: string;
  /** The platform routes that it calls, if any. */
  routes?: string[];
  /** The API whose key the member must have linked; none by default. */
  needs?: ApiName;
  input: I;
  positional?: string;
  /** The positional input takes all the rest of the text exactly as typed; "words": its words, those with blanks in quotes. */
  verbatim?: boolean | "words";
  verb?: string;
  interrupts?: Interrupts<z.output<I>>;
  /** A line of mrkdwn above the form, beside the summary. */
  about?: (context: C) => string | null;
  /** The current values that pre-fill the form. */
  present?: (context: C) => Promise<Record<string, unknown>>;
  /** Validates the input while the form is still open: throws an InputError that names the field. Changes nothing. */
  check?: (call: { context: C; actor: Actor; input: z.output<I>; now: number }) => Promise<void>;
  run: (call: { context: C; actor: Actor; channel: string | null; input: z.output<I>; now: number }) => Promise<Answer>;
}

/** `C` is the context that these operations work with; the engine defines and passes it. */
export function createAppOperation<C, I extends z.ZodObject>(
  declaration: AppOperationDeclaration<C, I>,
): AppOperation<C> {
  const { command, summary, input, run } = declaration;
  return {
    api: "app",
    command,
    summary,
    routes: declaration.routes ?? [],
    scope: null,
    needs: declaration.needs ?? null,
    risk: "read",
    target: null,
    input,
    positional: declaration.positional ?? null,
    verbatim: declaration.verbatim ?? false,
    chosen: [],
    typed: [],
    interrupts: interruptsOf(input, declaration.interrupts),
    verb: declaration.verb ?? verbOf(command),
    personal: true,
    follow: null,
    wizard: null,
    accept: (raw) => acceptInput(input, raw),
    about: (context) => declaration.about?.(context) ?? null,
    presents: declaration.present !== undefined,
    present: async (context) => declaration.present?.(context) ?? {},
    async check(call) {
      await declaration.check?.({ ...call, input: parseInput(input, call.input) });
    },
    run: (call) => run({ ...call, input: parseInput(input, call.input) }),
  };
}
