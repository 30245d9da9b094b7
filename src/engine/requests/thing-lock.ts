import * as z from "zod";
import type { Act } from "../../operation/operation.ts";
import type { Locks } from "../../storage/store.ts";
import { titleOf } from "./view.ts";

/** Whose act works on a thing at this moment: what a lock on it says of its holder. */
export const LockHolder = z.object({ request: z.string(), slackUser: z.string(), title: z.string() });
type LockHolder = z.infer<typeof LockHolder>;

/** Longer than an act takes, shorter than anybody would wait. */
const lockFor = 2 * 60_000;

/**
 * Runs the work while nothing else is sent about the thing, whatever noun names it: of two acts in one second one goes on, else it could be
 * done or paid twice. Where another is being sent, says whose with `onLocked` and runs nothing.
 */
export async function withThing<T>(
  locks: Locks,
  thing: string,
  { id, slackUser, ...what }: { id: string; slackUser: string } & Pick<Act, "verb" | "target">,
  work: () => Promise<T>,
  onLocked: (holder: unknown) => Promise<T>,
): Promise<T> {
  const name = `thing:${thing}`;
  const holder: LockHolder = { request: id, slackUser, title: titleOf(what) };
  return withLock(locks, { name, holder, lockFor }, work, onLocked);
}

/** Runs the work under a lock, or `onLocked` with whoever holds it; `lockFor` is in ms, and longer than the work takes. */
export async function withLock<T>(
  locks: Locks,
  { name, holder, lockFor }: { name: string; holder: unknown; lockFor: number },
  work: () => Promise<T>,
  onLocked: (holder: unknown) => Promise<T>,
): Promise<T> {
  const locked = await locks.lock(name, holder, lockFor);
  if ("holder" in locked) return onLocked(locked.holder);
  try {
    return await work();
  } finally {
    await locks.unlock(name, locked.fence);
  }
}

/** What is told to whom another's act on the same thing stopped. */
export function underWay(by: unknown): string {
  const holder = LockHolder.safeParse(by).data;
  const what = holder ? `${holder.title}, asked for by <@${holder.slackUser}>,` : "Something else";
  return `${what} is being sent at this moment, so nothing more was done. Try again when it is clear what came of that.`;
}
