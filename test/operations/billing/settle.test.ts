import fc from "fast-check";
import { expect, test } from "vitest";
import { type Bill, billOf } from "../../../src/operations/billing/bill.ts";
import { type Before, rowMarks, settle } from "../../../src/operations/billing/settle.ts";
import type { LedgerRow } from "../../../src/platform/customer/account.ts";

/** Something that moves money at the platform. Only `pay` is Rackbell's; its answer is always lost here. */
type Step =
  | { by: "pay"; on: number; sum: number; applied: boolean }
  | { by: "panel" | "colleague" | "automatic payment"; on: number; sum: number }
  | { by: "hourly charge"; sum: number }
  | { by: "credit"; sum: number };

/** How the platform lists the member's ledger. The spec shows nothing of its rows. */
type Listing = "named" | "named, oldest first" | "nameless" | "not all listed" | "shuffled" | "not allowed";

const listings: Listing[] = ["named", "named, oldest first", "nameless", "not all listed", "shuffled", "not allowed"];
const total = 12;

interface World {
  paid: number[];
  balance: number;
  /** The newest row last. */
  rows: LedgerRow[];
  /** The payments from the member's own credit: the document and the sum, in the order of the steps. */
  mine: { on: number; sum: number; at: number }[];
}

const sums = fc.integer({ min: 1, max: 3 });
const documents = fc.integer({ min: 0, max: 1 });
const steps = fc.array(
  fc.oneof(
    {
      weight: 3,
      arbitrary: fc.record({ by: fc.constant("pay" as const), on: documents, sum: sums, applied: fc.boolean() }),
    },
    fc.record({
      by: fc.constantFrom("panel" as const, "colleague" as const, "automatic payment" as const),
      on: documents,
      sum: sums,
    }),
    fc.record({ by: fc.constant("hourly charge" as const), sum: sums }),
    fc.record({ by: fc.constant("credit" as const), sum: sums }),
  ),
  { minLength: 1, maxLength: 8 },
);

function text(units: number): string {
  return units.toFixed(2);
}

function listed(world: World, listing: Listing): LedgerRow[] | null {
  if (listing === "not allowed") return null;
  const rows = listing === "not all listed" ? world.rows.filter((_, at) => at % 2 === 0) : world.rows;
  const shown = listing === "nameless" ? rows.map(({ description: _, ...row }) => row) : rows;
  if (listing === "named, oldest first") return shown;
  return listing === "shuffled"
    ? [...shown].sort((a, b) => String(a.mark).localeCompare(String(b.mark)))
    : shown.toReversed();
}

function billIn(world: World, on: number): Bill {
  const paid = world.paid[on] ?? 0;
  const settled = paid >= total;
  const row = {
    id: `d-${on}`,
    number: `INV-${on}`,
    status: settled ? ("paid" as const) : ("unpaid" as const),
    total: text(total),
  };
  return {
    ...billOf("invoice", row),
    detail: { document: row, paid_amount: text(paid), remaining_amount: text(total - paid), settled },
  };
}

function beforeOf(world: World, on: number, sum: number, listing: Listing): Before {
  const ledger = listed(world, listing);
  return {
    amount: text(sum),
    currency: "EUR",
    paid: text(world.paid[on] ?? 0),
    balance: text(world.balance),
    ledger: ledger && rowMarks(ledger),
    started: [],
  };
}

/** Draws credit for a document, or for nothing that a document names. */
function draw(world: World, at: number, sum: number, on?: number): void {
  world.balance -= sum;
  // Neither an id nor a time distinguishes the rows of every platform: some are equal.
  const description = on === undefined ? "By the hour" : `Credit applied to INV-${on}`;
  world.rows.push({ amount: -sum, balance_after: world.balance % 4, description, mark: (at * 7919) % 101 });
  if (on !== undefined) world.mine.push({ on, sum, at });
}

function take(world: World, step: Step, at: number): void {
  if (step.by === "credit") {
    world.balance += step.sum;
    world.rows.push({ amount: step.sum, description: "Credit added", mark: at });
  } else if (step.by === "hourly charge") {
    draw(world, at, step.sum);
  } else {
    const { by, on, sum } = step;
    const paid = (world.paid[on] ?? 0) + sum;
    if (paid > total || (by === "pay" && !step.applied)) return;
    world.paid[on] = paid;
    if (by !== "colleague") draw(world, at, sum, on);
  }
}

test("a payment without an answer is called done only if the member's credit paid it, and not done only if it did not run, whatever else moves the money", () => {
  const seen = new Set<string>();
  fc.assert(
    fc.property(steps, fc.constantFrom(...listings), fc.nat(3), (all, listing, older) => {
      const world: World = { paid: [0, 0], balance: 100, rows: [], mine: [] };
      for (let at = 0; at < older; at += 1) draw(world, -1 - at, 1 + (at % 2), at % 2);
      const lost: { on: number; sum: number; at: number; before: Before; ran: boolean }[] = [];
      for (const [at, step] of all.entries()) {
        if (step.by === "pay") {
          const ran = step.applied && (world.paid[step.on] ?? 0) + step.sum <= total;
          lost.push({ ...step, at, before: beforeOf(world, step.on, step.sum, listing), ran });
        }
        take(world, step, at);
      }
      for (const { on, sum, at, before, ran } of lost) {
        const balance = { balance: text(world.balance), currency: "EUR" };
        const now = { balance, ledger: listed(world, listing), others: [] };
        const { is } = settle(billIn(world, on), before, now);
        const paid = world.mine.some((one) => one.on === on && one.sum === sum && one.at >= at);
        seen.add(`${is} ${ran}`);
        if (is === "done") expect(paid).toBe(true);
        if (is === "not done") expect(ran).toBe(false);
        if (ran && listing === "named") expect(is).toBe("done");
        const readEarly = billIn(
          { ...world, paid: world.paid.map((each, of) => (of === on ? Number(before.paid) : each)) },
          on,
        );
        if (ran && listing === "named") expect(settle(readEarly, before, now).is).toBe("unsure");
      }
    }),
    { numRuns: 3_000 },
  );
  expect([...seen].sort()).toEqual(["done false", "done true", "not done false", "unsure false", "unsure true"]);
});

test("a change of the balance is named in the balance's own currency, not in the invoice's", () => {
  const world: World = { paid: [3, 0], balance: 100, rows: [], mine: [] };
  const before = beforeOf({ ...world, paid: [0, 0] }, 0, 3, "not allowed");
  const balance = { balance: text(96), currency: "USD" };
  const { text: words } = settle(billIn(world, 0), before, { balance, ledger: null, others: [] });
  expect(words).toContain("3.00 EUR was paid on");
  expect(words).toContain("your balance fell by 4.00 USD");
});
