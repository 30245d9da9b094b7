import { type Logger, pino } from "pino";
import { onTestFinished } from "vitest";
import { createSandboxClock, type SandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";

/** An empty store in memory, with its clock and its log. The end of the test closes it. */
export async function openMemory({
  clock = createSandboxClock(),
  log = pino({ level: "silent" }),
}: {
  clock?: SandboxClock;
  log?: Logger;
} = {}) {
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => store.close());
  return { store, clock, log };
}
