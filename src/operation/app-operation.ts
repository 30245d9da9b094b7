import type * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { Answer } from "./answer.ts";
import type { Actor } from "./asking.ts";
import { acceptInput, parseInput } from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import { type AppOperation, verbOf } from "./operation.ts";

/** Something that a member does with Rackbell itself: needs no linked key unless it says so, and only the asker sees the answer. */
export interface AppOperationDeclaration<C, I extends z.ZodObject> {
  command: string;
  summary: string;
  /** Routes of the platform that it calls, if any. */
  routes?: string[];
  /** The API whose key a member must have linked for it; none unless said. */
  needs?: ApiName;
  input: I;
  positional?: string;
  /** The positional input takes all that follows, as it was typed. */
  verbatim?: boolean;
  verb?: string;
  interrupts?: Interrupts<z.output<I>>;
  /** What stands above its form beside the summary: mrkdwn. */
  about?: (context: C) => string | null;
  /** What can be told of the input while its form is still open: throws an InputError that names the field. Nothing is changed by it. */
  check?: (call: { context: C; actor: Actor; input: z.output<I>; now: number }) => Promise<void>;
  run: (call: { context: C; actor: Actor; channel: string | null; input: z.output<I>; now: number }) => Promise<Answer>;
}

/** `C` is what such operations work with; the engine, which has it, gives it. */
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
    async check(call) {
      await declaration.check?.({ ...call, input: parseInput(input, call.input) });
    },
    run: (call) => run({ ...call, input: parseInput(input, call.input) }),
  };
}
