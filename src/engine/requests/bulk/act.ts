import type { Fact, Review } from "../../../operation/answer.ts";
import type { BulkRead } from "../../../operation/bulk.ts";
import { InputError } from "../../../operation/errors.ts";
import type { Act, PlatformOperation } from "../../../operation/operation.ts";
import { money } from "../../../views/format.ts";
import { code, count, listing, prose } from "../../../views/text.ts";
import type { BoundOperation } from "../../bound.ts";
import type { Request } from "../request.ts";
import { type Bulk, type BulkTarget, priceOfAll, sumsOf } from "./record.ts";

/** How many are worked on at once: what costs or destroys goes one by one. */
export function atOnceOf({ risk }: Pick<PlatformOperation, "risk">): number {
  return risk === "change" ? 5 : 1;
}

/** What is asked of many, as one act. To run it is only to begin it: nothing is sent by that. */
export function bulkAct(id: string, operation: PlatformOperation, read: BulkRead, bulk: Bulk): Act {
  const [project = null, other] = bulk.projects;
  return {
    ...begun,
    id,
    project: other === undefined ? project : null,
    input: read.input,
    described: read.described,
    reason: read.reason,
    risk: operation.risk,
    verb: `${read.verb} ${bulk.nouns}`,
    review: async () => reviewOf(operation, read, bulk),
  };
}

/** The same of a request that was asked. Who approves it must see every one of its targets. */
export async function beginBulk(request: Request, targets: BulkTarget[], bound: BoundOperation): Promise<Act> {
  if (bound.actor.member !== request.member) {
    const seen = new Set((await bound.listing({ fresh: true })).entries.map((entry) => entry.id));
    const unseen = targets.filter((target) => !seen.has(target.id));
    if (unseen.length > 0) throw new InputError(`${named(unseen)} cannot be seen.`);
  }
  const { id, verb, reason, risk, described, consequence, material, price } = request;
  return {
    ...begun,
    ...{ id, project: request.within, input: {}, described, reason, risk, verb },
    review: async () => ({ ...nothingMore, consequence, material, price }),
  };
}

/** "`web-1`, `web-2` and 8 others". */
function named(targets: readonly Pick<BulkTarget, "name">[], most = 3): string {
  const names = targets.slice(0, most).map(({ name }) => code(name, 60));
  const others = targets.length - names.length;
  return listing([...names, ...(others > 0 ? [count(others, "other")] : [])]);
}

/** "36.30 EUR, and tax where it is due; of 2 the platform does not name the price"; null where it costs nothing. */
function sumWords(targets: readonly Pick<BulkTarget, "price">[]): string | null {
  const { sums, unknown } = sumsOf(targets);
  const known = sums.map(({ amount, currency }) => money(amount, currency)).join(" and ");
  const missing = unknown > 0 ? `of ${unknown} the platform does not name the price` : "";
  if (known === "") return missing === "" ? null : `Not known: ${missing}`;
  return [`${known}, and tax where it is due`, ...(missing ? [missing] : [])].join("; ");
}

const nothingMore = {
  ...{ press: null, back: null, shown: [], personal: [], before: null },
} satisfies Partial<Review>;

const begun = {
  target: null,
  names: [],
  states: [],
  copyFirst: null,
  usable: async () => {},
  before: async () => null,
  run: async () => ({ text: "It is begun." }),
  // What was begun of it is found by its own ids, and looked into one by one.
  reconcile: async () => ({ is: "done" as const, text: "It goes on." }),
};

function reviewOf(operation: PlatformOperation, { verb, each, targets, personal }: BulkRead, bulk: Bulk): Review {
  const sum = sumWords(targets);
  const words = each === null ? `${verb} ${bulk.nouns}: ${named(targets)}.` : eachWords(each, targets, bulk);
  const [only, another] = targets;
  const alone = only !== undefined && another === undefined;
  return {
    ...nothingMore,
    consequence: sum === null ? words : `${words} In sum: ${sum}.`,
    press: `${verb} ${alone ? only.name : bulk.nouns}`,
    back: backWords(operation, alone),
    material: [],
    shown: pace(operation, targets.length, bulk.stopAfter),
    personal,
    price: priceOfAll(targets),
  };
}

function backWords({ risk }: Pick<PlatformOperation, "risk">, alone: boolean): string {
  if (risk === "destroy") return alone ? "Keep it" : "Keep them";
  return alone ? "Leave it as it is" : "Leave them as they are";
}

function eachWords(each: string, targets: readonly BulkTarget[], { nouns }: Bulk): string {
  if (targets.length === 1) return `${named(targets)}: ${lowerFirst(each)}`;
  return `For each of ${nouns}: ${lowerFirst(each)}`;
}

function pace(operation: PlatformOperation, many: number, stopAfter: number): Fact[] {
  const atOnce = atOnceOf(operation);
  const facts = [
    { label: "Pace", value: atOnce === 1 ? "one after the other" : `${atOnce} at a time`, tells: many > atOnce },
    {
      label: "Stops",
      value: `after ${count(stopAfter, "failure")}: the rest is then left as it is`,
      tells: many > stopAfter,
    },
  ];
  return facts.flatMap(({ tells, label, value }) => (tells ? [{ label, value: prose(value) }] : []));
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}
