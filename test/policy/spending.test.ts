import { expect, test } from "vitest";
import { unitsOf } from "../../src/platform/amounts.ts";
import { readSpending, releaseSpending, reserveSpending } from "../../src/policy/spending.ts";
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
