import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { InputError } from "../../src/operation/errors.ts";
import { clockTime, readScheduledTime } from "../../src/operation/schedule-input.ts";
import { isZone, momentsOf, wallTimeOf } from "../../src/views/zone.ts";

const vienna = "Europe/Vienna";
const day = 24 * 60 * 60_000;
/** A Sunday, 13:00 in Vienna. */
const sunday = Date.parse("2026-11-22T12:00:00Z");

function read(input: Record<string, string>, now = sunday, zone = vienna): { at: string; said: string } | string {
  try {
    const when = readScheduledTime(input, { now, zone });
    return when ? { at: new Date(when.at).toISOString().slice(0, 16), said: when.said } : "now";
  } catch (error) {
    if (error instanceof InputError) return error.message;
    throw error;
  }
}

describe("a time that is typed", () => {
  test.each([
    ["22:00", "2026-11-22T21:00"],
    ["10pm", "2026-11-22T21:00"],
    ["today 22:00", "2026-11-22T21:00"],
    ["tomorrow 9:30", "2026-11-23T08:30"],
    ["mon 22:00", "2026-11-23T21:00"],
    ["Sunday at 10:00", "2026-11-29T09:00"],
    ["Nov 28 22:00", "2026-11-28T21:00"],
    ["28 November, 22:00", "2026-11-28T21:00"],
    ["28. Nov 2026 22:00", "2026-11-28T21:00"],
    ["2026-11-28 22:00", "2026-11-28T21:00"],
    ["2026-11-28T22:00", "2026-11-28T21:00"],
    ["2026-11-28T22:00:00Z", "2026-11-28T22:00"],
    ["2026-11-28T22:00+05:30", "2026-11-28T16:30"],
    ["22:00 UTC", "2026-11-22T22:00"],
  ])("%s is understood by the clocks of who said it", (typed, at) => {
    expect(read({ at: typed })).toEqual({ at, said: "" });
  });

  test("a time that has passed today is tomorrow, and is stored without a word that is false on that day", () => {
    expect(read({ at: "03:00" })).toEqual({ at: "2026-11-23T02:00", said: "" });
  });

  test("a new year is understood", () => {
    expect(read({ at: "Jan 2 03:00" }, Date.parse("2026-12-31T12:00:00Z"))).toMatchObject({ at: "2027-01-02T02:00" });
  });

  test.each([
    ["blah", "I don't understand at=blah"],
    ["3", "I don't understand"],
    ["25:00", "I don't understand"],
    ["13pm", "I don't understand"],
    ["22:60", "I don't understand"],
    ["mont 22:00", "I don't know the day"],
    ["Nov 31 22:00", "There is no such time"],
    ["2026-11-31 22:00", "There is no such time"],
    ["2026-13-01 22:00", "There is no such time"],
    ["2026-11-31T22:00Z", "There is no such time"],
    ["2026-11-28T24:30Z", "There is no such time"],
    ["2026-11-28T22:75:00Z", "There is no such time"],
    ["2026-11-28T22:00+99:99", "There is no such time"],
    ["today 01:00", "That time has passed"],
    ["2026-11-22 12:00", "That time has passed"],
    ["Dec 23 22:00", "more than 30 days ahead"],
  ])("%s is refused in a sentence", (typed, words) => {
    expect(read({ at: typed })).toContain(words);
  });

  test.each([
    ["2h", "2026-11-22T14:00"],
    ["90m", "2026-11-22T13:30"],
    ["1d12h", "2026-11-24T00:00"],
    ["1h 30min", "2026-11-22T13:30"],
    ["30d", "2026-12-22T12:00"],
  ])("in=%s is so long from now", (typed, at) => {
    expect(read({ in: typed })).toEqual({ at, said: "" });
  });

  test.each([
    ["30d1m", "more than 30 days ahead"],
    ["0m", "The shortest delay is one minute"],
    ["soon", "I don't understand in=soon"],
  ])("in=%s is refused", (typed, words) => {
    expect(read({ in: typed })).toContain(words);
  });

  test("a written date is that very day, or is said not to exist", () => {
    const part = fc.integer({ min: 0, max: 99 }).map((number) => String(number).padStart(2, "0"));
    const shape = fc.constantFrom(" 22:00", "T22:00", "T22:00:00Z");
    fc.assert(
      fc.property(fc.constantFrom("2026", "2027", "0026"), part, part, shape, (year, month, date, time) => {
        const typed = `${year}-${month}-${date}`;
        const answer = read({ at: `${typed}${time}` }, sunday, "UTC");
        if (typeof answer === "string") expect(answer).toMatch(/no such time|has passed|more than 30 days/);
        else expect(answer.at.slice(0, 10)).toBe(typed);
      }),
      { numRuns: 2_000 },
    );
  });

  test("nothing said is now, and both said are refused", () => {
    expect(read({})).toBe("now");
    expect(read({ at: "03:00", in: "2h" })).toContain("not both");
  });

  test("of any form gives a time within 30 days or a sentence, and never anything else", () => {
    const word = fc.oneof(
      fc.string({ maxLength: 20 }),
      fc.constantFrom("mon", "Nov", "28", "22:00", "3am", "today", "2026-11-28", "T", "UTC", ".", ","),
    );
    fc.assert(
      fc.property(fc.array(word, { maxLength: 5 }), fc.constantFrom("at", "in"), (words, name) => {
        const answer = read({ [name]: words.join(" ") });
        if (typeof answer === "string") expect(answer).toMatch(/^now$|\.$/);
        else {
          const at = Date.parse(`${answer.at}Z`);
          expect(at).toBeGreaterThan(sunday - 60_000);
          expect(at).toBeLessThanOrEqual(sunday + 30 * day);
          expect(answer.said).not.toMatch(/today|tomorrow/i);
        }
      }),
    );
  });
});

describe("when the clocks change", () => {
  test("a time that they are set forward over does not exist: so much later is meant, and that is said", () => {
    const night = Date.parse("2026-03-28T22:00:00Z");
    expect(read({ at: "Mar 29 02:30" }, night)).toEqual({
      at: "2026-03-29T01:30",
      said: "The clocks go forward over that time, so it is as much later.",
    });
  });

  test("a time that they are set back over comes twice: the first is meant, and that is said", () => {
    const night = Date.parse("2026-10-24T20:00:00Z");
    const said = "That time comes twice that day, since the clocks go back: the first applies.";
    expect(read({ at: "Oct 25 02:30" }, night)).toEqual({ at: "2026-10-25T00:30", said });
  });

  test("once the first of two has passed, the second is meant", () => {
    const between = Date.parse("2026-10-25T00:45:00Z");
    const said = "That time comes twice that day, since the clocks go back: the second applies.";
    expect(read({ at: "02:30" }, between)).toEqual({ at: "2026-10-25T01:30", said });
  });

  test("a day with 23 hours moves no other time of it", () => {
    expect(read({ at: "Mar 29 12:00" }, Date.parse("2026-03-28T10:00:00Z"))).toEqual({
      at: "2026-03-29T10:00",
      said: "",
    });
  });
});

describe("time zones", () => {
  test("every moment is found again from what the clocks of any zone show", () => {
    const zone = fc.constantFrom(
      vienna,
      "America/New_York",
      "Australia/Lord_Howe",
      "Asia/Kathmandu",
      "UTC",
      "Africa/Casablanca",
    );
    const moment = fc.integer({ min: Date.parse("2026-01-01"), max: Date.parse("2030-01-01") });
    fc.assert(
      fc.property(zone, moment, (where, at) => {
        expect(momentsOf(wallTimeOf(at, where), where)).toContain(at);
      }),
    );
  });

  test("an unknown zone is told apart", () => {
    expect(isZone("Europe/Vienna")).toBe(true);
    expect(isZone("Mars/Olympus")).toBe(false);
  });

  test("a moment is shown by its reader's clocks, with its day where that is not today", () => {
    expect(clockTime(Date.parse("2026-11-22T21:00:00Z"), vienna, sunday)).toBe("22:00");
    expect(clockTime(Date.parse("2026-11-22T23:30:00Z"), vienna, sunday)).toBe("Mon 23 Nov, 00:30");
  });
});
