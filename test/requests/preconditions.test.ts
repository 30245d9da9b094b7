import fc from "fast-check";
import { expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { preconditionChanges, rowChanges, type ShownPreconditions } from "../../src/requests/preconditions.ts";
import { reviewKeys } from "../stories/review-keys.ts";

const key = fc.stringMatching(/^[a-z][A-Za-z0-9]{0,11}$/);
const words = fc.string({ minLength: 1, maxLength: 20 });
const value = fc.jsonValue({ maxDepth: 2 }).map((one) => JSON.parse(JSON.stringify(one)));
const preconditions = fc.dictionary(key, fc.record({ value, label: words, text: words }), { minKeys: 1, maxKeys: 5 });

/** The same values as another version of Rackbell words them, through storage. */
function reworded(shown: ShownPreconditions): ShownPreconditions {
  const entries = Object.entries(shown).toReversed();
  return Object.fromEntries(
    entries.map(([name, one]) => [name, { ...structuredClone(one), label: `New ${name}`, text: "New words" }]),
  );
}

test("a version that words every label and value otherwise voids no request", () => {
  fc.assert(
    fc.property(preconditions, (was) => {
      expect(preconditionChanges(was, reworded(was))).toEqual([]);
      expect(rowChanges(was, reworded(was))).toEqual([]);
    }),
  );
});

test("another value voids the request, however it is worded, and so does a precondition that is missing or new", () => {
  fc.assert(
    fc.property(preconditions, value, (was, other) => {
      const [[first, one] = ["", null]] = Object.entries(was);
      if (one === null) return;
      const { [first]: _, ...rest } = was;
      expect(preconditionChanges(was, rest)).toHaveLength(1);
      expect(preconditionChanges(rest, was)).toHaveLength(1);
      expect(rowChanges(was, rest)).toHaveLength(1);
      const changed = { ...was, [first]: { ...one, value: [other, one.value] } };
      expect(preconditionChanges(was, changed)).toHaveLength(1);
      expect(rowChanges(was, changed)).toHaveLength(1);
    }),
  );
});

test("a failed read voids no request, whichever of the two reads failed, and hides no change of another value", () => {
  const disk = { value: 50, label: "Disk", text: "50 GB" };
  const unread = { value: null, label: "Copies", text: "not shown by the platform", unread: true } as const;
  const copies = { value: ["a"], label: "Snapshots", text: "`a`" };
  for (const [was, now] of [
    [{ copies: unread }, { copies }],
    [{ copies }, { copies: unread }],
    [{ copies: unread }, {}],
    [{}, { copies: unread }],
  ]) {
    expect(preconditionChanges({ disk, ...was }, { disk, ...now })).toEqual([]);
    expect(preconditionChanges({ disk, ...was }, { disk: { ...disk, value: 80 }, ...now })).toHaveLength(1);
  }
});

test("people read what a precondition was and what it is now", () => {
  const disk = { value: 50, label: "Disk", text: "50 GB" };
  expect(preconditionChanges({ disk }, { disk: { ...disk, value: 80, text: "80 GB" } })).toEqual([
    "*Disk* changed: it was 50 GB and is 80 GB now.",
  ]);
  expect(preconditionChanges({ disk }, {})).toEqual(["*Disk* changed: it was 50 GB and is nothing now."]);
  expect(preconditionChanges({ disk }, { disk: { ...disk, value: 50.4 } })).toEqual(["*Disk* changed."]);
});

test("the keys of every operation that reads its preconditions are listed, so that none is renamed unnoticed", () => {
  const reviewing = operations.filter((operation) => "review" in operation && operation.review !== undefined);
  expect(Object.keys(reviewKeys).toSorted()).toEqual(reviewing.map(({ command }) => command).toSorted());
});
