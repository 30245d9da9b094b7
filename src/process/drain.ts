import { type Clock, settles } from "./clock.ts";

/** Shares of `graceMs`. Work may end by itself until the first, and must have given up by the second. The rest is for closing. */
const untilInterrupted = 0.8;
const untilLeft = 0.95;

/** Stops the app within `graceMs`. Work that has not ended by then is abandoned. Resolves at the latest then, and never rejects. */
export async function drain(options: {
  clock: Clock;
  graceMs: number;
  /** Starts nothing new, and resolves when all running work has ended. */
  finish: () => Promise<unknown>;
  /** Makes calls that wait for their turn at Slack give up. */
  interrupt: () => void;
  /** Closes the listener, the connections and the store. */
  close: () => Promise<unknown>;
  /** Called for each part that did not end, with its error if it failed. */
  onLeft: (part: "work" | "closing", error?: unknown) => void;
}): Promise<void> {
  const { clock, graceMs, onLeft } = options;
  const began = clock.monotonic();
  const left = (share: number) => Math.max(0, began + graceMs * share - clock.monotonic());

  const work = options.finish().catch((error: unknown) => onLeft("work", error));
  if (!(await settles(work, clock, left(untilInterrupted)))) {
    options.interrupt();
    if (!(await settles(work, clock, left(untilLeft)))) onLeft("work");
  }
  const closing = options.close().catch((error: unknown) => onLeft("closing", error));
  if (!(await settles(closing, clock, left(1) * 0.8))) onLeft("closing");
}
