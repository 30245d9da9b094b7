import * as z from "#zod";
import type { TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import type { Spent } from "./evaluate.ts";
import { Limit, sumsByCurrency } from "./rule.ts";

const day = 24 * 60 * 60_000;

const Entry = z.object({ request: z.string(), at: z.number(), price: Limit.nullable() });
type Entry = z.infer<typeof Entry>;
const Spending = z.object({ entries: z.array(Entry) });
type SpendingRecord = z.infer<typeof Spending>;

/**
 * The keys under which one person's sums are stored (`marksOf`), whichever Slack account acts. All accounts of the person share the
 * first.
 */
export type Payer = readonly [string, ...string[]];

const spendingKind = defineKind({ name: "sum", namespace: "spending", schema: Spending, ttlMs: day });

/** The person's spending, `request` not counted. */
export async function readSpending(app: TimedApp, payer: Payer, request: string): Promise<Spent> {
  return spentOf(await readEntries(app, payer, request));
}

/** The requests that make the person's spending, `request` not among them. */
export async function spendingRequests(app: TimedApp, payer: Payer, request: string): Promise<string[]> {
  return [...new Set((await readEntries(app, payer, request)).map((entry) => entry.request))];
}

/**
 * Reserves a request's price, in place of an earlier reservation of the same request, if `isFine` accepts the sums. Check and reservation are one atomic step, so that ten requests at once
 * cannot exceed a limit. False when it does not accept them.
 */
export async function reserveSpending(
  app: TimedApp,
  [first, ...others]: Payer,
  { request, price }: Pick<Entry, "request" | "price">,
  isFine: (spent: Spent) => boolean,
): Promise<boolean> {
  const { store, clock } = app;
  const entry = { request, at: clock.now(), price };
  const beside = await readEntries(app, others, request);
  const withEntry = (before?: SpendingRecord): SpendingRecord => ({
    entries: [...within(app, before?.entries ?? [], request), entry],
  });
  let fine = false;
  await update(store, spendingKind, first, (before) => {
    fine = isFine(spentOf([...within(app, before?.entries ?? [], request), ...beside]));
    return fine ? withEntry(before) : undefined;
  });
  if (fine) await Promise.all(others.map((mark) => update(store, spendingKind, mark, withEntry)));
  return fine;
}

/** Removes the reservation of a request that spent nothing. */
export async function releaseSpending({ store }: TimedApp, payer: Payer, request: string): Promise<void> {
  const without = (before?: SpendingRecord) =>
    before?.entries.some((entry) => entry.request === request)
      ? { entries: before.entries.filter((entry) => entry.request !== request) }
      : undefined;
  await Promise.all(payer.map((mark) => update(store, spendingKind, mark, without)));
}

async function readEntries(app: TimedApp, payer: readonly string[], request: string): Promise<Entry[]> {
  const kept = await Promise.all(payer.map((mark) => app.store.keyv(spendingKind).get(mark)));
  return kept.flatMap((record) => within(app, record?.entries ?? [], request));
}

function within({ clock }: TimedApp, entries: readonly Entry[], without: string): Entry[] {
  const since = clock.now() - day;
  return entries.filter(({ at, request }) => at > since && request !== without);
}

/** One request is stored under several keys, and counts once. */
function spentOf(entries: Entry[]): Spent {
  const byRequest = new Map(entries.map((entry) => [entry.request, entry]));
  return {
    sums: sumsByCurrency([...byRequest.values()].flatMap(({ price }) => price ?? [])),
    unknown: entries.some(({ price }) => price === null),
  };
}
