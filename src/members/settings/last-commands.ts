import * as z from "#zod";
import { withoutSecrets } from "../../operation/fields.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import type { Foundation, StoreApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";

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

// Each member's last command: encrypted, without secrets and files, for a day.

const lastCommands = defineKind({
  name: "last command",
  namespace: "last-commands",
  schema: SealedCommand,
  ttlMs: day,
  lasts: "soon",
});

/** The parts of the app that the last commands work with. */
export type LastCommandsApp = Pick<Foundation, "store" | "seal" | "log">;

/** Stores the command in the background. A failure is only logged, since it must not fail the command. */
export function noteLastCommand(
  { store, seal, log }: LastCommandsApp,
  member: string,
  operation: Operation,
  invocation: Invocation,
): void {
  const { command } = operation;
  const { target = null, several = null, stopAfter = null, input } = invocation;
  // A form's empty field is present with the value undefined.
  const given = Object.entries(withoutSecrets(operation.input, input)).filter(([, value]) => value !== undefined);
  const parsed = LastCommand.safeParse({ command, target, several, stopAfter, input: Object.fromEntries(given) });
  if (!parsed.success) return;
  const sealed = seal.seal(JSON.stringify(parsed.data), boundTo(member));
  store
    .keyv(lastCommands)
    .set(member, { sealed })
    .catch((error: unknown) => log.warn({ err: error }, "A member's last command was not stored"));
}

export async function readLastCommand(
  { store, seal }: Pick<LastCommandsApp, "store" | "seal">,
  member: string,
): Promise<LastCommand | null> {
  const stored = await store.keyv(lastCommands).get(member);
  return stored ? LastCommand.parse(JSON.parse(seal.open(stored.sealed, boundTo(member)))) : null;
}

export async function forgetLastCommand({ store }: StoreApp, member: string): Promise<void> {
  await store.keyv(lastCommands).delete(member);
}

function boundTo(member: string): string {
  return `${member}:last-command`;
}
