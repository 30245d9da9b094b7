import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/clock.ts";
import type { Store } from "../../../src/storage/store.ts";
import { fenceOf } from "../contract/locks.ts";
import { listed, place, raw } from "../raw.ts";
import { opened, ownRedis } from "./opened.ts";
import { hasRedis, type RedisServer } from "./server.ts";

const hour = 3_600_000;
const patience = { timeout: 20_000, interval: 200 };

async function fill(store: Store): Promise<number> {
  for (let number = 0; number < 40; number += 1) await store.keyv(raw("a:b")).set(`key ${number}`, number);
  await store.keyv(raw("a")).set("ends", 1, hour);
  await place(store, "open", "member", 7);
  await store.log("events", { retentionMs: hour }).append({ at: 1, subjects: ["s"], data: "event" }, ["unique"]);
  await store.timers.set("job:later", systemClock.now() + hour);
  return fenceOf(store.locks.lock("thing", "me", hour));
}

async function expectAll(store: Store, fence: number): Promise<void> {
  for (let number = 0; number < 40; number += 1) expect(await store.keyv(raw("a:b")).get(`key ${number}`)).toBe(number);
  expect(await store.keyv(raw("a")).get("ends")).toBe(1);
  expect((await store.index("open").range()).entries).toEqual([{ member: "member", score: 7 }]);
  const log = store.log("events", { retentionMs: hour });
  expect(await log.read({ subjects: ["s"] })).toMatchObject([{ data: "event" }]);
  expect(await log.append({ at: systemClock.now(), subjects: [], data: 1 }, ["unique"])).toBeNull();
  expect((await store.timers.backlog()).map(({ lane }) => lane)).toEqual([]);
  // The lock's opening has gone: the next one has a greater fence.
  await vi.waitFor(
    async () => expect(await fenceOf(store.locks.lock("thing", "me", hour))).toBeGreaterThan(fence),
    patience,
  );
}

function keys(server: RedisServer, pattern: string): string[] {
  return server.cli("--scan", "--pattern", pattern).split("\n").filter(Boolean).toSorted();
}

/** A server with a store as an older version left it: the same keys, with no braces in their names. */
async function olderStore(): Promise<{ server: RedisServer; fence: number }> {
  const server = await ownRedis();
  const { store } = await opened(server.url);
  const fence = await fill(store);
  await store.close();
  const { store: id } = JSON.parse(server.cli("GET", "{rackbell}:identity"));
  server.cli(
    "EVAL",
    "for _, key in ipairs(redis.call('KEYS', '{rackbell}:*')) do redis.call('RENAME', key, (key:gsub('[{}]', ''))) end",
    "0",
  );
  server.cli("SET", "rackbell:identity", JSON.stringify({ store: id, format: 1 }));
  return { server, fence };
}

describe.runIf(hasRedis)("a store that an older version kept under names without braces", () => {
  test("is taken over whole by the first of two that start at once, and keeps its times", async () => {
    const { server, fence } = await olderStore();
    server.cli("SET", "rackbell:other-program", "1");
    const both = await Promise.all([opened(server.url), opened(server.url)]);
    for (const { store } of both) expect(await store.keyv(raw("a:b")).get("key 1")).toBe(1);
    await expectAll(both[1].store, fence);
    expect(keys(server, "rackbell:*")).toEqual(["rackbell:identity", "rackbell:other-program"]);
    const [left] = ["PTTL"].map((command) => Number(server.cli(command, "{rackbell}:value:a:ends")));
    expect(left).toBeGreaterThan(hour / 2);
    const notices = both.flatMap(({ lines }) =>
      lines.filter((line) => line.includes("was taken over under its new names")),
    );
    expect(notices).toHaveLength(1);
  });

  test("is taken over to the end by the next start where the first was killed in the middle", async () => {
    const { server, fence } = await olderStore();
    const { store } = JSON.parse(server.cli("GET", "rackbell:identity"));
    server.cli("SET", "rackbell:identity", JSON.stringify({ store, format: 2 }));
    for (const key of keys(server, "rackbell:value:*").slice(0, 20))
      server.cli("RENAME", key, `{rackbell}:${key.slice(9)}`);
    // The lock of the killed opening expires by itself.
    server.cli("SET", "{rackbell}:takeover", "killed", "PX", "500");
    await expectAll((await opened(server.url)).store, fence);
    expect(JSON.parse(server.cli("GET", "{rackbell}:identity"))).toEqual({ store, format: 2 });
  });

  test("is left as it is, and the start refused, while an older instance is at work on it", async () => {
    const { server, fence } = await olderStore();
    server.cli("SADD", "rackbell:instances", "older");
    server.cli("SET", "rackbell:instance:older", "1");
    const before = keys(server, "rackbell:*");
    await expect(opened(server.url)).rejects.toThrow(
      /older version of Rackbell is at work.*Nothing was changed. Stop all/,
    );
    expect(keys(server, "*")).toEqual(before);
    expect(JSON.parse(server.cli("GET", "rackbell:identity")).format).toBe(1);
    server.cli("DEL", "rackbell:instance:older");
    await expectAll((await opened(server.url)).store, fence);
  });

  test("is not overlooked where the user may touch the new names alone", async () => {
    const { server } = await olderStore();
    server.cli("ACL", "SETUSER", "rackbell", "on", ">sesame", "~{rackbell}:*", "+@all", "-@dangerous", "+info");
    await expect(opened(`redis://rackbell:sesame@127.0.0.1:${server.port}`)).rejects.toThrow(
      /may not touch rackbell:\*.*Nothing was changed. Give it that right/,
    );
    expect(keys(server, "{rackbell}:*")).toEqual([]);
  });
});

describe.runIf(hasRedis)("a store of this version", () => {
  test("is refused by an older one, which would begin an empty one beside it", async () => {
    const server = await ownRedis();
    await opened(server.url);
    // An older one looks here, and knows formats up to 1.
    expect(JSON.parse(server.cli("GET", "rackbell:identity"))).toMatchObject({ format: 2 });
  });
});

describe.runIf(hasRedis)("a Cluster", () => {
  test("that is away serves nothing, and again once it is back, with all that was kept", async () => {
    const server = await ownRedis({ "cluster-enabled": "yes" });
    const { store, lines } = await opened(server.url);
    await store.keyv(raw("a")).set("key", 1);
    await server.kill();
    await expect(store.keyv(raw("a")).get("key")).rejects.toThrow(/does not answer. Nothing was changed/);
    await server.start();
    await vi.waitFor(async () => expect(await store.ready()).toEqual([]), patience);
    expect(await store.keyv(raw("a")).get("key")).toBe(1);
    expect(lines.filter((line) => line.includes("cannot be reached"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("can be reached again"))).toHaveLength(1);
  });

  test("whose password was changed says that it refuses it", async () => {
    const server = await ownRedis({ "cluster-enabled": "yes" });
    server.cli("CONFIG", "SET", "requirepass", "sesame");
    const { store } = await opened(`redis://:sesame@127.0.0.1:${server.port}`);
    server.cli("-a", "sesame", "CONFIG", "SET", "requirepass", "another");
    server.cli("-a", "another", "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    const refused = [expect.stringMatching(/refuses the user or the password in STORE_URL/)];
    await vi.waitFor(async () => expect(await store.ready()).toEqual(refused), patience);
  });
});

describe.runIf(hasRedis)("a Cluster of several nodes", () => {
  test("is followed when the slot of the store moves from one to the other", async () => {
    const [one, other] = [await ownRedis({ "cluster-enabled": "yes" }), await ownRedis({ "cluster-enabled": "yes" })];
    const { store } = await opened(one.url);
    await store.keyv(raw("a")).set("key", 1);
    other.cli("CLUSTER", "RESET", "HARD");
    const [, busPort = ""] = other.cli("CONFIG", "GET", "cluster-port").split("\n");
    one.cli("CLUSTER", "MEET", "127.0.0.1", String(other.port), busPort.trim());
    const idOf = (server: RedisServer) => server.cli("CLUSTER", "MYID");
    const ids = [idOf(one), idOf(other)];
    for (const server of [one, other])
      await vi.waitFor(() => {
        expect(ids.every((id) => server.cli("CLUSTER", "NODES").includes(id))).toBe(true);
        expect(server.cli("CLUSTER", "INFO")).toContain("cluster_state:ok");
      }, patience);
    const slot = one.cli("CLUSTER", "KEYSLOT", "{rackbell}:");
    other.cli("CLUSTER", "SETSLOT", slot, "IMPORTING", idOf(one));
    one.cli("CLUSTER", "SETSLOT", slot, "MIGRATING", idOf(other));
    await vi.waitFor(() => {
      const left = one.cli("CLUSTER", "GETKEYSINSLOT", slot, "100").split("\n").filter(Boolean);
      if (left.length > 0) one.cli("MIGRATE", "127.0.0.1", String(other.port), "", "0", "5000", "KEYS", ...left);
      expect(left).toEqual([]);
    }, patience);
    for (const server of [other, one]) server.cli("CLUSTER", "SETSLOT", slot, "NODE", idOf(other));
    await vi.waitFor(async () => expect(await store.ready()).toEqual([]), patience);
    expect(await store.keyv(raw("a")).get("key")).toBe(1);
    expect(await listed(store, raw("a"))).toEqual(new Map([["key", 1]]));
    await store.keyv(raw("a")).set("key", 2);
    expect(other.cli("GET", "{rackbell}:value:a:key")).toBe("2");
    await one.kill();
    await store.keyv(raw("a")).set("key", 3);
    expect(other.cli("GET", "{rackbell}:value:a:key")).toBe("3");
  });
});
