import { spawnSync } from "node:child_process";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { pino } from "pino";
import { describe, expect, test, vi } from "vitest";
import { systemClock } from "../../../src/process/clock.ts";
import { StorageError } from "../../../src/storage/errors.ts";
import { openStore } from "../../../src/storage/open.ts";
import { replacing } from "../../../src/storage/record.ts";
import { ownFolder } from "../../own-folder.ts";
import { startProcess } from "../process.ts";
import { listed, place, raw } from "../raw.ts";
import { opened, ownRedis } from "./opened.ts";
import { hasRedis, type RedisServer } from "./server.ts";

/** The refusal of an opening, which repeats no password. */
async function refusal(url: string): Promise<string> {
  const error: unknown = await opened(url).catch((thrown: unknown) => thrown);
  expect(error).toBeInstanceOf(StorageError);
  expect(String(error)).not.toContain("hunter2");
  return String(error);
}

/** True if the server can report that a write is on its disk: Redis 7.2 and Valkey can. */
function saysWhenOnDisk(server: RedisServer): boolean {
  const [, major = 0, minor = 0] = (/redis_version:(\d+)\.(\d+)/.exec(server.cli("INFO", "server")) ?? []).map(Number);
  return major > 7 || (major === 7 && minor >= 2);
}

describe.runIf(hasRedis)("opening a Redis", () => {
  test("that is a Cluster works, in its one database; all keys of a store are in one slot", async () => {
    const server = await ownRedis({ "cluster-enabled": "yes" });
    const { store } = await opened(server.url);
    await store.keyv(raw("a")).set("key", 1);
    await place(store, "open", "member", 1);
    await store.log("events", { retentionMs: 60_000 }).append({ at: 0, subjects: ["s"], data: 1 }, ["u"]);
    await store.timers.set("job:a", systemClock.now());
    const keys = server.cli("KEYS", "*").split("\n");
    expect(keys.length).toBeGreaterThan(8);
    expect(new Set(keys.map((key) => server.cli("CLUSTER", "KEYSLOT", key))).size).toBe(1);
    expect(await refusal(`${server.url}/1`)).toMatch(/has one database. Leave its number out of STORE_URL/);
  });

  test("with a wrong password, or with none where one is wanted, is refused at once, and the password is not repeated", async () => {
    const server = await ownRedis({ requirepass: "sesame" });
    const at = `127.0.0.1:${server.port}`;
    expect(await refusal(`redis://:hunter2@${at}`)).toMatch(/refuses the user or the password in STORE_URL/);
    expect(await refusal(`redis://ben:hunter2@${at}`)).toMatch(/refuses the user or the password/);
    expect(await refusal(`redis://${at}`)).toMatch(/asks for a password/);
    const { store } = await opened(`redis://:sesame@${at}`);
    expect(await store.ready()).toEqual([]);
  });

  test("as a user who may touch its own keys alone is enough; what it cannot ask is reported as unknown", async () => {
    const server = await ownRedis();
    server.cli("ACL", "SETUSER", "bell", "on", ">p:w/d@1", "~{bell}:*", "~bell:*", "+@all", "-@dangerous", "+info");
    const { store } = await opened(`redis://bell:${encodeURIComponent("p:w/d@1")}@127.0.0.1:${server.port}`, {
      prefix: "bell",
    });
    await store.keyv(raw("a")).set("key", 1);
    expect(await listed(store, raw("a"))).toEqual(new Map([["key", 1]]));
    expect(await store.transact({ records: [replacing(await store.read(raw("a"), "key"), 2)] })).toBe(true);
    expect(await store.ready()).toEqual([]);
    // A newer server reports when a write is on disk, with any setting.
    expect(store.weaknesses()).toEqual(
      saysWhenOnDisk(server) ? [] : [expect.stringMatching(/appendfsync is not shown/)],
    );
    const log = pino({ level: "silent" });
    const elsewhere = openStore({
      url: `redis://bell:${encodeURIComponent("p:w/d@1")}@127.0.0.1:${server.port}`,
      clock: systemClock,
      log,
    });
    await expect(elsewhere).rejects.toThrow(/lacks a right.*STORE_PREFIX/);
  });

  test("as the user of the guide goes on after Redis was started again", async () => {
    const guide = readFileSync(new URL("../../../src/guide/instances.md", import.meta.url), "utf8");
    const rights = /`user rackbell on (>\S+ [^`]+)`/.exec(guide)?.[1] ?? "not in the guide";
    const folder = ownFolder();
    const aclfile = join(folder, "users.acl");
    writeFileSync(aclfile, `user default on nopass ~* &* +@all\nuser rackbell on ${rights.replace("…", "sesame")}\n`);
    const server = await ownRedis({ aclfile });
    const { store } = await opened(`redis://rackbell:sesame@127.0.0.1:${server.port}`);
    await store.keyv(raw("a")).set("key", 1);
    expect(await store.ready()).toEqual([]);
    expect(store.weaknesses()).toEqual([]);
    await server.kill();
    await server.start();
    await vi.waitFor(async () => expect(await store.ready()).toEqual([]), { timeout: 20_000 });
    expect(await store.keyv(raw("a")).get("key")).toBe(1);
  });

  test("over TLS works for a client that knows the authority, and is refused for others", async () => {
    const folder = ownFolder();
    const [key, cert] = [join(folder, "key.pem"), join(folder, "cert.pem")];
    const subject = ["-subj", "/CN=localhost", "-addext", "subjectAltName=DNS:localhost"];
    spawnSync("openssl", [
      "req",
      "-x509",
      "-newkey",
      "rsa:2048",
      "-nodes",
      "-keyout",
      key,
      "-out",
      cert,
      "-days",
      "2",
      ...subject,
    ]);
    expect(readFileSync(cert, "utf8")).toContain("CERTIFICATE");
    const server = await ownRedis({
      "tls-cert-file": cert,
      "tls-key-file": key,
      "tls-auth-clients": "no",
      "tls-ca-cert-file": cert,
      port: "0",
      "tls-port": "own",
    });
    const url = `rediss://localhost:${server.port}`;
    expect(await refusal(url)).toMatch(/cannot be used. Nothing answers there/);
    const knows = startProcess(url, "hold", { environment: { NODE_EXTRA_CA_CERTS: cert } });
    expect(await knows.said(1)).toEqual(["open"]);
  });

  test("that does not answer is refused in words, and one that answers in time is waited for", async () => {
    const server = await ownRedis();
    await server.kill();
    expect(await refusal(`redis://:hunter2@127.0.0.1:${server.port}`)).toMatch(/cannot be used. Nothing answers there/);
    const waiting = opened(server.url, { waitMs: 20_000 });
    await server.start();
    expect(await (await waiting).store.ready()).toEqual([]);
  });

  test.each([
    "redis://user:hunter2@one,two:6379",
    "redis://user:hunter2@host/0?replica=1",
    "redis://user:hunter2@host/name",
    "redis://user:hunter2@",
    "rediss://user:hunter2@host:99999",
  ])("at an address that is not one is refused without its password: %s", async (url) => {
    expect(await refusal(url)).toMatch(/STORE_URL is not understood/);
  });

  test("with a lone % in its password is refused with the way to write it, and without the password", async () => {
    const words = await refusal("redis://:100%hunter2@127.0.0.1:1");
    expect(words).toMatch(/STORE_URL is not understood. In its user and password write % as %25/);
  });

  test("of a newer version is refused, and left as it was", async () => {
    const server = await ownRedis();
    const newer = JSON.stringify({ store: "x", format: 99 });
    server.cli("SET", "{rackbell}:identity", newer);
    expect(await refusal(server.url)).toMatch(/newer version of Rackbell \(format 99.*Nothing was changed/);
    expect(server.cli("KEYS", "*")).toBe("{rackbell}:identity");
    expect(server.cli("GET", "{rackbell}:identity")).toBe(newer);
  });

  test("and reading an index page by page, past a member that has gone, writes nothing", async () => {
    const server = await ownRedis();
    const { store } = await opened(server.url);
    const index = store.index("open");
    for (const member of ["a", "b", "c"]) await place(store, "open", member, 1);
    const { next } = await index.range({ limit: 2 });
    await place(store, "open", "b", null);
    const changes = () => /rdb_changes_since_last_save:(\d+)/.exec(server.cli("INFO", "persistence"))?.[1];
    const before = changes();
    expect((await index.range({ after: next })).entries).toEqual([{ member: "c", score: 1 }]);
    expect(changes()).toBe(before);
  });

  test("that two deployments share keeps them apart by their prefixes, and by their databases", async () => {
    const server = await ownRedis();
    const stores = [
      await opened(server.url),
      await opened(server.url, { prefix: "rackbell-test" }),
      await opened(`${server.url}/1`),
    ].map(({ store }) => store);
    for (const [number, store] of stores.entries()) {
      await store.keyv(raw("a")).set("key", number);
      await place(store, "open", "member", number);
      await store.timers.set("job:a", systemClock.now());
    }
    const ran: number[] = [];
    for (const [number, store] of stores.entries()) {
      expect(await store.keyv(raw("a")).get("key")).toBe(number);
      expect(await listed(store, raw("a"))).toEqual(new Map([["key", number]]));
      expect((await store.index("open").range()).entries).toEqual([{ member: "member", score: number }]);
      store.timers.handle("job:", async () => void ran.push(number));
      await store.timers.start();
    }
    await vi.waitFor(() => expect(ran.toSorted()).toEqual([0, 1, 2]), { timeout: 20_000 });
  });
});

describe.runIf(hasRedis)("a Redis that may forget", () => {
  test.each([
    ["no file at all", { appendonly: "no" }, /writes no append-only file.*Set appendonly yes and appendfsync always/],
    ["a file that it leaves to the system", { appendfsync: "no" }, /appendfsync no.*last half minute/],
    [
      "room that it makes by deleting",
      { "maxmemory-policy": "allkeys-lru" },
      /deletes keys when it is full \(maxmemory-policy allkeys-lru\)/,
    ],
  ])("because of %s is reported at the start and from then on, and works", async (_, settings, weakness) => {
    const server = await ownRedis(settings);
    const { store, lines } = await opened(server.url);
    expect(store.weaknesses()).toEqual([expect.stringMatching(weakness)]);
    expect(lines.filter((line) => weakness.test(line))).toHaveLength(1);
    expect(await store.ready()).toEqual([]);
  });

  test("because of a file that it writes once a second is waited for where it says when it has, and else reported", async () => {
    const server = await ownRedis({ appendfsync: "everysec" });
    const { store } = await opened(server.url);
    await store.log("audit", { retentionMs: 60_000 }).append({ at: 0, subjects: [], data: 1 });
    const waits = /cmdstat_waitaof:calls=[1-9]/.test(server.cli("INFO", "commandstats"));
    const weaknesses = store.weaknesses();
    if (saysWhenOnDisk(server)) expect({ waits, told: weaknesses }).toEqual({ waits: true, told: [] });
    else
      expect({ waits, told: weaknesses }).toEqual({
        waits: false,
        told: [expect.stringMatching(/everysec.*last second/)],
      });
  });

  test("because another server took its place is reported after the reconnection, without a look from outside", async () => {
    const server = await ownRedis({ appendfsync: "everysec" });
    const { store } = await opened(server.url);
    server.cli("CONFIG", "SET", "appendonly", "no");
    expect(store.weaknesses()).not.toContainEqual(expect.stringMatching(/append-only/));
    server.cli("CLIENT", "KILL", "TYPE", "normal", "SKIPME", "yes");
    await vi.waitFor(() => expect(store.weaknesses()).toEqual([expect.stringMatching(/writes no append-only file/)]), {
      timeout: 20_000,
    });
  });

  test("by a setting that somebody changed while Rackbell runs is reported, too", async () => {
    const server = await ownRedis();
    const { store } = await opened(server.url);
    expect(store.weaknesses()).toEqual([]);
    server.cli("CONFIG", "SET", "maxmemory-policy", "volatile-ttl");
    expect(await store.ready()).toEqual([]);
    expect(store.weaknesses()).toEqual([expect.stringMatching(/volatile-ttl/)]);
  });
});
