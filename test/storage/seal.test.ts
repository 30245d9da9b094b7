import { randomBytes } from "node:crypto";
import fc from "fast-check";
import { beforeEach, describe, expect, test } from "vitest";
import { SealBroken, StorageError } from "../../src/storage/errors.ts";
import { checkSealKey, createSeal } from "../../src/storage/seal.ts";
import type { Store, TypedKeyv } from "../../src/storage/store.ts";
import { openMemory } from "./memory.ts";
import { raw } from "./raw.ts";

const key = randomBytes(32);
const otherKey = randomBytes(32);
const text = fc.string({ unit: "grapheme" });

describe("a seal", () => {
  test("gives any text back to its owner, and shows none of it meanwhile", () => {
    const { seal, open } = createSeal({ key });
    fc.assert(
      fc.property(text, text, (plain, owner) => {
        expect(open(seal(plain, owner), owner)).toBe(plain);
      }),
    );
    expect(seal("a-secret-word", "T1/U1")).not.toContain(Buffer.from("a-secret-word").toString("base64url"));
  });

  test("opens for no other owner", () => {
    const { seal, open } = createSeal({ key });
    fc.assert(
      fc.property(text, text, (owner, other) => {
        fc.pre(owner !== other);
        expect(() => open(seal("secret", owner), other)).toThrow(SealBroken);
      }),
    );
  });

  test("seals the same text differently each time", () => {
    const { seal } = createSeal({ key });
    // More than the random bytes that are fetched at once are for.
    expect(new Set(Array.from({ length: 1_000 }, () => seal("secret", "owner"))).size).toBe(1_000);
  });

  test("breaks when any one character is changed, left out or added", () => {
    const { seal, open } = createSeal({ key });
    const sealed = seal("secret", "owner");
    for (let at = 0; at < sealed.length; at += 1) {
      const other = sealed[at] === "A" ? "B" : "A";
      for (const changed of [
        `${sealed.slice(0, at)}${other}${sealed.slice(at + 1)}`,
        `${sealed.slice(0, at)}${sealed.slice(at + 1)}`,
        `${sealed.slice(0, at)}=${sealed.slice(at)}`,
      ]) {
        expect(() => open(changed, "owner"), changed).toThrow(SealBroken);
      }
    }
    expect(() => open(`${sealed}.x`, "owner")).toThrow(SealBroken);
  });

  test.each(["", ".", "..", "v1", "v1..", "v2.00000000.AAAA", "plain text"])("does not open %j", (sealed) => {
    expect(() => createSeal({ key }).open(sealed, "owner")).toThrow(SealBroken);
  });

  test("of the previous key opens while that is given, and nothing new is sealed with it", () => {
    const old = createSeal({ key }).seal("secret", "owner");
    const rotated = createSeal({ key: otherKey, previous: key });
    expect(rotated.open(old, "owner")).toBe("secret");
    expect(rotated.isCurrent(old)).toBe(false);
    const fresh = rotated.seal("secret", "owner");
    expect(rotated.isCurrent(fresh)).toBe(true);
    const finished = createSeal({ key: otherKey });
    expect(finished.open(fresh, "owner")).toBe("secret");
    expect(() => finished.open(old, "owner")).toThrow(SealBroken);
  });

  test("tells neither key, owner nor text when it breaks", () => {
    const sealed = createSeal({ key }).seal("a-secret-word", "T1/U1");
    const broken = catching(() => createSeal({ key: otherKey }).open(sealed, "T1/U1"));
    expect(String(broken)).not.toMatch(/a-secret-word|T1\/U1/);
    expect(String(broken)).not.toContain(key.toString("hex"));
    expect(String(broken)).not.toContain(sealed);
  });

  test.each([0, 16, 31, 33, 64])("refuses a key of %i bytes", (length) => {
    expect(() => createSeal({ key: randomBytes(length) })).toThrow(StorageError);
    expect(() => createSeal({ key, previous: randomBytes(length) })).toThrow(StorageError);
  });
});

describe("the check of the key at the start", () => {
  let store: Store;
  let values: TypedKeyv<unknown>;
  beforeEach(async () => {
    ({ store } = await openMemory());
    values = store.keyv(raw("seal"));
  });

  test("accepts any key for a new store, and the same one ever after", async () => {
    await checkSealKey(store, createSeal({ key }));
    await checkSealKey(store, createSeal({ key }));
  });

  test("refuses another key, changes nothing, and accepts the right one again", async () => {
    await checkSealKey(store, createSeal({ key }));
    const refused = checkSealKey(store, createSeal({ key: otherKey }));
    await expect(refused).rejects.toThrow(StorageError);
    await expect(refused).rejects.toThrow(/ENCRYPTION_KEY is not the key.*Nothing was changed/);
    await checkSealKey(store, createSeal({ key }));
  });

  test("follows a rotation: the former key beside the new one, then the new one alone", async () => {
    await checkSealKey(store, createSeal({ key }));
    await checkSealKey(store, createSeal({ key: otherKey, previous: key }));
    await checkSealKey(store, createSeal({ key: otherKey }));
    await expect(checkSealKey(store, createSeal({ key }))).rejects.toThrow(StorageError);
  });

  test("refuses a store whose probe is not one", async () => {
    await values.set("probe", { not: "a probe" });
    await expect(checkSealKey(store, createSeal({ key }))).rejects.toThrow(StorageError);
    await values.set("probe", createSeal({ key }).seal("something else", "probe"));
    await expect(checkSealKey(store, createSeal({ key }))).rejects.toThrow(StorageError);
  });
});

function catching(act: () => unknown): unknown {
  try {
    return act();
  } catch (error) {
    return error;
  }
}
