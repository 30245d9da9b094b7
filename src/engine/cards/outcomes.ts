import type { Logger } from "pino";
import * as z from "zod";
import { createRecords } from "../../storage/records.ts";
import type { Store } from "../../storage/store.ts";

const month = 30 * 24 * 60 * 60_000;

/** What a channel got of an event: a new message; its card brought up to date and no more; a line in a digest; nothing, since it is muted. */
const ToldChannel = z.object({
  channel: z.string(),
  as: z.enum(["rang", "shown", "digest", "muted"]),
  /** The card that shows it, by its id. */
  card: z.string().nullable(),
});
export type ToldChannel = z.infer<typeof ToldChannel>;

/** What became of an event when it was brought to its requests and channels. */
const Outcome = z.object({
  /** The request that it came of: whose it is, and whether it was expected of it. */
  request: z.object({ slackUser: z.string(), expected: z.boolean() }).nullable(),
  /** The same was found by reading and shown before. */
  repeat: z.boolean(),
  /** None for a channel that got nothing. */
  channels: z.array(ToldChannel),
});
export type Outcome = z.infer<typeof Outcome>;

/** What became of each event, for as long as the event is kept. */
export interface Outcomes {
  note(event: string, outcome: Outcome): Promise<void>;
  /** Undefined where it was not brought on yet, or by a version that noted nothing. */
  read(event: string): Promise<Outcome | undefined>;
}

export function createOutcomes({ store, log }: { store: Store; log: Logger }): Outcomes {
  const outcomes = createRecords(store.values("event-outcomes"), {
    ...{ name: "event's outcome", schema: Outcome, version: 1, log },
  });
  return { note: (event, outcome) => outcomes.note(event, outcome, month), read: outcomes.get };
}
