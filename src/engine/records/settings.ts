import * as z from "zod";
import type { Store } from "../../storage/store.ts";

/** What an admin has set for the workspace. */
export const Settings = z.object({
  /** Where requests to destroy are posted; null: where they were typed. */
  approvalsChannel: z.string().nullable().default(null),
  /** The user group that is mentioned there. */
  approverGroup: z.string().nullable().default(null),
});
export type Settings = z.infer<typeof Settings>;

export interface SettingsStore {
  read(): Promise<Settings>;
  change(change: Partial<Settings>): Promise<Settings>;
}

export function createSettings(store: Store): SettingsStore {
  const kept = store.values("settings");
  async function read(): Promise<Settings> {
    return Settings.parse((await kept.get("workspace")) ?? {});
  }
  return {
    read,
    async change(change) {
      const settings = { ...(await read()), ...change };
      await kept.set("workspace", settings);
      return settings;
    },
  };
}
