import type { BoundOperation } from "../../../members/access/bound.ts";
import type { Act } from "../../../operation/act.ts";
import { type Fact, type Review, wholeReview } from "../../../operation/answer.ts";
import type { BulkRead } from "../../../operation/bulk.ts";
import { InputError } from "../../../operation/errors.ts";
import type { PlatformOperation } from "../../../operation/operation.ts";
import { actsWith } from "../../../operation/same-act.ts";
import { type PlainText, plainly } from "../../../process/plain-text.ts";
import { money } from "../../../views/format.ts";
import { code, count, listingOf, lowerFirst, prose } from "../../../views/text.ts";
import type { Request } from "../../request.ts";
import { type ApprovedTarget, type Bulk, mostShown, priceOfAll, sumsOf } from "./record.ts";

/** The number of targets that run at the same time. Anything that costs or destroys runs one after the other. */
export function targetsAtOnce({ risk }: Pick<PlatformOperation, "risk">): number {
  return risk === "change" ? 5 : 1;
}

/** Makes one act of a bulk operation. `leftOut`: sentences about chosen ones that are not in it. Its `run` sends nothing: each target later gets a request of its own. */
export function bulkAct(
  id: string,
  operation: PlatformOperation,
  read: BulkRead,
  bulk: Bulk,
  leftOut: readonly string[],
): Act {
  const [project = null, other] = bulk.projects;
  return {
    ...beginsOnly,
    id,
    project: other === undefined ? project : null,
    input: read.input,
    described: read.described,
    reason: read.reason,
    acts: actsWith(operation, read.input),
    kinds: read.kinds,
    risk: operation.risk,
    verb: plainly`${read.verb} ${bulk.nouns}`,
    unlisted: read.unlisted,
    relocations: read.relocations,
    review: async () => reviewOf(operation, read, bulk, leftOut),
  };
}

/** Makes the act of a stored bulk request. An approver who cannot see every target is refused with an InputError. */
export async function beginBulk(request: Request, targets: ApprovedTarget[], bound: BoundOperation): Promise<Act> {
  if (bound.actor.member !== request.requester.member) {
    const seen = new Set((await bound.listing({ fresh: true })).entries.map((entry) => entry.id));
    const unseen = targets.filter((target) => !seen.has(target.id));
    if (unseen.length > 0) throw new InputError(`Your key cannot see ${targetNames(unseen)}.`);
  }
  const { id, verb, reason, risk, price, acts, kinds } = request;
  const { described, loss } = request.review;
  const [consequence = "", ...warnings] = loss;
  const { relocations } = request.ruling;
  return {
    ...beginsOnly,
    id,
    project: request.identity.project,
    input: {},
    described,
    reason,
    acts,
    kinds,
    risk,
    verb,
    relocations: async () => relocations,
    review: async () => wholeReview(risk, { consequence, warnings, price }),
  };
}

/** Lists names: "`web-1`, `web-2` and 8 others". */
export function targetNames(targets: readonly Pick<ApprovedTarget, "name">[], most = 3): string {
  return listingOf(
    targets.map(({ name }) => code(name, 60)),
    most,
    "other",
  );
}

/** Adds the prices up: "36.30 EUR, and tax where it is due; of 2 the platform does not name the price". Null when all is free. */
function sumWords(targets: readonly Pick<ApprovedTarget, "price">[]): string | null {
  const { sums, unknown } = sumsOf(targets);
  const known = sums.map(({ amount, currency }) => money(amount, currency)).join(" and ");
  const missing = unknown > 0 ? `the platform does not name the price of ${unknown}` : "";
  if (known === "") return missing === "" ? null : `Not known: ${missing}`;
  return [`${known}, and tax where it is due`, ...(missing ? [missing] : [])].join("; ");
}

const beginsOnly = {
  target: null,
  interrupts: null,
  replaces: null,
  identity: null,
  readIdentity: async () => null,
  names: [],
  states: [],
  unlisted: [],
  backupFirst: null,
  asksBackup: false,
  makes: [],
  usable: async () => {},
  before: async () => null,
  run: async () => ({ text: "It is begun." }),
  // Each target has its own request, and that one checks its own outcome.
  reconcile: async () => ({ is: "done" as const, text: "It goes on." }),
  effects: () => [],
};

function reviewOf(
  operation: PlatformOperation,
  { verb, each, targets, leftOut: refused, warnings, personal }: BulkRead,
  bulk: Bulk,
  leftOut: readonly string[],
): Review {
  const sum = sumWords(targets);
  const [only, another] = targets;
  const alone = only !== undefined && another === undefined;
  const words = each === null ? `${prose(verb)} ${bulk.nouns}.` : eachWords(each, targets, bulk);
  // A list, a dialog and a reminder have no table: only this sentence names the targets there. It is the last, since a dialog may cut it.
  const names = alone && each !== null ? [] : [`${alone ? "It is" : "They are"} ${targetNames(targets, mostShown)}.`];
  return wholeReview(operation.risk, {
    consequence: [words, ...(sum === null ? [] : [`In sum: ${sum}.`]), ...names].join(" "),
    warnings: [
      ...[...warnings].map(([heading, ones]) => `${heading}: ${targetNames(ones, mostShown)}.`),
      ...leftOut.map((sentence) => `Left out: ${sentence}`),
    ],
    press: plainly`${verb} ${alone ? only.name : bulk.nouns}`,
    back: backWords(operation, alone),
    shown: [...leftOutFacts(refused), ...paceFacts(operation, targets.length, bulk.stopAfter)],
    personal,
    price: priceOfAll(targets),
  });
}

function leftOutFacts(names: readonly PlainText[]): Fact[] {
  if (names.length === 0) return [];
  const value = `${targetNames(names.map((name) => ({ name })))}: the platform would refuse ${names.length > 1 ? "them" : "it"}`;
  return [{ label: "Left out", value }];
}

function backWords({ risk }: Pick<PlatformOperation, "risk">, alone: boolean): string {
  if (risk === "destroy") return alone ? "Keep it" : "Keep them";
  return alone ? "Leave it as it is" : "Leave them as they are";
}

function eachWords(each: string, targets: readonly ApprovedTarget[], { nouns }: Bulk): string {
  if (targets.length === 1) return `${targetNames(targets)}: ${lowerFirst(each)}`;
  return `For each of ${nouns}: ${lowerFirst(each)}`;
}

function paceFacts(operation: PlatformOperation, many: number, stopAfter: number): Fact[] {
  const atOnce = targetsAtOnce(operation);
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
