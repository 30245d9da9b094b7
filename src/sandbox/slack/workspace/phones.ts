import type { Channel, Message, QuietHours, Workspace } from "./workspace.ts";

const day = 24 * 60 * 60_000;
const mostKept = 500;

/** The present Do Not Disturb of a user, or the next one; undefined without any. */
export function quietHoursOf({ quiet, clock }: Workspace, user: string): QuietHours | undefined {
  const hours = quiet.get(user);
  if (!hours) return undefined;
  const days = Math.max(0, Math.ceil((clock.now() - hours.to + 1) / day));
  return { from: hours.from + days * day, to: hours.to + days * day };
}

/** A new message notifies those whom it mentions, and the reader of a direct message. An edit, and what one person alone is shown, notify nobody. */
export function notifyPhones(workspace: Workspace, channel: Channel, message: Message): void {
  const now = workspace.clock.now();
  for (const user of notifiedBy(workspace, channel, message)) {
    const hours = quietHoursOf(workspace, user);
    const silencedUntil = hours && hours.from <= now ? hours.to : null;
    workspace.phones.push({ user, channel: channel.id, ts: message.ts, text: message.text, silencedUntil });
  }
  workspace.phones.splice(0, Math.max(0, workspace.phones.length - mostKept));
}

function notifiedBy(workspace: Workspace, channel: Channel, { user: author, mentions }: Message): Set<string> {
  const people = [...channel.members].filter((id) => id !== author && workspace.users.get(id)?.is_bot === false);
  if (channel.kind === "im") return new Set(people);
  const named = mentions.flatMap((mention) => usersIn(workspace, mention, people));
  return new Set(people.filter((id) => named.includes(id)));
}

function usersIn({ usergroups }: Workspace, mention: string, everybody: string[]): string[] {
  const [, sign, id = ""] = /^<(@|!subteam\^|!)([^|>]*)/.exec(mention) ?? [];
  if (sign === "@") return [id];
  return sign === "!" ? everybody : (usergroups.get(id)?.users ?? []);
}
