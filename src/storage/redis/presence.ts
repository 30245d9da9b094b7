import type { Logger } from "pino";
import { StorageError } from "../errors.ts";
import type { Calls } from "./calls.ts";
import type { RedisConnection } from "./connection.ts";
import { beat, leave, present } from "./scripts/presence.ts";

/** Shows other openings that this one is alive, and tells which others are. */
export interface Presence {
  /** True just after this opening connected: the others may not have shown yet that they are alive, so none counts as dead. */
  isPatient(): boolean;
  alive(instance: string): Promise<boolean>;
  /** Stops the signs of life. With `farewell` its runs are due at once; without, when its last sign runs out. */
  end(options: { farewell: boolean }): Promise<void>;
}

/** Milliseconds. Other openings take over a dead one's work after its sign runs out: well within 10 seconds. */
export const signLastsMs = 5_000;
const everyMs = 1_500;

/**
 * Sends regular signs of life for `instance`, by the machine's clock; the first before this resolves. Each time it checks over all
 * `connections` that this is still the store that was opened.
 */
export async function keepPresent(
  calls: Calls,
  connections: { reading: RedisConnection; writing: RedisConnection },
  { instance, log }: { instance: string; log: Logger },
): Promise<Presence> {
  const { reading } = connections;
  const all = new Set([reading, connections.writing]);
  let ended = false;
  let lost = false;
  let timer: NodeJS.Timeout | undefined;
  const isPatient = (): boolean => reading.upForMs() < signLastsMs;

  async function show(): Promise<void> {
    await Promise.all([...all].map((connection) => connection.verify()));
    await calls.writeVolatile(beat, instance, signLastsMs, isPatient() ? 0 : 1);
  }

  async function showAgain(): Promise<void> {
    try {
      await show();
      if (lost) log.info("the store is present again");
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
    alive: (other) => calls.readScript(present, other, isPatient() ? 1 : 0),
    async end({ farewell }) {
      ended = true;
      clearTimeout(timer);
      // If this fails, the sign of life runs out by itself.
      if (farewell) await calls.writeVolatile(leave, instance).catch(() => {});
    },
  };
}
