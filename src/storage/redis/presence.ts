import type { Logger } from "pino";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";
import type { Connection } from "./connection.ts";
import { beat, leave, present } from "./scripts/presence.ts";

/** How an opening shows that it lives, and learns of others that they do not. */
export interface Presence {
  /** Whether the others had no time yet to show that they live, after Redis was away or this opening came: nobody counts as gone. */
  isPatient(): boolean;
  alive(instance: string): Promise<boolean>;
  /** Ends the signs of life; where `farewell` is said, what was under way is due at once. */
  end(options: { farewell: boolean }): Promise<void>;
}

/** A dead opening's work waits for a sign of life to run out, for the others to look, and is done: well within 10 seconds. */
const lastsMs = 5_000;
const everyMs = 1_500;

/**
 * Keeps showing that `instance` lives, by the machine's own time. The first sign is given before this resolves. Each time it is looked over
 * all `connections` whether this is still the store that was opened.
 */
export async function keepPresent(
  calls: Calls,
  connections: { reading: Connection; writing: Connection },
  { instance, log }: { instance: string; log: Logger },
): Promise<Presence> {
  const { reading } = connections;
  const all = new Set([reading, connections.writing]);
  let ended = false;
  let lost = false;
  let timer: NodeJS.Timeout | undefined;
  const isPatient = (): boolean => reading.upForMs() < lastsMs;

  async function show(): Promise<void> {
    await Promise.all([...all].map((connection) => connection.verify()));
    await calls.tell(beat, instance, lastsMs, isPatient() ? 0 : 1);
  }

  async function showAgain(): Promise<void> {
    try {
      await show();
      if (lost) log.info("the store is itself again");
      lost = false;
    } catch (error) {
      const isLost = error instanceof StorageError && error.name === "StoreGone";
      if (isLost && !lost) log.error({ err: error }, "nothing is served");
      lost ||= isLost;
    }
    if (!ended) timer = setTimeout(() => void showAgain(), everyMs);
  }

  await show();
  timer = setTimeout(() => void showAgain(), everyMs);

  return {
    isPatient,
    alive: (other) => calls.ask(present, other, isPatient() ? 1 : 0),
    async end({ farewell }) {
      ended = true;
      clearTimeout(timer);
      // Without it, the sign of life runs out.
      if (farewell) await calls.tell(leave, instance).catch(() => {});
    },
  };
}
