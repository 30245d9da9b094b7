import { expect, test } from "vitest";
import { unitsOf } from "../../src/platform/amounts.ts";
import { readSpending, releaseSpending, reserveSpending, spendingRequests } from "../../src/policy/spending.ts";
import { openMemory } from "../storage/memory.ts";

const euros = (amount: string) => ({ amount, currency: "EUR" });

async function open() {
  const { store, clock } = await openMemory();
  return { store, clock };
}

test("of ten at once, only as many are counted as the sum allows", async () => {
  const app = await open();
  const fits = ({ sums }: { sums: { amount: string }[] }) =>
    unitsOf(sums[0]?.amount ?? "0") + unitsOf("10") <= unitsOf("35");
  const counted = await Promise.all(
    Array.from({ length: 10 }, (_, at) =>
      reserveSpending(app, ["user:u1", "T1:U1"], { request: `r${at}`, price: euros("10") }, fits),
    ),
  );
  expect(counted.filter((fine) => fine)).toHaveLength(3);
  expect(await readSpending(app, ["user:u1", "T1:U1"], "none")).toEqual({ sums: [euros("30.00")], unknown: false });
});

test("a request counts once however often it is pressed, not against itself, and not at all once it is given back", async () => {
  const app = await open();
  for (let press = 0; press < 3; press += 1)
    await reserveSpending(app, ["user:u1", "T1:U1"], { request: "r1", price: euros("10") }, () => true);
  expect(await readSpending(app, ["user:u1", "T1:U1"], "other")).toEqual({ sums: [euros("10.00")], unknown: false });
  expect(await readSpending(app, ["user:u1", "T1:U1"], "r1")).toEqual({ sums: [], unknown: false });
  await releaseSpending(app, ["user:u1", "T1:U1"], "r1");
  expect(await readSpending(app, ["user:u1", "T1:U1"], "other")).toEqual({ sums: [], unknown: false });
});

test("a payment counts for every Slack account, platform user and key of the person who paid", async () => {
  const app = await open();
  await reserveSpending(app, ["user:u1", "key:k1", "T1:U1"], { request: "r1", price: euros("10") }, () => true);
  for (const marks of [["user:u2", "key:k2", "T1:U1"], ["user:u1", "T1:U2"], ["key:k1"]] as const)
    expect(await readSpending(app, marks, "r2")).toEqual({ sums: [euros("10.00")], unknown: false });
  expect(await readSpending(app, ["user:u2", "T1:U2"], "r2")).toEqual({ sums: [], unknown: false });
});

test("a spend whose price nobody knows is remembered as unknown for a day", async () => {
  const app = await open();
  await reserveSpending(app, ["user:u1", "T1:U1"], { request: "r1", price: null }, () => true);
  expect(await readSpending(app, ["user:u1", "T1:U1"], "r2")).toEqual({ sums: [], unknown: true });
  app.clock.skip(24 * 60 * 60_000 + 1);
  expect(await readSpending(app, ["user:u1", "T1:U1"], "r2")).toEqual({ sums: [], unknown: false });
});

test("a sum that is not accepted reserves nothing under any of the person's keys", async () => {
  const app = await open();
  const keys = ["user:u1", "T1:U1"] as const;
  expect(await reserveSpending(app, keys, { request: "r1", price: euros("10") }, () => false)).toBe(false);
  expect(await readSpending(app, keys, "none")).toEqual({ sums: [], unknown: false });
  expect(await spendingRequests(app, keys, "none")).toEqual([]);
});

test("the spending of another account of the same person counts in the check, and each request once", async () => {
  const app = await open();
  await reserveSpending(app, ["key:k1", "T1:U2"], { request: "r1", price: euros("10") }, () => true);
  await reserveSpending(app, ["user:u1", "key:k1", "T1:U1"], { request: "r2", price: euros("5") }, (spent) => {
    expect(spent).toEqual({ sums: [euros("10.00")], unknown: false });
    return true;
  });
  await reserveSpending(app, ["user:u1", "key:k1", "T1:U1"], { request: "r3", price: null }, (spent) => {
    expect(spent).toEqual({ sums: [euros("15.00")], unknown: false });
    return true;
  });
  expect(await spendingRequests(app, ["user:u1", "key:k1"], "r3")).toEqual(["r2", "r1"]);
  // The same request again is in place of its own reservation.
  await reserveSpending(app, ["user:u1", "key:k1", "T1:U1"], { request: "r3", price: euros("1") }, (spent) => {
    expect(spent).toEqual({ sums: [euros("15.00")], unknown: false });
    return true;
  });
  expect(await readSpending(app, ["user:u1"], "none")).toEqual({ sums: [euros("6.00")], unknown: false });
  await releaseSpending(app, ["user:u1", "key:k1", "T1:U1"], "r2");
  expect(await spendingRequests(app, ["key:k1"], "none")).toEqual(["r1", "r3"]);
});

test("of payments under one key each counts for a day of its own, to the millisecond", async () => {
  const app = await open();
  const [start, hour] = [app.clock.now(), 60 * 60_000];
  const after = (ms: number) => ({ ...app, clock: { ...app.clock, now: () => start + ms } });
  const keys = ["user:u1", "T1:U1"] as const;
  const sumAfter = async (ms: number) => (await readSpending(after(ms), keys, "none")).sums;
  await reserveSpending(after(0), keys, { request: "r1", price: euros("10") }, () => true);
  await reserveSpending(after(20 * hour), keys, { request: "r2", price: euros("5") }, () => true);
  expect(await sumAfter(24 * hour - 1)).toEqual([euros("15.00")]);
  expect(await sumAfter(24 * hour)).toEqual([euros("5.00")]);
  expect(await sumAfter(44 * hour - 1)).toEqual([euros("5.00")]);
  expect(await sumAfter(44 * hour)).toEqual([]);
});

test("a request of somebody who has spent nothing is given back without a trace", async () => {
  const app = await open();
  await releaseSpending(app, ["user:u1", "T1:U1"], "r1");
  expect(await spendingRequests(app, ["user:u1", "T1:U1"], "none")).toEqual([]);
});
