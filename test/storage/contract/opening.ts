import { expect, test } from "vitest";
import { StorageError } from "../../../src/storage/errors.ts";
import { creating } from "../../../src/storage/record.ts";
import type { Scene } from "../contract.ts";
import { listed, place, raw } from "../raw.ts";

export function openingContract(scene: () => Scene): void {
  test("values, indexes and log entries are there after a restart", async () => {
    const first = await scene().open();
    await first.keyv(raw("a")).set("key", { deep: [1, null, "x"] });
    await place(first, "open", "member", 5);
    await first.log("events", { retentionMs: 60_000 }).append({ at: scene().now(), subjects: ["s"], data: 1 }, ["u"]);
    await first.close();
    const second = await scene().open();
    expect(await second.keyv(raw("a")).get("key")).toEqual({ deep: [1, null, "x"] });
    expect((await second.index("open").range()).entries).toEqual([{ member: "member", score: 5 }]);
    const events = second.log("events", { retentionMs: 60_000 });
    expect(await events.read()).toMatchObject([{ subjects: ["s"], data: 1 }]);
    expect(await events.append({ at: scene().now(), subjects: [], data: 2 }, ["u"])).toBeNull();
  });

  test("writes that were requested before the store closes are kept before it has closed", async () => {
    const first = await scene().open();
    const values = first.keyv(raw("a"));
    const writes = Array.from({ length: 50 }, (_, index) => values.set(`k${index}`, index));
    // Long enough for the writes to start, not for them to finish.
    await Promise.resolve();
    await first.close();
    expect(await Promise.all(writes)).not.toContain(false);
    const second = await scene().open();
    expect((await listed(second, raw("a"))).size).toBe(50);
  });

  test("an opening knows that it lives, and that the one before it does not", async () => {
    const first = await scene().open();
    expect(await first.alive(first.instance)).toBe(true);
    await first.close();
    const second = await scene().open();
    expect(second.instance).not.toBe(first.instance);
    expect(await second.alive(second.instance)).toBe(true);
    expect(await second.alive(first.instance)).toBe(false);
    expect(await second.alive("")).toBe(false);
  });

  test("an open store is ready, and a closed one says so", async () => {
    const store = await scene().open();
    expect(await store.ready()).toEqual([]);
    await store.close();
    await store.close();
    expect(await store.ready()).toEqual([expect.stringMatching(/closed/)]);
  });

  test("a closed store does nothing more by itself", async () => {
    const store = await scene().open();
    store.timers.handle("follow:", async () => {
      throw new Error("This ran in a closed store.");
    });
    await store.timers.set("follow:a", scene().now() + 3 * scene().facts.unitMs);
    await store.timers.start();
    await store.close();
    await scene().pass(5 * scene().facts.unitMs);
    await new Promise((resolve) => setImmediate(resolve));
    expect(scene().lines).toEqual([]);
  });

  test("a closed store refuses in words", async () => {
    const store = await scene().open();
    const [values, marks, index] = [store.keyv(raw("a")), store.keyv(raw("a", "memory")), store.index("a")];
    const events = store.log("events", { retentionMs: 60_000 });
    await store.close();
    const calls: (() => Promise<unknown>)[] = [
      ...[values, marks].flatMap((keyv) => [
        () => keyv.get("key"),
        () => keyv.set("key", 1),
        () => keyv.delete("key"),
        () => keyv.has("key"),
        () => keyv.getMany(["key"]),
      ]),
      () => index.range(),
      () => index.size(),
      () => events.append({ at: 0, subjects: [], data: 1 }),
      () => events.read(),
      () => store.timers.set("follow:a", 0),
      () => store.read(raw("a"), "key"),
      () => store.scan(raw("a")).next(),
      () => store.transact({ records: [creating(raw("a"), "key", 1)] }),
      () => store.locks.lock("name", "me", 1_000),
    ];
    for (const call of calls) await expect(call(), String(call)).rejects.toThrow(StorageError);
  });
}
