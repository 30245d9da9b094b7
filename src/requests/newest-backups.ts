import * as z from "zod";
import type { LastBackup } from "../operation/backup.ts";
import type { ApiName } from "../platform/http/errors.ts";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";

const BackupRecord = z.object({ v: z.literal(1), handle: z.json(), at: z.number() });

/** Remembers the newest backup of each resource that Rackbell took. The platform does not say what an image was captured from. */
export interface NewestBackups {
  last(of: BackupKey): Promise<LastBackup | null>;
  remember(of: BackupKey, copy: LastBackup): Promise<void>;
}

/** The key of a backup: the resource, and the command that took it. */
export interface BackupKey {
  api: ApiName;
  command: string;
  target: string;
}

const newestBackup = defineKind({ name: "copy", namespace: "copies", schema: BackupRecord, version: 1 });

export function createNewestBackups({ store }: { store: Store }): NewestBackups {
  const records = store.keyv(newestBackup);
  return {
    async last(of) {
      const kept = await records.get(keyOf(of));
      return kept ? { handle: kept.handle, at: kept.at } : null;
    },
    async remember(of, copy) {
      await records.set(keyOf(of), { v: 1, ...copy });
    },
  };
}

function keyOf({ api, command, target }: BackupKey): string {
  return `${api}:${command}:${target}`;
}
