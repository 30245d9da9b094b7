// engine/records/: what is kept about people's work: drafts of orders, one-time secrets, settings.
// May import: engine/, engine/*, operation/, views/, platform/*, storage/, the clock.

import type { Logger } from "pino";
import * as z from "zod";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";

/** What an admin has set for the workspace. */
const Settings = z.object({
  /** Where requests to destroy are posted; null: where they were typed. */
  approvalsChannel: z.string().nullable().default(null),
  /** The user group that is mentioned there. */
  approverGroup: z.string().nullable().default(null),
  /** How many days before a document is due, and a renewal, that is worth an alert. */
  dueDays: z.number().default(3),
  renewalDays: z.number().default(7),
  /** Under what balance of the customer reading key's user they are told; null: at none. */
  balanceBelow: z.string().nullable().default(null),
  /** Whether the newest checkpoint of the audit is posted there once a day. */
  checkpointsPosted: z.boolean().default(false),
});
export type Settings = z.infer<typeof Settings>;

export interface SettingsStore {
  read(): Promise<Settings>;
  /** Of two changes at once neither undoes the other. */
  change(change: Partial<Settings>): Promise<Settings>;
}

const key = "workspace";
const unset = Settings.parse({});

export function createSettings({ store, log }: { store: Store; log: Logger }): SettingsStore {
  const records = createRecords(store.values("settings"), { name: "setting", schema: Settings, version: 1, log });
  return {
    read: async () => (await records.get(key)) ?? unset,
    change: async (change) => (await records.update(key, (before) => ({ ...unset, ...before, ...change }))) ?? unset,
  };
}
