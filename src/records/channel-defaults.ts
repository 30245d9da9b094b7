import * as z from "zod";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";

/** An admin's default for a channel: the project and the filters with which its lists and names start. */
const ChannelDefault = z.object({
  project: z.object({ id: z.string(), name: z.string() }).nullable(),
  /** Filters of lists, for those that have them. */
  status: z.string().nullable(),
  sort: z.string().nullable(),
  /** The admin who set it, and when (milliseconds since the epoch). */
  by: z.string(),
  at: z.number(),
});
export type ChannelDefault = z.infer<typeof ChannelDefault>;

export interface ChannelDefaults {
  /** Null where none is set. */
  read(channel: string): Promise<ChannelDefault | null>;
  /** Stores the default; one without any value is deleted. */
  set(channel: string, wanted: ChannelDefault): Promise<void>;
}

const channelDefaults = defineKind({
  name: "channel's default",
  namespace: "channel-defaults",
  schema: ChannelDefault,
  version: 1,
});

export function createChannelDefaults({ store }: { store: Store }): ChannelDefaults {
  const records = store.keyv(channelDefaults);
  return {
    read: async (channel) => (await records.get(channel)) ?? null,
    async set(channel, wanted) {
      const { project, status, sort } = wanted;
      if (project === null && status === null && sort === null) await records.delete(channel);
      else await records.set(channel, wanted);
    },
  };
}
