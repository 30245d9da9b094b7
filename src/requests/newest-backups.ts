import * as z from "zod";
import type { LastBackup } from "../operation/backup.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";

const BackupRecord = z.object({ v: z.literal(1), handle: z.json(), at: z.number() });

// The newest backup of each resource that Rackbell took: the platform does not say what an image was captured from.

/** The key of a backup: the resource, and the command that took it. */
export interface BackupKey {
  api: ApiName;
  command: string;
  target: string;
}

const newestBackup = defineKind({ name: "copy", namespace: "copies", schema: BackupRecord, version: 1 });

export async function newestBackupOf({ store }: Pick<Foundation, "store">, of: BackupKey): Promise<LastBackup | null> {
  const kept = await store.keyv(newestBackup).get(keyOf(of));
  return kept ? { handle: kept.handle, at: kept.at } : null;
}

export async function rememberBackup(
  { store }: Pick<Foundation, "store">,
  of: BackupKey,
  backup: LastBackup,
): Promise<void> {
  await store.keyv(newestBackup).set(keyOf(of), { v: 1, ...backup });
}

function keyOf({ api, command, target }: BackupKey): string {
  return `${api}:${command}:${target}`;
}
