import type { DatabaseSync } from "node:sqlite";
import fc from "fast-check";
import { afterAll, beforeAll, expect, test } from "vitest";
import { openFile } from "../../../src/storage/embedded/worker/file.ts";
import { createMethods, type Methods } from "../../../src/storage/embedded/worker/methods.ts";

// Enough for two full blocks of the index and a part of a third, with entries without a subject in between.
const count = 1_300;
const names = ["team", "even", "web-1", "late", "never"];

/** The subjects of an entry: one rule for each subject, so that they meet in every combination. */
function subjectsOf(id: number): string[] {
  return [
    ...(id % 7 === 0 ? [] : ["team"]),
    ...(id % 2 === 0 ? ["even"] : []),
    ...(id % 90 === 17 || id === 512 || id === 511 || id === 1_024 ? ["web-1"] : []),
    ...(id > 1_100 ? ["late", "late"] : []),
  ];
}

let db: DatabaseSync;
let methods: Methods;

beforeAll(() => {
  db = openFile(":memory:");
  methods = createMethods(db);
  for (let id = 1; id <= count; id += 1) append(id);
});
afterAll(() => db.close());

/** Every tenth ends early. */
function append(id: number): void {
  const entry = { at: id, expiresAt: id % 10 === 0 ? 5 : 100, subjects: JSON.stringify(subjectsOf(id)), data: "0" };
  methods.writes.appendToLog("events", entry, [], 1);
  methods.writes.appendToLog("another", { ...entry, subjects: JSON.stringify(names) }, [], 1);
}

test("a query finds its entries in full and in filling blocks, forwards and backwards, before and after expiry", () => {
  const bound = fc.option(fc.integer({ min: 0, max: count + 600 }), { nil: undefined });
  fc.assert(
    fc.property(
      fc.record({ after: bound, before: bound, subjects: fc.uniqueArray(fc.constantFrom(...names), { minLength: 1 }) }),
      fc.integer({ min: 1, max: 400 }),
      fc.constantFrom(1, 50),
      (query, limit, now) => {
        const all = Array.from({ length: count }, (_, at) => at + 1).filter(
          (id) =>
            query.subjects.every((name) => subjectsOf(id).includes(name)) &&
            id > (query.after ?? 0) &&
            id < (query.before ?? Number.POSITIVE_INFINITY) &&
            (now === 1 || id % 10 !== 0),
        );
        const wanted = (query.after === undefined ? all.toReversed() : all).slice(0, limit);
        expect(methods.reads.readLog("events", { ...query, limit }, now).map(({ id }) => id)).toEqual(wanted);
      },
    ),
    { numRuns: 300 },
  );
});

test("an append that fills no block writes nothing to the index", () => {
  const before = blocks();
  append(count + 1);
  expect(blocks()).toEqual(before);
  expect(before).toHaveLength(4);
});

test("the index of a block goes with the last of its entries, and no sooner", () => {
  const another = blocks().slice(2);
  removeExpired(50);
  expect(blocks()).toHaveLength(4);
  expect(
    methods.reads.readLog("events", { after: 0, before: undefined, subjects: ["web-1"], limit: 3 }, 50),
  ).toHaveLength(3);
  removeExpired(100);
  expect(blocks()).toEqual(another);
  expect(methods.writes.appendToLog("events", { at: 1, expiresAt: 300, subjects: `["s"]`, data: "0" }, [], 101)).toBe(
    count + 2,
  );
});

function blocks(): unknown[] {
  return db
    .prepare("SELECT DISTINCT block FROM log_subject ORDER BY block")
    .all()
    .map(({ block }) => block);
}

function removeExpired(now: number): void {
  let after: number | undefined = 0;
  while (after !== undefined) after = methods.writes.sweepLog("events", after, now);
}
