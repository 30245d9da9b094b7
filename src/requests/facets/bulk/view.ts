import * as z from "#zod";
import type { Fact } from "../../../operation/answer.ts";
import { identityFacts } from "../../../operation/identity.ts";
import { factsOfPreconditions } from "../../../operation/preconditions.ts";
import { readJson } from "../../../process/json.ts";
import { PlainText, plainly } from "../../../process/plain-text.ts";
import {
  actions,
  type Block,
  button,
  context,
  facts,
  type Message,
  paragraphs,
  section,
  textMessage,
} from "../../../views/blocks.ts";
import type { Sheet } from "../../../views/csv.ts";
import { duration, moment, money } from "../../../views/format.ts";
import { limits } from "../../../views/limits.ts";
import { plan, type Task } from "../../../views/plan.ts";
import { dataTables, type Table, type TableCell } from "../../../views/table.ts";
import { clipMarkup, code, count, listingOf, prose } from "../../../views/text.ts";
import { againAction, listAction, restAction, stopAction, wayBackAction } from "../../actions.ts";
import { wholeSentences } from "../../dialog.ts";
import { actWords, submitWords } from "../../labels.ts";
import { isBulkWorking, type Request, titleOf } from "../../request.ts";
import { ShownFacts, shownFacts } from "../../shown-facts.ts";
import { states } from "../../states.ts";
import type { RequestStoreApp } from "../../store.ts";
import { askedBy } from "../agent/view.ts";
import { eventArrived, eventTimeoutOf } from "../events/record.ts";
import { wayBackLabel } from "./progress.ts";
import { type ApprovedTarget, type Bulk, mostShown, type TargetOutcome } from "./record.ts";
import { readTargetRequest, readTargets } from "./targets.ts";

/** The button's value has everything that the counting modal needs: Slack's trigger expires while storage is read. */
const CountModalValue = z.object({
  request: z.string(),
  count: z.number(),
  press: PlainText,
  submit: PlainText,
  loss: z.string(),
  /** When it runs (milliseconds since the epoch), if it is scheduled. */
  at: z.number().nullable(),
  shown: ShownFacts,
});
export type CountModalValue = z.infer<typeof CountModalValue>;

/** From the most characters of the loss down: quotes and backslashes take two each in the value of a button. */
const roomsForLoss = [1_300, 600, 300];

/** Makes the value of the button that opens the counting modal. */
export function countModalValue(request: Request): string {
  const { id, bulk, schedule } = request;
  const values = roomsForLoss.map((room) =>
    JSON.stringify({
      request: id,
      count: bulk?.outcomes.length ?? 0,
      press: actWords(request),
      submit: submitWords(request),
      loss: wholeSentences(request.review.loss, room),
      at: schedule?.at ?? null,
      shown: shownFacts(request),
    } satisfies CountModalValue),
  );
  return values.find((value) => value.length <= limits.button.value) ?? values.at(-1) ?? "";
}

export function readCountModalValue(value: string): CountModalValue | null {
  return CountModalValue.safeParse(readJson(value)).data ?? null;
}

/** A message shows this many failures, each with this many characters. */
const mostFailures = 8;
const mostInFailure = 250;

/** Shows the targets that a decision is about, with the loss or price of each. */
export function askedBlocks({ id, bulk }: Request, targets: readonly ApprovedTarget[]): Block[] {
  if (!bulk) return [];
  return [...dataTables(tableOf(targets.slice(0, mostShown), bulk)), ...othersBlocks(id, targets)];
}

/** The same for *Details…* of a request in any state: a modal takes no table. Empty for any other request. */
export async function targetBlocks(app: RequestStoreApp, { id, bulk }: Request): Promise<Block[]> {
  if (!bulk) return [];
  const targets = await readTargets(app, id);
  const rows = targets.slice(0, mostShown).map(targetFact);
  if (rows.length === 0) return [];
  return [section(`*${bulk.nouns}, as they were at the request*`), ...facts(rows), ...othersBlocks(id, targets)];
}

function othersBlocks(id: string, targets: readonly ApprovedTarget[]): Block[] {
  const left = targets.length - mostShown;
  if (left <= 0) return [];
  return [context(`and ${count(left, "other")}.`), ...actions([allButton(id, targets.length)], "bulk-list")];
}

/** One target with all by which people know it, and what would be lost: nobody decides about a list that they cannot read. */
export function targetFact({ price, ...target }: ApprovedTarget): Fact {
  const own = identityFacts(target);
  const checked = factsOfPreconditions(target.preconditions);
  const known = [...own, ...checked.filter((fact) => !own.some(({ value }) => value === fact.value))];
  const values = [
    target.state,
    ...known.map(({ label, value }) => `${label}: ${value}`),
    ...(price === null
      ? []
      : [`price: ${price === "unknown" ? "not named by the platform" : money(price.amount, price.currency)}`]),
  ];
  return { label: prose(target.name), value: values.join(", ") };
}

/** `at`: when a target was left out. Its reason is true of that moment alone, and the message stays. */
interface Reason {
  name: PlainText;
  at: number | null;
  why: string;
}

/** Shows the progress or outcome of each target, the failures with their reasons, and the next buttons. */
export function workBlocks(
  request: Request,
  targets: readonly ApprovedTarget[],
  { reasons, others }: { reasons: readonly Reason[]; others: number },
): Block[] {
  const { id, bulk } = request;
  if (!bulk) return [];
  const lines = reasons.map(({ name, at, why }) => {
    const when = at === null ? "" : `, ${moment(at)}`;
    return `• ${code(name, 60)}${when}: ${clipMarkup(why, mostInFailure)}`;
  });
  const how = states[request.state].accepted ? "that did not succeed" : "that were taken out";
  const isLong = targets.length > mostShown;
  const hasFile = isLong || others > 0;
  const buttons = [...nextButtons(request, bulk), ...(hasFile ? [allButton(id, targets.length)] : [])];
  return [
    ...(isLong ? [] : [plan(request.verb, tasksOf(targets, bulk))]),
    ...paragraphs(lines),
    ...(isBulkWorking(request) ? [] : dataTables(tableOf(targets.slice(0, mostShown), bulk))),
    ...(others > 0 ? [context(`and ${count(others, "other")} ${how}: the file has them.`)] : []),
    ...actions(buttons, "bulk"),
  ];
}

/** The rows of a file of all targets and their outcomes. `reasons`: by position. */
export function bulkFile(
  { bulk }: Request,
  targets: readonly ApprovedTarget[],
  reasons: ReadonlyMap<number, string>,
): Sheet {
  if (!bulk) return { columns: [], rows: [] };
  const { columns, rows } = tableOf(targets, bulk);
  return {
    columns: [...columns, "Id", "Outcome", "Why"],
    rows: failuresFirst(bulk.outcomes, rows.length).map((at) => [
      ...(rows[at] ?? []),
      targets[at]?.id ?? "",
      outcomeWords[bulk.outcomes[at] ?? "waiting"],
      { words: reasons.get(at) ?? "" },
    ]),
  };
}

/** A request that never began has none of these: *Ask again* stands below it. */
function nextButtons(request: Request, bulk: Bulk) {
  const { id } = request;
  if (isBulkWorking(request)) return bulk.stopped === null ? [button("Stop", stopAction, id, { style: "danger" })] : [];
  if (!states[request.state].accepted) return [];
  const left = bulk.outcomes.filter((_, at) => !bulk.doneLater.includes(at));
  const failed = left.filter((outcome) => outcome === "failed").length;
  const waiting = left.filter((outcome) => outcome === "waiting").length;
  return [
    ...(failed > 0 ? [button("Try the failed ones again", againAction, id)] : []),
    ...(waiting > 0 ? [button(`Go on with the other ${waiting}`, restAction, id)] : []),
    ...request.next.map(({ label }) => button(wayBackLabel(label, bulk), wayBackAction, id)),
  ];
}

function allButton(id: string, amount: number) {
  return button(`All ${amount.toLocaleString("en")} as a file`, listAction, id);
}

/** Makes a table of the targets without empty columns. */
function tableOf(targets: readonly ApprovedTarget[], { nouns }: Bulk): Table {
  const known = new Map(
    targets
      .flatMap(({ preconditions }) => Object.entries(preconditions))
      .flatMap(([key, { label }]) => (isOfIdentity(key, targets) ? [] : [[key, label] as const])),
  );
  const isApart = targets.some(({ address }) => address === null);
  const labels = new Set(isApart ? targets.flatMap(({ apart = [] }) => apart.map(({ label }) => label)) : []);
  const rows = targets.map(
    ({ name, state, soldTo, project, address, hostname, location, place, apart = [], preconditions, price }) => [
      name,
      state,
      wordsOrNone(soldTo),
      project?.name ?? "",
      address ?? "",
      ...[...labels].map((label) => wordsOrNone(apart.find((fact) => fact.label === label)?.value)),
      hostname === name ? "" : (hostname ?? ""),
      place ?? location ?? "",
      ...[...known.keys()].map((key) => wordsOrNone(preconditions[key]?.text)),
      price === null ? "" : price === "unknown" ? "not named" : money(price.amount, price.currency),
    ],
  );
  const headings = [
    "Name",
    "State",
    "Sold to",
    "Project",
    "Address",
    ...labels,
    "Host name",
    "Location",
    ...known.values(),
    "Charge",
  ];
  const kept = headings.flatMap((_, at) => (at === 0 || rows.some((row) => row[at] !== "") ? [at] : []));
  return {
    caption: nouns,
    columns: kept.map((at) => headings[at] ?? ""),
    rows: rows.map((row) => kept.map((at) => row[at] ?? "")),
  };
}

/** True for a precondition that says of each target no more than its address or its customer, which have columns of their own. */
function isOfIdentity(key: string, targets: readonly ApprovedTarget[]): boolean {
  return targets.every(({ address, soldTo, preconditions }) => {
    const text = preconditions[key]?.text;
    if (soldTo !== undefined && text === soldTo) return true;
    return address === null ? text === "no address" || text === "none" : text === code(address);
  });
}

/** A column of empty cells is left out. */
function wordsOrNone(words = ""): TableCell {
  return words === "" ? "" : { words };
}

function tasksOf(targets: readonly ApprovedTarget[], { outcomes, doneLater }: Bulk): Task[] {
  const statuses: Record<TargetOutcome, Task["status"]> = {
    waiting: "pending",
    running: "in_progress",
    unknown: "error",
    done: "complete",
    failed: "error",
    "left out": "error",
    "taken out": "error",
  };
  return failuresFirst(outcomes, targets.length).map((at) => {
    const name = targets[at]?.name ?? "";
    const outcome = outcomes[at] ?? "waiting";
    if (doneLater.includes(at))
      return { title: plainly`${name}: ${outcomeWords[outcome]}, done later`, status: "complete" };
    const words = outcome === "done" || outcome === "waiting" ? "" : `: ${outcomeWords[outcome]}`;
    return { title: plainly`${name}${words}`, status: statuses[outcome] };
  });
}

/** The positions of the targets: the failures before all others, whose order stays. */
function failuresFirst(outcomes: readonly TargetOutcome[], amount: number): number[] {
  const place = (at: number) => {
    const found = bad.indexOf(outcomes[at] ?? "waiting");
    return found < 0 ? bad.length : found;
  };
  return Array.from({ length: amount }, (_, at) => at).toSorted((a, b) => place(a) - place(b));
}

/** The outcomes that somebody must look at, the worst first. */
const bad: readonly TargetOutcome[] = ["failed", "unknown", "left out", "taken out"];

const outcomeWords: Record<TargetOutcome, string> = {
  waiting: "not begun",
  running: "under way",
  unknown: "outcome unknown",
  done: "done",
  failed: "failed",
  "left out": "left out",
  "taken out": "taken out",
};

/** Blocks that only a bulk request has: its targets, progress and failures. Empty for any other request. */
export async function bulkBlocks(app: RequestStoreApp, request: Request): Promise<Block[]> {
  const { bulk, id, state } = request;
  if (!bulk) return [];
  const targets = await readTargets(app, id);
  if (state === "pending") return askedBlocks(request, targets);
  const unsuccessful = targets.flatMap((target, at) => {
    const outcome = bulk.outcomes[at];
    return outcome && bad.includes(outcome) ? [{ target, at, outcome }] : [];
  });
  // Failures come first, and only the requests that are shown are read: a bulk request may have 2,000.
  const sorted = unsuccessful.toSorted((a, b) => bad.indexOf(a.outcome) - bad.indexOf(b.outcome));
  const reasons = await Promise.all(
    sorted.slice(0, mostFailures).map(async ({ target, at, outcome }) => {
      // It was never begun, so it has no request of its own.
      if (outcome === "taken out") return { name: target.name, at: null, why: outcomeWords[outcome] };
      const part = await readTargetRequest(app, id, bulk, at, target);
      return {
        name: target.name,
        at: outcome === "left out" ? (part?.changedAt ?? null) : null,
        why: part?.outcome ?? "",
      };
    }),
  );
  return workBlocks(request, targets, { reasons, others: sorted.length - reasons.length });
}

/** A message names this many missing resources and counts the others. */
const mostNamed = 10;

/** Reads the requests of the targets that were sent and expect webhook events. Empty for any other request. */
export async function requestsWithEvents(app: RequestStoreApp, request: Request): Promise<Request[]> {
  const { bulk, id, state } = request;
  if (!bulk || state === "pending") return [];
  const targets = await readTargets(app, id);
  const parts: Request[] = [];
  for (const [at, target] of targets.entries()) {
    const outcome = bulk.outcomes[at];
    if (outcome === "waiting" || outcome === "left out") continue;
    const part = await readTargetRequest(app, id, bulk, at, target);
    if (!part) continue;
    // All targets share one operation. If it expects no events, reading up to 2,000 requests would be in vain.
    if (!part.events && part.state === "done") return [];
    if (part.events) parts.push(part);
  }
  return parts;
}

/** Counts the targets whose events arrived, and names those whose events are late. */
export function bulkEventBlocks(request: Request, targetRequests: readonly Request[]): Block[] {
  const arrived = targetRequests.filter(eventArrived).length;
  const of =
    arrived === targetRequests.length ? `all ${targetRequests.length}` : `${arrived} of ${targetRequests.length}`;
  return [
    ...(arrived > 0
      ? [context(`:incoming_envelope: The webhooks arrived for ${of}. Expected: ${askedBy(request)}.`)]
      : []),
    ...(lateRequests(targetRequests).length > 0 ? [context(`:warning: ${lateWords(targetRequests)}`)] : []),
  ];
}

/**
 * Notifies the requester of missing events. `wasSent`: this was sent before, and is corrected once all have arrived. Null if there is nothing
 * to say.
 */
export function bulkOverdueMessage(
  request: Request,
  targetRequests: readonly Request[],
  wasSent: boolean,
): Message | null {
  const isLate = lateRequests(targetRequests).length > 0;
  if (!isLate && !wasSent) return null;
  const words = isLate
    ? `${lateWords(targetRequests)} Check the real state yourself.`
    : "The missing webhooks arrived late.";
  const text = `:warning: <@${request.requester.slackUser}> ${titleOf(request)}: ${words}`;
  return textMessage(text);
}

function lateRequests(targetRequests: readonly Request[]): Request[] {
  return targetRequests.filter((part) => part.events !== null && part.events.overdueAt !== null && !eventArrived(part));
}

function lateWords(targetRequests: readonly Request[]): string {
  const missing = lateRequests(targetRequests);
  const names = missing.map(({ target }) => code(target?.name ?? "(not named)", 60));
  const within = duration(Math.max(...missing.map(eventTimeoutOf)));
  return `No webhook arrived for ${listingOf(names, mostNamed)} in ${within}.`;
}
