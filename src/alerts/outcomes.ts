import * as z from "zod";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";

const month = 30 * 24 * 60 * 60_000;

/** The outcome for one channel. `rang`: a new message. `shown`: a silent update of an alert. `digest`: a line in the next digest. `muted`: no notification. */
const ChannelOutcome = z.object({
  channel: z.string(),
  as: z.enum(["rang", "shown", "digest", "muted"]),
  /** The id of the alert that shows it. */
  card: z.string().nullable(),
});
export type ChannelOutcome = z.infer<typeof ChannelOutcome>;

/** The outcome of an event for its request and its channels. */
const EventOutcome = z.object({
  /** The request that caused it, its requester, and whether the request expected it. */
  request: z
    .object({ id: z.string().nullable().default(null), slackUser: z.string(), expected: z.boolean() })
    .nullable(),
  /** Polling had found and shown the same before. */
  repeat: z.boolean(),
  /** A channel that got nothing has no entry. */
  channels: z.array(ChannelOutcome),
});
export type EventOutcome = z.infer<typeof EventOutcome>;

/** Stores the outcome of each event for as long as the log keeps the event. */
export interface EventOutcomes {
  note(event: string, outcome: EventOutcome): Promise<void>;
  /** Undefined where the event was not processed yet, or by a version that stored no outcomes. */
  read(event: string): Promise<EventOutcome | undefined>;
}

const eventOutcome = defineKind({
  name: "event's outcome",
  namespace: "event-outcomes",
  schema: EventOutcome,
  version: 1,
  ttlMs: month,
  lasts: "soon",
});

export function createEventOutcomes({ store }: { store: Store }): EventOutcomes {
  const outcomes = store.keyv(eventOutcome);
  return {
    async note(event, outcome) {
      await outcomes.set(event, outcome);
    },
    read: (event) => outcomes.get(event),
  };
}
