import * as z from "#zod";
import { errorText, isLasting, meetsAll, whoseMonitoringKey } from "../../messages/answers/error-text.ts";
import { type NoticeChange, noticeChange } from "../../messages/answers/notices.ts";
import { type ApiName, PlatformRefused } from "../../platform/http/errors.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { moment } from "../../views/format.ts";
import { count, listing, listingOf } from "../../views/text.ts";

// Notifies the admins of lists that polling cannot read: without that, a channel that gets no alert says that all is well.

const minute = 60_000;
/** A failure that may pass by itself is worth a notice after so long. */
const worthSayingMs = 60 * minute;
/** Lists that fail later for the same reason are added to the notice: the rarest round begins after two hours, and fails for one. */
const joinsMs = 4 * 60 * minute;

/** The lists that a sentence names; the others are counted. */
const mostNamed = 5;

export const ListFailure = z.object({
  /** Milliseconds since the epoch. */
  since: z.number(),
  /** The kind of the first error, and its sentence. */
  cause: z.string(),
  why: z.string(),
  /** It does not pass by itself; `ofKey`: it meets all lists. */
  lasting: z.boolean(),
  ofKey: z.boolean(),
  /** When the notice that names it began, in milliseconds since the epoch; null before. */
  notice: z.number().nullable(),
  /** The number of the list's rows that cannot be read, while the others can; null where it is not rows. */
  rows: z.number().nullable().default(null),
});
type ListFailure = z.infer<typeof ListFailure>;

/** The lists of an API, by name. `answeredAt`: when a read last succeeded, in milliseconds since the epoch; 0 for never. */
export type PolledLists = Readonly<Record<string, { failing: ListFailure | null; answeredAt: number }>>;

/** The failure of a list after another error. */
export function failingAfter(before: ListFailure | null, error: unknown, api: ApiName, now: number): ListFailure {
  const cause =
    error instanceof PlatformRefused ? `${error.status} ${error.code ?? ""}` : String(error?.constructor.name);
  const since = Math.min(before?.since ?? now, now);
  if (before?.cause === cause) return { ...before, since };
  const why = errorText(error, now, whoseMonitoringKey(api)).text;
  const notice = before?.notice ?? null;
  const lasting = isLasting(error);
  return { since, cause, why, lasting, ofKey: lasting && meetsAll(error), notice, rows: null };
}

/** The failure of a list of which so many rows are off the contract: what is in them raises no alert. */
export function failingInRows(before: ListFailure | null, rows: number, now: number): ListFailure {
  const why =
    "The platform sends such rows in a form that its contract does not allow. Rackbell's log names them, for your report to the supplier.";
  const { since = now, notice = null } = before ?? {};
  return { since: Math.min(since, now), cause: "unread rows", why, lasting: false, ofKey: false, notice, rows };
}

/** Why polling gets no call now. */
export interface CallShortage {
  /** The cause of a list that waits for calls: other calls leave none, or the key may make too few in an hour. */
  cause: "few calls left" | "few calls allowed";
  why: string;
}
const shortages: readonly string[] = ["few calls left", "few calls allowed"] satisfies CallShortage["cause"][];

export const fewCallsLeft: CallShortage = {
  cause: "few calls left",
  why: "The key has few calls left this hour: others use it, or share its rate limit. Find out what makes so many calls.",
};

/** `limit`: the calls that the key may make in an hour. All customer keys have the same limit. */
export function fewCallsAllowed(api: ApiName, limit: number): CallShortage {
  const way = api === "reseller" ? "Set a key with a higher limit." : "Ask the supplier for a higher limit.";
  const why = `The key may make ${count(limit, "call")} an hour, and polling at most a fifth of them: too few for all lists. ${way}`;
  return { cause: "few calls allowed", why };
}

/** True while no error is known: the list only waits for calls of the rate limit. */
export function isStarving({ cause }: ListFailure): boolean {
  return shortages.includes(cause);
}

/**
 * The failure of a list that waits for calls of the rate limit, since `dueAt` or, if nothing was noted then, since now: while Rackbell was
 * stopped, no list waited. Null where another failure is known, or nothing is new.
 */
export function starving(
  failing: ListFailure | null,
  { shortage, dueAt, now }: { shortage: CallShortage; dueAt: number; now: number },
): ListFailure | null {
  const since = Math.max(dueAt, now);
  if (failing !== null) {
    if (!isStarving(failing) || failing.notice !== null) return null;
    return isWorthSaying(failing, now) || since < failing.since
      ? { ...failing, since: Math.min(failing.since, since) }
      : null;
  }
  return { since, ...shortage, lasting: false, ofKey: false, notice: null, rows: null };
}

function isWorthSaying({ lasting, since }: ListFailure, now: number): boolean {
  return lasting || now - since > worthSayingMs;
}

/**
 * Gives each failure the recent notice of its cause, or a new one where a list of that cause is worth it. `starves`: polling gets no call now.
 * Otherwise no list is first named for that: what waited when Rackbell stopped is read soon after its start.
 */
export function withNotices<Lists extends PolledLists>(
  lists: Lists,
  now: number,
  { starves }: { starves: boolean },
): Lists {
  const failures = Object.values(lists).flatMap(({ failing }) => failing ?? []);
  const noticeOf = (failing: ListFailure) => {
    const { cause, notice } = failing;
    const waits = isStarving(failing);
    if (notice !== null) return notice;
    // Of those that are read in turn, each after little more than an hour, one is named before another is read: otherwise each would be news.
    if (waits && now - failing.since <= worthSayingMs / 2) return null;
    const same = failures.filter((one) => one.cause === cause);
    // The lists that wait for calls are read in turn: one notice names them until none waits.
    const joinedMs = waits ? Number.POSITIVE_INFINITY : joinsMs;
    const recent = same.find((one) => one.notice !== null && one.notice > now - joinedMs);
    const isDue = (starves || !waits) && same.some((one) => one.notice === null && isWorthSaying(one, now));
    return recent?.notice ?? (isDue ? now : null);
  };
  const noticed = Object.entries(lists).map(([name, list]) => [
    name,
    { ...list, failing: list.failing && { ...list.failing, notice: noticeOf(list.failing) } },
  ]);
  return Object.fromEntries(noticed);
}

/** The lists that one notice names. */
export interface UnreadLists {
  names: string[];
  /** The number of rows that are not read, while the others of these lists are; null where it is not rows. */
  rows: number | null;
  since: number;
  why: string;
  lasting: boolean;
  /** Nothing is read with the key. */
  all: boolean;
}

/** The lists that the admins were notified of, those of each notice together. */
export function unreadLists(lists: PolledLists): Map<number, UnreadLists> {
  const failing = Object.entries(lists).flatMap(([name, { failing: one, answeredAt }]) =>
    one === null || one.notice === null ? [] : [{ ...one, name, answeredAt, notice: one.notice }],
  );
  const groups = [...Map.groupBy(failing, ({ notice }) => notice)].map(([notice, group]): [number, UnreadLists] => {
    const since = Math.min(...group.map((one) => one.since));
    const { why = "", lasting = false, ofKey = false } = group[0] ?? {};
    const names = group.map(({ name, rows, answeredAt, since: from }) =>
      rows === null && answeredAt > from ? `some of the ${name}` : name,
    );
    // Within the hour before another notice, most lists have had their turn.
    const isSilent = !lasting && Object.values(lists).every((one) => one.answeredAt < since);
    const counts = group.flatMap((one) => one.rows ?? []);
    const rows = counts.length > 0 ? counts.reduce((sum, one) => sum + one, 0) : null;
    return [notice, { names, rows, since, why, lasting, all: ofKey || isSilent }];
  });
  return new Map(groups);
}

/** A change of the lists by one step of polling. `other`: an admin set another key. */
interface ListsChange {
  before: PolledLists;
  after: PolledLists;
  other: boolean;
}

/** The notices that begin, change or end with this change of the lists. */
export async function noticeChanges(app: TimedApp, api: ApiName, change: ListsChange): Promise<NoticeChange[]> {
  const before = unreadLists(change.before);
  const after = unreadLists(change.after);
  const changed = [...new Set([...before.keys(), ...after.keys()])].flatMap((id) => {
    const [was, is] = [before.get(id), after.get(id)];
    const text = is ? failingWords(api, is) : was && endedWords(api, was, change);
    if (!text || (is && was && text === failingWords(api, was))) return [];
    const steps = is?.lasting ? [{ label: "Connect…", command: "rackbell connect" }] : [];
    return noticeChange(app, { to: { admins: [] }, text, steps }, `polling:${api}:${id}`);
  });
  return Promise.all(changed);
}

/** "3 rows of machines and invoices" */
export function unreadWords({ names, rows }: UnreadLists): string {
  return `${rows === null ? "" : `${count(rows, "row")} of `}${listingOf(names, mostNamed, "other list")}`;
}

function failingWords(api: ApiName, unread: UnreadLists): string {
  const { since, why, all } = unread;
  const lists = all ? "cannot read anything" : `cannot read ${unreadWords(unread)}`;
  return `:warning: Polling ${lists} with the ${api} monitoring key since ${moment(since)}. ${why} Alerts may be missing until it can.`;
}

function endedWords(api: ApiName, { names, since, all }: UnreadLists, { before, after, other }: ListsChange): string {
  if (other) return `:white_check_mark: Polling uses another ${api} monitoring key now.`;
  // A failure ends also when nothing needs the list any more: no read shows then that the key can.
  const isRead = Object.entries(after).some(
    ([name, { answeredAt }]) => answeredAt !== (before[name]?.answeredAt ?? 0) || (all && answeredAt > since),
  );
  if (!isRead) return `Polling no longer reads ${listing(names)}: nothing needs it now.`;
  const lists = all ? `with the ${api} monitoring key` : listingOf(names, mostNamed, "other list");
  return `:white_check_mark: Polling reads ${lists} again. It could not since ${moment(since)}. Alerts about changes meanwhile follow.`;
}
