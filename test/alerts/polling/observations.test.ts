import { expect, test } from "vitest";
import { newestEvents, storeDelivery } from "../../../src/alerts/event-log.ts";
import type { EventName } from "../../../src/alerts/events.ts";
import {
  noteState,
  type Observation,
  observe,
  stateSince,
  unaskedDown,
} from "../../../src/alerts/polling/observations.ts";
import { orderObservations } from "../../../src/alerts/polling/reseller.ts";
import { billingObservations, machineObservations } from "../../../src/alerts/polling/service-observations.ts";
import { eventLine } from "../../../src/alerts/view.ts";
import type { EffectiveAct, StoredEffect } from "../../../src/operation/effects.ts";
import type { Vps } from "../../../src/platform/customer/vps.ts";
import { PaymentStatus } from "../../../src/platform/reseller/states.ts";
import { vpsRow } from "../../platform/customer/rows.ts";
import { raw } from "../../storage/raw.ts";
import { eventOf } from "../events.ts";
import { hour, minute, openPolling } from "./polled.ts";

const round = { first: false, since: 0, key: "key" };
const buildFailed = "service.provisioning_failed";

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

  /** The own service as a list shows it. */
  function own(status: string): Promise<void> {
    const service = { id: "service-1", name: null, hostname: null, kind: "vps", dueAt: null, status } as const;
    return observe(app, "service:service-1", billingObservations({ ...service, source: "polling" }, "billing"), round);
  }

  return { ...app, bothSee, sold, own, events };
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

const byOtherStates: [how: string, statuses: string[], expected: EventName[]][] = [
  ["withholds and then builds", ["fraud", "pending", "active"], ["service.withheld", "service.released"]],
  ["suspends and installs anew", ["suspended", "installing", "active"], ["service.suspended", "service.unsuspended"]],
  ["builds after a failure", ["provisioning_failed", "installing", "active"], [buildFailed, "service.provisioned"]],
];

test.each(byOtherStates)(
  "an own service that the platform %s has an alert that ends",
  async (_, statuses, expected) => {
    const app = await polling();
    for (const status of ["active", ...statuses]) await app.own(status);
    expect(await app.events()).toEqual(expected);
  },
);

test("a withheld service that is ready by webhook is no longer withheld once polling reads that it runs", async () => {
  const app = await polling();
  for (const status of ["active", "fraud", "pending"]) {
    await app.sold(status, status === "active");
    app.clock.skip(20 * minute);
    await app.sold(status);
  }
  const data = { serviceId: "service-1" };
  const event = { event: "service.provisioned", timestamp: new Date(app.clock.now()).toISOString(), data };
  await storeDelivery(app, { event, body: Buffer.from("built"), deliveryId: "built" });
  await app.sold("active");
  app.clock.skip(20 * minute);
  await app.sold("active");
  expect(await app.events()).toEqual(["service.withheld", "service.provisioned", "service.released"]);
});

test.each([
  ["withholds and releases", ["fraud", "active"], ["service.withheld", "service.released"]],
  [
    "suspends, withholds and releases",
    ["suspended", "fraud", "active"],
    ["service.suspended", "service.withheld", "service.released"],
  ],
  ["suspends and cancels", ["suspended", "cancelled"], ["service.suspended", "service.cancelled"]],
  [
    "could not build and cancels",
    ["provisioning_failed", "cancelled"],
    ["service.provisioning_failed", "service.cancelled"],
  ],
  ["terminates", ["terminated"], ["service.terminated"]],
  ...byOtherStates,
])(
  "a resold service that the supplier %s has an alert of each, and none of an end before the first read",
  async (_, statuses, expected) => {
    const { sold, events, clock } = await polling();
    await sold("active", true);
    for (const status of statuses) {
      await sold(status);
      clock.skip(20 * minute);
      await sold(status);
    }
    expect(await events()).toEqual(expected);
    const later = await polling();
    const last = statuses.at(-1) ?? "";
    await later.sold(last);
    later.clock.skip(20 * minute);
    await later.sold(last);
    const isOver = last === "cancelled" || last === "terminated";
    expect(await later.events()).toEqual(isOver ? [] : ["service.provisioned"]);
  },
);

/** Webhooks in the order in which they came, the state that polling read before and after them, and the events that it adds. */
const late: [about: string, webhooks: EventName[], state: string, added: EventName[]][] = [
  [
    "a suspension that comes after its end",
    ["service.unsuspended", "service.suspended"],
    "active",
    ["service.unsuspended"],
  ],
  ["a suspension whose end never came", ["service.suspended"], "active", ["service.unsuspended"]],
  [
    "an end of a suspension that comes after the next one",
    ["service.suspended", "service.unsuspended"],
    "suspended",
    ["service.suspended"],
  ],
  ["a suspension that lasts", ["service.suspended"], "suspended", []],
  ["a suspension of a service that has ended", ["service.terminated", "service.suspended"], "terminated", []],
  ["an end that the platform does not show", ["service.terminated"], "suspended", []],
  ["a failed charge whose payment never came", ["order.payment_failed"], "paid", ["order.paid"]],
  ["a payment that the platform does not show", ["order.paid"], "failed", []],
  ["a build whose next failure never came", ["service.provisioned"], "provisioning_failed", [buildFailed]],
  [
    "a failure soon after a build, which seems late",
    ["service.provisioned", buildFailed],
    "provisioning_failed",
    [buildFailed],
  ],
];

test("an event that the own account shows names the customer and the order of the supplier's events", async () => {
  const app = await polling();
  const data = { serviceId: "service-1", orderId: "o-1", externalCustomerId: "acme-bakery" };
  const delivery = { event: "service.provisioned", timestamp: new Date(app.clock.now()).toISOString(), data };
  await storeDelivery(app, { event: delivery, body: Buffer.from("built"), deliveryId: "built" });
  await app.own("active");
  await app.own("suspended");
  const [newest] = await newestEvents(app, { limit: 1 });
  expect(newest).toMatchObject({ event: "service.suspended", source: "polling", data });
});

test("a failed build that polling finds by its order names the services that failed, and how the order is paid", () => {
  const services = [
    { serviceId: "s-1", status: "pending" as const, hostname: "mail.example.test" },
    { serviceId: "s-2", status: "active" as const, hostname: "shop.example.test" },
  ];
  const order = { id: "o-1", payment_mode: "credit", proforma_id: null, provisioning_status: "failed" } as const;
  const [built] = orderObservations({ ...order, order_number: "RES-9", services });
  const found = built?.eventFor(null);
  if (!found || found === "later") throw new Error("No event was found");
  expect(eventLine(eventOf(found.event, found.data, 0))).toMatch(
    /`mail\.example\.test` of order `RES-9` could not be built.*payment by credit/,
  );
});

test("an order that did not change costs one read of the log in a round, however much of it is observed", async () => {
  const { store, ...app } = await polling();
  let reads = 0;
  const counted = {
    ...app,
    store: {
      ...store,
      log: (...named: Parameters<typeof store.log>) => {
        reads += 1;
        return store.log(...named);
      },
    },
  };
  const order = { id: "o-1", payment_mode: "credit", proforma_id: null, payment_status: "paid" } as const;
  const observed = orderObservations({ ...order, services: [], provisioning_status: "pending" });
  expect(observed.filter(({ patient }) => patient).length).toBeGreaterThan(1);
  await observe(counted, "sold-order:o-1", observed, { ...round, first: true });
  reads = 0;
  await observe(counted, "sold-order:o-1", observed, round);
  expect(reads).toBe(1);
});

test.each(late)(
  "a webhook about %s is corrected by what polling reads, once and after its time",
  async (_, webhooks, state, added) => {
    const app = await polling();
    const isOrder = webhooks.some((event) => event.startsWith("order."));
    const { clock } = app;
    function see(first = false): Promise<void> {
      if (!isOrder) return app.sold(state, first);
      const order = { id: "o-1", payment_mode: "credit", proforma_id: null } as const;
      const observed = orderObservations({ ...order, services: [], payment_status: PaymentStatus.parse(state) });
      return observe(app, "sold-order:o-1", observed, { ...round, first });
    }
    await see(true);
    for (const event of webhooks) {
      const data = isOrder ? { orderId: "o-1" } : { serviceId: "service-1", orderId: "o-1", reason: "Too much mail" };
      const delivery = { event, timestamp: new Date(clock.now()).toISOString(), data };
      await storeDelivery(app, { event: delivery, body: Buffer.from(event), deliveryId: event });
    }
    clock.skip(10 * minute);
    await see();
    expect(await app.events()).toEqual(webhooks);
    for (let rounds = 0; rounds < 3; rounds += 1) {
      clock.skip(10 * minute);
      await see();
    }
    expect(await app.events()).toEqual([...webhooks, ...added]);
    const [newest] = await newestEvents(app, { limit: 1 });
    const isConfirmed = webhooks.at(-1) === added[0];
    const source = isConfirmed ? "confirmed" : "missed";
    if (added.length > 0) expect(newest).toMatchObject({ source, data: { orderId: "o-1" } });
    if (added.length > 0) expect(newest?.data.reason ?? null).toBe(isConfirmed ? "Too much mail" : null);
  },
);

test.each([
  ["order by a webhook that seemed late is raised", "order", ["service.provisioned", buildFailed], ["confirmed"]],
  ["order by a webhook that was alerted is not raised again", "order", [buildFailed], []],
  ["service by a webhook that seemed late is raised", "service", ["service.provisioned", buildFailed], ["confirmed"]],
  ["service by a webhook that was alerted is not raised again", "service", [buildFailed], []],
])("the failure of one %s when polling reads it", async (_, of, webhooks, raised) => {
  const app = await polling();
  const services = [{ serviceId: "service-1", status: "pending" as const, hostname: "mail.example.test" }];
  const order = { id: "o-1", payment_mode: "credit", proforma_id: null, services } as const;
  const seeOrder = (provisioning_status: "pending" | "failed") =>
    observe(app, "sold-order:o-1", orderObservations({ ...order, provisioning_status }), round);
  await (of === "order" ? seeOrder("pending") : app.sold("active", true));
  for (const event of webhooks) {
    const isListed = of === "order" && event === buildFailed;
    const data = { orderId: "o-1", ...(isListed ? { services } : { serviceId: "service-1" }) };
    const delivery = { event, timestamp: new Date(app.clock.now()).toISOString(), data };
    await storeDelivery(app, { event: delivery, body: Buffer.from(event), deliveryId: event });
  }
  for (let rounds = 0; rounds < 3; rounds += 1) {
    await (of === "order" ? seeOrder("failed") : app.sold("provisioning_failed"));
    app.clock.skip(20 * minute);
  }
  const found = (await newestEvents(app, { limit: 100 })).filter(({ source }) => source !== "webhook");
  expect(found.map(({ source }) => source)).toEqual(raised);
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
  const stored = async () => JSON.stringify(await store.keyv(raw("observed-resources")).get("service:service-1"));
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

/** A machine that polling reads, and the acts on it. */
async function machine() {
  const acts: EffectiveAct[] = [];
  const app = { ...(await openPolling()), causes: { actsOn: async () => acts } };
  const names = { id: "m-1", name: "web-1", hostname: null, kind: "vps", dueAt: null, source: "polling" } as const;

  /** A reading, in which the platform dates the state so many milliseconds ago. */
  async function see(state: NonNullable<Vps["instance"]>["state"], ago = 0): Promise<void> {
    const updated_at = new Date(app.clock.now() - ago).toISOString();
    const instance = { ...vpsRow({ id: "m-1" }).instance, state, updated_at };
    await observe(app, "service:m-1", machineObservations({ ...names, status: "active" }, instance), round);
    app.clock.skip(5 * minute);
  }

  /** Begins an act with this effect on its power. */
  function begin(request: string, effect: Pick<StoredEffect, "through" | "to">): EffectiveAct {
    const whole: StoredEffect = { aspect: "power", on: "target", failing: [], later: false, ...effect };
    const ends = { endsAt: Number.POSITIVE_INFINITY, reached: false };
    const act = {
      request,
      slackUser: "U1",
      member: "m",
      command: "vps reboot",
      target: "m-1",
      effects: [whole],
      ...ends,
    };
    acts.unshift(act);
    return act;
  }

  const alerts = async () =>
    (await newestEvents(app, { limit: 100 }))
      .filter(({ askedBy }) => askedBy === null)
      .map(({ event }) => event)
      .toReversed();
  return { ...app, see, begin, alerts };
}

const reboot = { through: ["stopped"], to: ["running"] };

test("an act explains each of its states once: a machine that stops a second time during a restart alerts", async () => {
  const { see, begin, alerts } = await machine();
  await see("running");
  begin("r1", reboot);
  await see("stopped");
  await see("stopped");
  await see("running");
  expect(await alerts()).toEqual([]);
  await see("stopped");
  expect(await alerts()).toEqual(["machine.stopped"]);
});

test("a state that an act does not lead to alerts while the act is under way", async () => {
  const { see, begin, alerts } = await machine();
  await see("running");
  begin("r1", reboot);
  await see("paused");
  await see("error");
  expect(await alerts()).toEqual(["machine.paused", "machine.error"]);
});

test("a machine that stays in a state on the way after the act has failed alerts", async () => {
  const { see, begin, alerts, clock } = await machine();
  await see("running");
  const act = begin("r1", reboot);
  await see("stopped");
  act.endsAt = clock.now();
  clock.skip(minute);
  await see("stopped");
  expect(await alerts()).toEqual(["machine.stopped"]);
});

test("after the end a later report alerts at once, and an older one after a second reading", async () => {
  for (const [ago, readings] of [
    [0, 1],
    [10 * minute, 2],
  ] as const) {
    const { see, begin, alerts, clock } = await machine();
    await see("running");
    const act = begin("r1", reboot);
    Object.assign(act, { endsAt: clock.now(), reached: true });
    clock.skip(minute);
    for (let reading = 1; reading < readings; reading += 1) await see("stopped", ago);
    expect(await alerts()).toEqual([]);
    await see("stopped", ago);
    expect(await alerts()).toEqual(["machine.stopped"]);
  }
});

test("a machine that comes back after a pause on the way raises nothing, and one whose power an act left stopped neither", async () => {
  const { see, begin, alerts, ...app } = await machine();
  await see("running");
  begin("r1", { through: ["paused"], to: [] });
  await see("paused");
  await see("running");
  const stop = begin("r2", { through: [], to: ["stopped"] });
  Object.assign(stop, { endsAt: app.clock.now(), reached: true });
  await noteState(app, { id: "m-1", aspect: "power", state: "stopped", request: "r2" });
  await see("stopped");
  expect(await alerts()).toEqual([]);
  expect(await unaskedDown(app, "m-1", "stopped")).toBeNull();
});

test("an act that ended before the machine was last seen running does not explain a later stop", async () => {
  const { see, begin, alerts, clock } = await machine();
  await see("stopped");
  const stop = begin("r1", { through: [], to: ["stopped"] });
  Object.assign(stop, { endsAt: clock.now(), reached: true });
  clock.skip(20 * minute);
  await see("running");
  await see("stopped");
  expect(await alerts()).toEqual(["machine.running", "machine.stopped"]);
});
