import type { Actor } from "../../src/sandbox/slack/server.ts";
import type { Change } from "./observing.ts";
import { type Call, calls, notifiable, type Whereabouts } from "./on-call.ts";
import { by, type OracleName, short } from "./oracles.ts";
import type { WorldName } from "./plan.ts";

// The oracle over all that waits for people: requests that others decide, and alerts of a channel that mentions somebody. It knows them by
// their messages in Slack, those who were notified by their phones, and the steps by what the world was set up with.

const minute = 60_000;
/** So long a message may be on its way to Slack while something else changes. */
const onTheWayMs = 2 * minute;
/** A subscription mentions once within this time, and then what still fails. */
const pauseMs = 5 * minute;

/** A run that has come to rest. Times are in milliseconds by Slack's clock. */
export interface Rested extends Whereabouts {
  world: WorldName;
  phones: ReturnType<Actor["phone"]>;
  nameOf(slackUser: string): string;
  now: number;
  /** When something went wrong last, or the app was up again. */
  calmSince: number;
  /** So far the clocks of the app's machine and of Slack's may have been apart. */
  skewMs: number;
  /** So long the app was down, at most, at one time. */
  downMs: number;
  /** How often the supplier suspended each service, by name. */
  suspensions: ReadonlyMap<string, number>;
}

interface Span {
  from: number;
  until: number;
}

/** Something that waits, for as long as its message says so. */
interface Wait extends Span {
  kind: "alert" | "request";
  /** Null for a message without one, which no step can follow. */
  subject: string | null;
  /** All words of its message meanwhile. */
  words: string;
  /** The services of an alert. */
  services: readonly string[];
  /** The names of the member who made it and of the one who wanted it first. Neither decides it. */
  requesters: readonly string[];
  /** When somebody had taken it. */
  taken: Span[];
  /** When the next failure of the same alert began to wait; infinite without one. */
  next: number;
}

/** A message that notifies people, by its first words. */
interface Notice {
  at: number;
  subject: string | null;
  /** Its own message, a mention that was owed, or the name of a later step. */
  step: string;
  words: string;
  /** The names of those whose phones it reached, without the requesters, whom a message names. */
  rung: readonly string[];
}

/** All findings about what waited. */
export function checkWaits(run: Rested): string[] {
  const waits = waitsIn(run);
  const notices = noticesIn(run, waits);
  const each = (oracle: OracleName, check: (wait: Wait) => string[]) => by(oracle, waits.flatMap(check));
  return [
    ...each("all that waits has notified somebody", (wait) => findUnheard(run, wait, notices)),
    ...by(
      "all that waits has notified somebody",
      notices.flatMap((notice) => findVain(notice, notices)),
    ),
    ...each("all that waits has notified somebody", (wait) => findUncalled(wait, notices)),
    ...each("a step notifies once", (wait) => findTwice(wait, noticesOf(wait, notices))),
    ...by("a step notifies once", findMentionedAgain(run, notices)),
    ...each("each step comes, up to the last", (wait) => findMissing(run, wait, noticesOf(wait, notices))),
    ...each("a take holds the next step", (wait) => findUnheld(wait, notices)),
    ...by("nobody is notified of what is over", findLate(run, waits, notices)),
    ...by(
      "a step notifies those whom it names",
      notices.flatMap((notice) => findOthers(run, waits, notice, notices)),
    ),
  ];
}

/** A message that waits for others, and the member for whom they decide. */
const wantedFirst = /Wanted by: <@(\w+)>/;
const asksOthers = /(?:Somebody other|An admin other|Two others) than <@(\w+)> must approve/;
const takeButton = /"action_id":"(?:alert|request):take"/;
const hasTaken = /:eyes: <@\w+> took this/;
const suspended = /:no_entry: `([^`]+)` is suspended/g;
const saysNobody =
  /Nobody else who is linked can approve|linked members? can|could be notified|no further step follows/;

function waitsIn({ changes, nameOf, now }: Rested): Wait[] {
  const open = new Map<string, Wait>();
  const tried = new Map<string, Wait>();
  const found: Wait[] = [];
  for (const change of changes) {
    const [ts] = change.places;
    if (ts === undefined || change.user !== null || change.what !== "message") continue;
    const before = open.get(ts);
    const kind = kindOf(change, before);
    if (kind === null) {
      // Another failure of the same alert is another wait, with a hold of its own. A request that waits on after a try is held as before.
      if (before?.kind === "request") tried.set(ts, before);
      else for (const hold of before?.taken ?? []) hold.until = Math.min(hold.until, change.at);
      if (before) before.until = change.at;
      open.delete(ts);
      continue;
    }
    // An act that the platform refused for now waits on: the presser was answered, and the others were notified before.
    const resumed = before ? undefined : tried.get(ts);
    if (resumed) resumed.until = now;
    const wait = before ?? resumed ?? beginWait(kind, change, { nameOf, now });
    if (!before && !resumed) found.push(wait);
    open.set(ts, wait);
    goOn(wait, change);
  }
  return found.map((wait) => ({ ...wait, next: nextOfSame(wait, found) }));
}

function nextOfSame({ subject, from }: Wait, waits: readonly Wait[]): number {
  return Math.min(...waits.flatMap((one) => (one.subject === subject && one.from > from ? [one.from] : [])));
}

function beginWait(
  kind: Wait["kind"],
  { subject, words, at }: Change,
  { nameOf, now }: Pick<Rested, "nameOf" | "now">,
): Wait {
  const services = [...words.matchAll(suspended)].map(([, name = ""]) => name);
  const requesters = [asksOthers, wantedFirst].flatMap((pattern) => pattern.exec(words)?.[1] ?? []).map(nameOf);
  return { kind, subject, words: "", services, requesters, from: at, until: now, taken: [], next: Infinity };
}

/** The wait goes on with a newer version of its message. */
function goOn(wait: Wait, { words, at }: Change): void {
  wait.words += `\n${words}`;
  const last = wait.taken.find(({ until }) => until === Number.POSITIVE_INFINITY);
  if (hasTaken.test(words) && !last) wait.taken.push({ from: at, until: Number.POSITIVE_INFINITY });
  if (!hasTaken.test(words) && last) last.until = at;
}

/** Null for a message that waits for nobody, or for nobody any more. */
function kindOf({ slot, words, whole }: Change, before: Wait | undefined): Wait["kind"] | null {
  const isTakeable = takeButton.test(whole);
  if (slot === "alert") return isTakeable && words.search(suspended) >= 0 ? "alert" : null;
  const isUnknown = /:grey_question:/.test(words);
  const goesOn = before?.kind === "request" && isTakeable && !isUnknown;
  return goesOn || asksOthers.test(words) ? "request" : null;
}

function noticesIn({ changes, phones, nameOf }: Rested, waits: readonly Wait[]): Notice[] {
  const requesters = new Map(waits.map((wait) => [wait.subject, wait.requesters]));
  const seen = new Set<string>();
  return changes.flatMap(({ what, places: [ts = ""], slot, subject, at, words }) => {
    const step = slot === null ? null : stepIn(slot);
    if (what !== "message" || step === null || seen.has(ts)) return [];
    seen.add(ts);
    const reached = phones.filter((one) => one.ts === ts).map(({ user }) => nameOf(user));
    const rung = reached.filter((name) => !requesters.get(subject)?.includes(name));
    return [{ at, subject, step, words, rung }];
  });
}

/** The step that a message makes, by the name of its place; null for all others. */
function stepIn(slot: string): string | null {
  if (/^(?:alert|card)$|^loud:|^asked:[UW]/.test(slot)) return "own";
  if (slot.startsWith("late:")) return "owed";
  const [, later] = /:(then-\d+|end)(?::[UW]\w+)?$/.exec(slot) ?? [];
  if (later !== undefined) return later;
  // Each new time of a scheduled request has a reminder of its own, since all decide anew.
  if (slot.startsWith("reminder-")) return slot.split(":")[0] ?? null;
  return slot.startsWith("step:") ? "own" : null;
}

function isLater({ step }: Pick<Notice, "step">): boolean {
  return step !== "own" && step !== "owed";
}

/** The messages that notify people of what waits, while it waits. What comes after the next failure began is about that. */
function noticesOf({ subject, from, until, next }: Wait, notices: readonly Notice[]): Notice[] {
  return notices.filter(
    (one) =>
      one.subject !== null &&
      one.subject === subject &&
      one.at >= from - 1_000 &&
      one.at <= Math.min(until + onTheWayMs, next),
  );
}

function findUnheard(run: Rested, wait: Wait, notices: readonly Notice[]): string[] {
  const { kind, subject, services, from, until, words, taken } = wait;
  if (kind === "alert" && !calls[run.world]?.alert) return [];
  // A failure soon after another one is mentioned at the end of the pause, if it is one still and nobody has taken it.
  const due = Math.max(from + (kind === "alert" ? pauseMs : 0), run.calmSince) + onTheWayMs + run.skewMs;
  if (kind === "alert" && (until < due || taken.some((one) => one.from < due))) return [];
  const about = notices.filter(
    ({ at, subject: of, words: said, step }) =>
      at >= from - 1_000 && (of === subject || (step === "owed" && services.some((name) => said.includes(name)))),
  );
  const isHeard = about.some(({ rung }) => rung.length > 0);
  const saysSo = saysNobody.test(words) || about.some((one) => saysNobody.test(one.words));
  return isHeard || saysSo ? [] : [`nobody was notified of this, and it waits: ${short(words)}`];
}

/** A step for others came, and nobody was notified before it. */
function findUncalled({ subject, from, until, words }: Wait, notices: readonly Notice[]): string[] {
  const own = notices.filter((one) => one.subject === subject && subject !== null);
  const next = own.find(({ step, at }) => step === "then-0" && at >= from && at <= until);
  const isCalled = (at: number) => own.some((one) => isCall(one) && one.at <= at + onTheWayMs);
  return next && !isCalled(next.at) ? [`the next were notified of this, and nobody before them: ${short(words)}`] : [];
}

/** A message that notifies the first people, or says that there are none. */
function isCall(notice: Notice): boolean {
  return !isLater(notice) && (notice.rung.length > 0 || saysNobody.test(notice.words));
}

/** A step that notifies nobody says so. Those who are not in the channel have a direct message of it. */
function findVain(notice: Notice, notices: readonly Notice[]): string[] {
  const { step, subject, at, words } = notice;
  const isOfSame = (one: Notice) => one.step === step && one.subject === subject && Math.abs(one.at - at) < 10 * minute;
  const isVain = step.startsWith("then-") && !notices.some((one) => isOfSame(one) && one.rung.length > 0);
  return isVain && !saysNobody.test(words) ? [`a step notified nobody, and does not say so: ${short(words)}`] : [];
}

function findTwice({ kind, words }: Wait, own: readonly Notice[]): string[] {
  const rung = own
    .filter((one) => isLater(one) || (kind === "request" && one.step === "own"))
    .flatMap(({ step, rung }) => rung.map((name) => `${name} was notified of the step ${step}`));
  return repeated(rung).map((one) => `${one} more than once: ${short(words)}`);
}

/** A mention of a service again, without another suspension. */
function findMentionedAgain({ suspensions }: Rested, notices: readonly Notice[]): string[] {
  return [...suspensions].flatMap(([service, count]) => {
    const about = notices.filter(
      ({ step, words }) => ["own", "owed"].includes(step) && words.includes(`\`${service}\` is suspended`),
    );
    const names = about.flatMap(({ rung }) => rung);
    const most = (name: string) => names.filter((one) => one === name).length;
    // Of several that one mention names, the steps follow one. Once that has recovered, the others are owed a mention anew.
    const joint = about.filter(
      ({ step, words }) => step === "owed" && [...words.matchAll(suspended)].length > 1,
    ).length;
    return [...new Set(names)]
      .filter((name) => most(name) > count + joint)
      .map((name) => `${service} was suspended ${count} times, and ${name} was mentioned ${most(name)} times`);
  });
}

function repeated(all: readonly string[]): string[] {
  return [...new Set(all.filter((one, at) => all.indexOf(one) !== at))];
}

function findMissing(run: Rested, wait: Wait, own: readonly Notice[]): string[] {
  const call = calls[run.world]?.[wait.kind];
  // An alert soon after another one mentions nobody. Its people follow in a message about all of these, and so do their steps.
  const begin = own.find(isCall);
  if (!call || !begin) return [];
  let at = Math.max(begin.at, wait.from);
  for (const [step, pause] of pausesOf(call)) {
    at = heldUntil(wait, at + pause);
    const comes = own.find((one) => one.step === step);
    const due = Math.max(at, run.calmSince) + onTheWayMs + run.skewMs;
    if (!comes) return due < wait.until ? [`the step ${step} never came: ${short(wait.words)}`] : [];
    at = comes.at;
  }
  return [];
}

/** Each step after the first, with the milliseconds after the one before. The last ones have as long as those before them had. */
function pausesOf({ later }: Call): [step: string, ms: number][] {
  const pauses = later.map(({ after }, at) => (after - (later[at - 1]?.after ?? 0)) * minute);
  return [...pauses.map((ms, at): [string, number] => [`then-${at}`, ms]), ["end", pauses.at(-1) ?? 0]];
}

function heldUntil({ taken }: Wait, at: number): number {
  const held = taken.find(({ from, until }) => from - onTheWayMs < at && at < until);
  return held ? held.until : at;
}

function findUnheld({ subject, taken, words }: Wait, notices: readonly Notice[]): string[] {
  if (subject === null) return [];
  const wrong = notices.filter(
    (one) =>
      one.subject === subject &&
      isLater(one) &&
      taken.some(({ from, until }) => one.at > from + onTheWayMs && one.at < until - minute),
  );
  return wrong.map(({ step }) => `somebody had taken this, and the step ${step} came: ${short(words)}`);
}

/** Steps of what waits no longer. */
function findLate({ downMs }: Rested, waits: readonly Wait[], notices: readonly Notice[]): string[] {
  return notices.filter(isLater).flatMap(({ subject, step, at, words }) => {
    const same = waits.filter((wait) => wait.subject !== null && wait.subject === subject);
    // The step may overtake the edit of the card, which Slack's pace holds up.
    const isOpen = same.some(({ from, until }) => from - onTheWayMs <= at && at <= until + onTheWayMs + downMs);
    return isOpen || same.length === 0 ? [] : [`this is over, and the step ${step} came: ${short(words)}`];
  });
}

function findOthers(
  run: Rested,
  waits: readonly Wait[],
  { subject, step, at, rung, words }: Notice,
  notices: readonly Notice[],
): string[] {
  const kind = waits.find((wait) => wait.subject === subject)?.kind;
  const call = kind && calls[run.world]?.[kind];
  if (call === undefined || step === "end") return [];
  const namedBy = (one: string) => {
    const [, number] = /^then-(\d+)$/.exec(one) ?? [];
    return number === undefined ? call.first : call.later[Number(number)]?.to;
  };
  // A card that Slack took only after a later step says whom that notified.
  const made = notices.filter((one) => one.subject === subject && isLater(one) && one.at <= at + onTheWayMs);
  const named = [step, ...(step === "own" ? made.map((one) => one.step) : [])].flatMap((one) => namedBy(one) ?? []);
  if (named.length === 0) return [];
  const span = { from: at - onTheWayMs - run.downMs - run.skewMs, until: at + run.skewMs };
  const able = new Set(named.flatMap((one) => [...notifiable(one, span, run)]));
  return rung
    .filter((name) => !able.has(name) && !run.left.has(name))
    .map((name) => `${name} was notified in the place of ${[...able].join(" or ") || "nobody"}: ${short(words)}`);
}
