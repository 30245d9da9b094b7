import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { momentPassedOver, momentsOf, type WallTime, wallTimeOf } from "../../views/zone.ts";
import { NamedGroup } from "./people-list.ts";

/** For some time another person is on call. Of two at one moment the later one in the list counts. */
const ShiftOverride = z.object({
  id: z.string(),
  /** Slack users: who is on call, in whose turns; null: in everybody's. */
  to: z.string(),
  instead: z.string().nullable(),
  from: z.number(),
  until: z.number(),
  /** The Slack user who set it. */
  by: z.string(),
});
export type ShiftOverride = z.infer<typeof ShiftOverride>;

/** People who are on call in turns, one at a time. */
export const Rotation = z.object({
  id: z.string(),
  /** One word in small letters. */
  name: PlainText,
  /** Slack users in their order; of a group, those that it had when it was last read. */
  people: z.array(z.string()),
  /** The user group whose people they are; null: they were named. */
  group: NamedGroup.nullable(),
  every: z.enum(["day", "week"]),
  /** An IANA time zone, and the wall time in it at which the turn of the person at `first` begins. */
  zone: z.string(),
  anchor: z.number(),
  first: z.number(),
  overrides: z.array(ShiftOverride),
  /** The Slack user who set it last. */
  by: z.string(),
});
export type Rotation = z.infer<typeof Rotation>;

const day = 24 * 60 * 60_000;
const periods = { day, week: 7 * day };

/** The moment at which a turn begins: a time that the clocks skip is moved by the length of the change; of two it is the first. */
function turnStart({ anchor, every, zone }: Rotation, turn: number): number {
  const wall = anchor + turn * periods[every];
  return momentsOf(wall, zone)[0] ?? momentPassedOver(wall, zone);
}

/** The number of the turn at a moment; 0 is the one that begins at the anchor. */
function turnAt(rotation: Rotation, at: number): number {
  let turn = Math.floor((wallTimeOf(at, rotation.zone) - rotation.anchor) / periods[rotation.every]);
  while (turnStart(rotation, turn) > at) turn -= 1;
  while (turnStart(rotation, turn + 1) <= at) turn += 1;
  return turn;
}

/** The last begin of a turn at or before a moment, as a wall time. `weekday`: 0 is Sunday; null: each day. `minutes`: after midnight. */
export function lastBegin(
  { weekday, minutes, zone }: { weekday: number | null; minutes: number; zone: string },
  now: number,
): WallTime {
  const today = Math.floor(wallTimeOf(now, zone) / day) * day;
  for (let date = today + day; ; date -= day) {
    if (weekday !== null && new Date(date).getUTCDay() !== weekday) continue;
    const wall = date + minutes * 60_000;
    if ((momentsOf(wall, zone)[0] ?? momentPassedOver(wall, zone)) <= now) return wall;
  }
}

/** True for people who can be on call. */
type IsThere = (slackUser: string) => boolean;

/** The person at a place of the order, or the next one who is there; null if nobody is. */
function personAt({ people, first }: Rotation, turn: number, isThere: IsThere): string | null {
  const length = people.length;
  for (let ahead = 0; ahead < length; ahead += 1) {
    const person = people[(((first + turn + ahead) % length) + length) % length];
    if (person !== undefined && isThere(person)) return person;
  }
  return null;
}

/** A span in which one person is on call; null: nobody. */
export interface Shift {
  slackUser: string | null;
  /** The person whose turn it is, if another one is on call; else null. */
  insteadOf: string | null;
  /** The Slack user who set the override by which they are on call; null: it is their turn. */
  setBy: string | null;
  until: number;
}

/** The shift at a moment. It ends with the turn, or with the begin or the end of an override. */
export function shiftAt(rotation: Rotation, at: number, isThere: IsThere): Shift {
  const turn = turnAt(rotation, at);
  const own = personAt(rotation, turn, isThere);
  const override = rotation.overrides.findLast(
    ({ from, until, instead, to }) => from <= at && at < until && (instead === null || instead === own) && isThere(to),
  );
  const edges = rotation.overrides.flatMap(({ from, until }) => [from, until]).filter((edge) => edge > at);
  const until = Math.min(turnStart(rotation, turn + 1), ...edges);
  const insteadOf = override && override.to !== own ? own : null;
  return { slackUser: override?.to ?? own, insteadOf, setBy: override?.by ?? null, until };
}

/** The first later shift that fits; null if none of the next turns does. */
export function nextShift(
  rotation: Rotation,
  at: number,
  isThere: IsThere,
  fits: (slackUser: string | null) => boolean,
): { slackUser: string | null; from: number } | null {
  const most = 2 * (rotation.people.length + rotation.overrides.length) + 2;
  let from = shiftAt(rotation, at, isThere).until;
  for (let step = 0; step < most; step += 1) {
    const { slackUser, until } = shiftAt(rotation, from, isThere);
    if (fits(slackUser)) return { slackUser, from };
    from = until;
  }
  return null;
}

/**
 * The rotation with another order or at other times, from a moment on. The person whose turn it is stays on call, or the next one after
 * them who is still among the people.
 */
export function rearranged(
  before: Rotation,
  change: Partial<Pick<Rotation, "people" | "group" | "every" | "zone">> & { anchor?: WallTime },
  now: number,
): Rotation {
  const turn = turnAt(before, now);
  const anchor = change.anchor ?? before.anchor + turn * periods[before.every];
  const after = { ...before, ...change, anchor, first: 0 };
  const ahead = before.people.map((_, step) => personAt(before, turn + step, () => true));
  const stays = ahead.find((person) => person !== null && after.people.includes(person));
  return { ...after, first: Math.max(0, after.people.indexOf(stays ?? "")) };
}

/** The order of a rotation by a group: those who are still in it as before, and then those who came to it. */
export function orderOfGroup(before: readonly string[], now: readonly string[]): string[] {
  return [...before.filter((user) => now.includes(user)), ...now.filter((user) => !before.includes(user))];
}
