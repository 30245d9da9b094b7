import { expect, test } from "vitest";
import { checkExpectedEvent } from "../../src/alerts/alerts.ts";
import { newestEvents, storeDelivery, storeDetected } from "../../src/alerts/event-log.ts";
import { openMemory } from "../storage/memory.ts";

/** True where the run stores `event.missing`, with one event of each of these sources in the log. */
async function isReported(sources: readonly ("webhook" | "polling" | "missed")[]): Promise<boolean> {
  const { store, clock } = await openMemory();
  const overdue: string[] = [];
  const app = {
    store,
    clock,
    wakeFeed: () => {},
    causes: {
      attach: async () => null,
      readUnconfirmed: async (id: string) => ({
        id,
        slackUser: "U1",
        command: "vps cancel",
        channel: "C1",
        target: null,
        next: [],
        endUnknown: false,
        customer: null,
        order: null,
        expects: null,
        effects: [],
      }),
      noteOverdue: async (id: string) => void overdue.push(id),
      close: async () => undefined,
      readDone: async () => null,
      actsOn: async () => [],
      pollWaiting: async () => {},
      noteLaterAct: async () => {},
    },
  };
  for (const source of sources) {
    const timestamp = new Date(clock.now()).toISOString();
    if (source === "webhook") {
      const event = { event: "order.paid", timestamp, data: {} };
      await storeDelivery(app, { event, body: Buffer.from(timestamp), deliveryId: null });
    } else {
      const found = { event: "order.paid", data: {}, askedBy: null, request: null } as const;
      await storeDetected(app, { ...found, source, unique: source });
    }
  }
  await checkExpectedEvent(app, "expect:r1");
  const isStored = (await newestEvents(app, { limit: 10 })).some(({ event }) => event === "event.missing");
  expect(overdue).toEqual(isStored ? ["r1"] : []);
  return isStored;
}

test("an event is missed where the supplier sends events here, and not where they were found by reading alone", async () => {
  expect(await isReported(["webhook"])).toBe(true);
  expect(await isReported(["polling", "missed"])).toBe(false);
  expect(await isReported([])).toBe(false);
});
