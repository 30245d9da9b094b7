import { Keyv } from "keyv";
import { describe, expect, test } from "vitest";
import type { Kind } from "../../../src/storage/kind.ts";
import { creating, deleting, replacing } from "../../../src/storage/record.ts";
import type { TypedKeyv } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";
import { listed, raw } from "../raw.ts";

/** The Keyv of a kind. The cases are those of @keyv/test-suite that apply: get, set, has, delete, ttl and many. */
export function keyvContract(scene: () => Scene, where: string, lasts: Kind<unknown>["lasts"]): void {
  const open = async (): Promise<TypedKeyv<unknown>> => (await scene().open()).keyv(raw("test", lasts));

  describe(`a Keyv ${where}`, () => {
    test("a value of any kind comes back as it went in", async () => {
      const values = await open();
      const kinds = [
        null,
        false,
        0,
        "",
        ":colon",
        ":base64:aGk=",
        "\u0000",
        [],
        { a: [{ b: null }] },
        { value: 1, expires: 5 },
      ];
      for (const [number, value] of kinds.entries()) {
        const key = `key ${number}`;
        expect(await values.set(key, value), key).toBe(true);
        expect(await values.get(key), key).toEqual(value);
        expect(await values.getMany(["absent", key]), key).toEqual([undefined, value]);
        expect(await values.has(key), key).toBe(true);
      }
    });

    test("a second value of a key replaces the first, and a deleted value is gone", async () => {
      const values = await open();
      expect(await values.get("key")).toBeUndefined();
      expect(await values.has("key")).toBe(false);
      await values.set("key", "one");
      await values.set("key", "two");
      expect(await values.get("key")).toBe("two");
      expect(await values.delete("key")).toBe(true);
      expect(await values.delete("key")).toBe(false);
      expect(await values.get("key")).toBeUndefined();
      expect(await values.has("key")).toBe(false);
    });

    test("is a Keyv, so that many are set, read and deleted at once", async () => {
      const values = await open();
      if (!(values instanceof Keyv)) throw new Error("This is no Keyv");
      expect(await values.setMany([..."abc"].map((key) => ({ key, value: `${key}!` })))).toEqual([true, true, true]);
      expect(await values.getMany(["c", "absent", "a"])).toEqual(["c!", undefined, "a!"]);
      expect(await values.getManyRaw(["c", "absent"])).toEqual([{ value: "c!" }, undefined]);
      expect(await values.get(["b", "absent"])).toEqual(["b!", undefined]);
      expect(await values.hasMany(["a", "absent"])).toEqual([true, false]);
      expect(await values.deleteMany(["a", "b"])).toBe(true);
      expect(await values.getMany(["a", "b", "c"])).toEqual([undefined, undefined, "c!"]);
    });

    test("is never cleared as a whole, since that would visit every key of the store", async () => {
      const values = await open();
      await values.set("key", 1);
      if (!(values instanceof Keyv)) throw new Error("This is no Keyv");
      await expect(values.clear()).rejects.toThrow(TypeError);
      expect(values.iterator).toBeUndefined();
      expect(await values.get("key")).toBe(1);
    });

    test("a value of several megabytes comes back whole", async () => {
      const values = await open();
      const machines = Array.from({ length: 10_000 }, (_, index) => ({ id: index, name: "machine ✓".repeat(20) }));
      await values.set("directory", machines);
      expect(await values.get("directory")).toEqual(machines);
    });

    test("a value that JSON cannot express is refused", async () => {
      const values = await open();
      for (const value of [undefined, () => 1, 1n]) {
        await expect(values.set("key", value), String(value)).rejects.toThrow(TypeError);
        expect(await values.get("key"), String(value)).toBeUndefined();
      }
    });

    test("a key that is broken text is refused, since two of them could become one", async () => {
      const values = await open();
      await expect(values.set("\ud800", 1)).rejects.toThrow(TypeError);
      await expect(values.get("\ud800")).rejects.toThrow(TypeError);
      await expect(values.has("\udfff")).rejects.toThrow(TypeError);
      await expect(values.delete("\udfff")).rejects.toThrow(TypeError);
    });

    test("one namespace never sees into another", async () => {
      const store = await scene().open();
      const of = (namespace: string): TypedKeyv<unknown> => store.keyv(raw(namespace, lasts));
      await of("a:b").set("c", 1);
      await of("a").set("b:c", 2);
      await of("A").set("b:c", 3);
      await of("a").set("a:c", 4);
      await of("a").set("c", 5);
      expect(await of("a").getMany(["b:c", "a:c", "c"])).toEqual([2, 4, 5]);
      expect(await listed(store, raw("a:b", lasts))).toEqual(new Map([["c", 1]]));
      expect(await listed(store, raw("a", lasts))).toEqual(
        new Map([
          ["b:c", 2],
          ["a:c", 4],
          ["c", 5],
        ]),
      );
    });

    test("a time to live of 0 means for ever, a negative one leaves nothing, and one that is no number is refused", async () => {
      const values = await open();
      await values.set("key", 1);
      await values.set("key", 2, -5);
      expect(await values.get("key")).toBeUndefined();
      await values.set("key", 3, 0);
      await expect(values.set("key", 6, Number.NaN)).rejects.toThrow(RangeError);
      expect(await values.get("key")).toBe(3);
    });

    test("a scan finds every value, also while some of those that it has found are deleted, and those that stay are found again", async () => {
      const store = await scene().open();
      const values = store.keyv(raw("test", lasts));
      const keys = Array.from({ length: 450 }, (_, index) => `key ${index}`);
      await Promise.all(keys.map((key) => values.set(key, key)));
      const stays = (key: string) => !key.endsWith("0");
      const seen = new Set<string>();
      for await (const { key, value } of store.scan(raw("test", lasts))) {
        expect(value).toBe(key);
        seen.add(key);
        if (!stays(key)) await values.delete(key);
      }
      expect([...seen].sort()).toEqual(keys.sort());
      const staying = keys.filter(stays).map((key): [string, string] => [key, key]);
      expect(await listed(store, raw("test", lasts))).toEqual(new Map(staying));
    });
  });

  if (lasts === "memory") return;
  describe(`a record ${where}`, () => {
    test("is created once, replaced by the one who read it, and deleted", async () => {
      const store = await scene().open();
      const kind = raw("test", lasts);
      expect(await store.transact({ records: [creating(kind, "key", { a: 1 })] })).toBe(true);
      expect(await store.transact({ records: [creating(kind, "key", { a: 2 })] })).toBe(false);
      const read = await store.read(kind, "key");
      expect(read).toMatchObject({ key: "key", value: { a: 1 }, was: '{"a":1}' });
      expect(await store.transact({ records: [replacing(read, "new")] })).toBe(true);
      expect(await store.transact({ records: [replacing(read, "late")] })).toBe(false);
      expect(await store.transact({ records: [deleting(read)] })).toBe(false);
      expect(await store.keyv(kind).get("key")).toBe("new");
      expect(await store.transact({ records: [deleting(await store.read(kind, "key"))] })).toBe(true);
      expect(await store.read(kind, "key")).toMatchObject({ value: undefined, was: undefined });
    });
  });
}
