import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { Refusal } from "../../operation/errors.ts";
import { namesMeant, sameName } from "../../operation/matching.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";
import { code } from "../../views/text.ts";

/** Maximum in a workspace: they are one record and read as a whole. */
const most = 200;

const SavedCommand = z.object({
  id: z.string(),
  name: z.string(),
  /** The command with its values, as a member types it; never a secret. */
  line: z.string(),
  /** The member who saved it, and the Slack id of the one who changed it last. */
  member: z.string(),
  slackUser: z.string(),
  changedBy: z.string(),
  /** The channel whose members can see and run it, too. Null: its member alone. */
  channel: z.string().nullable(),
  /** Milliseconds since the epoch, of the last change. */
  at: z.number(),
});
export type SavedCommand = z.infer<typeof SavedCommand>;

// Commands with their values under a name of the members' choosing, in one record of the workspace.

const savedKind = defineKind({
  name: "saved commands",
  namespace: "saved-commands",
  schema: z.object({ commands: z.array(SavedCommand) }),
});
const key = "all";

/** All of the workspace, by name. The caller leaves out those that a member may not see. */
export async function listSaved({ store }: StoreApp): Promise<SavedCommand[]> {
  const { commands } = (await store.keyv(savedKind).get(key)) ?? { commands: [] };
  return commands.toSorted((a, b) => a.name.localeCompare(b.name));
}

/** Those that a name means among these. */
export function savedAs(commands: readonly SavedCommand[], typed: string): SavedCommand[] {
  return commands.filter(({ name }) => namesMeant(typed).some((meant) => sameName(name, meant)));
}

/** Saves a new one, or the changed line of the one with this id, and resolves with the id. Refuses when there are too many. */
export async function saveCommand(
  { store, clock }: TimedApp,
  { id = randomUUID(), ...saved }: Pick<SavedCommand, "name" | "line" | "member" | "slackUser"> & { id?: string },
  changedBy: string,
): Promise<string> {
  let isFull = false;
  await update(store, savedKind, key, (before) => {
    const commands = before?.commands ?? [];
    const old = commands.find((one) => one.id === id);
    isFull = !old && commands.length >= most;
    if (isFull) return undefined;
    const made = {
      channel: null,
      ...old,
      ...(old ? { line: saved.line } : { id, ...saved }),
      changedBy,
      at: clock.now(),
    };
    return { commands: [...commands.filter((one) => one !== old), SavedCommand.parse(made)] };
  });
  if (isFull)
    throw new Refusal(
      `There are ${most} saved commands already, so ${code(saved.name)} was not saved. Remove one: \`/rackbell saved\` lists them.`,
    );
  return id;
}

/** Changes the name or the channel of one; null removes it. */
export async function changeSaved(
  { store }: StoreApp,
  id: string,
  change: Partial<Pick<SavedCommand, "name" | "channel">> | null,
): Promise<void> {
  await update(store, savedKind, key, (before) => {
    const commands = before?.commands ?? [];
    if (change === null) return { commands: commands.filter((one) => one.id !== id) };
    return { commands: commands.map((one) => (one.id === id ? { ...one, ...change } : one)) };
  });
}

/** Erases the member's own that are not shared. */
export async function forgetSaved({ store }: StoreApp, member: string): Promise<void> {
  await update(store, savedKind, key, (before) => {
    const kept = before?.commands.filter((one) => one.channel !== null || one.member !== member);
    return kept && { commands: kept };
  });
}
