import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/process/clock.ts";
import { createStore } from "../../../src/storage/create.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import { creating } from "../../../src/storage/record.ts";
import { openRedis } from "../../../src/storage/redis/engine.ts";
import { apply } from "../../../src/storage/redis/scripts.ts";
import type { Store, Transaction } from "../../../src/storage/store.ts";
import { fenceOf } from "../contract/locks.ts";
import { startProcess } from "../process.ts";
import { place, raw } from "../raw.ts";
import { opened, ownRedis } from "./opened.ts";
import { startProxy } from "./proxy.ts";
import { hasRedis } from "./server.ts";

const patience = { timeout: 25_000, interval: 20 };
const { now } = systemClock;

const batch: Transaction = { records: [creating(raw("a"), "new", 1)] };

/** Everything that could be taken for an answer while there is none. */
function everything(store: Store): (() => Promise<unknown>)[] {
  const values = store.keyv(raw("a"));
  const log = store.log("events", { retentionMs: 60_000 });
  return [
    () => values.get("key"),
    () => values.set("key", 2),
    () => values.delete("key"),
    () => values.has("key"),
    () => values.getMany(["key"]),
    () => store.read(raw("a"), "key"),
    () => store.scan(raw("a")).next(),
    () => store.keyv(raw("a", "memory")).get("new"),
    () => store.keyv(raw("a", "memory")).set("new", 1),
    () => store.index("open").range(),
    () => store.index("open").size(),
    () => log.append({ at: now(), subjects: [], data: 1 }, ["new"]),
    () => log.read(),
    () => store.locks.lock("thing", "me", 1_000),
    () => store.timers.set("job:a", now()),
    () => store.alive(store.instance),
    () => store.transact(batch),
  ];
}

async function refusals(store: Store): Promise<string[]> {
  const outcomes = await Promise.allSettled(everything(store).map((call) => call()));
  return outcomes.map((outcome) => {
    expect(outcome).toMatchObject({ status: "rejected", reason: expect.any(StorageError) });
    return outcome.status === "rejected" ? String(outcome.reason) : "";
  });
}

async function isBack(store: Store): Promise<void> {
  await vi.waitFor(async () => expect(await store.ready()).toEqual([]), patience);
}

describe.runIf(hasRedis)("while Redis is away", { concurrent: true }, () => {
  test("everything is refused in words, nothing looks like absent, and all of it works again by itself", async (context) => {
    const server = await ownRedis({}, context);
    const { store, lines } = await opened(server.url, {}, context);
    await store.keyv(raw("a")).set("key", 1);
    await place(store, "open", "member", 1);
    const ran: string[] = [];
    store.timers.handle("job:", async (id) => void ran.push(id));
    await store.timers.start();
    await store.timers.set("job:due meanwhile", now() + 1_500);
    await server.kill();
    for (const refused of await refusals(store)) expect(refused).toMatch(/does not answer|did not answer/);
    // Nothing is even sent by now.
    for (const refused of await refusals(store)) expect(refused).toMatch(/does not answer. Nothing was changed/);
    expect(await store.ready()).toEqual([expect.stringMatching(/Redis at 127.0.0.1:\d+ does not answer/)]);
    await new Promise((resolve) => setTimeout(resolve, 2_000));
    await server.start();
    await isBack(store);
    expect(await store.keyv(raw("a")).get("key")).toBe(1);
    expect(await store.transact(batch)).toBe(true);
    expect(await store.alive(store.instance)).toBe(true);
    await vi.waitFor(() => expect(ran).toEqual(["job:due meanwhile"]), patience);
    expect(lines.filter((line) => line.includes("cannot be reached"))).toHaveLength(1);
    expect(lines.filter((line) => line.includes("can be reached again"))).toHaveLength(1);
  });

  test("a run that ends is settled once Redis is back, and is not run once more", async (context) => {
    const server = await ownRedis({}, context);
    const { store } = await opened(server.url, {}, context);
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    let runs = 0;
    store.timers.handle("job:", async () => {
      runs += 1;
      begun.resolve();
      await gate.promise;
    });
    await store.timers.start();
    await store.timers.set("job:a", now());
    await begun.promise;
    await server.kill();
    gate.resolve();
    await new Promise((resolve) => setTimeout(resolve, 1_500));
    await server.start();
    await isBack(store);
    // A living opening does not count as dead after an outage of any length: it keeps its claims.
    await vi.waitFor(() => expect(server.cli("KEYS", "{rackbell}:mark:~run:job:*")).toBe(""), patience);
    expect(server.cli("ZCARD", "{rackbell}:index:~due job:")).toBe("0");
    expect(runs).toBe(1);
  });

  test("a lock that is released meanwhile is free as soon as Redis is back, and not only at its end", async (context) => {
    const server = await ownRedis({}, context);
    const [one, other] = [(await opened(server.url, {}, context)).store, (await opened(server.url, {}, context)).store];
    const fence = await fenceOf(one.locks.lock("thing", "one", 3_600_000));
    await server.kill();
    expect(await one.locks.unlock("thing", fence)).toBe(true);
    await server.start();
    await isBack(other);
    await vi.waitFor(async () => {
      expect(await other.locks.lock("thing", "other", 1_000)).toEqual({ fence: expect.any(Number) });
    }, patience);
  });

  test("an opening closes without waiting for it", async (context) => {
    const server = await ownRedis({}, context);
    const { store } = await opened(server.url, {}, context);
    await server.kill();
    await store.close();
    expect(await store.ready()).toEqual([expect.stringMatching(/closed/)]);
  });

  test("both of two openings keep their work: neither takes the other for gone when it comes back", async (context) => {
    const server = await ownRedis({}, context);
    const [one, other] = [(await opened(server.url, {}, context)).store, (await opened(server.url, {}, context)).store];
    const begun = Promise.withResolvers<void>();
    const gate = Promise.withResolvers<void>();
    const ran: string[] = [];
    one.timers.handle("job:", async () => {
      ran.push("one");
      begun.resolve();
      await gate.promise;
    });
    await one.timers.start();
    await one.timers.set("job:a", now());
    await begun.promise;
    other.timers.handle("job:", async () => void ran.push("other"));
    await other.timers.start();
    const lock = await one.locks.lock("thing", "one", 3_600_000);
    await server.kill();
    // Longer than a sign of life lasts.
    await new Promise((resolve) => setTimeout(resolve, 6_000));
    await server.start();
    await isBack(other);
    expect(await other.alive(one.instance)).toBe(true);
    expect(await other.locks.lock("thing", "other", 1_000)).toEqual({ holder: "one" });
    await isBack(one);
    expect(await one.locks.unlock("thing", "fence" in lock ? lock.fence : 0)).toBe(true);
    gate.resolve();
    await vi.waitFor(() => expect(server.cli("KEYS", "{rackbell}:mark:~run:job:*")).toBe(""), patience);
    expect(ran).toEqual(["one"]);
  });
});

describe.runIf(hasRedis)("a Redis that is not itself", { concurrent: true }, () => {
  test("but frozen lets nobody wait for long: it is said what is not known, and all works again once it thaws", async (context) => {
    const server = await ownRedis({}, context);
    const { store } = await opened(server.url, {}, context);
    server.freeze();
    const errors = await refusals(store);
    expect(errors[1]).toMatch(/did not answer. It is not known whether this was kept/);
    expect(errors[0]).toMatch(/does not answer. Nothing was changed/);
    server.thaw();
    await isBack(store);
    expect(await store.transact({ records: [creating(raw("a"), "another", 1)] })).toBe(true);
  });

  test("but full takes nothing new and forgets nothing: who lives still counts as alive, and it goes on once there is room", async (context) => {
    const server = await ownRedis({}, context);
    const [one, other] = [(await opened(server.url, {}, context)).store, (await opened(server.url, {}, context)).store];
    await one.keyv(raw("a")).set("key", "kept");
    server.cli("CONFIG", "SET", "maxmemory", "1");
    expect(await one.ready()).toEqual([
      expect.stringMatching(/full and takes nothing new.*maxmemory.*Nothing was changed/),
    ]);
    await expect(one.keyv(raw("a")).set("new", 1)).rejects.toThrow(/full/);
    await expect(one.transact(batch)).rejects.toThrow(/full/);
    expect(await one.keyv(raw("a")).get("key")).toBe("kept");
    await new Promise((resolve) => setTimeout(resolve, 7_000));
    expect([await one.alive(other.instance), await other.alive(one.instance)]).toEqual([true, true]);
    server.cli("CONFIG", "SET", "maxmemory", "0");
    expect(await one.ready()).toEqual([]);
    expect(await one.transact(batch)).toBe(true);
  });

  test("but refuses a call is never taken for one that has nothing", async (context) => {
    const server = await ownRedis({}, context);
    const { store } = await opened(server.url, {}, context);
    server.cli("LPUSH", "{rackbell}:value:a:key", "another program's");
    const values = store.keyv(raw("a"));
    for (const call of [
      () => values.get("key"),
      () => values.getMany(["absent", "key"]),
      () => store.read(raw("a"), "key"),
    ])
      await expect(call(), String(call)).rejects.toThrow(/Another program keeps its data under the same names/);
  });

  test.for<[string, (server: Server) => Promise<void>]>([
    ["emptied while it is connected", async (server: Server) => void server.cli("FLUSHALL")],
    [
      "replaced by an empty one, as by a failover without a replica",
      async (server: Server) => {
        await server.kill();
        await server.start({ empty: true });
      },
    ],
  ])(
    "but %s is found out: nothing is served, and nothing is begun anew behind anybody's back",
    async ([, how], context) => {
      const server = await ownRedis({}, context);
      const { store, lines } = await opened(server.url, {}, context);
      await store.keyv(raw("a")).set("key", 1);
      const identity = server.cli("GET", "{rackbell}:identity");
      await how(server);
      const storeLost = /no longer has this store.*serves nothing.*start Rackbell again/;
      await vi.waitFor(async () => expect(await store.ready()).toEqual([expect.stringMatching(storeLost)]), patience);
      for (const refused of await refusals(store)) expect(refused).toMatch(storeLost);
      expect(server.cli("EXISTS", "{rackbell}:identity")).toBe("0");
      await vi.waitFor(() => expect(lines.join("")).toContain("nothing is served"), patience);
      expect(lines.filter((line) => line.includes("nothing is served"))).toHaveLength(1);
      // Restoring the data is enough.
      server.cli("SET", "{rackbell}:identity", identity);
      await isBack(store);
      await vi.waitFor(() => expect(lines.at(-1)).toContain("the store is present again"), patience);
    },
  );
});

type Server = Awaited<ReturnType<typeof ownRedis>>;

describe.runIf(hasRedis)("a Redis whose password was changed", () => {
  test("says at once that it refuses the password, and serves again once it is the former one", async () => {
    const server = await ownRedis({ requirepass: "sesame" });
    const { store } = await opened(`redis://:sesame@127.0.0.1:${server.port}`);
    server.cli("-a", "sesame", "CONFIG", "SET", "requirepass", "another");
    server.cli("-a", "another", "CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    const refused = /refuses the user or the password in STORE_URL. Nothing was changed/;
    await vi.waitFor(async () => expect(await store.ready()).toEqual([expect.stringMatching(refused)]), patience);
    await expect(store.keyv(raw("a")).get("key")).rejects.toThrow(refused);
    server.cli("-a", "another", "CONFIG", "SET", "requirepass", "sesame");
    await isBack(store);
  });
});

describe.runIf(hasRedis)("a network that fails", { concurrent: true }, () => {
  test("after Redis gave out a timer, and before the app received it, loses no timer", async (context) => {
    const server = await ownRedis({}, context);
    const proxy = await startProxy(server.port);
    const behind = await opened(proxy.url, {}, context);
    const { store: before } = await opened(server.url, {}, context);
    const ran: string[] = [];
    behind.store.timers.handle("job:", async (id) => void ran.push(id));
    await behind.store.timers.start();
    // Redis knows the script from now on: the next one that is sent is carried out.
    await behind.store.timers.set("job:first", now());
    await vi.waitFor(() => expect(ran).toEqual(["job:first"]), patience);
    proxy.muteFrom(apply.sha);
    await before.timers.set("job:a", now());
    await vi.waitFor(() => expect(server.cli("KEYS", "{rackbell}:mark:~run:job:*")).not.toBe(""), patience);
    expect(ran).toEqual(["job:first"]);
    proxy.cut();
    await vi.waitFor(() => expect(ran).toEqual(["job:first", "job:a"]), patience);
    await behind.store.close();
    await proxy.close();
  });

  test("without a word is noticed, and it is connected anew", async (context) => {
    const server = await ownRedis({}, context);
    const proxy = await startProxy(server.port);
    const { store } = await opened(proxy.url, {}, context);
    proxy.mute();
    await expect(store.keyv(raw("a")).get("key")).rejects.toThrow(/does not answer/);
    // Nobody cuts it: that nothing comes back is all there is to see.
    await isBack(store);
    await store.close();
    await proxy.close();
  });
});

describe.runIf(hasRedis)("a Redis whose clock is set back", () => {
  test("silences no channel that was used a moment before", async () => {
    const server = await ownRedis();
    const { store } = await opened(server.url);
    const pace = { burst: 3, everyMs: 1_000 };
    expect(await store.paces.take("channel", pace)).toBe(0);
    // So far a turn reached before the clock was set back by three minutes.
    server.cli("SET", "{rackbell}:pace:channel", String(now() + 180_000), "PX", "180000");
    expect(await store.paces.take("channel", pace)).toBeLessThanOrEqual(1_000);
    // Each try used to find the old reach again, and to wait once more.
    await vi.waitFor(async () => expect(await store.paces.take("channel", pace)).toBe(0), patience);
  });
});

describe.runIf(hasRedis)("an opening that the others took for gone while it stood still", () => {
  test("is missed again where it goes on with something and dies at once", async () => {
    const server = await ownRedis();
    const { store: other } = await opened(server.url);
    const log = pino({ level: "silent" });
    const engine = await openRedis({ url: server.url, prefix: "rackbell", log });
    const { store, halt } = createStore(engine, { clock: systemClock, log, alone: false });
    const vanish = () => {
      halt();
      engine.crash();
    };
    const ran: string[] = [];
    store.timers.handle("job:", async () => {
      ran.push("one");
      vanish();
      await new Promise(() => {});
    });
    server.cli("SREM", "{rackbell}:instances", store.instance);
    server.cli("DEL", `{rackbell}:instance:${store.instance}`);
    await store.timers.set("job:a", now());
    await store.timers.start();
    await vi.waitFor(() => expect(ran).toEqual(["one"]), patience);
    other.timers.handle("job:", async () => void ran.push("other"));
    await other.timers.start();
    await vi.waitFor(() => expect(ran).toEqual(["one", "other"]), patience);
  });
});

describe.runIf(hasRedis)("a process that was killed", () => {
  test("is taken over by the other: what it ran is run, what it had locked is free, and it counts as gone", async () => {
    const server = await ownRedis();
    const { store } = await opened(server.url);
    const runner = startProcess(server.url, "run");
    expect(await runner.said(2)).toEqual(["open", "follow:job"]);
    const [instance = ""] = server
      .cli("SMEMBERS", "{rackbell}:instances")
      .split("\n")
      .filter((each) => each !== store.instance);
    expect(await store.alive(instance)).toBe(true);
    const ran: string[] = [];
    store.timers.handle("follow:", async (id) => void ran.push(id));
    await store.timers.start();
    await runner.kill();
    await vi.waitFor(() => expect(ran).toContain("follow:job"), patience);
    expect(await store.alive(instance)).toBe(false);
    await vi.waitFor(() => expect(server.cli("SMEMBERS", "{rackbell}:instances")).toBe(store.instance), patience);
  });
});
