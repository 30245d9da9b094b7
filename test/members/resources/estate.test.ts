import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { addToEstate, documentFigures, machineFigures, readEstate } from "../../../src/members/resources/estate.ts";
import { Vps } from "../../../src/platform/customer/vps.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openStore } from "../../../src/storage/open.ts";
import { vpsRow } from "../../platform/customer/rows.ts";

const now = Date.parse("2026-11-22T02:00:00Z");

async function estate() {
  const clock = createSandboxClock(now);
  const log = pino({ level: "silent" });
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => store.close());
  return { store, clock };
}

function row(at: number, billing: object = {}, more: object = {}): Vps {
  const usual = { cycle: "monthly", amount: "10.0000", currency: "EUR", next_due_date: "2026-11-28T00:00:00Z" };
  const project = { id: "p", slug: "p", name: at % 2 === 0 ? "Even" : "Odd" };
  return Vps.parse({
    ...vpsRow({ id: `vps-${at}`, name: `m-${at}`, status: "active" }),
    project,
    cancellation: null,
    ...more,
    billing: { ...usual, ...billing },
  });
}

/** Reads the other lists as empty, so that the estate is complete. */
async function others(account: Awaited<ReturnType<typeof estate>>, key = "k") {
  for (const part of ["dedicated servers", "invoices", "proformas"] as const)
    await addToEstate(account, part, documentFigures("invoice", [], new Map()), { page: 1, last: true, key });
}

test("10,000 machines in pages of 200 come to one sum for each project, and a page that is read again counts once", async () => {
  const account = await estate();
  await others(account);
  for (let page = 1; page <= 50; page += 1) {
    const rows = Array.from({ length: 200 }, (_, at) => row(page * 200 + at));
    const at = { page, last: page === 50, key: "k" };
    await addToEstate(account, "machines", machineFigures(rows, now), at);
    if (page === 25) await addToEstate(account, "machines", machineFigures(rows, now), at);
    if (page < 50) expect(await readEstate(account, "k")).toBeNull();
  }
  const read = await readEstate(account, "k");
  expect(read?.figures.sums).toEqual([
    { project: "Even", currency: "EUR", amount: "50000.00", machines: 5_000 },
    { project: "Odd", currency: "EUR", amount: "50000.00", machines: 5_000 },
  ]);
  expect(read?.figures.due).toEqual([
    { day: "2026-11-28", count: 10_000, names: ["m-200", "m-201", "m-202", "m-203", "m-204"] },
  ]);
});

test("the figures of another key are not shown as this one's, and the old ones hold until a new round has ended", async () => {
  const account = await estate();
  await others(account);
  await addToEstate(account, "machines", machineFigures([row(1)], now), { page: 1, last: true, key: "k" });
  await addToEstate(account, "machines", machineFigures([row(1), row(2)], now), { page: 1, last: false, key: "k" });
  expect((await readEstate(account, "k"))?.figures.sums).toHaveLength(1);
  expect(await readEstate(account, "another")).toBeNull();
  await others(account, "another");
  await addToEstate(account, "machines", machineFigures([row(3)], now), { page: 2, last: true, key: "another" });
  expect(await readEstate(account, "another")).toBeNull();
});

test.each([
  ["monthly", "10.0000", "10.00"],
  ["quarterly", "10.0000", "3.3333"],
  ["semi-annually", "12.0000", "2.00"],
  ["annually", "120.0000", "10.00"],
])("a machine that is billed %s is counted with its price for a month", (cycle, amount, monthly) => {
  expect(machineFigures([row(1, { cycle, amount })], now).sums[0]?.amount).toBe(monthly);
});

test("machines that are billed by the hour, without a currency or in an unknown way are counted beside the sum", () => {
  const rows = [row(1, { cycle: "hourly" }), row(2, { currency: null }), row(3, { cycle: "fortnightly" })];
  expect(machineFigures(rows, now)).toMatchObject({ sums: [], hourly: 1, unknown: 2 });
  // A row that cannot be read has no readable price either, and a document without one still waits.
  expect(machineFigures(rows, now, 3)).toMatchObject({ sums: [], hourly: 1, unknown: 5 });
  expect(documentFigures("invoice", [], new Map(), 1)).toMatchObject({ waiting: 1 });
});

// Spec section 2.3.
const states = ["pending", "pending_payment", "installing", "active", "suspended", "terminated", "provisioning_failed"];

test("each server is counted once, in every state that the platform has", () => {
  const rows = [...states, "cancelled"].map((status, at) => row(at, {}, { status }));
  const { sums, suspended, starting } = machineFigures(rows, now);
  expect(sums.reduce((sum, { machines }) => sum + machines, 0)).toBe(1);
  expect(suspended).toMatchObject([{ machines: 1, amount: "10.00" }]);
  // A machine that failed to be built, has ended or was cancelled costs nothing more.
  expect(starting).toBe(3);
});

test("a server in a state that no spec lists is counted as one without a readable price: its price may go on", () => {
  expect(machineFigures([row(1, {}, { status: "locked" })], now)).toMatchObject({ sums: [], unknown: 1, starting: 0 });
});

test("a suspended server without a price for each month is counted as one without a price", () => {
  const rows = [
    row(1, { cycle: "hourly" }, { status: "suspended" }),
    row(2, { currency: null }, { status: "suspended" }),
  ];
  expect(machineFigures(rows, now)).toMatchObject({ suspended: [], suspendedUnknown: 2, hourly: 0, unknown: 0 });
});

test("a machine that has ended, is suspended or ends by itself is not due", () => {
  const ending = { cancellation: { scheduled_date: "2026-11-28T00:00:00Z" } };
  const rows = [row(1, {}, { status: "suspended" }), row(2, {}, ending), row(3, {}, { status: "terminated" })];
  const figures = machineFigures(rows, now);
  expect(figures.due).toEqual([]);
  expect(figures.sums).toHaveLength(1);
});
