import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import type { StoreApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";

/** An admin's default for a channel: the project and the filters with which its lists and names start. */
const ChannelDefault = z.object({
  project: z.object({ id: z.string(), name: PlainText }).nullable(),
  /** Filters of lists, for those that have them. */
  status: z.string().nullable(),
  sort: z.string().nullable(),
  /** The admin who set it, and when (milliseconds since the epoch). */
  by: z.string(),
  at: z.number(),
});
export type ChannelDefault = z.infer<typeof ChannelDefault>;

const channelDefaults = defineKind({
  name: "channel's default",
  namespace: "channel-defaults",
  schema: ChannelDefault,
});

/** Null where none is set. */
export async function readChannelDefault({ store }: StoreApp, channel: string): Promise<ChannelDefault | null> {
  return (await store.keyv(channelDefaults).get(channel)) ?? null;
}

/** Stores the default; one without any value is deleted. */
export async function setChannelDefault({ store }: StoreApp, channel: string, wanted: ChannelDefault): Promise<void> {
  const { project, status, sort } = wanted;
  if (project === null && status === null && sort === null) await store.keyv(channelDefaults).delete(channel);
  else await store.keyv(channelDefaults).set(channel, wanted);
}
