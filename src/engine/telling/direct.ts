import type { Message } from "../../views/blocks.ts";
import type { Telling } from "./outbox.ts";

/** The same message in the direct messages of each; `prefix` tells its slots from the subject's others. */
export function directTellings(
  users: readonly string[],
  { message, since, prefix = "" }: { message: Message; since: number; prefix?: string },
): Telling[] {
  return users.map((user) => ({
    slot: `${prefix}${user}`,
    to: { in: "direct", user },
    message,
    priority: "ending",
    since,
  }));
}
