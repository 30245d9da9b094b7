import { expect, test } from "vitest";
import { eventsWords } from "../../src/alerts/events.ts";
import { type ByLocation, locationNames, locationWords, noteLocationNames } from "../../src/alerts/locations.ts";
import { openMemory } from "../storage/memory.ts";

const names: Record<string, string> = { "de-fra": "Frankfurt", "es-mad": "Madrid" };
const words = (all: ByLocation) => locationWords(all, (location) => names[location] ?? location);

test("machines of one location are counted in it, and those of several by each, the most first, without a guess about the others", () => {
  const { inside, after } = words([{ location: "de-fra", amount: 7 }]);
  expect([eventsWords("machine.stopped", 7, inside), after]).toEqual(["7 machines in Frankfurt are down", ""]);
  expect(eventsWords("machine.stopped", 1, inside)).toBe("1 machine in Frankfurt is down");
  const several = [
    { location: "es-mad", amount: 2 },
    { location: null, amount: 1 },
    { location: "de-fra", amount: 4 },
  ];
  expect(words(several)).toEqual({
    inside: "",
    after: " (4 in Frankfurt, 2 in Madrid and 1 elsewhere, or in a place that is not known)",
  });
  expect(words([{ location: null, amount: 3 }])).toEqual({ inside: "", after: "" });
  expect(words([])).toEqual({ inside: "", after: "" });
});

test("of many locations five are named, and the others are counted together", () => {
  const many = Array.from({ length: 9 }, (_, at) => ({ location: `l${at}`, amount: 10 - at }));
  expect(words(many).after).toBe(
    " (10 in l0, 9 in l1, 8 in l2, 7 in l3, 6 in l4 and 14 elsewhere, or in a place that is not known)",
  );
});

test("a location that no catalogue names keeps the platform's word, also where that is a word of JavaScript", async () => {
  const memory = await openMemory();
  await noteLocationNames(memory, [{ value: "de-fra", name: "Frankfurt", shared: false, sold_out: false }]);
  const nameOf = await locationNames(memory);
  expect(["de-fra", "moon", "constructor", "__proto__"].map(nameOf)).toEqual([
    "Frankfurt",
    "moon",
    "constructor",
    "__proto__",
  ]);
});
