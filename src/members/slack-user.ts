import type { PlainText } from "../process/plain-text.ts";
import type { Block } from "../views/blocks.ts";
import { prose } from "../views/text.ts";

/** A Slack user, as Slack describes them now. */
export interface SlackUser {
  id: string;
  name: PlainText;
  /** An admin or owner of the workspace. */
  admin: boolean;
  /** A guest, or a user of another organisation: neither may link a key or press a button. */
  outsider: "guest" | "other organisation" | null;
  deleted: boolean;
  /** Their time zone in Slack, as an IANA name. */
  zone: string;
}

/** Why a person takes no part, as the rest of a sentence; null if they may. */
export function whyLeftOut({ deleted, outsider }: SlackUser): string | null {
  if (deleted) return "was deactivated in Slack";
  if (outsider === "guest") return "is a guest of this workspace";
  return outsider === null ? null : "is a member of another organisation";
}

/** A user group of Slack. */
export interface SlackGroup {
  id: string;
  /** Its name without the "@". */
  handle: PlainText;
  /** Slack user ids. */
  users: readonly string[];
}

/** The user groups that are in use, or the reason why Slack does not give them. */
export type SlackGroups = { groups: readonly SlackGroup[] } | { unread: "no scope" | "no answer" };

/** The users of Slack. */
export interface SlackUsers {
  /** `fresh` asks Slack again, for rights that must be live. Rejects with SlackRefused or SlackUnanswered. */
  person(user: string, options?: { fresh?: boolean }): Promise<SlackUser>;
}

/** The name of a user; the Slack id while Slack does not answer. */
export async function userName({ people }: { people: SlackUsers }, user: string): Promise<PlainText> {
  const person = await people.person(user).catch(() => null);
  return person?.name ?? user;
}

/** The same of several users, by their Slack ids. */
export async function userNames(
  app: { people: SlackUsers },
  users: Iterable<string>,
): Promise<ReadonlyMap<string, PlainText>> {
  const named = [...new Set(users)].map(async (user) => [user, await userName(app, user)] as const);
  return new Map(await Promise.all(named));
}

/** A text in mrkdwn with names in place of its mentions, for a new message: it must not notify people who need not act. */
export async function withoutMentions(app: { people: SlackUsers }, text: string): Promise<string> {
  const mention = /<@(\w+)>/g;
  const users = [...text.matchAll(mention)].map(([, user = ""]) => user);
  const names = await userNames(app, users);
  return text
    .replaceAll(mention, (_, user: string) => prose(names.get(user) ?? user))
    .replaceAll(/<!subteam[^<>]*>/g, "a user group");
}

/** The same of the small lines of a message. */
export function contextsWithoutMentions(app: { people: SlackUsers }, blocks: readonly Block[]): Promise<Block[]> {
  return Promise.all(
    blocks.map(async (block) => {
      if (block.type !== "context") return block;
      const elements = block.elements.map(async (element) =>
        element.type === "mrkdwn" ? { ...element, text: await withoutMentions(app, element.text) } : element,
      );
      return { ...block, elements: await Promise.all(elements) };
    }),
  );
}

/** The users and the user groups of Slack. */
export interface SlackPeople extends SlackUsers {
  /** The people of the workspace, of whom a large one gives only a part; none while Slack does not answer. Never rejects. */
  everybody(): Promise<readonly SlackUser[]>;
  /** `fresh` asks Slack again. Never rejects. */
  groups(options?: { fresh?: boolean }): Promise<SlackGroups>;
}
