import type { Logger } from "pino";
import * as z from "zod";
import { withoutSecrets } from "../operation/fields.ts";
import type { Invocation, Operation } from "../operation/operation.ts";
import { defineKind } from "../storage/kind.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";

const day = 24 * 60 * 60_000;

const ListFilter = z.object({
  text: z.string().optional(),
  status: z.string().optional(),
  project: z.string().optional(),
  all: z.literal(true).optional(),
});

const SealedCommand = z.object({ sealed: z.string() });
const LastCommand = z.object({
  command: z.string(),
  target: z.string().nullable(),
  /** Several targets in place of one, and after how many failures to stop. */
  several: z.union([z.object({ names: z.array(z.string()) }), z.object({ where: ListFilter })]).nullable(),
  stopAfter: z.number().nullable(),
  input: z.record(z.string(), z.json()),
});
export type LastCommand = z.infer<typeof LastCommand>;

/** Each member's last command: encrypted, without secrets and files, for a day. */
export interface LastCommands {
  /** Stores the command in the background. A failure is only logged, since it must not fail the command. */
  note(member: string, operation: Operation, invocation: Invocation): void;
  last(member: string): Promise<LastCommand | null>;
  forget(member: string): Promise<void>;
}

const lastCommands = defineKind({
  name: "last command",
  namespace: "last-commands",
  schema: SealedCommand,
  version: 1,
  ttlMs: day,
  lasts: "soon",
});

export function createLastCommands({ store, seal, log }: { store: Store; seal: Seal; log: Logger }): LastCommands {
  const records = store.keyv(lastCommands);
  return {
    note(member, operation, { command, target = null, several = null, stopAfter = null, input }) {
      // A form's empty field is present with the value undefined.
      const said = Object.entries(withoutSecrets(operation.input, input)).filter(([, value]) => value !== undefined);
      const kept = LastCommand.safeParse({ command, target, several, stopAfter, input: Object.fromEntries(said) });
      if (!kept.success) return;
      const sealed = seal.seal(JSON.stringify(kept.data), boundTo(member));
      records
        .set(member, { sealed })
        .catch((error: unknown) => log.warn({ err: error }, "A member's last command was not kept"));
    },
    async last(member) {
      const kept = await records.get(member);
      return kept ? LastCommand.parse(JSON.parse(seal.open(kept.sealed, boundTo(member)))) : null;
    },
    async forget(member) {
      await records.delete(member);
    },
  };
}

function boundTo(member: string): string {
  return `${member}:last-command`;
}
