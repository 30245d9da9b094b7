import { expect, test } from "vitest";
import { newestEvents } from "../../src/alerts/event-log.ts";
import type { EventName } from "../../src/alerts/events.ts";
import { type Observation, observe } from "../../src/polling/observations.ts";
import { openPolling } from "./polled.ts";

const round = { first: false, since: 0, key: "key" };

async function polling() {
  const app = await openPolling();

  /** A change of the service that both APIs show at the same moment, each to its own reader. */
  async function bothSee(event: EventName, state: string): Promise<void> {
    const seen = (aspect: string): Observation => ({
      aspect,
      state,
      eventFor: () => ({ event, source: "missed", by: null, data: { serviceId: "service-1" } }),
    });
    await Promise.all(["billing", "sold"].map((aspect) => observe(app, "service:service-1", [seen(aspect)], round)));
  }

  const events = async () => (await newestEvents(app, { limit: 100 })).map(({ event }) => event).toReversed();
  return { bothSee, events };
}

test("a change that both APIs show at the same moment is logged once, each time that it comes", async () => {
  const { bothSee, events } = await polling();
  await bothSee("service.suspended", "suspended");
  await bothSee("service.unsuspended", "active");
  await bothSee("service.suspended", "suspended");
  expect(await events()).toEqual(["service.suspended", "service.unsuspended", "service.suspended"]);
});
