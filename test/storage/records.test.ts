import fc from "fast-check";
import { pino } from "pino";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { RecordUnreadable, StorageError } from "../../src/storage/errors.ts";
import { openStore } from "../../src/storage/open.ts";
import { createRecords, type Records } from "../../src/storage/records.ts";
import type { Store, Values } from "../../src/storage/store.ts";
import { update } from "../../src/storage/update.ts";

const clock = createSandboxClock();
const secret = "a-secret-word";
let store: Store;
let values: Values;
let lines: string[];

beforeEach(async () => {
  store = await openStore({ url: "sqlite::memory:", clock, log: pino({ level: "silent" }) });
  values = store.values("notes");
  lines = [];
});
afterEach(() => store.close());

const Note = z.object({ title: z.string(), tags: z.array(z.string()), pinned: z.boolean() });
type Note = z.infer<typeof Note>;
const note: Note = { title: "Rack 4", tags: ["a"], pinned: true };

/** The third format of a note: the first had a text instead of the title, the second no `pinned`. */
function notes(version = 3): Records<Note> {
  const Older = z.object({ text: z.string() });
  const First = z.looseObject({});
  return createRecords(values, {
    name: "note",
    schema: Note,
    version,
    upcasts: {
      1: (older) => ({ title: Older.parse(older).text, tags: [] }),
      2: (older) => ({ ...First.parse(older), pinned: false }),
    },
    log: pino({}, { write: (line: string) => void lines.push(line) }),
  });
}

describe("a record", () => {
  test("comes back as it went in, with its version beside it in what is kept", async () => {
    await notes().set("a", note);
    expect(await notes().get("a")).toEqual(note);
    expect(await values.get("a")).toEqual({ ...note, v: 3 });
    expect(await notes().get("absent")).toBeUndefined();
    expect(await notes().claim("a", note)).toBe(false);
    expect(await notes().claim("b", note)).toBe(true);
    await notes().delete("b");
    expect(await notes().get("b")).toBeUndefined();
  });

  test("of an older version is brought forward step by step, and kept in the new form once it is changed", async () => {
    await values.set("first", { text: "old" });
    await values.set("also first", { v: 1, text: "old" });
    await values.set("second", { v: 2, title: "newer", tags: ["t"] });
    expect(await notes().get("first")).toEqual({ title: "old", tags: [], pinned: false });
    expect(await notes().get("also first")).toEqual({ title: "old", tags: [], pinned: false });
    expect(await notes().get("second")).toEqual({ title: "newer", tags: ["t"], pinned: false });
    await notes().update("first", (before) => before && { ...before, pinned: true });
    expect(await values.get("first")).toEqual({ v: 3, title: "old", tags: [], pinned: true });
  });

  test("that was read is not read into another while it stays as it is, and nobody can change it for the others", async () => {
    const records = notes();
    await records.set("a", note);
    const read = await records.get("a");
    expect(await records.get("a")).toBe(read);
    expect(() => read?.tags.push("b")).toThrow(TypeError);
    await records.set("a", { ...note, title: "Rack 5" });
    expect(await records.get("a")).toEqual({ ...note, title: "Rack 5" });
  });

  test("that a batch has written is read as it is, and nobody can change it any more", async () => {
    const records = notes();
    const written = records.freeze("a", { ...note, tags: ["a", "b"] });
    const record = { namespace: "notes", key: "a", expected: undefined, value: written };
    expect(await store.commit({ record })).toBe(true);
    expect(await values.get("a")).toEqual({ title: "Rack 4", tags: ["a", "b"], pinned: true, v: 3 });
    expect(await records.get("a")).toBe(written);
    expect(() => written.tags.push("c")).toThrow(TypeError);
  });

  test("lasts as long as it is given, also by a time that follows from it", async () => {
    await notes().set("a", note, 1_000);
    await notes().update(
      "b",
      () => note,
      ({ tags }) => tags.length * 2_000,
    );
    clock.skip(1_000);
    expect(await notes().get("a")).toBeUndefined();
    expect(await notes().get("b")).toEqual(note);
    clock.skip(1_000);
    expect(await notes().get("b")).toBeUndefined();
  });

  test("is changed by many at once without a change being lost, or left as it is", async () => {
    const records = notes();
    const add = (before = note): Note => ({ ...before, tags: [...before.tags, "t"] });
    await Promise.all(Array.from({ length: 20 }, () => records.update("a", add)));
    expect((await records.get("a"))?.tags).toHaveLength(21);
    expect((await records.update("a", () => undefined))?.tags).toHaveLength(21);
    expect(await records.update("absent", () => undefined)).toBeUndefined();
    expect(await records.get("absent")).toBeUndefined();
  });

  test("is taken by one of many", async () => {
    const records = notes();
    await records.set("a", note);
    const taken = await Promise.all(Array.from({ length: 20 }, () => records.take("a")));
    expect(taken.filter((record) => record !== undefined)).toEqual([note]);
    expect(await records.get("a")).toBeUndefined();
  });
});

describe("a record that cannot be read", () => {
  const broken: [why: RegExp, value: unknown][] = [
    [/newer version wrote it \(format 4; known up to 3\)/, { ...note, v: 4, title: secret }],
    [/its version is no number/, { ...note, v: secret }],
    [/nothing here reads format 0/, { ...note, v: 0, title: secret }],
    [/nothing here reads format 1.5/, { ...note, v: 1.5, title: secret }],
    [/not what format 1 was/, { v: 1, text: { [secret]: 1 } }],
    [/not what format 1 was/, secret],
    [/not what format 1 was/, null],
    [/its field "tags" is not what it should be/, { v: 3, title: secret, tags: secret, pinned: true }],
    [/its field "title" is not what it should be/, { v: 3 }],
  ];

  test.each(broken)("is told apart from none, and nothing of it is told: %s", async (why, value) => {
    const records = notes();
    await values.set("a", value);
    const asked = [() => records.get("a"), () => records.take("a"), () => records.update("a", () => note)];
    for (const ask of asked) {
      const error: unknown = await ask().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RecordUnreadable);
      expect(error).toBeInstanceOf(StorageError);
      expect(error).toMatchObject({ name: "RecordUnreadable", record: "note", key: "a" });
      expect(String(error)).toMatch(/The note "a" is kept, but cannot be read/);
      expect(String(error)).toMatch(why);
      expect(JSON.stringify(error) + String(error)).not.toContain(secret);
    }
    expect(await records.claim("a", note)).toBe(false);
    expect(await values.get("a")).toEqual(value);
  });

  test("is logged once, without its content", async () => {
    const records = notes();
    await values.set("a", { v: 9, title: secret });
    for (let turn = 0; turn < 5; turn += 1) await expect(records.get("a")).rejects.toThrow(RecordUnreadable);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ record: "note", key: "a", level: 50 }]);
    expect(lines.join("")).not.toContain(secret);
  });

  test("never names a field that only the record knows", async () => {
    const records = createRecords(values, {
      name: "count",
      schema: z.record(z.string(), z.number()),
      version: 1,
      log: pino({ level: "silent" }),
    });
    await values.set("a", { [secret]: "no number" });
    const error: unknown = await records.get("a").catch((thrown: unknown) => thrown);
    expect(error).toBeInstanceOf(RecordUnreadable);
    expect(String(error)).not.toContain(secret);
  });

  test("does not keep a scan from the others", async () => {
    await notes().set("good", note);
    await values.set("newer", { v: 9 });
    await values.set("older", { text: "old" });
    const { records, unreadable, next } = await notes().scan();
    expect(records.map(([key]) => key).toSorted()).toEqual(["good", "older"]);
    expect(unreadable).toMatchObject([{ key: "newer", record: "note" }]);
    expect(next).toBeUndefined();
  });

  test("of any shape is either read or refused, and never anything else", async () => {
    const records = notes();
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.record({ v: fc.jsonValue() })), async (value) => {
        await values.set("a", value);
        const outcome: unknown = await records.get("a").catch((error: unknown) => error);
        expect(outcome instanceof RecordUnreadable || Note.safeParse(outcome).success).toBe(true);
      }),
    );
  });
});

describe("an update", () => {
  test("that is beaten every time gives up in words, having changed nothing", async () => {
    await values.set("a", 0);
    let beaten = 0;
    const contested: Values = {
      ...values,
      async replace(key, ...change) {
        beaten += 1;
        await values.set(key, beaten);
        return values.replace(key, ...change);
      },
    };
    await expect(update(contested, "a", () => "mine")).rejects.toThrow(/Too many.*Nothing was changed/);
    expect(await values.get("a")).toBe(beaten);
    expect(beaten).toBe(100);
  });

  test("whose change throws changes nothing", async () => {
    await values.set("a", 1);
    const thrown = new Error("not like this");
    await expect(
      update(values, "a", () => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
    expect(await values.get("a")).toBe(1);
  });
});
