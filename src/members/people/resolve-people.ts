import { plainly } from "../../process/plain-text.ts";
import { code, prose } from "../../views/text.ts";
import type { PeopleList } from "./people-list.ts";
import { type PeopleApp, whyLeftOut } from "./typed-people.ts";

/** The people of a list at one moment. */
interface PeopleNow {
  /** Slack user ids, each once. Deactivated accounts, guests and other organisations are not among them. */
  users: string[];
  /** A sentence in mrkdwn for each group that could not be read, and for each person who was left out. */
  unread: string[];
}

const unreadWords = {
  "no scope": "Slack does not give Rackbell the people of its user groups: the scope `usergroups:read` is missing.",
  "no answer": "Slack does not answer about its user groups now.",
};

/** Finds the people of a list now. If Slack does not answer for a person, they stay: each act is checked anyway. */
export async function resolvePeople(app: Pick<PeopleApp, "people">, list: PeopleList): Promise<PeopleNow> {
  const unread: string[] = [];
  const users = [...list.users];
  if (list.groups.length > 0) {
    const read = await app.people.groups();
    if ("unread" in read) unread.push(unreadWords[read.unread]);
    else
      for (const { id, name } of list.groups) {
        const group = read.groups.find((one) => one.id === id);
        if (group) users.push(...group.users);
        else unread.push(`Slack has no user group ${code(plainly`@${name}`)} in use any more.`);
      }
  }
  const persons = await Promise.all(
    [...new Set(users)].map(async (user) => ({ user, person: await app.people.person(user).catch(() => null) })),
  );
  const there = persons.flatMap(({ user, person }) => {
    const problem = person && whyLeftOut(person);
    if (problem) unread.push(`${prose(person.name)} ${problem}.`);
    return problem ? [] : [user];
  });
  return { users: there, unread };
}

/** The loud mention of a list: it notifies each person, and each group as a whole. */
export function peopleMention({ users, groups }: PeopleList): string {
  return [...users.map((user) => `<@${user}>`), ...groups.map(({ id }) => `<!subteam^${id}>`)].join(" ");
}
