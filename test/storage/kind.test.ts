import fc from "fast-check";
import { pino } from "pino";
import { beforeEach, describe, expect, test } from "vitest";
import * as z from "zod";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { RecordUnreadable, StorageError } from "../../src/storage/errors.ts";
import { defineKind } from "../../src/storage/kind.ts";
import { creating } from "../../src/storage/record.ts";
import type { Store, TypedKeyv } from "../../src/storage/store.ts";
import { update } from "../../src/storage/update.ts";
import { openMemory } from "./memory.ts";
import { raw } from "./raw.ts";

const clock = createSandboxClock();
const secret = "a-secret-word";
let store: Store;
let values: TypedKeyv<unknown>;
let lines: string[];

beforeEach(async () => {
  lines = [];
  const log = pino({}, { write: (line: string) => void lines.push(line) });
  ({ store } = await openMemory({ clock, log }));
  values = store.keyv(raw("notes"));
});

const Note = z.object({ title: z.string(), tags: z.array(z.string()), pinned: z.boolean() });
type Note = z.infer<typeof Note>;
const note: Note = { title: "Rack 4", tags: ["a"], pinned: true };

const First = z.object({ text: z.string() });
const Second = z.looseObject({});
/** The third format of a note: the first had a text instead of the title, the second no `pinned`. */
const notes = defineKind({
  name: "note",
  namespace: "notes",
  schema: Note,
  upcasts: [
    (first) => ({ title: First.parse(first).text, tags: [] }),
    (second) => ({ ...Second.parse(second), pinned: false }),
  ],
});

describe("a record", () => {
  test("that is no JSON is one that cannot be read, and its content is not repeated", () => {
    expect(() => notes.read("a", `{"${secret}`)).toThrow(RecordUnreadable);
    expect(() => notes.read("a", `{"${secret}`)).toThrow(/it is no JSON/);
    expect(() => notes.read("a", `{"${secret}`)).not.toThrow(new RegExp(secret));
  });

  test("comes back as it went in, with its format beside it in what is kept", async () => {
    await store.keyv(notes).set("a", note);
    expect(await store.keyv(notes).get("a")).toEqual(note);
    expect(await values.get("a")).toEqual({ ...note, v: 3 });
    expect(await store.keyv(notes).get("absent")).toBeUndefined();
    await store.transact({ records: [creating(notes, "b", note)] });
    expect(await values.get("b")).toEqual({ ...note, v: 3 });
    expect((await store.read(notes, "b")).value).toEqual(note);
  });

  test("of an older format is brought forward step by step, and kept in the new form once it is changed", async () => {
    await values.set("first", { text: "old" });
    await values.set("also first", { v: 1, text: "old" });
    await values.set("second", { v: 2, title: "newer", tags: ["t"] });
    const keyv = store.keyv(notes);
    expect(await keyv.get("first")).toEqual({ title: "old", tags: [], pinned: false });
    expect(await keyv.get("also first")).toEqual({ title: "old", tags: [], pinned: false });
    expect(await keyv.get("second")).toEqual({ title: "newer", tags: ["t"], pinned: false });
    await update(store, notes, "first", (before) => before && { ...before, pinned: true });
    expect(await values.get("first")).toEqual({ v: 3, title: "old", tags: [], pinned: true });
  });

  test("that was read is not parsed again while it stays as it is, and nobody can change it for the others", async () => {
    const keyv = store.keyv(notes);
    await keyv.set("a", note);
    const read = await keyv.get("a");
    expect(await keyv.get("a")).toBe(read);
    expect((await store.read(notes, "a")).value).toBe(read);
    expect(() => read?.tags.push("b")).toThrow(TypeError);
    await keyv.set("a", { ...note, title: "Rack 5" });
    expect(await keyv.get("a")).toEqual({ ...note, title: "Rack 5" });
  });

  test("lasts as long as it is given, also by a time that follows from it", async () => {
    await store.keyv(notes).set("a", note, 1_000);
    await update(
      store,
      notes,
      "b",
      () => note,
      ({ tags }) => tags.length * 2_000,
    );
    clock.skip(1_000);
    expect(await store.keyv(notes).getMany(["a", "b"])).toEqual([undefined, note]);
    clock.skip(1_000);
    expect(await store.keyv(notes).get("b")).toBeUndefined();
  });

  test("is changed by many at once without a change being lost, or left as it is", async () => {
    const add = (before = note): Note => ({ ...before, tags: [...before.tags, "t"] });
    await Promise.all(Array.from({ length: 20 }, () => update(store, notes, "a", add)));
    expect((await store.keyv(notes).get("a"))?.tags).toHaveLength(21);
    expect((await update(store, notes, "a", () => undefined))?.tags).toHaveLength(21);
    expect(await update(store, notes, "absent", () => undefined)).toBeUndefined();
    expect(await store.keyv(notes).get("absent")).toBeUndefined();
  });
});

describe("a record that cannot be read", () => {
  const broken: [why: RegExp, value: unknown][] = [
    [/newer version wrote it \(format 4; known up to 3\)/, { ...note, v: 4, title: secret }],
    [/its format is unknown/, { ...note, v: secret }],
    [/its format is unknown/, { ...note, v: 0, title: secret }],
    [/its format is unknown/, { ...note, v: 1.5, title: secret }],
    [/not what format 1 was/, { v: 1, text: { [secret]: 1 } }],
    [/not what format 1 was/, secret],
    [/not what format 1 was/, null],
    [/its field "tags" is not what it should be/, { v: 3, title: secret, tags: secret, pinned: true }],
    [/its field "title" is not what it should be/, { v: 3 }],
  ];

  test.each(broken)("is told apart from none, and the error shows nothing of it: %s", async (why, value) => {
    await values.set("a", value);
    const calls = [
      () => store.keyv(notes).get("a"),
      () => store.keyv(notes).getMany(["absent", "a"]),
      () => store.read(notes, "a"),
      () => update(store, notes, "a", () => note),
    ];
    for (const call of calls) {
      const error: unknown = await call().catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RecordUnreadable);
      expect(error).toBeInstanceOf(StorageError);
      expect(error).toMatchObject({ name: "RecordUnreadable", record: "note", key: "a" });
      expect(String(error)).toMatch(/The note "a" is kept, but cannot be read/);
      expect(String(error)).toMatch(why);
      expect(JSON.stringify(error) + String(error)).not.toContain(secret);
    }
    expect(await store.keyv(notes).has("a")).toBe(true);
    expect(await store.transact({ records: [creating(notes, "a", note)] })).toBe(false);
    expect(await values.get("a")).toEqual(value);
  });

  test("is logged once, without its content", async () => {
    await values.set("a", { v: 9, title: secret });
    for (let turn = 0; turn < 5; turn += 1) await expect(store.keyv(notes).get("a")).rejects.toThrow(RecordUnreadable);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ record: "note", key: "a", level: 50 }]);
    expect(lines.join("")).not.toContain(secret);
  });

  test("never names a field that only the record knows, with upcasts and without", async () => {
    await values.set("a", { [secret]: "no number" });
    const schema = z.record(z.string(), z.number());
    const counts = defineKind({ name: "count", namespace: "notes", schema, upcasts: [(older) => older] });
    const plain = defineKind({ name: "count", namespace: "notes", schema });
    for (const kind of [counts, plain]) {
      const error: unknown = await store
        .keyv(kind)
        .get("a")
        .catch((thrown: unknown) => thrown);
      expect(error).toBeInstanceOf(RecordUnreadable);
      expect(String(error)).not.toContain(secret);
    }
  });

  test("does not keep a scan from the others", async () => {
    await store.keyv(notes).set("good", note);
    await values.set("newer", { v: 9 });
    await values.set("older", { text: "old" });
    const found: string[] = [];
    for await (const { key } of store.scan(notes)) found.push(key);
    expect(found.toSorted()).toEqual(["good", "older"]);
    expect(lines.map((line) => JSON.parse(line))).toMatchObject([{ key: "newer", record: "note" }]);
  });

  test("of any shape is either read or refused, and never anything else", async () => {
    await fc.assert(
      fc.asyncProperty(fc.oneof(fc.jsonValue(), fc.record({ v: fc.jsonValue() })), async (value) => {
        await values.set("a", value);
        const outcome: unknown = await store
          .keyv(notes)
          .get("a")
          .catch((error: unknown) => error);
        expect(outcome instanceof RecordUnreadable || Note.safeParse(outcome).success).toBe(true);
      }),
    );
  });
});

describe("an update", () => {
  const counts = raw("notes");

  test("that is beaten every time gives up in words, having changed nothing", async () => {
    await values.set("a", 0);
    let beaten = 0;
    const contested: Pick<Store, "read" | "transact"> = {
      read: store.read,
      async transact(step) {
        beaten += 1;
        await values.set("a", beaten);
        return store.transact(step);
      },
    };
    await expect(update(contested, counts, "a", () => "mine")).rejects.toThrow(/Too many.*Nothing was changed/);
    expect(await values.get("a")).toBe(beaten);
    expect(beaten).toBe(100);
  });

  test("whose change throws changes nothing", async () => {
    await values.set("a", 1);
    const thrown = new Error("not like this");
    await expect(
      update(store, counts, "a", () => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
    expect(await values.get("a")).toBe(1);
  });
});
