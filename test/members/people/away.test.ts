import fc from "fast-check";
import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { allAway, endAway, setAway, standInFor, standsInFor } from "../../../src/members/people/away.ts";
import type { SlackUser } from "../../../src/members/slack-user.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openStore } from "../../../src/storage/open.ts";

const users = ["U1", "U2", "U3", "U4", "U5"];
const user = fc.constantFrom(...users);
/** By member: the stand-ins whom they named; undefined for one who is here. */
const absences = fc.dictionary(user, fc.uniqueArray(user, { maxLength: 2 }));

async function open(left: ReadonlySet<string> = new Set()) {
  const clock = createSandboxClock();
  const store = await openStore({ url: "sqlite::memory:", clock, log: pino({ level: "silent" }) });
  onTestFinished(() => store.close());
  const person = async (id: string): Promise<SlackUser> => ({
    ...{ id, name: id, admin: false, outsider: null, zone: "UTC" },
    deleted: left.has(id),
  });
  return { clock, store, people: { person } };
}

test("a stand-in is somebody else who is here and may act, however the members name each other", async () => {
  await fc.assert(
    fc.asyncProperty(absences, fc.subarray(users), fc.subarray(users), async (named, gone, able) => {
      const app = await open(new Set(gone));
      const now = app.clock.now();
      for (const [slackUser, to] of Object.entries(named))
        await setAway(app, { slackUser, since: now, until: now + 60_000, to, reason: null });
      for (const one of users) {
        const found = await standInFor(app, one, now, (other) => able.includes(other));
        expect(found === null).toBe(named[one] === undefined);
        const passed = found?.refused.map(({ slackUser }) => slackUser) ?? [];
        expect(new Set(passed).size).toBe(passed.length);
        if (!found?.to) continue;
        expect(found.to).not.toBe(one);
        expect(named[found.to]).toBeUndefined();
        expect(gone).not.toContain(found.to);
        expect(able).toContain(found.to);
      }
    }),
    { numRuns: 60 },
  );
});

test("an absence is over at its time, and when its member is back; then nobody stands in", async () => {
  const app = await open();
  const now = app.clock.now();
  const away = { since: now, until: now + 60_000, to: ["U2"], reason: null };
  await setAway(app, { ...away, slackUser: "U1" });
  await setAway(app, { ...away, slackUser: "U3" });
  expect((await standsInFor(app, "U2", now)).map(({ slackUser }) => slackUser)).toEqual(["U1", "U3"]);
  expect((await endAway(app, "U1"))?.to).toEqual(["U2"]);
  expect(await endAway(app, "U1")).toBeNull();
  expect(await standInFor(app, "U1", now)).toBeNull();
  expect(await standInFor(app, "U3", now + 60_000)).toBeNull();
  expect(await allAway(app, now + 60_000)).toEqual([]);
});
