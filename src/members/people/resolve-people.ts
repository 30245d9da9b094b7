import type { PlainText } from "../../process/plain-text.ts";
import { code, prose } from "../../views/text.ts";
import { whyLeftOut } from "../slack-user.ts";
import type { NamedGroup, PeopleList } from "./people-list.ts";
import { type OnCallApp, onCallNow, type RotationNow, readGroup, readRotations, rotationNow } from "./rotations.ts";

/** The people of a list. */
interface ListedPeople {
  /** Slack user ids, each once. Deactivated accounts, guests and other organisations are not among them. */
  users: string[];
  /** A sentence in mrkdwn for each group or rotation that could not be read. */
  unread: string[];
  /** A sentence for each person who is not among them, and for a rotation without anybody. */
  leftOut: string[];
}

/**
 * Finds everybody whom a list can mean: of a rotation all its people, whoever is on call. Only these may get a right by it. If Slack does
 * not answer for a person, they stay: each act is checked anyway.
 */
export async function resolvePeople(app: OnCallApp, list: PeopleList, now: number): Promise<ListedPeople> {
  return resolve(app, list, async (id) => {
    const stored = (await readRotations(app)).find((one) => one.id === id);
    if (!stored) return null;
    const found = await rotationNow(app, stored, now);
    return { ...found, users: peopleOf(found.rotation, now) };
  });
}

/** Everybody who can be on call by a rotation. */
function peopleOf({ people, overrides }: RotationNow["rotation"], now: number): string[] {
  return [...people, ...overrides.flatMap(({ to, until }) => (until > now ? [to] : []))];
}

/** Finds the people whom a list means at a moment: of a rotation the one who is on call then. */
export async function peopleAt(app: OnCallApp, list: PeopleList, at: number): Promise<ListedPeople> {
  return resolve(app, list, async (id) => {
    const found = await onCallNow(app, id, at);
    return found && { ...found, users: found.slackUser === null ? [] : [found.slackUser] };
  });
}

/** The people of one part of a list. */
interface ListedPart extends Pick<RotationNow, "unread" | "leftOut"> {
  users: readonly string[];
}

async function resolve(
  app: OnCallApp,
  list: PeopleList,
  ofRotation: (id: string) => Promise<ListedPart | null>,
): Promise<ListedPeople> {
  const parts: ListedPart[] = [
    ...(await Promise.all(list.groups.map((group) => ofGroup(app, group)))),
    ...(await Promise.all(list.rotations.map(async ({ id, name }) => withName(await ofRotation(id), name)))),
  ];
  const leftOut = parts.flatMap((part) => part.leftOut);
  const users: string[] = [];
  for (const user of new Set([...list.users, ...parts.flatMap((part) => part.users)])) {
    const person = await app.people.person(user).catch(() => null);
    const problem = person && whyLeftOut(person);
    if (problem) leftOut.push(`${prose(person.name)} ${problem}.`);
    else users.push(user);
  }
  return { users, unread: [...new Set(parts.flatMap(({ unread }) => unread ?? []))], leftOut };
}

async function ofGroup(app: OnCallApp, group: NamedGroup): Promise<ListedPart> {
  const read = await readGroup(app, group);
  const [users, unread] = "unread" in read ? [[], read.unread] : [read.users, null];
  return { users, unread, leftOut: [] };
}

function withName(found: ListedPart | null, name: PlainText): ListedPart {
  if (!found) return { users: [], unread: `There is no rotation ${code(name)} any more.`, leftOut: [] };
  const nobody = found.users.length === 0 ? [`Nobody is on call by the rotation ${code(name)}.`] : [];
  return { ...found, leftOut: [...found.leftOut, ...nobody] };
}

/**
 * The loud mention of a list: it notifies each person, each group as a whole, and of a rotation the person who is on call, or says that
 * nobody is.
 */
export async function peopleMention(app: OnCallApp, list: PeopleList, at: number): Promise<string> {
  const onCall = list.rotations.map(async ({ id, name }) => {
    const user = (await onCallNow(app, id, at))?.slackUser ?? null;
    return user === null ? `nobody is on call in ${code(name)},` : `<@${user}> (on call)`;
  });
  const mentions = [
    ...list.users.map((user) => `<@${user}>`),
    ...(await Promise.all(onCall)),
    ...list.groups.map(({ id }) => `<!subteam^${id}>`),
  ];
  return [...new Set(mentions)].join(" ");
}
