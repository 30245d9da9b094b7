import { standInFor } from "../../members/people/away.ts";
import { isNobody, type PeopleList, peopleWords } from "../../members/people/people-list.ts";
import { peopleAt } from "../../members/people/resolve-people.ts";
import { type SlackGroup, type SlackPeople, userName, userNames } from "../../members/slack-user.ts";
import type { People } from "../../messages/chat/people.ts";
import { plainly } from "../../process/plain-text.ts";
import type { TimedApp } from "../../storage/foundation.ts";
import { moment } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import type { Notified, Reached } from "./steps.ts";

/** The parts of the app that know people in Slack, and who is away. */
export interface ReachApp extends TimedApp {
  people: Pick<People, keyof SlackPeople | "quiet" | "channel" | "members">;
}

/** The place in which somebody can be notified of one thing; or why not, as the rest of a sentence. */
export type Reachability = { direct: boolean } | { why: string };

/** Asks the functions that say who may see something, and who could act on it. */
export type CheckPerson = (slackUser: string) => Promise<Reachability>;

/**
 * Finds the people of a list whom a step notifies now. A group is mentioned as a whole if all of its people are, or if Slack does not give
 * them; else each of them is.
 */
export async function reachPeople(app: ReachApp, list: PeopleList, check: CheckPerson): Promise<Reached> {
  const read = list.groups.length > 0 ? await app.people.groups() : { groups: [] };
  const unknown = "unread" in read ? list.groups : [];
  const known = "unread" in read ? [] : read.groups.filter(({ id }) => list.groups.some((group) => group.id === id));
  const readable = unknown.length > 0 ? { ...list, groups: [] } : list;
  const { users, unread, leftOut } = await peopleAt(app, readable, app.clock.now());
  const { notified, skipped } = await reachUsers(app, users, check);
  const whole = known.filter((group) => isWhole(group, notified));
  const mentions = notified.map((one) => {
    const group = whole.find((found) => one.slackUser !== null && found.users.includes(one.slackUser));
    return group ? { ...one, mention: mentionOfGroup(group) } : one;
  });
  return { notified: [...mentions, ...unknown.map(groupAsOne)], skipped: [...unread, ...leftOut, ...skipped] };
}

function mentionOfGroup({ id }: { id: string }): string {
  return `<!subteam^${id}>`;
}

function groupAsOne(group: { id: string }): Notified {
  return { mention: mentionOfGroup(group), slackUser: null, insteadOf: null, quietUntil: null, direct: false };
}

/** True if a mention of the group notifies just those who are to be notified. */
function isWhole({ users }: Pick<SlackGroup, "users">, notified: readonly Notified[]): boolean {
  return users.every((user) => notified.some((one) => one.slackUser === user && !one.direct && one.insteadOf === null));
}

/** The same of single people, each once, and of those who stand in for people who are away. */
async function reachUsers(app: ReachApp, users: readonly string[], check: CheckPerson): Promise<Reached> {
  const checked = new Map<string, Reachability>();
  const skipped: string[] = [];
  const found = new Map<string, { insteadOf: string | null; direct: boolean }>();
  const checkOnce: CheckPerson = async (user) => {
    const known = checked.get(user) ?? (await check(user));
    checked.set(user, known);
    return known;
  };
  for (const user of users) {
    const one = await findTarget(app, user, checkOnce);
    if (typeof one === "string") skipped.push(one);
    else if (!found.has(one.slackUser)) found.set(one.slackUser, one);
  }
  const quiet = await app.people.quiet([...found.keys()]);
  const notified = [...found].map(([slackUser, { insteadOf, direct }]) => {
    return { mention: `<@${slackUser}>`, slackUser, insteadOf, quietUntil: quiet.get(slackUser) ?? null, direct };
  });
  return { notified, skipped };
}

/** The person who is notified, or the stand-in while that person is away; else why nobody is, as a sentence. */
async function findTarget(app: ReachApp, user: string, check: CheckPerson) {
  const isReachable = async (one: string) => "direct" in (await check(one));
  const standIn = await standInFor(app, user, app.clock.now(), isReachable);
  // A mention of somebody who is passed over would notify them, so they are named.
  if (standIn && standIn.to === null)
    return `${prose(await userName(app, user))} is away until ${moment(standIn.until)}, and has no stand-in who could act.`;
  const slackUser = standIn?.to ?? user;
  const result = await check(slackUser);
  if ("why" in result) return `${prose(await userName(app, slackUser))} ${result.why}.`;
  return { slackUser, insteadOf: standIn ? prose(await userName(app, user)) : null, direct: result.direct };
}

/** The people of a list by their names, in mrkdwn: a mention would notify them. */
export async function namedPeople(app: ReachApp, list: PeopleList): Promise<string> {
  const names = await userNames(app, list.users);
  const handles = [...names.values()].map((name) => code(plainly`@${name}`));
  const others = { ...list, users: [] };
  return listing([...handles, ...(isNobody(others) ? [] : [peopleWords(others)])]) || peopleWords(list);
}
