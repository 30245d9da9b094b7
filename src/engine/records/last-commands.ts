import type { Logger } from "pino";
import * as z from "zod";
import { fieldsOf, isSecret } from "../../operation/fields.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { createRecords } from "../../storage/records.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";

const day = 24 * 60 * 60_000;

const Where = z.object({
  text: z.string().optional(),
  status: z.string().optional(),
  project: z.string().optional(),
  all: z.literal(true).optional(),
});

const Kept = z.object({ sealed: z.string() });
const LastCommand = z.object({
  command: z.string(),
  target: z.string().nullable(),
  /** What is meant in place of one target, and after how many failures to stop. */
  several: z.union([z.object({ names: z.array(z.string()) }), z.object({ where: Where })]).nullable(),
  stopAfter: z.number().nullable(),
  input: z.record(z.string(), z.json()),
});
export type LastCommand = z.infer<typeof LastCommand>;

/** What each member asked for last: sealed, without secrets and files, for a day. */
export interface LastCommands {
  /** What could not be kept is not worth a failure: it is logged. */
  note(member: string, operation: Operation, invocation: Invocation): void;
  last(member: string): Promise<LastCommand | null>;
  forget(member: string): Promise<void>;
}

export function createLastCommands({ store, seal, log }: { store: Store; seal: Seal; log: Logger }): LastCommands {
  const records = createRecords(store.values("last-commands"), {
    ...{ name: "last command", schema: Kept, version: 1, log },
  });
  return {
    note(member, operation, { command, target = null, several = null, stopAfter = null, input }) {
      const secrets = new Set(fieldsOf(operation.input).flatMap((field) => (isSecret(field) ? [field.name] : [])));
      // What a form leaves empty is there without a value.
      const said = Object.entries(input).filter(([name, value]) => !secrets.has(name) && value !== undefined);
      const kept = LastCommand.safeParse({ command, target, several, stopAfter, input: Object.fromEntries(said) });
      if (!kept.success) return;
      const sealed = seal.seal(JSON.stringify(kept.data), boundTo(member));
      records
        .note(member, { sealed }, day)
        .catch((error: unknown) => log.warn({ err: error }, "A member's last command was not kept"));
    },
    async last(member) {
      const kept = await records.get(member);
      return kept ? LastCommand.parse(JSON.parse(seal.open(kept.sealed, boundTo(member)))) : null;
    },
    forget: (member) => records.delete(member),
  };
}

function boundTo(member: string): string {
  return `${member}:last-command`;
}
