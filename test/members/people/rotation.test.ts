import fc from "fast-check";
import { expect, test } from "vitest";
import {
  lastBegin,
  nextShift,
  orderOfGroup,
  type Rotation,
  rearranged,
  type ShiftOverride,
  shiftAt,
} from "../../../src/members/people/rotation.ts";
import { wallTimeOf } from "../../../src/views/zone.ts";

const hour = 60 * 60_000;
const day = 24 * hour;
const everybody = () => true;

// Zones whose clocks change by an hour, by half an hour, at midnight, and never.
const zones = ["Europe/Madrid", "Australia/Lord_Howe", "America/Havana", "America/New_York", "Asia/Kolkata", "UTC"];
const moment = fc.integer({ min: Date.UTC(2024, 0, 1), max: Date.UTC(2028, 0, 1) });
const person: fc.Arbitrary<string> = fc.constantFrom("UANA", "UBEN", "UCARO", "UDAVE", "UEVE");

const override: fc.Arbitrary<ShiftOverride> = fc
  .record({
    id: fc.string(),
    to: person,
    instead: fc.option(person),
    from: moment,
    length: fc.integer({ min: 1, max: 20 * day }),
    by: person,
  })
  .map(({ length, ...one }) => ({ ...one, until: one.from + length }));

const times = fc.record({
  weekday: fc.option(fc.integer({ min: 0, max: 6 })),
  minutes: fc.integer({ min: 0, max: 24 * 60 - 1 }),
  zone: fc.constantFrom(...zones),
});

const rotation: fc.Arbitrary<Rotation> = fc
  .record({
    times,
    people: fc.uniqueArray(person, { minLength: 1 }),
    set: moment,
    overrides: fc.array(override, { maxLength: 4 }),
  })
  .map(({ times: { weekday, minutes, zone }, people, set, overrides }) => ({
    ...{ id: "r1", name: "night", people, group: null, zone, first: 0, overrides, by: "UANA" },
    every: weekday === null ? "day" : "week",
    anchor: lastBegin({ weekday, minutes, zone }, set),
  }));

test("each turn begins at its local time, before a change of the clocks and after it", () => {
  fc.assert(
    fc.property(rotation, moment, (given, at) => {
      const one = { ...given, overrides: [] };
      const { until } = shiftAt(one, at, everybody);
      expect(until).toBeGreaterThan(at);
      expect(until - at).toBeLessThanOrEqual((one.every === "day" ? 1 : 7) * day + hour);
      const [clock, wanted] = [wallTimeOf(until, one.zone) % day, one.anchor % day];
      // A time that the clocks skip comes as much later as they are set forward.
      const late = clock - wanted;
      expect(late === 0 || (late > 0 && late <= hour && wallTimeOf(until - 1, one.zone) % day < wanted)).toBe(true);
    }),
  );
});

test("no moment has two people or a gap: each shift goes on where the one before ended, and holds to its end", () => {
  fc.assert(
    fc.property(rotation, moment, (one, start) => {
      for (let at = start, step = 0; step < 12; step += 1) {
        const { slackUser, until } = shiftAt(one, at, everybody);
        expect(slackUser).not.toBeNull();
        expect(until).toBeGreaterThan(at);
        const middle = Math.floor((at + until) / 2);
        for (const within of [middle, until - 1])
          expect(shiftAt(one, within, everybody)).toMatchObject({ slackUser, until });
        at = until;
      }
    }),
  );
});

test("people take turns in their order, each as often as the others", () => {
  fc.assert(
    fc.property(rotation, moment, (given, start) => {
      const one = { ...given, overrides: [] };
      const turns: (string | null)[] = [];
      for (let at = start; turns.length < one.people.length; at = shiftAt(one, at, everybody).until)
        turns.push(shiftAt(one, at, everybody).slackUser);
      expect(turns.toSorted()).toEqual(one.people.toSorted());
    }),
  );
});

test("somebody who is not there is never on call: the next one in the order is, and nobody if nobody is there", () => {
  fc.assert(
    fc.property(rotation, moment, fc.uniqueArray(person), (one, at, gone) => {
      const isThere = (user: string) => !gone.includes(user);
      const { slackUser } = shiftAt(one, at, isThere);
      if (slackUser === null) expect(one.people.filter(isThere)).toEqual([]);
      else expect(gone).not.toContain(slackUser);
    }),
  );
});

test("a change of the order keeps the person on call, if they are still in it", () => {
  fc.assert(
    fc.property(rotation, moment, fc.uniqueArray(person, { minLength: 1 }), times, (given, at, people, to) => {
      const before = { ...given, overrides: [] };
      const own = shiftAt(before, at, everybody).slackUser ?? "";
      const changes = [
        { people },
        { people, zone: to.zone, every: to.weekday === null ? "day" : "week", anchor: lastBegin(to, at) } as const,
      ];
      for (const change of changes) {
        const { slackUser } = shiftAt(rearranged(before, change, at), at, everybody);
        if (people.includes(own)) expect(slackUser).toBe(own);
        else expect(people).toContain(slackUser);
      }
    }),
  );
});

const madrid: Rotation = {
  ...{ id: "r1", name: "night", people: ["UANA", "UBEN"], group: null, every: "week", zone: "Europe/Madrid" },
  ...{ anchor: Date.UTC(2026, 2, 23, 9), first: 0, overrides: [], by: "UANA" },
};

test("a week that has the change to summer time is an hour shorter, and its end stays at nine", () => {
  const monday = Date.UTC(2026, 2, 23, 8);
  expect(shiftAt(madrid, monday, everybody)).toEqual({
    slackUser: "UANA",
    insteadOf: null,
    setBy: null,
    until: monday + 7 * day - hour,
  });
  expect(shiftAt(madrid, monday - 1, everybody).slackUser).toBe("UBEN");
});

test("an override for one person's turns leaves the turns of the others, and the newest of two counts", () => {
  const monday = Date.UTC(2026, 2, 23, 8);
  const set = { id: "o1", to: "UCARO", instead: "UBEN", from: monday, until: monday + 10 * day, by: "UBEN" };
  const one = { ...madrid, overrides: [set] };
  expect(shiftAt(one, monday, everybody).slackUser).toBe("UANA");
  const next = shiftAt(one, monday + 8 * day, everybody);
  expect(next).toMatchObject({ slackUser: "UCARO", insteadOf: "UBEN", until: monday + 10 * day });
  expect(nextShift(one, monday, everybody, (user) => user === "UCARO")?.from).toBe(monday + 7 * day - hour);
  const two = { ...one, overrides: [set, { ...set, id: "o2", to: "UDAVE", instead: null }] };
  expect(shiftAt(two, monday, everybody).slackUser).toBe("UDAVE");
  expect(shiftAt(two, monday, (user) => user !== "UDAVE").slackUser).toBe("UANA");
});

test("a group keeps the order of those who stay in it, and those who come to it are last", () => {
  expect(orderOfGroup(["UANA", "UBEN", "UCARO"], ["UDAVE", "UCARO", "UANA"])).toEqual(["UANA", "UCARO", "UDAVE"]);
});
