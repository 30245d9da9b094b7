import { dueStage } from "../../members/settings/settings.ts";
import type { Entry } from "../../operation/target.ts";
import { figure, moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import type { Seen, Threshold, Watch } from "./watch.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** After a message about a resource, its further changes of state are collected for this long and sent as one message. */
const quietMs = 15 * minute;
/** A figure counts as under its threshold again only this much below it, so that a wavering one sends few messages. */
const slack = 5;

/** A resource as read now. `used`: the watched figure in percent; null when none is watched or it could not be read. */
export interface WatchReading {
  entry: Entry;
  used: number | null;
}

/** The person who changed the resource through Rackbell since the last poll: nobody, the watcher, or another member. */
export type ChangeAuthor = { is: "nobody" } | { is: "watcher" } | { is: "other"; slackUser: string; command: string };

/** The state of a resource as a watch stores and compares it. */
export function seenIn(
  { entry, used }: WatchReading,
  watch: Pick<Watch, "threshold">,
  now: number,
  before?: Seen,
): Seen {
  const { threshold } = watch;
  return {
    at: now,
    state: entry.state,
    trouble: entry.trouble ?? null,
    due: dueWords(entry, now),
    over: threshold !== null && isOver(used, threshold, before?.over ?? false),
  };
}

function isOver(used: number | null, { above }: Threshold, before: boolean): boolean {
  // An unreadable figure counts as unchanged.
  if (used === null) return before;
  // A small threshold has a smaller slack: no figure is below 0.
  return before ? used > above - Math.min(slack, above / 2) : used >= above;
}

/** Days before a date at which the member is notified. */
const nearDays = 3;

function dueWords({ due }: Entry, now: number): string | null {
  if (!due) return null;
  const grace = due.what === "due for payment" ? 0 : day;
  const stage =
    due.what === "ends" && Date.parse(due.at) < now ? null : dueStage(due.at, { now, days: nearDays, grace });
  if (stage === null) return null;
  return stage === "overdue" ? `is over${due.what} since ${moment(due.at)}` : `${isWords(due.what)} ${moment(due.at)}`;
}

function isWords(what: NonNullable<Entry["due"]>["what"]): string {
  return what === "ends" ? what : `is ${what}`;
}

/** Compares a poll with the one before: the message to send (null for none), and the watch's next state. */
export function compareReading(
  watch: Watch,
  reading: WatchReading,
  { now, author }: { now: number; author: ChangeAuthor },
): Pick<Watch, "seen" | "quiet"> & { text: string | null } {
  const before = watch.seen;
  const seen = seenIn(reading, watch, now, before);
  const name = code(reading.entry.name, 60);
  // A quiet time that ends later than any can was stored before the clock was set back: it is over.
  const isQuiet = now < watch.quiet.until && watch.quiet.until <= now + quietMs;
  const quiet = isQuiet ? watch.quiet : { until: 0, changes: 0, notified: [] };
  const isNew = (words: string | null, old: string | null): words is string =>
    words !== null && words !== old && !quiet.notified.includes(words);
  const urgent = [
    ...(isNew(seen.trouble, before.trouble) ? [`:red_circle: ${name}: *${prose(seen.trouble, 120)}*.`] : []),
    ...(isNew(seen.due, before.due) ? [`:calendar: ${name} ${seen.due}.`] : []),
    ...overText(watch, reading, { before, seen, name }),
  ];
  const moved = seen.state !== before.state;
  const counts = moved && author.is !== "watcher";
  const changes = watch.quiet.changes + (counts ? 1 : 0);
  const notified = [...quiet.notified, ...[seen.trouble, seen.due].filter((words) => words !== null)];
  if (urgent.length === 0 && (changes === 0 || now < quiet.until))
    return { seen, quiet: { ...quiet, changes }, text: null };
  const by = author.is === "other" ? ` <@${author.slackUser}> asked for it here: ${code(`/${author.command}`)}.` : "";
  const state = changes > 0 ? [stateText(name, { before, seen, changes })] : [];
  const text = [...urgent, ...state].join("\n") + by;
  // Only changes of state and trouble start a quiet time; dates and figures do not change to and fro.
  const until = changes > 0 || seen.trouble !== null ? now + quietMs : quiet.until;
  return { seen, quiet: { until, changes: 0, notified: [...new Set(notified)] }, text };
}

function stateText(name: string, { before, seen, changes }: { before: Seen; seen: Seen; changes: number }): string {
  const is = `${name} is *${prose(seen.state, 60)}*`;
  if (changes === 1 && before.state !== seen.state) return `:eyes: ${is}; it was ${prose(before.state, 60)}.`;
  return `:left_right_arrow: ${is}. It changed ${changes === 1 ? "once" : `${changes} times`} since my last message.`;
}

function overText(
  { threshold }: Watch,
  { used }: WatchReading,
  { before, seen, name }: { before: Seen; seen: Seen; name: string },
): string[] {
  if (threshold === null || used === null || before.over === seen.over) return [];
  const now = `${threshold.label} ${figure(used)} %`;
  return seen.over
    ? [`:chart_with_upwards_trend: ${name}: *${now}*, over your limit of ${threshold.above} %.`]
    : [`:chart_with_downwards_trend: ${name}: ${now}, under ${threshold.above} % again.`];
}
