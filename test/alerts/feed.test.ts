import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createEventLog } from "../../src/alerts/event-log.ts";
import { createFeed } from "../../src/alerts/feed.ts";
import { createEventOutcomes } from "../../src/alerts/outcomes.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";
import { raw } from "../storage/raw.ts";

test("many that wait are brought each once and in their order, a page at a time and soon after each other", async () => {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const store = await openStore({ url: "sqlite::memory:", prefix: "test", clock, log });
  onTestFinished(() => store.close());
  const events = createEventLog({ store, clock });
  const outcomes = createEventOutcomes({ store });
  const brought: string[] = [];
  const feed = createFeed({
    ...{ store, clock, events, outcomes },
    hearing: { concerns: async () => false, hear: async () => null },
    crossCheck: { ask: async () => {} },
    setAside: async () => {},
    async channels({ id, data }) {
      brought.push(`${data.serviceId}`);
      return { repeat: false, channels: [{ channel: "C1", as: "rang", card: id }] };
    },
  });
  const all = Array.from({ length: 250 }, (_, at) => `service-${at}`);
  for (const serviceId of all)
    await events.addDetected({
      ...{
        event: "machine.error",
        data: { serviceId },
        source: "found",
        askedBy: null,
        request: null,
        unique: serviceId,
      },
    });
  const counts: number[] = [];
  let next = 0;
  do {
    next = await feed();
    counts.push(brought.length);
  } while (next - clock.now() < 1_000);
  expect(brought).toEqual(all);
  expect(counts).toEqual([100, 200, 250]);
  const [newest] = await events.newest({ limit: 1 });
  expect(await outcomes.read(newest?.id ?? "")).toMatchObject({ channels: [{ channel: "C1", as: "rang" }] });
});

test("an instance that stood still over a page does not take the others back to where it was", async () => {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const store = await openStore({ url: "sqlite::memory:", prefix: "test", clock, log });
  onTestFinished(() => store.close());
  const events = createEventLog({ store, clock });
  const cursor = store.keyv(raw("alert-feed"));
  const feed = createFeed({
    ...{ store, clock, events, outcomes: createEventOutcomes({ store }) },
    hearing: { concerns: async () => false, hear: async () => null },
    crossCheck: { ask: async () => {} },
    setAside: async () => {},
    async channels() {
      // Another instance has processed this event and those after it meanwhile.
      await cursor.set("last", "0000000000000009");
      return { repeat: false, channels: [] };
    },
  });
  const found = { event: "machine.error", source: "found", askedBy: null, request: null } as const;
  await events.addDetected({ ...found, data: { serviceId: "one" }, unique: "one" });
  await feed();
  expect(await cursor.get("last")).toBe("0000000000000009");
});
