import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { newName } from "./actions.ts";
import { centsOf, commandOf, isOrder, kindOf, targetsOf, type Wish } from "./kinds.ts";
import type { Tone } from "./observing.ts";
import { by, short } from "./oracles.ts";

/** Somebody's press to go ahead that reached Slack, and the words of the message in which it was made. */
export interface Press {
  who: string;
  words: string;
  /** How long the message had been there. */
  ageMs: number;
}

/** An entry of the audit log. */
export interface AuditRow {
  what: string;
  command: string;
  target: string;
  outcome: string;
  requester: string;
  decider: string;
}

/** Words that Slack shows somebody, and how they sound. */
export interface Claim extends Tone {
  words: string;
}

/** The reference model of a run: a few maps, made from what people did and from what the platform shows. */
export interface Reference {
  wishes: readonly Wish[];
  presses: readonly Press[];
  /** In money of the smallest unit: what the requester had, and has. */
  balances: Record<string, { before: number; after: number }>;
  /** True if these together may approve a wish. */
  enough(wish: Wish, pressers: ReadonlySet<string>): boolean;
  /** After this time a request has expired. */
  longestAgeMs: number;
  /** The most that each may pay within a day; null without a limit. */
  mostADay: number | null;
  /** Those who were deactivated in Slack. */
  left: ReadonlyMap<string, number>;
  /** A machine that bears another name since then. */
  renamed: { machine: string; at: number; newNameChosen: boolean } | null;
  platform: PracticePlatform;
}

/** Checked at every moment: each wish happened at most once, and only after the presses that it needs; no money is lost. */
export function holdSafety(reference: Reference): string[] {
  return [
    ...expectedActs(reference).flatMap((one) => checkAct(reference, one)),
    ...by("a sum of a day", checkDaySum(reference)),
    ...by("a name at run time", checkName(reference)),
  ];
}

/** Compares the words with the platform at the moment in which Slack shows them. */
export function holdClaim(reference: Reference, claim: Claim): string[] {
  const found = expectedActs(reference)
    .filter(({ same }) => same.every(({ also }) => also === null))
    .filter((one) => isAbout(claim.words, one))
    .flatMap(({ name, times, wish }) => [
      ...(claim.done && !claim.unknown && times === 0
        ? [`${name} did not happen, and a message says that it did: ${short(claim.words)}`]
        : []),
      ...(claim.notDone && kindOf(wish).marked && times > 0
        ? [`${name} happened, and a message says that it did not: ${short(claim.words)}`]
        : []),
    ]);
  return by("words agree with the platform", found);
}

/** Checked when all has come to rest, too: a message reports each act that happened, and no money is missing. */
export function compareWithModel(reference: Reference, claims: readonly Claim[]): string[] {
  return [
    ...holdSafety(reference),
    ...expectedActs(reference).flatMap((one) => checkWords(reference, claims, one)),
    ...reference.wishes.flatMap((wish) => checkCount(reference, claims, wish)),
    ...by("no money is lost", checkMoney(reference)),
  ];
}

/** The audit log says the same as the platform: each act that happened is in it under its requester, and none that did not happen. */
export function holdAudit(reference: Reference, rows: readonly AuditRow[]): string[] {
  const acts = expectedActs(reference);
  const isTarget = (target: string, { wish, machine }: ExpectedAct) =>
    wish.kind === "pay" || isOrder(wish) || [machine, nameNow(machine, reference.renamed)].includes(target);
  const of = (one: ExpectedAct) =>
    rows.filter(({ command, target }) => command === commandNameOf(one.wish) && isTarget(target, one));
  return acts.flatMap((one) => {
    const mine = of(one);
    const done = mine.filter(({ what }) => what === "done");
    const ended = mine.filter(
      ({ what, requester }) => afterwards.test(what) && one.same.some(({ who }) => who === requester),
    );
    const alike = acts.filter(
      (other) => commandNameOf(other.wish) === commandNameOf(one.wish) && isTarget(other.machine, one),
    );
    const all = alike.reduce((sum, { times }) => sum + times, 0);
    // A backup before the cancellation of the same machine is a capture, too, and nobody asked for it under this name.
    const mayBeBackup =
      one.wish.kind === "capture" &&
      acts.some(({ wish, machine }) => wish.kind === "cancel" && machine === one.machine);
    const disagreeing = [
      ...(one.times > 0 && ended.length === 0 ? [`${one.name} happened, and the audit log does not say so`] : []),
      ...(done.length > 0 && all === 0 && !mayBeBackup
        ? [`${one.name} did not happen, and the audit log says that it was done`]
        : []),
      ...(kindOf(one.wish).marked && one.wish.kind !== "capture" && done.length > all
        ? [`the audit log says ${done.length} times that ${commandNameOf(one.wish)} was done, and it was ${all} times`]
        : []),
    ];
    const deciders = done
      .filter(({ requester }) => one.same.some(({ who }) => who === requester))
      .flatMap((row) => checkDecider(reference, one, row));
    return [...by("the audit log agrees", disagreeing), ...by("a decider has pressed", deciders)];
  });
}

const afterwards = /^(?:done|unknown|reconciled|ended)$/;

/** Each person whom the audit log names as having decided has pressed. */
function checkDecider(
  { presses, enough }: Reference,
  { wish, name, same }: ExpectedAct,
  { requester, decider }: AuditRow,
): string[] {
  if (!kindOf(wish).pressed) return [];
  const alone = same.some((one) => one.who === requester && enough(one, new Set([requester])));
  const yes = decider === "" ? requester : decider;
  if (!alone && yes === requester) return [`${name} was decided by ${yes} alone, says the audit log`];
  return presses.some(({ who }) => who === yes)
    ? []
    : [`${name} was decided by ${yes}, says the audit log, who pressed nothing`];
}

function commandNameOf(wish: Wish): string {
  const words = commandOf(wish).slice(1).split(" ");
  return words.slice(0, words[0] === "reseller" ? 3 : 2).join(" ");
}

/** A wish on one machine, and how often the platform shows that it happened. */
interface ExpectedAct {
  wish: Wish;
  machine: string;
  /** Its name by now. */
  now: string;
  name: string;
  times: number;
  /** Several wishes may be for the same act: the oracle checks them together. */
  same: readonly Wish[];
}

function expectedActs(reference: Reference): ExpectedAct[] {
  const { platform, wishes, renamed } = reference;
  return wishes.flatMap((wish) =>
    targetsOf(wish).flatMap((machine) => {
      const kind = kindOf(wish);
      const times = kind.happened(platform, wish, nameNow(machine, renamed));
      if (times === null) return [];
      const alike = wishes.filter((other) => other.kind === wish.kind && targetsOf(other).includes(machine));
      const name = `"${commandOf(wish)}" of ${wish.who} on ${machine}`;
      return [{ wish, machine, now: nameNow(machine, renamed), name, times, same: kind.marked ? [wish] : alike }];
    }),
  );
}

function checkAct({ presses, longestAgeMs, enough }: Reference, one: ExpectedAct): string[] {
  const { wish, name, times, same } = one;
  const kind = kindOf(wish);
  const counted = presses
    .filter(({ ageMs }) => ageMs < longestAgeMs)
    .filter(({ words }) => isAbout(words, one) || same.some((wish) => isOfMany(words, wish)));
  const pressers = new Set(counted.map(({ who }) => who));
  const allowed = same.some((one) => enough(one, pressers));
  return [
    ...by("an act happens once", times > (kind.marked ? 1 : same.length) ? [`${name} happened ${times} times`] : []),
    ...by(
      "only who may has said yes",
      times > 0 && kind.pressed && !allowed ? [`${name} happened, and nobody who may has said yes`] : [],
    ),
  ];
}

/** A form may choose a machine by its old name, and the app then calls it by the new one. */
function isAbout(words: string, { wish, machine, now, same }: ExpectedAct): boolean {
  return same.some((one) => [machine, now].some((name) => kindOf(wish).isAbout(words, one, name)));
}

/** A request for several machines names the number of those that it still acts on: another request may have ended one meanwhile. */
function isOfMany(words: string, { also }: Wish): boolean {
  return also !== null && /\b(2 VPSes|1 VPS)\b/.test(words);
}

function checkWords({ left }: Reference, claims: readonly Claim[], one: ExpectedAct): string[] {
  const { name, times, same } = one;
  // The only person who may see it has left.
  if (same.some(({ who }) => left.has(who))) return [];
  // `checkCount` checks an act on many machines.
  if (same.some(({ also }) => also !== null)) return [];
  const matching = claims.filter(({ words }) => isAbout(words, one));
  const done = matching.some((one) => one.done);
  const shown = matching.map(({ words }) => short(words)).join(" || ");
  if (times > 0 && !done && !matching.some((one) => one.unknown))
    return by("each act has a message", [
      `${name} happened, and no message says so: ${shown || "nothing is said of it"}`,
    ]);
  if (times === 0 && done)
    return by("words agree with the platform", [`${name} did not happen, and a message says that it did: ${shown}`]);
  return [];
}

/** The message about several machines says on how many it was done, as the platform shows. */
function checkCount({ left, platform, renamed, wishes }: Reference, claims: readonly Claim[], wish: Wish): string[] {
  const kind = kindOf(wish);
  const others = wishes.filter((other) => other !== wish && other.kind === wish.kind);
  const isAlone = kind.marked || !others.some((other) => targetsOf(other).some((one) => targetsOf(wish).includes(one)));
  if (wish.also === null || !isAlone || left.has(wish.who)) return [];
  const machines = targetsOf(wish).map((machine) => nameNow(machine, renamed));
  const times = machines.reduce((sum, machine) => sum + (kind.happened(platform, wish, machine) ?? 0), 0);
  const counts = claims.filter(({ words }) => isOfBoth(words, wish)).flatMap(countIn);
  const name = `"${commandOf(wish)}" of ${wish.who}`;
  if (times > 0 && counts.length === 0)
    return by("each act has a message", [`${name} happened ${times} times, and no message reports an end`]);
  const wrong = counts.filter(({ done, unknown }) => done > times || done + unknown < times);
  return by(
    "words agree with the platform",
    wrong.map(({ done }) => `${name} happened on ${times} machines, and a message says ${done}`),
  );
}

function isOfBoth(words: string, wish: Wish): boolean {
  const title = `${wish.kind === "cancel" ? "Cancel" : "Snapshot"} 2 VPSes`;
  const kind = kindOf(wish);
  const marks = kind.marked
    ? kind.isAbout(words, wish, wish.target)
    : targetsOf(wish).every((one) => words.includes(one));
  return words.includes(title) && marks;
}

/** "All 2 are done." or "1 of 2 was done and 1 with unknown outcome." */
function countIn({ words }: Claim): { done: number; unknown: number }[] {
  const [, all, some] = /\bAll (\d+) are done|\b(\d+) of \d+ (?:was|were) done/.exec(words) ?? [];
  const [, unknown = "0"] = /(\d+) with unknown outcome/.exec(words) ?? [];
  return all === undefined && some === undefined ? [] : [{ done: Number(all ?? some), unknown: Number(unknown) }];
}

function paidBy({ wishes, platform }: Reference, who: string): number {
  return wishes
    .filter((wish) => wish.kind === "pay" && wish.who === who)
    .reduce((sum, wish) => sum + (kindOf(wish).happened(platform, wish, wish.target) ?? 0) * centsOf(wish), 0);
}

function checkDaySum(reference: Reference): string[] {
  const { mostADay, balances } = reference;
  if (mostADay === null) return [];
  return Object.keys(balances)
    .filter((who) => paidBy(reference, who) > mostADay)
    .map((who) => `${who} has paid ${paidBy(reference, who)} cents in a day, and may pay ${mostADay}`);
}

/** No money moved twice, and none without a wish. */
function checkMoney(reference: Reference): string[] {
  return Object.entries(reference.balances).flatMap(([who, { before, after }]) => {
    const payments = paidBy(reference, who);
    // An order is paid from the same balance.
    if (reference.wishes.some((wish) => wish.kind === "order" && wish.who === who)) return [];
    return before - after === payments ? [] : [`${who} has lost ${before - after} cents, and paid ${payments}`];
  });
}

/** The app performs no act on a machine that was requested under its old name once it has another. */
function checkName({ renamed, presses, platform }: Reference): string[] {
  // A press below the new name is for it, and so is a form in which it was chosen.
  if (renamed === null || renamed.newNameChosen || presses.some(({ words }) => words.includes(newName))) return [];
  const { id } = platform.findVps(nameNow(renamed.machine, renamed));
  return platform
    .calls()
    .filter(
      ({ method, path, status, at }) =>
        method !== "GET" && path.includes(id) && status === 200 && at > renamed.at + underWayMs,
    )
    .map(({ method, path }) => `${method} ${path} was sent after ${renamed.machine} was given another name`);
}

/** An act that was checked a moment before the name changed is sent. */
const underWayMs = 2 * 60_000;

function nameNow(machine: string, renamed: Reference["renamed"]): string {
  return renamed?.machine === machine ? newName : machine;
}
