import * as z from "#zod";
import { type Links, linksIn } from "./link.ts";

/**
 * The marks of a person. A Slack account alone is not enough: one person may have several. `users`: the platform's users behind their
 * customer keys. `keys`: the ids of their keys, of either API.
 */
export const PersonMarks = z.object({ users: z.array(z.string()), keys: z.array(z.string()) });
export type PersonMarks = Readonly<Record<keyof z.infer<typeof PersonMarks>, readonly string[]>>;

/** A member with their marks. */
export interface Person extends PersonMarks {
  member: string;
}

/** The marks that a member has by their present links, to be stored with what they decide: a link may end after that. */
export function marksOf(links: Links): z.infer<typeof PersonMarks> {
  const { customer } = links;
  return { users: customer ? [customer.user.id] : [], keys: linksIn(links).map(({ keyId }) => keyId) };
}

/** The person behind a member, by their present links. */
export function personOf(links: Links): Person {
  return { member: links.member, ...marksOf(links) };
}

/**
 * Tells if two members are one person; every rule that needs "another person" asks this. "one": they share a Slack user, a platform user
 * or a key. "two": each has a platform user, and they differ. A reseller key has no user, so it proves nothing.
 */
export function comparePeople(one: Person, other: Person): "one" | "two" | "unknown" {
  const share = (own: readonly string[], theirs: readonly string[]) => own.some((each) => theirs.includes(each));
  if (slackUserIn(one.member) === slackUserIn(other.member)) return "one";
  if (share(one.users, other.users) || share(one.keys, other.keys)) return "one";
  return one.users.length > 0 && other.users.length > 0 ? "two" : "unknown";
}

/** True only if they are proven to be two people; "unknown" counts as no. */
export function areTwoPeople(one: Person, other: Person): boolean {
  return comparePeople(one, other) === "two";
}

/** The keys under which a person's spending is added up, with any of their Slack accounts: users and keys first, then the account. */
export function spendingKeys({ member, users, keys }: Person): [string, ...string[]] {
  const [first, ...others] = [...users.map((user) => `user:${user}`), ...keys.map((key) => `key:${key}`)];
  return first === undefined ? [member] : [first, ...others, member];
}

/** The member id of another Slack user of the same enterprise or team. */
export function memberBeside(member: string, slackUser: string): string {
  return `${member.slice(0, member.indexOf(":"))}:${slackUser}`;
}

/** The Slack user of a member id, which is an enterprise or team, a colon and a Slack user id. */
export function slackUserIn(member: string): string {
  return member.slice(member.indexOf(":") + 1);
}
