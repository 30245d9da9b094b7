import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import { plainly } from "../../process/plain-text.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";
import { code, prose } from "../../views/text.ts";
import { type SlackPeople, whyLeftOut } from "../slack-user.ts";
import type { NamedGroup } from "./people-list.ts";
import { nextShift, orderOfGroup, type Rotation, Rotation as RotationSchema, rearranged, shiftAt } from "./rotation.ts";

/** The parts of the app that say who is on call. */
export interface OnCallApp extends TimedApp {
  people: SlackPeople;
}

const rotationsKind = defineKind({
  name: "list of rotations",
  namespace: "rotations",
  schema: z.object({ rotations: z.array(RotationSchema) }),
});
const key = "workspace";

/** The workspace's rotations, by name. */
export async function readRotations({ store }: StoreApp): Promise<readonly Rotation[]> {
  return (await store.keyv(rotationsKind).get(key))?.rotations ?? [];
}

/** Changes the rotations atomically: of two changes at once neither undoes the other. `change` may run several times. */
export async function changeRotations(
  app: TimedApp,
  change: (rotations: readonly Rotation[]) => Rotation[],
): Promise<void> {
  await update(app.store, rotationsKind, key, (before) => ({ rotations: change(before?.rotations ?? []) }));
  await checkTurns(app);
}

/** Timer prefix: another person may be on call by now. The id of the rotation follows. */
export const turnTimer = "turn:";

/** Has each rotation find out who is on call now, or after so many milliseconds, and notify a person who was not before. */
export async function checkTurns(app: TimedApp, afterMs = 0): Promise<void> {
  const at = app.clock.now() + afterMs;
  for (const { id } of await readRotations(app)) await app.store.timers.set(`${turnTimer}${id}`, at);
}

/** The id of a rotation, or of an override of one. */
export function newId(): string {
  return randomUUID().slice(0, 8);
}

/** The people of a group now, or a sentence in mrkdwn why they cannot be read. */
export async function readGroup(
  { people }: Pick<OnCallApp, "people">,
  { id, name }: NamedGroup,
): Promise<{ users: readonly string[] } | { unread: string }> {
  const read = await people.groups();
  if ("unread" in read) return { unread: unreadWords[read.unread] };
  const group = read.groups.find((one) => one.id === id);
  return group ?? { unread: `Slack has no user group ${code(plainly`@${name}`)} in use any more.` };
}

const unreadWords = {
  "no scope": "Slack does not give Rackbell the people of its user groups: the scope `usergroups:read` is missing.",
  "no answer": "Slack does not answer about its user groups now.",
};

/** A rotation with the people who are there. */
export interface RotationNow {
  rotation: Rotation;
  isThere: (slackUser: string) => boolean;
  /** A sentence in mrkdwn about a group that cannot be read; null if nothing is unread. */
  unread: string | null;
  /** A sentence for each person who is skipped. */
  leftOut: string[];
}

/**
 * Finds who of a rotation is there. The people of a group are read from Slack; one that cannot be read stays as it was. If Slack does not
 * answer for a person, they count as there: nobody is skipped by mistake.
 */
export async function rotationNow(app: OnCallApp, stored: Rotation, now: number): Promise<RotationNow> {
  const read = stored.group && (await readGroup(app, stored.group));
  const rotation = read && "users" in read ? await withGroup(app, stored, read.users, now) : stored;
  const leftOut: string[] = [];
  const gone = new Set<string>();
  for (const user of new Set([...rotation.people, ...rotation.overrides.map(({ to }) => to)])) {
    const person = await app.people.person(user).catch(() => null);
    const problem = person && whyLeftOut(person);
    if (!problem) continue;
    gone.add(user);
    leftOut.push(`${prose(person.name)} ${problem}, so their turns are skipped.`);
  }
  const unread = read && "unread" in read ? read.unread : null;
  return { rotation, isThere: (user) => !gone.has(user), unread, leftOut };
}

/** Stores the order of a group that has other people than before. */
async function withGroup(app: OnCallApp, stored: Rotation, users: readonly string[], now: number): Promise<Rotation> {
  const people = orderOfGroup(stored.people, users);
  if (isDeepStrictEqual(people, stored.people)) return stored;
  const after = rearranged(stored, { people }, now);
  await changeRotations(app, (all) => all.map((one) => (isDeepStrictEqual(one, stored) ? after : one)));
  return after;
}

/** The person on call by a rotation. */
export interface OnCall {
  /** Null: nobody. */
  slackUser: string | null;
  /** The person whose turn it is, if another one is on call; else null. */
  insteadOf: string | null;
  /** As of `Shift`. */
  setBy: string | null;
  /** Milliseconds since the epoch at which the next person is on call; null if nobody else ever is. */
  until: number | null;
  /** The person who is on call then; null: nobody. */
  next: string | null;
  /** As of `RotationNow`. */
  unread: string | null;
  leftOut: string[];
}

/** Finds who is on call at a moment. */
export async function onCallBy(app: OnCallApp, stored: Rotation, at: number): Promise<OnCall> {
  const { rotation, isThere, unread, leftOut } = await rotationNow(app, stored, at);
  const { slackUser, insteadOf, setBy } = shiftAt(rotation, at, isThere);
  const after = nextShift(rotation, at, isThere, (user) => user !== slackUser);
  const [until, next] = [after?.from ?? null, after?.slackUser ?? null];
  return { slackUser, insteadOf, setBy, until, next, unread, leftOut };
}

/** The same by the rotation of this id; null if it was removed. */
export async function onCallNow(app: OnCallApp, rotationId: string, at: number): Promise<OnCall | null> {
  const rotation = (await readRotations(app)).find(({ id }) => id === rotationId);
  return rotation ? onCallBy(app, rotation, at) : null;
}
