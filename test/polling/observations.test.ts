import { expect, test } from "vitest";
import { newestEvents } from "../../src/alerts/event-log.ts";
import type { EventName } from "../../src/alerts/events.ts";
import { noteState, type Observation, observe, stateSince } from "../../src/polling/observations.ts";
import { billingObservations } from "../../src/polling/service-observations.ts";
import { raw } from "../storage/raw.ts";
import { hour, minute, openPolling } from "./polled.ts";

const round = { first: false, since: 0, key: "key" };

async function polling() {
  const app = await openPolling();

  /** A change of the service that both APIs show at the same moment, each to its own reader. */
  async function bothSee(event: EventName, state: string): Promise<void> {
    const seen = (aspect: string): Observation => ({
      aspect,
      state,
      eventFor: () => ({ event, source: "missed", led: null, data: { serviceId: "service-1" } }),
    });
    await Promise.all(["billing", "sold"].map((aspect) => observe(app, "service:service-1", [seen(aspect)], round)));
  }

  const events = async () => (await newestEvents(app, { limit: 100 })).map(({ event }) => event).toReversed();

  /** The resold service as a list shows it. */
  function sold(status: string, first = false): Promise<void> {
    const names = { id: "service-1", name: null, hostname: null, kind: null, dueAt: null };
    return observe(app, "service:service-1", billingObservations({ ...names, status, source: "missed" }, "sold"), {
      ...round,
      first,
    });
  }

  return { ...app, bothSee, sold, events };
}

test("a change that both APIs show at the same moment is logged once, each time that it comes", async () => {
  const { bothSee, events } = await polling();
  await bothSee("service.suspended", "suspended");
  await bothSee("service.unsuspended", "active");
  await bothSee("service.suspended", "suspended");
  expect(await events()).toEqual(["service.suspended", "service.unsuspended", "service.suspended"]);
});

test("two readers that see two aspects of a service at the same moment both store what they saw", async () => {
  const app = await polling();
  const seen = (aspect: string): Observation => ({ aspect, state: "running", eventFor: () => null });
  await Promise.all(["billing", "machine"].map((aspect) => observe(app, "service:service-1", [seen(aspect)], round)));
  for (const aspect of ["billing", "machine"])
    expect(await stateSince(app, { resource: "service:service-1", aspect, state: "running" })).not.toBeNull();
});

test("a resold service that the supplier withholds and releases was ready before, and no webhook is missing", async () => {
  const { sold, events, clock } = await polling();
  await sold("active", true);
  for (const status of ["fraud", "active"]) {
    await sold(status);
    clock.skip(20 * minute);
    await sold(status);
  }
  expect(await events()).toEqual([]);
});

test("a clock that is set back delays what the supplier's webhook may still report by no more than its time", async () => {
  const { sold, events, clock } = await polling();
  await sold("active");
  clock.skip(20 * minute);
  await sold("active");
  await sold("suspended");
  clock.adjust(-3 * hour);
  await sold("suspended");
  clock.skip(20 * minute);
  await sold("suspended");
  expect((await events()).at(-1)).toBe("service.suspended");
});

test("a resource that polling still shows stays known for years, is seldom stored again, and is forgotten after its end", async () => {
  const app = await polling();
  const { store, clock, bothSee, events } = app;
  const day = 24 * hour;
  const stored = async () => JSON.stringify(await store.keyv(raw("sweep-seen")).get("service:service-1"));
  await bothSee("service.suspended", "suspended");
  const first = await stored();
  clock.skip(20 * day);
  await bothSee("service.suspended", "suspended");
  expect(await stored()).toBe(first);
  for (let months = 0; months < 24; months += 1) {
    clock.skip(31 * day);
    await bothSee("service.suspended", "suspended");
  }
  expect(await events()).toHaveLength(0);
  expect(await stored()).toContain("suspended");
  await noteState(app, { id: "service-1", aspect: "billing", state: "active", request: "r1" });
  clock.skip(366 * day);
  expect(await stored()).toBeUndefined();
});
