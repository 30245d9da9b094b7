import { randomUUID } from "node:crypto";
import type { Where } from "../../../operation/bulk.ts";
import { InputError, Refusal } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import type { Entry } from "../../../operation/target.ts";
import { code, count } from "../../../views/text.ts";
import { isAll, narrowed } from "../../answers/filters.ts";
import type { Origin } from "../../answers/origin.ts";
import type { BoundOperation } from "../../bound.ts";
import { sameName } from "../../resolve.ts";
import type { Ask } from "../ask.ts";
import type { Wanted } from "../create.ts";
import type { Start } from "../start.ts";
import type { RequestStore } from "../store.ts";
import { bulkAct } from "./act.ts";
import { type Bulk, type BulkTarget, digestOf } from "./record.ts";

/** Asks for many at once: by what they were found as, or by what narrows the list. */
export type AskBulk = (asked: AskedOfMany) => Promise<void>;

/** One that is meant, and what it was called when it was found; null where it was named by its id. */
interface Meant {
  id: string;
  name: string | null;
}

export interface AskedOfMany {
  bound: BoundOperation;
  origin: Origin;
  input: Record<string, unknown>;
  meant: Meant[] | { where: Where };
  stopAfter?: number | undefined;
  /** The caller need not be asked whether to interrupt. */
  confirmed?: boolean | undefined;
  originator?: string | undefined;
  when?: Wanted["when"];
}

/** The most in one request; of what destroys fewer. */
const most = { change: 2_000, spend: 2_000, destroy: 100 };
/** More are shown before they are begun, and their number is typed. */
const mostUncounted = 10;
const usualStopAfter = 3;
/** What has ended is not meant by a filter that does not say so. */
const over = new Set(["terminated", "cancelled"]);

export function createAskBulk(deps: { requests: RequestStore; ask: Ask; start: Start }): AskBulk {
  const { requests, ask, start } = deps;

  return async (asked) => {
    const { bound, origin, meant, stopAfter = usualStopAfter, originator, when } = asked;
    const { operation } = bound;
    const ids = Array.isArray(meant) ? await readOneByOne(bound, meant) : null;
    const pick = (entries: Entry[]) =>
      Array.isArray(meant) ? named(entries, meant, operation) : filtered(entries, meant.where, bound);
    const read = await bound.readBulk({ input: asked.input, ids, pick });
    refuseTooMany(operation, read.targets.length);
    const byState = !Array.isArray(meant) && meant.where.status !== undefined;
    const counted = read.targets.length > mostUncounted || (read.all && read.targets.length > 1);
    const bulk = bulkOf(operation, read.targets, { byState, counted, stopAfter });
    const id = randomUUID();
    const act = bulkAct(id, operation, read, bulk);
    // Before the request: one that is there has its targets.
    await requests.targets.keep(id, read.targets);
    const wanted = { bound, act, origin, generated: [], originator, bulk, when };
    const isSeen = Array.isArray(meant) && !counted;
    const isHarmless = asked.confirmed || read.each === null;
    // Who named a few sees what they typed; what a filter leaves is shown before anything is begun.
    await (operation.risk !== "change" || (isSeen && isHarmless)
      ? start.act(wanted, () => Promise.resolve(false))
      : ask(wanted));
  };
}

function bulkOf(
  { target }: PlatformOperation,
  targets: BulkTarget[],
  how: Pick<Bulk, "byState" | "counted" | "stopAfter">,
): Bulk {
  return {
    ...how,
    nouns: count(targets.length, target?.label ?? "thing", target?.plural),
    digest: digestOf(targets),
    projects: [...new Set(targets.map(({ project }) => project || null))],
    outcomes: targets.map(() => "waiting"),
    putOff: {},
    stopped: null,
  };
}

/** A few of a large estate are read one by one: that is fewer calls than its pages. Null where the pages are fewer. */
async function readOneByOne({ operation, listing }: BoundOperation, meant: Meant[]): Promise<string[] | null> {
  const { entries } = await listing();
  const pages = Math.ceil(entries.length / (operation.target?.pageSize ?? 1));
  return meant.length < pages ? meant.map(({ id }) => id) : null;
}

function named(entries: Entry[], meant: Meant[], { target }: PlatformOperation): Entry[] {
  const byId = new Map(entries.map((entry) => [entry.id, entry]));
  return meant.map(({ id, name }) => {
    const entry = byId.get(id);
    if (!entry)
      throw new Refusal(
        `There is no ${target?.label ?? "such thing"} ${code(name ?? id)} any more that your key can see. Nothing was asked.`,
      );
    // What was found under a name may be called otherwise by now.
    if (name !== null && !sameName(entry.name, name))
      throw new Refusal(
        `What was called ${code(name)} is called ${code(entry.name)} by now, so nothing was done. Ask again with the name that you mean.`,
      );
    return entry;
  });
}

async function filtered(entries: Entry[], where: Where, bound: BoundOperation): Promise<Entry[]> {
  const { target } = bound.operation;
  const project = isAll(where.project) ? undefined : where.project;
  if (project !== undefined && entries.every(({ project }) => project === ""))
    throw new InputError(
      `The list of ${target?.plural ?? "these"} does not tell their projects. Narrow it by status= or text=, or name them.`,
    );
  const states = target?.states ?? [];
  const found = await narrowed(entries, { ...where, project }, { states, projects: () => bound.projects() });
  const meant = where.status === undefined ? found.filter(({ state }) => !over.has(state)) : found;
  if (meant.length > 0) return meant;
  throw new Refusal(`No ${target?.label ?? "such thing"} of yours fits that, so nothing was asked.`);
}

function refuseTooMany({ risk, target }: PlatformOperation, amount: number): void {
  const limit = risk === "read" ? 0 : most[risk];
  if (amount <= limit) return;
  const what = risk === "destroy" ? "Of what destroys, one" : "One";
  throw new Refusal(
    `${what} request takes at most ${count(limit, target?.label ?? "thing", target?.plural)}, and these are ${amount.toLocaleString("en")}. Nothing was asked. Narrow it, or name them.`,
  );
}
