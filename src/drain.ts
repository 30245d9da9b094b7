import { type Clock, settles } from "./clock.ts";

/** Shares of the grace: for all that ends by itself, and with what is told to give up then. The rest is for closing. */
const untilInterrupted = 0.8;
const untilLeft = 0.95;

/** Ends what runs within `graceMs`; what does not end by then is left as it is. Resolves then at the latest, and never rejects. */
export async function drain(options: {
  clock: Clock;
  graceMs: number;
  /** Lets nothing more begin, and resolves when all that runs has ended. */
  finish: () => Promise<unknown>;
  /** Makes what would wait for longer give up. */
  interrupt: () => void;
  /** Lets go of what the work stood on. */
  close: () => Promise<unknown>;
  /** Told of the parts that did not end, and why where that is known. */
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
