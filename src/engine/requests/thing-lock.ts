import * as z from "zod";

/** Whose act works on a thing at this moment: what a lock on it says of its holder. */
export const LockHolder = z.object({ request: z.string(), slackUser: z.string(), title: z.string() });
export type LockHolder = z.infer<typeof LockHolder>;

/** The name of the lock on a thing. */
export function lockOn(thing: string): string {
  return `thing:${thing}`;
}

/** What is told to whom another's act on the same thing stopped. */
export function underWay(by: unknown): string {
  const holder = LockHolder.safeParse(by).data;
  const what = holder ? `${holder.title}, asked for by <@${holder.slackUser}>,` : "Something else";
  return `${what} is being sent at this moment, so nothing more was done. Try again when it is clear what came of that.`;
}
