import { describe, expect, test } from "vitest";
import { unitsOf } from "../../src/platform/amounts.ts";
import {
  type Charge,
  correctSpending,
  readSpending,
  releaseSpending,
  reserveSpending,
  spendingRequests,
} from "../../src/policy/spending.ts";
import type { Store } from "../../src/storage/store.ts";
import { openMemory } from "../storage/memory.ts";

const euros = (amount: string) => ({ amount, currency: "EUR" });

/** A purchase that nobody made yet. */
const charge = (request: string) => ({ request, price: null, pays: null });

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
      reserveSpending(app, ["user:u1", "T1:U1"], { request: `r${at}`, price: euros("10"), pays: null }, fits),
    ),
  );
  expect(counted.filter((fine) => fine)).toHaveLength(3);
  expect(await readSpending(app, ["user:u1", "T1:U1"], charge("none"))).toEqual({
    sums: [euros("30.00")],
    unknown: false,
  });
});

test("a request counts once however often it is pressed, not against itself, and not at all once it is given back", async () => {
  const app = await open();
  for (let press = 0; press < 3; press += 1)
    await reserveSpending(app, ["user:u1", "T1:U1"], { request: "r1", price: euros("10"), pays: null }, () => true);
  expect(await readSpending(app, ["user:u1", "T1:U1"], charge("other"))).toEqual({
    sums: [euros("10.00")],
    unknown: false,
  });
  expect(await readSpending(app, ["user:u1", "T1:U1"], charge("r1"))).toEqual({ sums: [], unknown: false });
  await releaseSpending(app, ["user:u1", "T1:U1"], "r1");
  expect(await readSpending(app, ["user:u1", "T1:U1"], charge("other"))).toEqual({ sums: [], unknown: false });
});

test("a payment counts for every Slack account, platform user and key of the person who paid", async () => {
  const app = await open();
  await reserveSpending(
    app,
    ["user:u1", "key:k1", "T1:U1"],
    { request: "r1", price: euros("10"), pays: null },
    () => true,
  );
  for (const marks of [["user:u2", "key:k2", "T1:U1"], ["user:u1", "T1:U2"], ["key:k1"]] as const)
    expect(await readSpending(app, marks, charge("r2"))).toEqual({ sums: [euros("10.00")], unknown: false });
  expect(await readSpending(app, ["user:u2", "T1:U2"], charge("r2"))).toEqual({ sums: [], unknown: false });
});

test("a spend whose price nobody knows is remembered as unknown for a day", async () => {
  const app = await open();
  await reserveSpending(app, ["user:u1", "T1:U1"], { request: "r1", price: null, pays: null }, () => true);
  expect(await readSpending(app, ["user:u1", "T1:U1"], charge("r2"))).toEqual({ sums: [], unknown: true });
  app.clock.skip(24 * 60 * 60_000 + 1);
  expect(await readSpending(app, ["user:u1", "T1:U1"], charge("r2"))).toEqual({ sums: [], unknown: false });
});

test("a sum that is not accepted reserves nothing under any of the person's keys", async () => {
  const app = await open();
  const keys = ["user:u1", "T1:U1"] as const;
  expect(await reserveSpending(app, keys, { request: "r1", price: euros("10"), pays: null }, () => false)).toBe(false);
  expect(await readSpending(app, keys, charge("none"))).toEqual({ sums: [], unknown: false });
  expect(await spendingRequests(app, keys, "none")).toEqual([]);
});

test("the spending of another account of the same person counts in the check, and each request once", async () => {
  const app = await open();
  await reserveSpending(app, ["key:k1", "T1:U2"], { request: "r1", price: euros("10"), pays: null }, () => true);
  await reserveSpending(
    app,
    ["user:u1", "key:k1", "T1:U1"],
    { request: "r2", price: euros("5"), pays: null },
    (spent) => {
      expect(spent).toEqual({ sums: [euros("10.00")], unknown: false });
      return true;
    },
  );
  await reserveSpending(app, ["user:u1", "key:k1", "T1:U1"], { request: "r3", price: null, pays: null }, (spent) => {
    expect(spent).toEqual({ sums: [euros("15.00")], unknown: false });
    return true;
  });
  expect(await spendingRequests(app, ["user:u1", "key:k1"], "r3")).toEqual(["r2", "r1"]);
  // The same request again is in place of its own reservation.
  await reserveSpending(
    app,
    ["user:u1", "key:k1", "T1:U1"],
    { request: "r3", price: euros("1"), pays: null },
    (spent) => {
      expect(spent).toEqual({ sums: [euros("15.00")], unknown: false });
      return true;
    },
  );
  expect(await readSpending(app, ["user:u1"], charge("none"))).toEqual({ sums: [euros("6.00")], unknown: false });
  await releaseSpending(app, ["user:u1", "key:k1", "T1:U1"], "r2");
  expect(await spendingRequests(app, ["key:k1"], "none")).toEqual(["r1", "r3"]);
});

test("of payments under one key each counts for a day of its own, to the millisecond", async () => {
  const app = await open();
  const [start, hour] = [app.clock.now(), 60 * 60_000];
  const after = (ms: number) => ({ ...app, clock: { ...app.clock, now: () => start + ms } });
  const keys = ["user:u1", "T1:U1"] as const;
  const sumAfter = async (ms: number) => (await readSpending(after(ms), keys, charge("none"))).sums;
  await reserveSpending(after(0), keys, { request: "r1", price: euros("10"), pays: null }, () => true);
  await reserveSpending(after(20 * hour), keys, { request: "r2", price: euros("5"), pays: null }, () => true);
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

describe("a purchase", () => {
  const keys = ["user:u1", "T1:U1"] as const;
  const purchase = { request: "order", price: euros("6.35"), pays: null };
  const payment = (request: string, amount: string, pays = "invoice") => ({ request, price: euros(amount), pays });
  const accept = () => true;

  /** A purchase of 6.35 at most, whose invoice is of 6.05. */
  async function ordered() {
    const app = await open();
    await reserveSpending(app, keys, purchase, accept);
    await correctSpending(app, keys, "order", { price: euros("6.05"), made: ["invoice"] });
    const beside = (next: Charge) => readSpending(app, keys, next);
    return { app, beside };
  }

  test("and the payments of its invoice count once, with the total of the invoice", async () => {
    const { app, beside } = await ordered();
    expect(await beside(charge("other"))).toEqual({ sums: [euros("6.05")], unknown: false });
    expect((await beside(payment("p1", "6.05"))).sums).toEqual([]);
    expect((await beside(payment("p1", "1.00"))).sums).toEqual([euros("5.05")]);
    expect((await beside(payment("p1", "6.05", "another invoice"))).sums).toEqual([euros("6.05")]);
    await reserveSpending(app, keys, payment("p1", "1.00"), ({ sums }) => sums[0]?.amount === "5.05");
    expect((await beside(charge("other"))).sums).toEqual([euros("6.05")]);
    expect((await beside(payment("p2", "5.05"))).sums).toEqual([euros("1.00")]);
    await reserveSpending(app, keys, payment("p2", "5.05"), accept);
    expect((await beside(charge("other"))).sums).toEqual([euros("6.05")]);
  });

  test("that is withdrawn leaves only what was paid of it", async () => {
    const { app, beside } = await ordered();
    await reserveSpending(app, keys, payment("p1", "1.00"), accept);
    await releaseSpending(app, keys, "order");
    expect((await beside(charge("other"))).sums).toEqual([euros("1.00")]);
  });

  test("in one currency and a payment in another both count", async () => {
    const { beside } = await ordered();
    const dollars = { request: "p1", price: { amount: "6.05", currency: "USD" }, pays: "invoice" };
    expect((await beside(dollars)).sums).toEqual([euros("6.05")]);
  });

  test("of a price that nobody knew counts with that of its invoice, under each key of the person", async () => {
    const app = await open();
    await reserveSpending(app, keys, { ...purchase, price: null }, accept);
    await correctSpending(app, keys, "order", { price: null, made: ["order of the supplier"] });
    expect(await readSpending(app, keys, charge("other"))).toEqual({ sums: [], unknown: true });
    await correctSpending(app, keys, "order", { price: euros("6.05"), made: ["invoice"] });
    for (const mark of keys)
      expect(await readSpending(app, [mark], charge("other"))).toEqual({ sums: [euros("6.05")], unknown: false });
    // A second sending under the same id is still the purchase of that invoice.
    await reserveSpending(app, keys, purchase, accept);
    expect((await readSpending(app, keys, payment("p1", "6.35"))).sums).toEqual([]);
    expect((await readSpending(app, keys, payment("p1", "6.35", "order of the supplier"))).sums).toEqual([]);
  });

  test("is corrected alone, and once", async () => {
    const { app, beside } = await ordered();
    await reserveSpending(app, keys, { ...purchase, request: "another" }, accept);
    expect((await beside(charge("other"))).sums).toEqual([euros("12.40")]);
    expect((await beside(payment("p1", "6.05"))).sums).toEqual([euros("6.35")]);
    await correctSpending(app, keys, "order", { price: euros("5"), made: [] });
    expect((await beside(charge("other"))).sums).toEqual([euros("11.35")]);
    let writes = 0;
    const store: Store = {
      ...app.store,
      transact: (transaction) => {
        writes += 1;
        return app.store.transact(transaction);
      },
    };
    await correctSpending({ ...app, store }, keys, "order", { price: euros("5"), made: ["invoice"] });
    expect(writes).toBe(0);
    await correctSpending({ ...app, store }, keys, "order", { price: null, made: ["proforma"] });
    expect(writes).toBe(keys.length);
  });

  test("and a payment of an unknown sum make the sum unknown", async () => {
    const { app, beside } = await ordered();
    await reserveSpending(app, keys, { ...payment("p1", "0"), price: null }, accept);
    expect(await beside(charge("other"))).toEqual({ sums: [euros("6.05")], unknown: true });
  });

  test("that nobody made is not corrected", async () => {
    const { app, beside } = await ordered();
    await correctSpending(app, keys, "another", { price: euros("1"), made: ["invoice"] });
    expect((await beside(charge("other"))).sums).toEqual([euros("6.05")]);
    const nobody = ["user:u2"] as const;
    await correctSpending(app, nobody, "order", { price: euros("1"), made: ["invoice"] });
    expect(await spendingRequests(app, nobody, "none")).toEqual([]);
  });
});

test("a payment of something that it names as made itself counts whole", async () => {
  const app = await open();
  await reserveSpending(app, ["user:u1"], { request: "retry", price: euros("3.80"), pays: "order" }, () => true);
  await correctSpending(app, ["user:u1"], "retry", { price: null, made: ["order"] });
  expect((await readSpending(app, ["user:u1"], charge("other"))).sums).toEqual([euros("3.80")]);
});
