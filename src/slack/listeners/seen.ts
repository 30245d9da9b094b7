import * as z from "zod";
import { defineKind } from "../../storage/kind.ts";
import { creating } from "../../storage/record.ts";
import type { Store } from "../../storage/store.ts";

/** For longer than Slack takes to deliver a message up to four times. */
const seenMessages = defineKind({
  name: "seen message",
  namespace: "heard",
  schema: z.literal(1),
  ttlMs: 3_600_000,
});

/** Marks a message as seen; false if it was before. Slack may deliver one message twice, and to two instances. */
export function firstSight(store: Store): (message: string) => Promise<boolean> {
  return (message) => store.transact({ records: [creating(seenMessages, message, 1)] });
}
