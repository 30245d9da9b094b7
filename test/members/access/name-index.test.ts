import { expect, test } from "vitest";
import { createNameIndex, type IndexViewer } from "../../../src/members/access/name-index.ts";
import type { Entry, IndexedKind } from "../../../src/operation/target.ts";
import { createLog } from "../../../src/process/log.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { customerClient } from "../../platform/clients.ts";
import { customerLink } from "../identities/links.ts";

const minute = 60_000;

function estate(total: number) {
  let calls = 0;
  const entry = (at: number): Entry => ({
    id: `id-${at}`,
    name: `m-${at}`,
    aliases: [],
    state: "running",
    project: "",
    detail: "",
    type: at % 100 === 0 ? "game" : "vps",
  });
  const kind: IndexedKind<"customer"> = {
    noun: "vps",
    label: "VPS",
    plural: "VPSes",
    foundBy: "name",
    inPanel: true,
    states: [],
    projects: null,
    card: null,
    usage: null,
    inProjects: true,
    pageSize: 200,
    look: async (_, id) => entry(Number(id.slice(3))),
    find: async () => [],
    async entries(_, { page, limit }) {
      calls += 1;
      const from = (page - 1) * limit;
      const rows = Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_row, at) => entry(from + at));
      return { rows, pagination: { page, limit, total, pages: Math.ceil(total / limit) } };
    },
  };
  return { kind, calls: () => calls };
}

/** A key's eyes: `remaining` of its hour's 1,000 calls are left. */
function viewer(key: string, { remaining = 1_000, project = "" } = {}): IndexViewer<"customer"> {
  const link = customerLink({ keyId: key, keyLabel: key });
  const actor = {
    member: "T:U",
    slackUser: "U",
    keyLabel: key,
    project: project ? { id: project, name: project } : null,
  };
  const budget = () => ({ limit: 1_000, remaining, resetAt: 0 });
  return { link, actor, client: customerClient({ budget }) };
}

function open({ mostBytes }: { mostBytes?: number } = {}) {
  const clock = createSandboxClock();
  const erased = new Set<string>();
  const writes = new Map<string, number>();
  const lastWrites = {
    get: async (key: string) => writes.get(key),
    getMany: async (keys: string[]) => keys.map((key) => writes.get(key)),
    set: async (key: string, at: number) => writes.set(key, at).has(key),
    delete: async (key: string) => writes.delete(key),
    has: async (key: string) => writes.has(key),
  };
  const isCurrent = ({ keyId }: { keyId: string }) => Promise.resolve(!erased.has(keyId));
  const log = createLog({ level: "silent" });
  const noteError = () => Promise.resolve();
  const create = () =>
    createNameIndex({
      lastWrites,
      clock,
      isCurrent,
      noteError,
      log,
      ...(mostBytes === undefined ? {} : { mostBytes }),
    });
  return { clock, erased, nameIndex: create(), other: create() };
}

/** Lets what was begun behind an answer come to its end. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a large estate is read whole once, page by page, and answers without a call after that", async () => {
  const { nameIndex } = open();
  const { kind, calls } = estate(1_050);
  const [one, two] = await Promise.all([nameIndex.listing(viewer("a"), kind), nameIndex.listing(viewer("a"), kind)]);
  expect(one.entries).toHaveLength(1_050);
  expect(two.entries).toHaveLength(1_050);
  expect((await nameIndex.listing(viewer("a"), kind)).entries).toHaveLength(1_050);
  expect(calls()).toBe(6);
});

test("a name that is not there makes a small estate be read anew, and a large one not again and again", async () => {
  const { nameIndex, clock } = open();
  const small = estate(30);
  const large = { ...estate(10_000) };
  const kind = { ...large.kind, noun: "service" };
  await nameIndex.listing(viewer("a"), small.kind);
  await nameIndex.listing(viewer("a"), kind);
  for (let slip = 0; slip < 20; slip += 1) {
    await nameIndex.listing(viewer("a"), small.kind, { fresh: true });
    await nameIndex.listing(viewer("a"), kind, { fresh: true });
  }
  expect(small.calls()).toBe(21);
  expect(large.calls()).toBe(50);
  clock.skip(20 * minute);
  await settle();
  await nameIndex.listing(viewer("a"), kind, { fresh: true });
  expect(large.calls()).toBeGreaterThan(50);
  nameIndex.stop();
});

test("one read serves a kind and its part, and names that are not there cause no second read", async () => {
  const { nameIndex } = open();
  const { kind, calls } = estate(10_000);
  const part = { ...kind, noun: "game", label: "game server", among: { kind, type: "game" } };
  const { entries } = await nameIndex.listing(viewer("a"), part);
  expect(entries.map(({ id }) => id)).toEqual(Array.from({ length: 100 }, (_, at) => `id-${at * 100}`));
  expect((await nameIndex.listing(viewer("a"), kind)).entries).toHaveLength(10_000);
  for (let slip = 0; slip < 20; slip += 1) await nameIndex.listing(viewer("a"), part, { fresh: true });
  expect(nameIndex.known(viewer("a"), part).entries).toEqual(entries);
  expect(calls()).toBe(50);
  nameIndex.stop();
});

test("a listing that nobody used for half an hour is given up, and one of a key that ran low is not read behind people's backs", async () => {
  const { nameIndex, clock } = open();
  const { kind, calls } = estate(30);
  await nameIndex.listing(viewer("a", { remaining: 100 }), kind);
  clock.skip(11 * minute);
  await nameIndex.listing(viewer("a", { remaining: 100 }), kind);
  await settle();
  expect(calls()).toBe(1);
  for (let passed = 0; passed < 5; passed += 1) clock.skip(11 * minute);
  expect(nameIndex.known(viewer("a"), kind).entries).toEqual([]);
});

test("the name index keeps the entries of each key, and of each of its projects, apart", async () => {
  const { nameIndex } = open();
  const { kind, calls } = estate(3);
  await nameIndex.listing(viewer("a"), kind);
  expect(nameIndex.known(viewer("b"), kind).entries).toEqual([]);
  expect(nameIndex.known(viewer("a", { project: "staging" }), kind).entries).toEqual([]);
  await nameIndex.listing(viewer("a", { project: "staging" }), kind);
  expect(calls()).toBe(2);
  nameIndex.stop();
});

test("all listings of a key together are read behind people's backs in under a fifth of its hour, and each has its turn", async () => {
  const { nameIndex, clock } = open();
  const kinds = ["vps", "service", "dedicated"].map((noun) => {
    const large = estate(10_000);
    return { ...large, kind: { ...large.kind, noun } };
  });
  for (const { kind } of kinds) await nameIndex.listing(viewer("a"), kind);
  for (let minutes = 0; minutes < 180; minutes += 1) {
    clock.skip(minute);
    await settle();
    // Somebody types on: what is used is kept fresh.
    for (const { kind } of kinds) await nameIndex.listing(viewer("a"), kind);
    await settle();
  }
  const behind = kinds.map(({ calls }) => calls() - 50);
  expect(behind.reduce((sum, calls) => sum + calls, 0)).toBeLessThan(3 * 200);
  expect(Math.min(...behind)).toBeGreaterThan(0);
  nameIndex.stop();
});

test("a list that is kept is read no more with a key that its member has unlinked", async () => {
  const { nameIndex, clock, erased } = open();
  const { kind, calls } = estate(30);
  await nameIndex.listing(viewer("a"), kind);
  clock.skip(10 * minute);
  await settle();
  expect(calls()).toBe(2);
  erased.add("a");
  clock.skip(10 * minute);
  await settle();
  expect(calls()).toBe(2);
  nameIndex.stop();
});

test("an entry that is read by itself is in a large list at once, also in one that was being read before it was made", async () => {
  const { nameIndex, clock } = open();
  const { kind, calls } = estate(1_000);
  const fresh = (name: string) => async () => ({ ...(await kind.look(viewer("a").client, "id-7")), id: "new", name });
  nameIndex.add(viewer("a"), kind, "new", fresh("never"));
  expect(calls()).toBe(0);
  const reading = nameIndex.listing(viewer("a"), kind);
  clock.skip(1);
  nameIndex.add(viewer("a"), kind, "new", fresh("made"));
  await reading;
  const names = async () => (await nameIndex.listing(viewer("a"), kind)).entries.map(({ name }) => name);
  expect(await names()).toContain("made");
  nameIndex.add(viewer("a", { project: "staging" }), kind, "new", fresh("renamed"));
  expect(await names()).toContain("renamed");
  expect(await names()).not.toContain("made");
  let tries = 0;
  const failing = () => {
    tries += 1;
    return Promise.reject(new Error("not now"));
  };
  nameIndex.add(viewer("a"), kind, "hidden", failing);
  expect(await names()).toHaveLength(1_001);
  nameIndex.add(viewer("a"), kind, "hidden", failing);
  expect(await names()).toHaveLength(1_001);
  expect(tries).toBe(1);
  expect(calls()).toBe(5);
  nameIndex.stop();
});

test("an entry whose read is slow replaces neither one that was read after it nor one of a list that was", async () => {
  const { nameIndex, clock } = open();
  const { kind } = estate(3);
  const entry = await kind.look(viewer("a").client, "id-1");
  const slow = Promise.withResolvers<Entry>();
  const names = () => nameIndex.known(viewer("a"), kind).entries.map(({ name }) => name);
  await nameIndex.listing(viewer("a"), kind);
  clock.skip(1);
  nameIndex.add(viewer("a"), kind, "id-1", () => slow.promise);
  clock.skip(1);
  nameIndex.add(viewer("a"), kind, "id-1", async () => ({ ...entry, name: "newer" }));
  await settle();
  expect(names()).toContain("newer");
  slow.resolve({ ...entry, name: "older" });
  await settle();
  expect(names()).toEqual(expect.arrayContaining(["newer", "m-0", "m-2"]));
  expect(names()).not.toContain("older");
  const late = Promise.withResolvers<Entry>();
  nameIndex.add(viewer("a"), kind, "id-2", () => late.promise);
  clock.skip(10 * minute);
  await settle();
  late.resolve({ ...entry, id: "id-2", name: "older" });
  await settle();
  expect(names()).not.toContain("older");
  nameIndex.stop();
});

test("a list that is older than a write of its key is read again, once, by each instance", async () => {
  const { nameIndex, other, clock } = open();
  const { kind, calls } = estate(10_000);
  for (const index of [nameIndex, other]) {
    await index.listing(viewer("a"), kind);
    await index.listing(viewer("b"), kind);
  }
  expect(calls()).toBe(200);
  clock.skip(1_000);
  await nameIndex.wrote(viewer("a"));
  clock.skip(1_000);
  for (const index of [nameIndex, other])
    for (const key of ["a", "b", "a"]) await index.listing(viewer(key), kind, { fresh: true });
  expect(calls()).toBe(300);
  nameIndex.stop();
  other.stop();
});

test.each(["the first read", "a read in the background"])(
  "a list asked for after a write is not that of %s, begun before the write",
  async (inFlight) => {
    const { nameIndex, clock } = open();
    const { kind, calls } = estate(30);
    const gate = Promise.withResolvers<void>();
    const gated = {
      ...kind,
      entries: async (...asked: Parameters<typeof kind.entries>) => {
        await gate.promise;
        return kind.entries(...asked);
      },
    };
    if (inFlight === "a read in the background") await nameIndex.listing(viewer("a"), kind);
    clock.skip(5 * minute);
    const begun = nameIndex.listing(viewer("a"), gated);
    await settle();
    clock.skip(1_000);
    await nameIndex.wrote(viewer("a"));
    clock.skip(1_000);
    const asked = clock.now();
    const wanted = Promise.all([
      nameIndex.listing(viewer("a"), gated, { fresh: true }),
      nameIndex.listing(viewer("a"), gated, { fresh: true }),
    ]);
    await settle();
    const before = calls();
    gate.resolve();
    await begun;
    for (const { at } of await wanted) expect(at).toBeGreaterThanOrEqual(asked);
    expect(calls() - before).toBe(2);
    nameIndex.stop();
  },
);

test("two keys that see the same share one list in memory, and a row that one of them sees otherwise is that key's alone", async () => {
  const { nameIndex, clock } = open();
  const { kind } = estate(300);
  const paid: IndexedKind<"customer"> = {
    ...kind,
    async entries(...query) {
      const page = await kind.entries(...query);
      return { ...page, rows: page.rows.map((row) => (row.id === "id-7" ? { ...row, detail: "paid by Ana" } : row)) };
    },
  };
  const [one, two, other] = await Promise.all([
    nameIndex.listing(viewer("a"), kind),
    nameIndex.listing(viewer("b"), kind),
    nameIndex.listing(viewer("c"), paid),
  ]);
  expect(two.entries).toBe(one.entries);
  expect(other.entries).not.toBe(one.entries);
  const own = other.entries.filter((entry, at) => entry !== one.entries[at]);
  expect(own.map(({ id, detail }) => ({ id, detail }))).toEqual([{ id: "id-7", detail: "paid by Ana" }]);
  expect(one.entries[7]?.detail).toBe("");
  expect(() => Object.assign(own[0] ?? {}, { name: "changed for all" })).toThrow(TypeError);
  clock.skip(1);
  nameIndex.add(viewer("a"), kind, "new", async () => ({
    ...(await kind.look(viewer("a").client, "id-7")),
    id: "new",
  }));
  expect((await nameIndex.listing(viewer("a"), kind)).entries).toHaveLength(301);
  expect((await nameIndex.listing(viewer("b"), kind)).entries).toHaveLength(300);
  nameIndex.stop();
});

test("the lists that were used least lately leave the memory once all lists together are too large, and equal ones count once", async () => {
  const { nameIndex } = open({ mostBytes: 700_000 });
  const { kind } = estate(1_000);
  const isKept = (key: string, of = kind) => nameIndex.known(viewer(key), of).entries.length > 0;
  const keys = Array.from({ length: 10 }, (_, at) => `member-${at}`);
  for (const key of keys) await nameIndex.listing(viewer(key), kind);
  expect(keys.filter((key) => isKept(key))).toEqual(keys);
  const others = { ...kind, noun: "other", entries: renamed(kind) };
  await nameIndex.listing(viewer("new"), others);
  expect(isKept("new", others)).toBe(true);
  expect(keys.filter((key) => isKept(key))).toEqual([]);
  await nameIndex.listing(viewer("a"), { ...estate(50).kind, noun: "small" });
  expect(isKept("new", others)).toBe(true);
  nameIndex.stop();
});

/** The same machines by other names, so that no row is equal. */
function renamed({ entries }: IndexedKind<"customer">): IndexedKind<"customer">["entries"] {
  return async (...query) => {
    const page = await entries(...query);
    return { ...page, rows: page.rows.map((row) => ({ ...row, name: `${row.id} renamed` })) };
  };
}
