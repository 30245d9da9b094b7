import { pino } from "pino";
import { onTestFinished, type TestContext } from "vitest";
import { systemClock } from "../../../src/process/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import { openRedis } from "../../../src/storage/redis/engine.ts";
import type { Store } from "../../../src/storage/store.ts";
import { type RedisServer, startRedis } from "./server.ts";

/** Registers clean-up for a test's end. A concurrent test passes its own context. */
type Ending = Pick<TestContext, "onTestFinished">;

/** A server of the test's own. The end of the test stops it. */
export async function ownRedis(
  settings: Record<string, string> = {},
  ending: Ending = { onTestFinished },
): Promise<RedisServer> {
  const server = await startRedis(settings);
  ending.onTestFinished(() => server.remove());
  return server;
}

export interface Opened {
  store: Store;
  /** Its log, one JSON text a line. */
  lines: string[];
}

/** An opening that is closed before its server goes. */
export async function opened(
  url: string,
  { prefix = "rackbell", waitMs = 500 } = {},
  ending: Ending = { onTestFinished },
): Promise<Opened> {
  const lines: string[] = [];
  const log = pino({ level: "info" }, { write: (line: string) => void lines.push(line) });
  const engine = await openRedis({ url, prefix, log, waitMs });
  const { store } = createStore(engine, { clock: systemClock, log, alone: false });
  ending.onTestFinished(() => store.close());
  return { store, lines };
}
