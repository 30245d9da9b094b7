import { expect, test } from "vitest";
import { newestEntries } from "../../../src/audit/audit.ts";
import {
  pressTake,
  readResponsibility,
  responsibilityTimer,
  responsibilityTimers,
  type WaitingSubject,
} from "../../../src/policy/responsibility/responsibility.ts";
import { chainOf, type Reached } from "../../../src/policy/responsibility/steps.ts";
import type { Transaction } from "../../../src/storage/store.ts";
import { moment } from "../../../src/views/format.ts";
import { openApp } from "../../requests/requests.ts";

const minute = 60_000;
const hour = 60 * minute;
const subject = { kind: "alert", id: "C1:service:web-1" };
const messageTimer = "notify:alert:C1:service:web-1";
const heard: Reached = {
  notified: [{ mention: "<@UNEXT>", slackUser: "UNEXT", insteadOf: null, quietUntil: null, direct: false }],
  skipped: [],
};

/** An alert of which Caro is notified after 20 minutes, and what its presses and its timer store. */
async function openAlert(change: Partial<WaitingSubject> = {}) {
  const stored: Transaction[] = [];
  const { app, clock } = await openApp((store) => ({
    ...store,
    async transact(step) {
      const done = await store.transact(step);
      if (done) stored.push(step);
      return done;
    },
  }));
  const began = clock.now();
  const acts = new Map<string, number>();
  const waiting: WaitingSubject = {
    steps: chainOf("web-1", began, {
      first: null,
      later: [{ to: "`@caro`", after: 20 * minute, reach: async () => heard }],
    }),
    endsAt: null,
    audited: {
      ...{ id: null, member: "T:UANA", slackUser: "UANA", decidedBy: null, keyLabel: "", command: "vps show" },
      ...{ target: null, outcome: "" },
    },
    lastActOf: (slackUser) => acts.get(slackUser) ?? null,
    messageTimer,
    ...change,
  };
  const lanes = responsibilityTimers(app, { alert: async (id) => (id === subject.id ? waiting : null) });
  const [[lane = "", handler] = []] = Object.entries(lanes);
  const token = { lane, id: "", run: "1", repeats: false };
  const run = (id = responsibilityTimer(subject)) =>
    (typeof handler === "function" ? handler : handler?.run)?.(id, token);
  const press = (slackUser: string, release = false) => pressTake(app, subject, waiting, { slackUser, release });
  /** From now on it is this time. */
  const stopAt = (at: number) => {
    app.clock = { ...clock, now: () => at };
  };
  const read = () => readResponsibility(app, subject);
  const outcomes = async () =>
    (await newestEntries(app, { limit: 20 })).map(({ entry }) => [entry.what, entry.outcome]);
  return { app, clock, began, acts, waiting, run, press, read, outcomes, stored, stopAt };
}

test("one member at a time takes it, for an hour, and only they release it before", async () => {
  const { press, read, outcomes, stored, stopAt } = await openAlert();
  expect(await read()).toEqual({ takenBy: null, wentBack: null, steps: [] });
  expect(await press("UBEN")).toBe(null);
  const { takenBy } = await read();
  expect(takenBy).toEqual({ slackUser: "UBEN", since: takenBy?.since, until: (takenBy?.since ?? 0) + hour });
  expect(await outcomes()).toEqual([["taken", "<@UBEN> took it."]]);
  expect(stored.at(-1)?.timers?.map(({ id }) => id)).toEqual([messageTimer, responsibilityTimer(subject)]);
  const steps = stored.length;
  expect(await press("UBEN")).toBe(null);
  expect(stored).toHaveLength(steps);
  const words = `<@UBEN> took this (until ${moment(takenBy?.until ?? 0)}). Only they can release it before.`;
  expect(await press("UCARO")).toBe(words);
  expect(await press("UCARO", true)).toBe(words);
  expect((await read()).takenBy).toEqual(takenBy);
  expect(await press("UBEN", true)).toBe(null);
  expect(await read()).toMatchObject({ takenBy: null, wentBack: null });
  expect((await outcomes())[0]).toEqual(["released", "<@UBEN> released it."]);
  const released = stored.length;
  expect(await press("UBEN", true)).toBe(null);
  expect(stored).toHaveLength(released);
  await press("UCARO");
  // At its last moment it goes back, and somebody who presses then has it.
  stopAt((await read()).takenBy?.until ?? 0);
  expect(await press("UBEN")).toBe(null);
  expect((await read()).takenBy?.slackUser).toBe("UBEN");
});

test("of two who take it at once one has it, and the other one reads who", async () => {
  const { press, read } = await openAlert();
  const both = await Promise.all([press("UBEN"), press("UCARO")]);
  const { takenBy } = await read();
  expect(both.filter((problem) => problem === null)).toHaveLength(1);
  expect(both.join("")).toContain(`<@${takenBy?.slackUser}> took this`);
});

test("a take during which nobody did anything goes back, which the audit log says, and a press after that ends the note", async () => {
  const { clock, press, read, run, outcomes } = await openAlert();
  await press("UBEN");
  const taken = (await read()).takenBy;
  expect(await run()).toBe(taken?.until);
  clock.skip(hour - 1000);
  await run();
  expect((await read()).takenBy).toEqual(taken);
  clock.skip(1000);
  await run();
  expect(await read()).toMatchObject({ takenBy: null, wentBack: taken });
  expect(await outcomes()).toContainEqual([
    ...["gone back", "<@UBEN> took it. No act through Rackbell followed in its time, so nobody has it now."],
  ]);
  await press("UCARO");
  expect((await read()).wentBack).toBe(null);
});

test("somebody who did something about what they took has it for an hour from then", async () => {
  const { clock, acts, press, read, run, outcomes } = await openAlert();
  await press("UBEN");
  const taken = (await read()).takenBy;
  const since = taken?.since ?? 0;
  acts.set("UBEN", since + 30 * minute);
  acts.set("UCARO", since + 50 * minute);
  clock.skip(30 * minute);
  // Not before its time has passed.
  await run();
  expect((await read()).takenBy).toEqual(taken);
  clock.skip(30 * minute);
  expect(await press("UCARO")).toContain("<@UBEN> took this");
  expect((await read()).takenBy).toEqual({ slackUser: "UBEN", since, until: since + 90 * minute });
  expect((await outcomes())[0]).toEqual(["taken", "<@UBEN> acted on it, and has it for another 1 h from then."]);
  clock.skip(30 * minute);
  await run();
  expect(await read()).toMatchObject({ takenBy: null, wentBack: { slackUser: "UBEN" } });
});

test("a take of what ends soon leaves its last half to the others, who are notified before the end", async () => {
  const { began, press, read, run, acts, waiting, stopAt, outcomes } = await openAlert();
  waiting.endsAt = began + hour;
  await press("UBEN");
  const { since = 0, until = 0 } = (await read()).takenBy ?? {};
  expect(until).toBe(since + (waiting.endsAt - since) / 2);
  acts.set("UBEN", since + 20 * minute);
  stopAt(until);
  await run();
  const renewed = (await read()).takenBy?.until ?? 0;
  expect(renewed).toBe(since + 20 * minute + (waiting.endsAt - since - 20 * minute) / 2);
  stopAt(renewed);
  await run();
  expect((await read()).steps).toMatchObject([{ kind: "escalated" }]);
  expect((await outcomes())[0]).toEqual(["escalated", "Rackbell notified <@UNEXT>."]);
});

test("no step follows from the end on, and none is promised: a mute may hold it until then", async () => {
  const { began, run, waiting } = await openAlert();
  waiting.endsAt = began + 30 * minute;
  waiting.heldUntil = waiting.endsAt - 1;
  expect(await run()).toBe(waiting.heldUntil);
  waiting.heldUntil = waiting.endsAt;
  expect(await run()).toBe(undefined);
});

test("somebody who acted has it for longer from the last moment of their take on", async () => {
  const { acts, press, read, run, stopAt } = await openAlert();
  await press("UBEN");
  const { since = 0, until = 0 } = (await read()).takenBy ?? {};
  acts.set("UBEN", since + 1);
  stopAt(until);
  await run();
  expect((await read()).takenBy).toMatchObject({ slackUser: "UBEN", until: until + 1 });
});

test("an act from the moment of the take itself makes it no longer", async () => {
  const { clock, acts, press, read, run, outcomes } = await openAlert();
  await press("UBEN");
  acts.set("UBEN", (await read()).takenBy?.since ?? 0);
  clock.skip(hour);
  await run();
  expect((await read()).takenBy).toBe(null);
  expect((await outcomes()).filter(([what]) => what === "taken")).toHaveLength(1);
});

test.each<[string, boolean]>([
  ["takes", false],
  ["releases", true],
])("a take is not made longer where somebody %s it meanwhile", async (_, release) => {
  const { clock, press, read, run, waiting } = await openAlert();
  await press("UBEN");
  const { since = 0 } = (await read()).takenBy ?? {};
  clock.skip(hour);
  waiting.lastActOf = async () => {
    waiting.lastActOf = () => null;
    await press("UCARO", release);
    return since + 30 * minute;
  };
  await run();
  expect((await read()).takenBy?.slackUser).toBe(release ? undefined : "UCARO");
});

test("a take goes back at its time also where the next step comes later", async () => {
  const { began, press, read, run, waiting, stored } = await openAlert();
  waiting.steps = chainOf("web-1", began, {
    first: null,
    later: [{ to: "`@caro`", after: 3 * hour, reach: async () => heard }],
  });
  await press("UBEN");
  const before = stored.length;
  expect(await run()).toBe((await read()).takenBy?.until);
  expect(stored).toHaveLength(before);
});

test("a step comes at its time, is noted with whom it reached, and a mute or a take holds it", async () => {
  const { clock, began, press, read, run, outcomes, waiting } = await openAlert();
  expect(await run()).toBe(began + 20 * minute);
  clock.skip(20 * minute);
  waiting.heldUntil = clock.now() + 10 * minute;
  expect(await run()).toBe(waiting.heldUntil);
  waiting.heldUntil = null;
  await press("UBEN");
  expect(await run()).toBe((await read()).takenBy?.until);
  expect((await read()).steps).toEqual([]);
  await press("UBEN", true);
  const next = await run();
  const [step] = (await read()).steps;
  expect(step).toMatchObject({ name: "web-1:then-0", kind: "escalated", to: "`@caro`", ...heard });
  expect(step?.at).toBeGreaterThanOrEqual(began + 20 * minute);
  expect((await outcomes())[0]).toEqual(["escalated", "Rackbell notified <@UNEXT>."]);
  expect(next).toBe((step?.at ?? 0) + 20 * minute);
  clock.skip(20 * minute);
  expect(await run()).toBe(undefined);
  expect((await outcomes())[0]).toEqual(["unanswered", "Nobody has taken it, and no further step follows."]);
});

test("a step that its own message made is noted at its time, not at that of the timer", async () => {
  const first = { to: "<@UFIRST>", reach: { ...heard, skipped: ["Dave was deactivated in Slack."] } };
  const { clock, began, read, run, outcomes, waiting, stored } = await openAlert();
  waiting.steps = chainOf("web-1", began, { first, later: [] }).map((step) => ({ ...step, about: "web-2" }));
  clock.skip(5 * minute);
  expect(await run()).toBe(undefined);
  // The timer that runs is set anew by what it resolves with.
  expect(stored.at(-1)?.timers?.map(({ id }) => id)).toEqual([messageTimer]);
  expect((await read()).steps).toMatchObject([
    { name: "web-1", kind: "notified", about: "web-2", at: began, to: "<@UFIRST>" },
  ]);
  expect(await outcomes()).toEqual([["notified", "Rackbell notified <@UNEXT>. Dave was deactivated in Slack."]]);
});

test("something that no longer waits, or is of a kind that nobody reads, is left alone", async () => {
  const { run, stored } = await openAlert();
  expect(await run(responsibilityTimer({ kind: "alert", id: "C1:other" }))).toBe(undefined);
  expect(await run(responsibilityTimer({ kind: "none", id: subject.id }))).toBe(undefined);
  expect(stored).toEqual([]);
});

test("entries are found by the ids of what waits", async () => {
  const { app, press } = await openAlert({ made: ["service:web-1"] });
  await press("UBEN");
  expect(await newestEntries(app, { about: "service:web-1", limit: 5 })).toHaveLength(1);
});
