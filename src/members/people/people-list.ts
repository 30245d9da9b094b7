// members/people/: lists of people as members name them: single people, user groups of Slack, and rotations.

import * as z from "#zod";
import { characters, PlainText, plainly } from "../../process/plain-text.ts";
import { code, listing } from "../../views/text.ts";

/** A user group with its handle, or a rotation with its name, as it was when the list was made. */
export const NamedGroup = z.object({ id: z.string(), name: PlainText });
export type NamedGroup = z.infer<typeof NamedGroup>;

/** People as a member named them. */
export const PeopleList = z.object({
  /** Slack user ids. */
  users: z.array(z.string()),
  groups: z.array(NamedGroup),
  rotations: z.array(NamedGroup),
  /** True: members' agents, too. */
  agents: z.boolean(),
});
export type PeopleList = z.infer<typeof PeopleList>;

/** The list in mrkdwn, without the loud mention of a whole group: "<@U1>, `@ops` and the rotation `night`". */
export function peopleWords(
  { users, groups, rotations, agents }: PeopleList,
  userWords = (user: string) => `<@${user}>`,
): string {
  const parts = [
    ...users.map(userWords),
    ...groups.map(({ name }) => code(plainly`@${name}`)),
    ...rotations.map(({ name }) => `the rotation ${code(name)}`),
    ...(agents ? ["members' agents"] : []),
  ];
  return listing(parts) || "nobody";
}

export function isNobody({ users, groups, rotations, agents }: PeopleList): boolean {
  return users.length + groups.length + rotations.length === 0 && !agents;
}

/** All of these lists in one, each person and group once. */
export function joinedPeople(lists: readonly PeopleList[]): PeopleList {
  const unique = (all: PeopleList["groups"]) => [...new Map(all.map((one) => [one.id, one])).values()];
  return {
    users: [...new Set(lists.flatMap(({ users }) => users))],
    groups: unique(lists.flatMap(({ groups }) => groups)),
    rotations: unique(lists.flatMap(({ rotations }) => rotations)),
    agents: lists.some(({ agents }) => agents),
  };
}

/** The list as a command takes it, and a form's field: "@U1 @S1 night". */
export function peopleText({ users, groups, rotations, agents }: PeopleList): string {
  const named = [...users, ...groups.map(({ id }) => id)].map((id) => `@${id}`);
  return [...named, ...rotations.map(({ name }) => characters(name)), ...(agents ? ["agents"] : [])].join(" ");
}
