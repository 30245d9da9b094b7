import type * as z from "zod";
import type { Answer } from "./answer.ts";
import type { Actor } from "./call-context.ts";
import { acceptInput, parseInput } from "./input.ts";
import { type Interrupts, interruptsOf } from "./interrupts.ts";
import { type AppDeclared, type AppOperation, verbOf } from "./operation.ts";

/**
 * Declares an operation on Rackbell itself. It needs no linked key unless `needs` says so. Only the requester sees the answer.
 */
export interface AppOperationDeclaration<C, I extends z.ZodObject> extends AppDeclared<C> {
  /** The platform routes that it calls, if any. */
  routes?: string[];
  input: I;
  verb?: string;
  interrupts?: Interrupts<z.output<I>>;
  /** Validates the input while the form is still open: throws an InputError that names the field. Changes nothing. */
  check?: (call: { context: C; actor: Actor; input: z.output<I>; now: number }) => Promise<void>;
  run: (call: { context: C; actor: Actor; channel: string | null; input: z.output<I>; now: number }) => Promise<Answer>;
}

/** True if only an admin may run this invocation of the operation. */
export function asksAdmin({ admins }: Pick<AppOperation, "admins">, input: Record<string, unknown>): boolean {
  return admins === true || (admins === "to change" && Object.values(input).some((value) => value !== undefined));
}

/** `C` is the context that these operations work with; the engine defines and passes it. */
export function createAppOperation<C, I extends z.ZodObject>(
  declaration: AppOperationDeclaration<C, I>,
): AppOperation<C> {
  const { command, input, routes = [], verb = verbOf(command) } = declaration;
  return {
    ...declaration,
    api: "app",
    routes,
    scope: null,
    risk: "read",
    target: null,
    chosen: [],
    interrupts: interruptsOf(input, declaration.interrupts),
    verb,
    personal: true,
    accept: (raw) => acceptInput(input, raw),
    async check(call) {
      await declaration.check?.({ ...call, input: parseInput(input, call.input) });
    },
    run: (call) => declaration.run({ ...call, input: parseInput(input, call.input) }),
  };
}
