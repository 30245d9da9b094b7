import { describe, expect, test, vi } from "vitest";
import { listed, raw } from "../raw.ts";
import { opened, ownRedis } from "./opened.ts";
import { hasRedis, type RedisServer } from "./server.ts";

const patience = { timeout: 20_000, interval: 200 };

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
