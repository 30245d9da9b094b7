import type * as z from "zod";
import type { AppContext } from "../engine/app-context.ts";
import { verbOf } from "./define.ts";
import { checkInput, describeInput, parseInput } from "./input.ts";
import type { Actor, Answer, Operation } from "./operation.ts";

/** Something that a member does with Rackbell itself: needs no linked key, and only the asker sees the answer. */
export interface AppOperationDeclaration<I extends z.ZodObject> {
  command: string;
  summary: string;
  /** Routes of the platform that it calls, if any. */
  routes?: string[];
  input: I;
  positional?: string;
  verb?: string;
  interrupts?: string;
  run: (call: { services: AppContext; actor: Actor; input: z.output<I>; now: number }) => Promise<Answer>;
}

export function defineAppOperation<I extends z.ZodObject>(declaration: AppOperationDeclaration<I>): Operation {
  const { command, summary, input, run } = declaration;
  return {
    command,
    summary,
    api: "app",
    routes: declaration.routes ?? [],
    scope: null,
    risk: "read",
    target: null,
    input,
    positional: declaration.positional ?? null,
    chosen: [],
    interrupts: declaration.interrupts ?? null,
    verb: declaration.verb ?? verbOf(command),
    personal: true,
    follow: null,
    wizard: null,
    check: (raw) => checkInput(input, raw),
    choices: async () => [],
    async begin({ context, actor, input: raw, now }) {
      if (!context) throw new Error(`${command} was begun without the app's services`);
      const parsed = parseInput(input, raw);
      return {
        target: null,
        input: raw,
        described: describeInput(input, parsed, []),
        risk: "read",
        review: async () => ({ consequence: "", material: [], shown: [], personal: [], before: null }),
        run: () => run({ services: context, actor, input: parsed, now }),
        reconcile: async () => ({ is: "unsure", text: "" }),
      };
    },
    poll: () => Promise.reject(new Error(`${command} has nothing to follow`)),
    explainMissing: async () => null,
  };
}
