import type { Entry } from "../../operation/target.ts";
import { figure, moment } from "../../views/format.ts";
import { code, prose } from "../../views/text.ts";
import { stageOf } from "../sweep/limits.ts";
import type { Seen, Threshold, Watch } from "./watch.ts";

const minute = 60_000;
const day = 24 * 60 * minute;
/** After news of a thing, its further changes of state are told in one once so long has passed. */
const quietMs = 15 * minute;
/** A figure that wavers about its threshold is under it again only this much below. */
const slack = 5;

/** A thing as it was read now, with the figure that is watched, where one is: null where it could not be read. */
export interface Sight {
  entry: Entry;
  used: number | null;
}

/** Who asked for a change through Rackbell since the look before: the watcher, or somebody else with a command. */
export type Asker = { is: "nobody" } | { is: "watcher" } | { is: "other"; slackUser: string; command: string };

/** How a thing is, as a watch compares it. */
export function seenIn({ entry, used }: Sight, watch: Pick<Watch, "threshold">, now: number, before?: Seen): Seen {
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
  // What cannot be read has not changed.
  if (used === null) return before;
  return before ? used > above - slack : used >= above;
}

/** Days before a date at which it is told. */
const nearDays = 3;

function dueWords({ due }: Entry, now: number): string | null {
  if (!due) return null;
  const grace = due.what === "to be paid" ? 0 : day;
  const stage =
    due.what === "ends" && Date.parse(due.at) < now ? null : stageOf(due.at, { now, days: nearDays, grace });
  if (stage === null) return null;
  return stage === "overdue" ? `was ${due.what} ${moment(due.at)}` : `${isWords(due.what)} ${moment(due.at)}`;
}

function isWords(what: NonNullable<Entry["due"]>["what"]): string {
  return what === "ends" ? what : `is ${what}`;
}

/** What of a look is news, as one text; and how the watch goes on from it. */
export function compare(
  watch: Watch,
  sight: Sight,
  { now, asker }: { now: number; asker: Asker },
): Pick<Watch, "seen" | "quiet"> & { text: string | null } {
  const before = watch.seen;
  const seen = seenIn(sight, watch, now, before);
  const name = code(sight.entry.name, 60);
  const quiet = now < watch.quiet.until ? watch.quiet : { until: 0, changes: 0, told: [] };
  const isNew = (words: string | null, old: string | null): words is string =>
    words !== null && words !== old && !quiet.told.includes(words);
  const urgent = [
    ...(isNew(seen.trouble, before.trouble) ? [`:red_circle: ${name}: *${prose(seen.trouble, 120)}*.`] : []),
    ...(isNew(seen.due, before.due) ? [`:calendar: ${name} ${seen.due}.`] : []),
    ...overText(watch, sight, { before, seen, name }),
  ];
  const moved = seen.state !== before.state;
  const counts = moved && asker.is !== "watcher";
  const waited = now >= watch.quiet.until && watch.quiet.changes > 0;
  const changes = (waited ? watch.quiet.changes : quiet.changes) + (counts ? 1 : 0);
  const told = [...quiet.told, ...[seen.trouble, seen.due].filter((words) => words !== null)];
  if (urgent.length === 0 && (changes === 0 || now < quiet.until))
    return { seen, quiet: { ...quiet, changes }, text: null };
  const by = asker.is === "other" ? ` <@${asker.slackUser}> asked for it here: ${code(`/${asker.command}`)}.` : "";
  const state = changes > 0 ? [stateText(name, { before, seen, changes })] : [];
  const text = [...urgent, ...state].join("\n") + by;
  // A date or a figure says nothing of what changes to and fro.
  const until = changes > 0 || seen.trouble !== null ? now + quietMs : quiet.until;
  return { seen, quiet: { until, changes: 0, told: [...new Set(told)] }, text };
}

function stateText(name: string, { before, seen, changes }: { before: Seen; seen: Seen; changes: number }): string {
  const is = `${name} is *${prose(seen.state, 60)}*`;
  if (changes === 1 && before.state !== seen.state) return `:eyes: ${is}; it was ${prose(before.state, 60)}.`;
  return `:left_right_arrow: ${is}. It changed ${changes === 1 ? "once" : `${changes} times`} since I last told you.`;
}

function overText(
  { threshold }: Watch,
  { used }: Sight,
  { before, seen, name }: { before: Seen; seen: Seen; name: string },
): string[] {
  if (threshold === null || used === null || before.over === seen.over) return [];
  const now = `${threshold.label} ${figure(used)} %`;
  return seen.over
    ? [`:chart_with_upwards_trend: ${name}: *${now}*, over the ${threshold.above} % at which you are told.`]
    : [`:chart_with_downwards_trend: ${name}: ${now}, under ${threshold.above} % again.`];
}
