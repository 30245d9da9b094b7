import { expect, test } from "vitest";
import * as z from "zod";
import { muteTimers } from "../../src/alerts/after-mute.ts";
import { updateAlerts } from "../../src/alerts/alert-updater.ts";
import { doneTimer } from "../../src/alerts/app.ts";
import { digestMessages, digestTimer, runDigest } from "../../src/alerts/digest.ts";
import { newestEvents, storeDelivery, storeDetected } from "../../src/alerts/event-log.ts";
import { noteOutcome, readOutcome, routeEvent } from "../../src/alerts/event-router.ts";
import type { EventName } from "../../src/alerts/events.ts";
import { runFeed } from "../../src/alerts/feed.ts";
import { muteLane } from "../../src/alerts/muted-events.ts";
import { isOpenStill, isStillBad, presentOf, unsettledBefore } from "../../src/alerts/present.ts";
import { readWeek } from "../../src/alerts/report/week.ts";
import { changeRouting } from "../../src/alerts/subscriptions.ts";
import { alertWaiting } from "../../src/alerts/waiting.ts";
import { setAway } from "../../src/members/people/away.ts";
import { changeRotations } from "../../src/members/people/rotations.ts";
import { storedEffect } from "../../src/operation/effects.ts";
import { createRegistry } from "../../src/operation/registry.ts";
import { plainly } from "../../src/process/plain-text.ts";
import { openMemory } from "../storage/memory.ts";
import { listed, raw } from "../storage/raw.ts";

const rejectUse = () => Promise.reject(new Error("Nobody asks about a member here"));

/** The feed over a real store, and one channel that gets all alerts. `brought` is called with the service of each event. */
async function feedOf(brought: (service: string | undefined) => unknown) {
  const { store, clock, log } = await openMemory();
  const app = {
    store,
    clock,
    log,
    registry: createRegistry([]),
    wakeFeed: () => {},
    onGone: async () => {},
    outbox: { placeOf: async () => null },
    namedAdmins: [],
    people: {
      ...{ person: rejectUse, groups: rejectUse, everybody: rejectUse, quiet: rejectUse },
      ...{ channel: rejectUse, members: rejectUse },
    },
    identities: { all: async () => [], links: rejectUse, person: rejectUse },
    causes: {
      async attach({ about }: { about: string[] }) {
        await brought(about[0]);
        return null;
      },
      readUnconfirmed: async () => null,
      noteOverdue: async () => {},
      readDone: async () => null,
      actsOn: async () => [],
      pollWaiting: async () => {},
      noteLaterAct: async () => {},
      close: async () => undefined,
    },
    productReads: { notBefore: 0 },
    connection: { about: async () => null, reader: async () => null },
    requesterIn: async () => null,
  };
  const everything = { events: [], notEvents: [], about: [], notAbout: [], products: [], notProducts: [] };
  const subscription = { ...everything, id: "s1", channel: "C1", by: "U1", mention: null, later: [] };
  await changeRouting(app, (routing) => ({ ...routing, subscriptions: [subscription] }));
  return app;
}

function detected(serviceId: string) {
  const found = { event: "machine.error", source: "polling", askedBy: null, request: null } as const;
  return { ...found, data: { serviceId }, unique: serviceId };
}

test("many that wait are brought each once and in their order, a page at a time and soon after each other", async () => {
  const brought: unknown[] = [];
  const app = await feedOf((service) => brought.push(service));
  const all = Array.from({ length: 250 }, (_, at) => `service-${at}`);
  for (const serviceId of all) await storeDetected(app, detected(serviceId));
  const counts: number[] = [];
  let next = 0;
  do {
    next = await runFeed(app);
    counts.push(brought.length);
  } while (next - app.clock.now() < 1_000);
  expect(brought).toEqual(all);
  expect(counts).toEqual([100, 200, 250]);
  const [newest] = await newestEvents(app, { limit: 1 });
  expect(await readOutcome(app, newest?.id ?? "")).toMatchObject({ channels: [{ channel: "C1", as: "posted" }] });
});

test("an instance that stood still over a page does not take the others back to where it was", async () => {
  // Another instance has processed this event and those after it meanwhile.
  const app = await feedOf(() => cursor.set("last", "0000000000000009"));
  const cursor = app.store.keyv(raw("alert-feed"));
  await storeDetected(app, detected("one"));
  await runFeed(app);
  expect(await cursor.get("last")).toBe("0000000000000009");
});

test("an event that a crash brings a second time is in one digest, and holds no other event up", async () => {
  const app = await feedOf(() => {});
  const digestMode = { channel: "C1", mode: "digest" as const, hours: [8], zone: "UTC" };
  await changeRouting(app, (routing) => ({ ...routing, modes: [digestMode] }));
  await storeDetected(app, detected("one"));
  await runFeed(app);
  await runDigest(app, `${digestTimer}C1`);
  // The process died before the feed stored its cursor.
  await app.store.keyv(raw("alert-feed")).delete("last");
  await storeDetected(app, detected("two"));
  await runFeed(app);
  await runDigest(app, `${digestTimer}C1`);
  const digests = z.array(z.object({ events: z.array(z.object({ id: z.string() })) }));
  const composed = digests.parse([...(await listed(app.store, raw("alert-digests"))).values()]);
  const [two, one] = await newestEvents(app, { limit: 2 });
  expect(composed.map(({ events }) => events.map(({ id }) => id))).toEqual([[one?.id], [two?.id]]);
});

test("a digest notifies those who are on call at its hour, and not those who were at the event or who are away", async () => {
  const person = async (id: string) => ({ id, name: id, admin: false, outsider: null, deleted: false, zone: "UTC" });
  const channel = async (id: string) => ({
    id,
    direct: false,
    isPublic: true,
    shared: false,
    member: true,
    known: true,
  });
  const people = {
    ...{
      person,
      channel,
      groups: async () => ({ groups: [] }),
      everybody: async () => [],
      quiet: async () => new Map(),
    },
    members: async () => new Set(["UDAY", "UNIGHT", "UAWAY"]),
  };
  const app = { ...(await feedOf(() => {})), people };
  const start = Math.ceil(app.clock.now() / day) * day;
  app.clock.skip(start + 23 * 60 * minute - app.clock.now());
  const turns = {
    people: ["UNIGHT", "UDAY"],
    group: null,
    every: "day" as const,
    zone: "UTC",
    anchor: start,
    first: 0,
  };
  await changeRotations(app, () => [{ ...turns, id: "r1", name: plainly`night`, overrides: [], by: "U1" }]);
  const until = app.clock.now() + 10 * day;
  await setAway(app, { slackUser: "UAWAY", since: app.clock.now(), until, to: [], reason: null });
  const mention = {
    users: ["UAWAY", "UFAR"],
    groups: [],
    rotations: [{ id: "r1", name: plainly`night` }],
    agents: false,
  };
  await changeRouting(app, ({ subscriptions, ...routing }) => ({
    ...routing,
    subscriptions: subscriptions.map((one) => ({ ...one, mention })),
    modes: [{ channel: "C1", mode: "digest", hours: [8], zone: "UTC" }],
  }));
  await storeDetected(app, detected("one"));
  await runFeed(app);
  app.clock.skip(9 * 60 * minute);
  await runDigest(app, `${digestTimer}C1`);
  const [id = ""] = (await listed(app.store, raw("alert-digests"))).keys();
  const [inChannel, direct, ...others] = (await digestMessages(app).notifications(id, new Set())) ?? [];
  const text = JSON.stringify(inChannel?.message);
  expect(text).toContain("<@UDAY> 1 event");
  expect(text).toContain("UAWAY is away until");
  for (const other of ["UNIGHT", "<@UAWAY>", "UFAR"]) expect(text).not.toContain(other);
  // A mention does not reach those who are not in the channel.
  expect(direct).toMatchObject({
    to: { in: "direct", user: "UFAR" },
    message: { text: "1 event since the last digest of <#C1>" },
  });
  expect(others).toEqual([]);
});

test("a digest of many events shows the failures among them, and counts those that it leaves out by their kind", async () => {
  const app = await feedOf(() => {});
  const digestMode = { channel: "C1", mode: "digest" as const, hours: [8], zone: "UTC" };
  await changeRouting(app, (routing) => ({ ...routing, modes: [digestMode] }));
  const adds = async (event: EventName, data: Record<string, string>) => {
    await storeDetected(app, { ...detected("one"), event, data, unique: `${event} ${JSON.stringify(data)}` });
    await runFeed(app);
  };
  await adds("service.suspended", { serviceId: "one", hostname: "db-main.example.test" });
  await adds("machine.error", { serviceId: "two", hostname: "mended.example.test" });
  for (let at = 0; at < 20; at += 1) await adds("service.provisioned", { serviceId: `new-${at}` });
  await adds("machine.running", { serviceId: "two", hostname: "mended.example.test" });
  for (let at = 0; at < 39; at += 1) await adds("order.failed", { orderId: `o-${at}`, orderNumber: `RES-${at}.` });
  await runDigest(app, `${digestTimer}C1`);
  const [id = ""] = (await listed(app.store, raw("alert-digests"))).keys();
  const [digest] = (await digestMessages(app).notifications(id, new Set())) ?? [];
  const text = JSON.stringify(digest?.message);
  expect(text).toContain("62 events since the last digest");
  expect(text).toMatch(/`db-main.example.test` is suspended.*RES-0\..*RES-38\./s);
  expect(text).toContain("Not shown:");
  expect(text).toContain("20 services are ready");
  expect(text).not.toContain("mended.example.test");
});

type App = Awaited<ReturnType<typeof feedOf>>;
const minute = 60_000;
const day = 24 * 60 * minute;

async function mute(app: App, { about, minutes }: { about: string; minutes: number }): Promise<void> {
  const set = { channel: null, about, name: null, until: app.clock.now() + minutes * minute, by: "U1" };
  await changeRouting(app, (routing) => ({ ...routing, mutes: [...routing.mutes, set] }));
}

async function endMute(app: App): Promise<void> {
  const timer = muteTimers(app)[muteLane];
  const run = { lane: muteLane, id: `${muteLane}C1:${app.clock.now()}`, run: "1", repeats: false };
  await (typeof timer === "function" ? timer : timer?.run)?.(run.id, run);
}

test("an alert that the end of a mute posts while the feed is at its page is posted in the log, too", async () => {
  const app = await feedOf((service) => service === "two" && endMute(app));
  await mute(app, { about: "one", minutes: 1 });
  await storeDetected(app, detected("one"));
  await storeDetected(app, detected("two"));
  app.clock.skip(minute);
  await runFeed(app);
  const [, one] = await newestEvents(app, { limit: 2 });
  expect(await readOutcome(app, one?.id ?? "")).toMatchObject({ channels: [{ as: "posted" }] });
});

test("an alert that the end of a mute posts before the feed has stored the outcome of its event stays posted", async () => {
  const app = await feedOf(() => {});
  await mute(app, { about: "one", minutes: 1 });
  await storeDetected(app, detected("one"));
  const [one] = await newestEvents(app, { limit: 1 });
  if (!one) throw new Error("The log has no event");
  const muted = await routeEvent(app, one, null);
  expect(muted.channels).toMatchObject([{ as: "muted" }]);
  app.clock.skip(minute);
  await endMute(app);
  const request = { id: "r-1", slackUser: "U1", expected: false };
  await noteOutcome(app, one.id, { ...muted, request });
  expect(await readOutcome(app, one.id)).toMatchObject({ request, channels: [{ as: "posted" }] });
});

test("a mute that an admin sets while another ends keeps its event for its own end", async () => {
  const app = await feedOf(() => {});
  for (const about of ["one", "two"]) {
    await mute(app, { about, minutes: 1 });
    await storeDetected(app, { ...detected(about), request: "r-1" });
  }
  await runFeed(app);
  app.clock.skip(minute);
  let isSet = false;
  const meanwhile = async () => {
    if (!isSet) await mute(app, { about: "two", minutes: 1 });
    isSet = true;
    return null;
  };
  await endMute({ ...app, requesterIn: meanwhile });
  const [two] = await newestEvents(app, { limit: 1 });
  const outcome = async () => (await readOutcome(app, two?.id ?? ""))?.channels[0]?.as;
  expect(await outcome()).toBe("muted");
  app.clock.skip(minute);
  await endMute(app);
  expect(await outcome()).toBe("posted");
});

const listings = [
  { failed: "two services", services: [{ serviceId: "s-1" }, { serviceId: "s-2" }], ready: ["s-1", "s-2"] },
  { failed: "one service", services: [{ serviceId: "s-1" }], ready: ["s-1"] },
  {
    failed: "a service that runs beside one that failed",
    services: [
      { serviceId: "s-1", status: "provisioning_failed" },
      { serviceId: "s-2", status: "active" },
    ],
    ready: ["s-1"],
  },
  { failed: "no service", services: [], ready: ["s-1"] },
  { failed: "nothing that can be read", services: null, ready: ["s-1"] },
];

const failures = (["service.provisioning_failed", "order.failed"] as const).flatMap((event) =>
  listings.map((listing) => ({ event, ...listing })),
);

test.each(failures)(
  "$event that lists $failed is over once all of it is ready, and each recovery reaches its alert",
  async ({ event, services, ready }) => {
    const app = await feedOf(() => {});
    const found = { source: "missed", askedBy: null, request: null } as const;
    const data = { orderId: "o-1", services };
    await storeDetected(app, { ...found, event, data, unique: "failed" });
    const [failure] = await newestEvents(app, { limit: 1 });
    if (!failure) throw new Error("The log has no event");
    for (const serviceId of ready) {
      expect(await presentOf(app, failure)).toEqual(failure);
      expect(await isOpenStill(app, failure)).toBe(true);
      app.clock.skip(2 * day);
      // Polling of the own account knows no order.
      const built = services?.length ? { serviceId } : { orderId: "o-1", serviceId };
      await storeDetected(app, { ...found, event: "service.provisioned", data: built, unique: serviceId });
      const [recovery] = await newestEvents(app, { limit: 1 });
      if (!recovery) throw new Error("The log has no event");
      expect((await unsettledBefore(app, recovery)).map(({ id }) => id)).toEqual([failure.id]);
    }
    expect(await isOpenStill(app, failure)).toBe(false);
    expect(await isStillBad(app, failure)).toBe(false);
    await storeDetected(app, { ...found, event: "service.suspended", data: { serviceId: "s-1" }, unique: "later" });
    const [later] = await newestEvents(app, { limit: 1 });
    expect(later && (await unsettledBefore(app, later))).toEqual([]);
  },
);

test("a failed order is over at once when members have cancelled each of its services", async () => {
  const app = await feedOf(() => {});
  const services = [
    { serviceId: "s-1", hostname: "mail.example.test" },
    { serviceId: "s-2", hostname: "shop.example.test" },
  ];
  const data = { orderId: "o-1", services };
  const found = { source: "polling", askedBy: null, request: null, data } as const;
  await storeDetected(app, { ...found, event: "order.failed", unique: "failed" });
  const [failure] = await newestEvents(app, { limit: 1 });
  if (!failure) throw new Error("The log has no event");
  const ended = storedEffect({ aspect: "billing", to: ["terminated"] });
  for (const { serviceId: id, hostname } of services) {
    expect(await isStillBad(app, failure)).toBe(true);
    const readDone = async () => ({
      ...{ id, slackUser: "U1", command: "vps cancel", channel: null, target: { id, name: plainly`web` }, next: [] },
      ...{ endUnknown: false, customer: null, order: null, effects: [ended], expects: null },
    });
    await updateAlerts({ ...app, causes: { ...app.causes, readDone } }, async () => {}, `${doneTimer}${id}`);
    const [newest] = await newestEvents(app, { limit: 1 });
    expect(newest).toMatchObject({ event: "service.terminated", data: { orderId: "o-1", serviceId: id, hostname } });
    // The end of one is no word about the other.
    expect(newest?.data.services).toBeNull();
  }
  expect(await isStillBad(app, failure)).toBe(false);
});

test("a reinstallation that fails days after the build is open", async () => {
  const app = await feedOf(() => {});
  const found = { source: "missed", askedBy: null, request: null, data: { serviceId: "s-1" } } as const;
  await storeDetected(app, { ...found, event: "service.provisioned", unique: "built" });
  app.clock.skip(2 * day);
  await storeDetected(app, { ...found, event: "service.provisioning_failed", unique: "failed" });
  const [failure] = await newestEvents(app, { limit: 1 });
  expect(failure && (await isOpenStill(app, failure))).toBe(true);
});

type Came =
  | [how: "webhook" | "polling", what: EventName, data: Record<string, unknown>]
  | [how: "wait", what: number, data?: undefined];
const charge = { orderId: "o-1", orderNumber: "RES-1" };
const build = { ...charge, services: [{ serviceId: "s-1", hostname: "mail.example.test" }] };
const mail = { serviceId: "s-1", hostname: "mail.example.test" };
const shop = { serviceId: "s-2", hostname: "shop.example.test" };
const paid: Came = ["webhook", "order.paid", charge];
const unpaid: Came = ["webhook", "order.payment_failed", charge];

/** `as`: how the channel takes the last of them. `loud`: the failures and ends that the report counts. */
const webhooks: {
  about: string;
  only?: EventName;
  as: "posted" | "updated" | undefined;
  loud: number;
  came: Came[];
}[] = [
  {
    about: "a failed charge that polling found",
    as: "updated",
    loud: 1,
    came: [["polling", "order.payment_failed", charge], unpaid],
  },
  {
    about: "a failed charge of an order that is paid by now",
    as: "updated",
    loud: 2,
    came: [unpaid, paid, ["wait", 10 * minute], unpaid],
  },
  {
    about: "a failed charge of an order whose payment the channel does not get",
    only: "order.payment_failed",
    as: undefined,
    loud: 1,
    came: [["webhook", "webhook.test", {}], paid, unpaid],
  },
  {
    about: "a failed build that polling found, and that lists its service",
    as: "updated",
    loud: 1,
    came: [
      ["polling", "service.provisioning_failed", build],
      ["webhook", "service.provisioning_failed", build],
    ],
  },
  {
    about: "a failed build whose services polling found one by one",
    as: "updated",
    loud: 2,
    came: [
      ["polling", "service.provisioning_failed", { ...charge, ...mail }],
      ["polling", "service.provisioning_failed", { ...charge, ...shop }],
      ["webhook", "service.provisioning_failed", { ...charge, services: [mail, shop] }],
    ],
  },
  {
    about: "a failed build whose failed services polling found, and that lists one that runs, too",
    as: "updated",
    loud: 2,
    came: [
      ["polling", "service.provisioning_failed", { ...charge, ...mail }],
      ["polling", "service.provisioning_failed", { ...charge, ...shop }],
      [
        "webhook",
        "service.provisioning_failed",
        { ...charge, services: [mail, shop, { serviceId: "s-3", status: "active" }] },
      ],
    ],
  },
  {
    about: "a failed build of which polling found one service",
    as: "posted",
    loud: 2,
    came: [
      ["polling", "service.provisioning_failed", mail],
      ["webhook", "service.provisioning_failed", { ...charge, services: [mail, shop] }],
    ],
  },
  {
    about: "a failed build whose services are all ready by now",
    as: "updated",
    loud: 1,
    came: [
      ["webhook", "service.provisioned", { ...charge, ...mail }],
      ["webhook", "service.provisioned", { ...charge, ...shop }],
      ["webhook", "service.provisioning_failed", { ...charge, services: [mail, shop] }],
    ],
  },
  {
    about: "a failed build that lists no service, of an order that is built by now",
    as: "updated",
    loud: 1,
    came: [
      ["webhook", "service.provisioned", { ...charge, ...mail }],
      ["webhook", "service.provisioning_failed", { ...charge, services: [] }],
    ],
  },
  {
    about: "a failed build of which one service is ready",
    as: "posted",
    loud: 1,
    came: [
      ["webhook", "service.provisioned", { ...charge, ...mail }],
      ["webhook", "service.provisioning_failed", { ...charge, services: [mail, shop] }],
    ],
  },
  {
    about: "a suspension of a service that has ended",
    as: "updated",
    loud: 2,
    came: [
      ["webhook", "service.terminated", mail],
      ["webhook", "service.suspended", mail],
    ],
  },
  {
    about: "a second suspension",
    as: "posted",
    loud: 2,
    came: [
      ["webhook", "service.suspended", mail],
      ["webhook", "service.unsuspended", mail],
      ["webhook", "service.suspended", mail],
    ],
  },
  {
    about: "a reinstallation that fails long after the build",
    as: "posted",
    loud: 1,
    came: [
      ["webhook", "service.provisioned", mail],
      ["wait", 2 * day],
      ["webhook", "service.provisioning_failed", mail],
    ],
  },
];

test.each(webhooks)(
  "a webhook about $about notifies people of what is new alone, and the report has it once",
  async (row) => {
    const app = await feedOf(() => {});
    const { clock } = app;
    const events = row.only ? [row.only] : [];
    await changeRouting(app, (routing) => ({
      ...routing,
      subscriptions: routing.subscriptions.map((one) => ({ ...one, events })),
    }));
    for (const [at, [how, what, data = {}]] of row.came.entries()) {
      const deliveryId = String(at);
      const unexplained = { askedBy: null, request: null, unique: deliveryId };
      if (how === "wait") clock.skip(what);
      else if (how === "polling") await storeDetected(app, { event: what, data, source: "missed", ...unexplained });
      else {
        const timestamp = new Date(clock.now()).toISOString();
        await storeDelivery(app, {
          event: { event: what, timestamp, data },
          body: Buffer.from(deliveryId),
          deliveryId,
        });
      }
      await runFeed(app);
    }
    const [newest] = await newestEvents(app, { limit: 1 });
    expect((await readOutcome(app, newest?.id ?? ""))?.channels[0]?.as).toBe(row.as);
    const { changed } = await readWeek(app, clock.now(), null);
    expect(changed.loud).toBe(row.loud);
    expect(changed.counts.map(({ name }) => name)).not.toContain("webhook.test");
  },
);

test("an alert is held until the first of its mutes ends, and only while they cover all that is open in it", async () => {
  const app = await feedOf(() => {});
  const suspended = (serviceId: string, event: EventName = "service.suspended") =>
    storeDetected(app, {
      ...detected(serviceId),
      event,
      data: { orderId: "o", serviceId },
      unique: `${event} ${serviceId}`,
    });
  const heldFor = async () => {
    await runFeed(app);
    const [newest] = await newestEvents(app, { limit: 1 });
    const alert = (await readOutcome(app, newest?.id ?? ""))?.channels[0]?.alert ?? "";
    const until = (await alertWaiting(app, alert))?.heldUntil ?? null;
    return until === null ? null : Math.round((until - app.clock.now()) / minute);
  };
  await suspended("one");
  await suspended("two");
  expect(await heldFor()).toBeNull();
  await mute(app, { about: "two", minutes: 60 });
  expect(await heldFor()).toBeNull();
  await mute(app, { about: "one", minutes: 30 });
  expect(await heldFor()).toBe(30);
  app.clock.skip(30 * minute);
  expect(await heldFor()).toBeNull();
  // The newest event is about the one that nothing mutes, and is no failure.
  await suspended("one", "service.unsuspended");
  expect(await heldFor()).toBe(30);
});

test("an act of a member on what an alert shows counts as theirs, even if no event came of it, and not as another's", async () => {
  const app = await feedOf(() => {});
  const act = { request: "r", slackUser: "U1", member: "m", command: "vps reboot", target: "one", effects: [] };
  const ends = { one: app.clock.now() + minute, order: Number.POSITIVE_INFINITY };
  const acts = (id: string, endsAt: number) => [{ ...act, target: id, endsAt, reached: false }];
  const actsOn = async (id: string) =>
    id === "one"
      ? acts(id, ends.one)
      : id === "o"
        ? acts(id, ends.order).map((one) => ({ ...one, slackUser: "U2" }))
        : [];
  const causes = { ...app.causes, actsOn };
  await storeDetected(app, { ...detected("one"), data: { orderId: "o", serviceId: "one" } });
  await runFeed(app);
  app.clock.skip(10 * minute);
  const [newest] = await newestEvents(app, { limit: 1 });
  const alert = (await readOutcome(app, newest?.id ?? ""))?.channels[0]?.alert ?? "";
  const waiting = await alertWaiting({ ...app, causes }, alert);
  expect(await waiting?.lastActOf("U1")).toBe(ends.one);
  // The end of an act that is under way is not known yet.
  const now = app.clock.now();
  expect(await waiting?.lastActOf("U2")).toBeGreaterThanOrEqual(now);
  expect(await waiting?.lastActOf("U2")).toBeLessThan(now + minute);
  expect(await waiting?.lastActOf("U3")).toBeNull();
});
