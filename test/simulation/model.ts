import type { PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { commandOf, kindOf, targetsOf, type Wish } from "./kinds.ts";

/** Somebody's press to go ahead that reached Slack, and the words of the message in which it was made. */
export interface Press {
  who: string;
  words: string;
  /** How long the message had been there. */
  ageMs: number;
}

/** Words that Slack shows somebody at the end, and how they sound. */
export interface Told {
  words: string;
  done: boolean;
  notDone: boolean;
  unknown: boolean;
}

/** What the reference model holds a run to: a few maps, made from what people did and from what the platform shows. */
export interface Reference {
  wishes: readonly Wish[];
  presses: readonly Press[];
  /** In money of the smallest unit: what the requester had, and has. */
  balances: Record<string, { before: number; after: number }>;
  /** Who may say yes to a wish. */
  mayApprove(wish: Wish, presser: string): boolean;
  told: readonly Told[];
  /** After this time a request has expired. */
  longestAgeMs: number;
  /** What each may pay within a day; null where there is no limit. */
  mostADay: number | null;
  /** A machine that bears another name since then. */
  renamed: { machine: string; at: number } | null;
  platform: PracticePlatform;
}

/** Holds what happened to the model: each wish at most once, only with a yes where one is needed, and told as it is. */
export function holdToModel(reference: Reference): string[] {
  return [
    ...reference.wishes.flatMap((wish) => heldWish(reference, wish)),
    ...heldMoney(reference),
    ...heldName(reference),
  ];
}

function heldWish(reference: Reference, wish: Wish): string[] {
  const { platform } = reference;
  const kind = kindOf(wish);
  return targetsOf(wish).flatMap((machine) => {
    const times = kind.happened(platform, wish, nameNow(machine, reference.renamed));
    if (times === null) return [];
    const name = `"${commandOf(wish)}" of ${wish.who} on ${machine}`;
    // Several wishes may be for the same: they are held to it together.
    const alike = reference.wishes.filter((other) => other.kind === wish.kind && targetsOf(other).includes(machine));
    const same = kind.marked ? [wish] : alike;
    const about = reference.told.filter(({ words }) => same.some((one) => kind.isAbout(words, one, machine)));
    const asked = reference.presses.filter(({ words }) =>
      same.some((one) => kind.isAbout(words, one, machine) || isOfMany(words, one)),
    );
    const allowed = asked.some(
      ({ who, ageMs }) => ageMs < reference.longestAgeMs && same.some((one) => reference.mayApprove(one, who)),
    );
    return [
      ...(times > (kind.marked ? 1 : same.length) ? [`${name} happened ${times} times`] : []),
      ...(times > 0 && kind.pressed && !allowed ? [`${name} happened, and nobody who may has said yes`] : []),
      ...heldWords({ name, happened: times > 0, about, isOfMany: same.some(({ also }) => also !== null) }),
    ];
  });
}

/** A request for several machines names their number. */
function isOfMany(words: string, { also }: Wish): boolean {
  return also !== null && /\b2 VPSes\b/.test(words);
}

function heldWords(so: { name: string; happened: boolean; about: Told[]; isOfMany: boolean }): string[] {
  const { name, happened, about } = so;
  // What is done to many is told with the whole, by its number.
  if (so.isOfMany) return [];
  const done = about.some((one) => one.done);
  const unknown = about.some((one) => one.unknown);
  const shown = about.map(({ words }) => words.replaceAll(/\s+/g, " ").slice(0, 160)).join(" || ");
  if (happened && !done && !unknown)
    return [`${name} happened, and nobody is told: ${shown || "nothing is said of it"}`];
  if (!happened && done) return [`${name} did not happen, and is told as done: ${shown}`];
  return [];
}

/** No money moved twice, and none without a wish. */
function heldMoney({ wishes, platform, balances, mostADay }: Reference): string[] {
  return Object.entries(balances).flatMap(([who, { before, after }]) => {
    const payments = wishes
      .filter((wish) => wish.kind === "pay" && wish.who === who)
      .reduce((sum, wish) => sum + (kindOf(wish).happened(platform, wish, wish.target) ?? 0) * (100 + wish.mark), 0);
    if (mostADay !== null && payments > mostADay)
      return [`${who} has paid ${payments} cents in a day, and may pay ${mostADay}`];
    // An order is paid from the same balance.
    if (wishes.some((wish) => wish.kind === "order" && wish.who === who)) return [];
    return before - after === payments ? [] : [`${who} has lost ${before - after} cents, and paid ${payments}`];
  });
}

/** Nothing that was asked of a machine under its old name is done to it once it bears another. */
function heldName({ renamed, wishes, platform }: Reference): string[] {
  if (renamed === null) return [];
  const { id } = platform.findVps(nameNow(renamed.machine, renamed));
  return platform
    .calls()
    .filter(
      ({ method, path, status, at }) =>
        method !== "GET" && path.includes(id) && status === 200 && at > renamed.at + underWayMs,
    )
    .filter(() => wishes.length > 0)
    .map(({ method, path }) => `${method} ${path} was sent after ${renamed.machine} was given another name`);
}

/** What was checked a moment before the name changed is sent. */
const underWayMs = 2 * 60_000;

function nameNow(machine: string, renamed: Reference["renamed"]): string {
  return renamed?.machine === machine ? "other-name" : machine;
}
