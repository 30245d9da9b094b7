import { expect, test } from "vitest";
import { createDirectory } from "../../src/engine/directory.ts";
import { createLog } from "../../src/log.ts";
import type { Entry, Listed } from "../../src/operation/operation.ts";
import type { Client } from "../../src/platform/http/transport.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";

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
  });
  const kind: Listed = {
    noun: "vps",
    label: "VPS",
    async entries(_, { page, limit }) {
      calls += 1;
      const from = (page - 1) * limit;
      const rows = Array.from({ length: Math.max(0, Math.min(limit, total - from)) }, (_row, at) => entry(from + at));
      return { rows, pagination: { page, limit, total, pages: Math.ceil(total / limit) } };
    },
  };
  return { kind, calls: () => calls };
}

function client(remaining = 1_000): Client {
  const refuse = () => Promise.reject(new Error("The directory uses the kind's own listing"));
  const budget = () => ({ limit: 1_000, remaining, resetAt: 0 });
  const made: Client = { get: refuse, send: refuse, budget, in: () => made };
  return made;
}

function open() {
  const clock = createSandboxClock();
  return { clock, directory: createDirectory({ clock, log: createLog({ level: "silent" }) }) };
}

/** Lets what was begun behind an answer come to its end. */
function settle(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

test("a large estate is read whole once, page by page, and answers without a call after that", async () => {
  const { directory } = open();
  const { kind, calls } = estate(1_050);
  const [one, two] = await Promise.all([
    directory.listing("a", client(), kind),
    directory.listing("a", client(), kind),
  ]);
  expect(one.entries).toHaveLength(1_050);
  expect(two.entries).toHaveLength(1_050);
  expect((await directory.listing("a", client(), kind)).entries).toHaveLength(1_050);
  expect(calls()).toBe(6);
});

test("a name that is not there makes a small estate be read anew, and a large one not again and again", async () => {
  const { directory, clock } = open();
  const small = estate(30);
  const large = { ...estate(10_000) };
  const kind = { ...large.kind, noun: "service" };
  await directory.listing("a", client(), small.kind);
  await directory.listing("a", client(), kind);
  for (let slip = 0; slip < 20; slip += 1) {
    await directory.listing("a", client(), small.kind, { fresh: true });
    await directory.listing("a", client(), kind, { fresh: true });
  }
  expect(small.calls()).toBe(21);
  expect(large.calls()).toBe(50);
  clock.skip(20 * minute);
  await settle();
  await directory.listing("a", client(), kind, { fresh: true });
  expect(large.calls()).toBeGreaterThan(50);
  directory.stop();
});

test("a listing that nobody used for half an hour is given up, and one of a key that ran low is not read behind people's backs", async () => {
  const { directory, clock } = open();
  const { kind, calls } = estate(30);
  await directory.listing("a", client(100), kind);
  clock.skip(11 * minute);
  await directory.listing("a", client(100), kind);
  await settle();
  expect(calls()).toBe(1);
  for (let passed = 0; passed < 5; passed += 1) clock.skip(11 * minute);
  expect(directory.known("a", kind)).toEqual([]);
});

test("what one member sees is not shown to another, and is forgotten with their key", async () => {
  const { directory } = open();
  const { kind, calls } = estate(3);
  await directory.listing("a", client(), kind);
  expect(directory.known("b", kind)).toEqual([]);
  directory.forget("a");
  expect(directory.known("a", kind)).toEqual([]);
  await directory.listing("a", client(), kind);
  expect(calls()).toBe(2);
});
