import { expect, test } from "vitest";
import { newestEntries } from "../../src/audit/audit.ts";
import { Request } from "../../src/requests/request.ts";
import { inputAgain, openedInput, saltOf, sealInput } from "../../src/requests/sealed.ts";
import {
  amend,
  openAbout,
  openRequests,
  readRequest,
  readUnfinished,
  sealRequestsAnew,
  storeFirst,
  storeStep,
  waitingFor,
} from "../../src/requests/store.ts";
import { StorageError } from "../../src/storage/errors.ts";
import { defineKind } from "../../src/storage/kind.ts";
import { createSeal } from "../../src/storage/seal.ts";
import type { Store } from "../../src/storage/store.ts";
import { raw } from "../storage/raw.ts";
import { auditNote, expectedEvents, openApp, requestOf } from "./requests.ts";

test("of many who step from one reading of a request one gets through, and the others change nothing", async () => {
  const { app } = await openApp();
  const request = await storeFirst(app, requestOf(), auditNote);
  const steps = await Promise.all(
    Array.from({ length: 20 }, (_, at) =>
      storeStep(app, request, { state: "claimed", decidedBy: `U${at}` }, { note: { what: "approved" } }),
    ),
  );
  const through = steps.filter((step) => step !== null);
  expect(through).toHaveLength(1);
  expect((await readRequest(app, "r1"))?.decidedBy).toBe(through[0]?.decidedBy);
  const entries = await newestEntries(app, { limit: 50 });
  expect(entries.map(({ entry }) => entry.what)).toEqual(["approved", "asked"]);
});

test("a step goes on from a copy of what was read, once, and never from a request that was not read", async () => {
  const { app } = await openApp();
  const request = await storeFirst(app, requestOf(), auditNote);
  await expect(storeStep(app, requestOf(), { state: "claimed" }, auditNote)).rejects.toThrow(
    "was not read from the store",
  );
  expect(await storeStep(app, { ...request }, { state: "claimed" }, auditNote)).toMatchObject({ state: "claimed" });
  expect(await storeStep(app, request, { state: "withdrawn" }, auditNote)).toBeNull();
});

test("pending, unknown and working requests are found by requester, open ones also by resource, and done ones no more", async () => {
  const { app } = await openApp();
  const pending = await storeFirst(app, requestOf(), auditNote);
  await storeFirst(
    app,
    requestOf({ id: "r2", requester: { member: "T1:U2", slackUser: "U2" }, createdAt: 5 }),
    auditNote,
  );
  expect((await openRequests(app, { limit: 10 })).requests.map(({ id }) => id)).toEqual(["r1", "r2"]);
  expect((await readUnfinished(app, "T1:U1")).map(({ id }) => id)).toEqual(["r1"]);
  expect((await openAbout(app, "vps-1")).map(({ id }) => id)).toEqual(["r1", "r2"]);
  const unknown = await storeStep(app, pending, { state: "unknown" }, auditNote);
  expect((await openRequests(app, { limit: 10 })).requests.map(({ id }) => id)).toEqual(["r1", "r2"]);
  expect((await readUnfinished(app, "T1:U1")).map(({ state }) => state)).toEqual(["unknown"]);
  expect((await openAbout(app, "vps-1")).map(({ state }) => state)).toEqual(["unknown", "pending"]);
  const job = { handle: null, since: 0, text: "Ending", misses: 0, endedAt: null, plan: null };
  const working = unknown && (await storeStep(app, unknown, { state: "working", job }, auditNote));
  expect((await readUnfinished(app, "T1:U1")).map(({ state }) => state)).toEqual(["working"]);
  expect((await openAbout(app, "vps-1")).map(({ id }) => id)).toEqual(["r2"]);
  if (working) await storeStep(app, working, { state: "done" }, auditNote);
  expect(await readUnfinished(app, "T1:U1")).toEqual([]);
  expect((await openRequests(app, { limit: 10 })).requests.map(({ id }) => id)).toEqual(["r2"]);
});

test("the end of an act finds the working requests that wait for it, and reads no others", async () => {
  const read: string[] = [];
  const { app } = await openApp((store) => ({
    ...store,
    read: (kind, key) => {
      read.push(key);
      return store.read(kind, key);
    },
  }));
  const pays = (target: string) => [{ label: "Pay…", command: "billing pay", target }];
  for (const [id, next] of Object.entries({ r1: pays("d1"), r2: [...pays("d2"), ...pays("d1")], r3: pays("d3") }))
    await storeFirst(app, requestOf({ id, state: "working", next }), auditNote);
  await storeFirst(app, requestOf({ id: "r4", next: pays("d1") }), auditNote);
  const found = async (command: string, id: string) => {
    read.length = 0;
    return (await waitingFor(app, { command, target: { id, name: id } })).map((one) => one.id);
  };
  expect(await found("billing pay", "d1")).toEqual(["r1", "r2"]);
  expect(read).toEqual(["r1", "r2"]);
  expect(await found("billing show", "d1")).toEqual([]);
  const first = await readRequest(app, "r1");
  const paid = first && (await amend(app, first, { next: [] }));
  expect(await found("billing pay", "d1")).toEqual(["r2"]);
  expect(read).toEqual(["r2"]);
  const second = await readRequest(app, "r2");
  if (second) await storeStep(app, second, { state: "done" }, auditNote);
  expect(await found("billing pay", "d1")).toEqual([]);
  expect([read, paid?.next]).toEqual([[], []]);
});

test("of what a thing bears a request keeps only what it knows, from the start and with each step", async () => {
  const { app, store } = await openApp();
  const target = { id: "vps-1", name: "web-1", password: "a secret" };
  const request = await storeFirst(app, requestOf({ target }), auditNote);
  expect(JSON.stringify(await store.keyv(raw("requests")).get("r1"))).not.toContain("a secret");
  const next = [{ label: "Show", command: "vps show", token: "a secret" }];
  await storeStep(app, request, { state: "done", next }, auditNote);
  expect(JSON.stringify(await store.keyv(raw("requests")).get("r1"))).not.toContain("a secret");
});

test("a request that was just stored is read as the next start reads it", async () => {
  const { app, store } = await openApp();
  const afterRestart = defineKind({ name: "request", namespace: "requests", schema: Request });
  // Without the mark of its text, which is no field.
  const fields = async () => Object.fromEntries(Object.entries((await readRequest(app, "r1")) ?? {}));
  const same = async () => expect(await fields()).toStrictEqual(await store.keyv(afterRestart).get("r1"));
  const target = { id: "vps-1", name: "web-1", password: "a secret" };
  const request = await storeFirst(app, requestOf({ target }), auditNote);
  await same();
  const next = [{ label: "Show", command: "vps show", input: undefined, token: "a secret" }];
  const job = { handle: { at: 1 }, since: 5, text: "Ending", misses: 0, endedAt: null, plan: null };
  const working = await storeStep(app, request, { state: "working", job, next }, auditNote);
  await same();
  if (working) await amend(app, working, { events: { ...expectedEvents, overdueAt: 7 } });
  await same();
});

test("a request that no later start could read is not stored", async () => {
  const { app } = await openApp();
  const request = await storeFirst(app, requestOf(), auditNote);
  await expect(storeStep(app, request, { expiresAt: Number.NaN }, auditNote)).rejects.toThrow("expected number");
  expect(await readRequest(app, "r1")).toEqual(request);
});

test("a request and its part are stored together, or neither is", async () => {
  const { app } = await openApp();
  const request = await storeFirst(app, requestOf(), auditNote);
  await storeFirst(app, requestOf({ id: "taken" }), auditNote);
  const state = "working" as const;
  const withPart = (id: string) =>
    storeStep(app, request, { state }, auditNote, { first: requestOf({ id, state: "claimed" }), along: auditNote });
  expect(await withPart("taken")).toBeNull();
  expect(await readRequest(app, "r1")).toEqual(request);
  expect(await withPart("part")).toMatchObject({ state });
  expect(await readRequest(app, "part")).toMatchObject({ state: "claimed" });
});

test("the input of a request is kept sealed, and an empty input is not kept", async () => {
  const { app } = await openApp();
  const sealed = sealInput(app, "r1", { password: "a-secret-word" });
  expect(sealed).not.toContain("a-secret-word");
  expect(openedInput(app, requestOf({ input: { sealed } }))).toEqual({ password: "a-secret-word" });
  expect(sealInput(app, "r1", {})).toBeNull();
  expect(openedInput(app, requestOf({ input: { sealed: null } }))).toEqual({});
});

test("the open ones come in pages, and each once", async () => {
  const { app } = await openApp();
  for (let at = 0; at < 25; at += 1) await storeFirst(app, requestOf({ id: `r${at}`, createdAt: at }), auditNote);
  const seen: string[] = [];
  let after: string | undefined;
  do {
    const page = await openRequests(app, { limit: 10, after });
    seen.push(...page.requests.map(({ id }) => id));
    after = page.next;
  } while (after !== undefined);
  expect(seen).toEqual(Array.from({ length: 25 }, (_, at) => `r${at}`));
});

test("asking costs the same among thousands of ended requests as among none", async () => {
  const read: string[] = [];
  const counted = (store: Store): Store => ({
    ...store,
    read: (kind, key) => {
      read.push(key);
      return store.read(kind, key);
    },
    scan: (kind) => {
      read.push("a whole scan");
      return store.scan(kind);
    },
  });
  const { app } = await openApp(counted);
  const ended = Array.from({ length: 3_000 }, (_, at) =>
    requestOf({ id: `old-${at}`, state: "done", input: { sealed: null } }),
  );
  await Promise.all(ended.map((request) => storeFirst(app, request, { ...auditNote, silent: true })));
  await storeFirst(app, requestOf(), { ...auditNote, silent: true });
  read.length = 0;
  await openAbout(app, "vps-1");
  await readUnfinished(app, "T1:U1");
  await openRequests(app, { limit: 10 });
  expect(read).toEqual(["r1", "r1", "r1"]);
});

test("a request that a newer version kept hides no other, and is never taken for none", async () => {
  const { app, store, lines } = await openApp();
  await storeFirst(app, requestOf(), auditNote);
  await storeFirst(app, requestOf({ id: "r2", createdAt: 5 }), auditNote);
  await store.keyv(raw("requests")).set("r1", { ...requestOf(), v: 9, state: "dreaming" });
  expect((await openRequests(app, { limit: 10 })).requests.map(({ id }) => id)).toEqual(["r2"]);
  await expect(readRequest(app, "r1")).rejects.toThrow("newer version");
  await expect(openAbout(app, "vps-1")).rejects.toThrow("newer version");
  expect(lines.filter((line) => line.includes("newer version"))).toHaveLength(1);
});

test("a request that the store could not keep is reported as not sent, and the log has the disk's words", async () => {
  const full = (store: Store): Store => ({
    ...store,
    transact: () => Promise.reject(new StorageError("The disk is full")),
  });
  const { app, lines } = await openApp(full);
  await expect(storeFirst(app, requestOf(), auditNote)).rejects.toThrow(/so nothing was sent and nothing changed/);
  expect(lines.join("")).toContain("The disk is full");
});

test("every sealed part of a request is sealed with the new key, and nobody sees a change", async () => {
  const { app } = await openApp();
  const former = Buffer.alloc(32, 7);
  const salt = app.seal.seal('{"salt":"s"}', "r1");
  const again = sealInput(app, "r1", { note: "again" });
  const before = await storeFirst(app, requestOf({ input: { again }, proof: { by: [], salt } }), auditNote);
  const key = Buffer.alloc(32, 8);
  await sealRequestsAnew({ ...app, seal: createSeal({ key, previous: former }) });
  const after = await readRequest(app, "r1");
  if (!after) throw new Error("The request is gone");
  const seal = createSeal({ key });
  expect([openedInput({ seal }, after), inputAgain({ seal }, after), saltOf({ seal }, after)]).toEqual([
    { reason: "no longer needed" },
    { note: "again" },
    { salt: "s" },
  ]);
  expect([after.version, after.changedAt]).toEqual([before.version, before.changedAt]);
});
