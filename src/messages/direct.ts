import type { Message } from "../views/blocks.ts";
import type { Notification } from "./outbox.ts";

/** The same message for the direct messages of each user. `prefix` separates its slots from the subject's others. */
export function directNotifications(
  users: readonly string[],
  { message, since, prefix = "" }: { message: Message; since: number; prefix?: string },
): Notification[] {
  return users.map((user) => ({
    slot: `${prefix}${user}`,
    to: { in: "direct", user },
    message,
    priority: "ending",
    since,
  }));
}
