import * as z from "#zod";
import type { Act } from "../operation/act.ts";
import type { Locks } from "../storage/store.ts";
import { titleOf } from "./request.ts";

/** The act that is being sent for a resource, as its lock describes it. */
const LockHolder = z.object({ request: z.string(), slackUser: z.string(), title: z.string() });
type LockHolder = z.infer<typeof LockHolder>;

/** Milliseconds. Longer than an act takes, and short enough to wait for. */
const actLockMs = 2 * 60_000;

/**
 * Runs `work` while no other act is sent for the resource, whichever noun names it. Calls `onLocked` with the holder if one is. The lock
 * may outlive a stalled process, and nobody compares its fence: the claim of the request is what prevents a second run.
 */
export async function withResourceLock<T>(
  locks: Locks,
  resource: string,
  { id, slackUser, ...act }: { id: string; slackUser: string } & Pick<Act, "verb" | "target">,
  work: () => Promise<T>,
  onLocked: (holder: unknown) => Promise<T>,
): Promise<T> {
  const name = `thing:${resource}`;
  const holder: LockHolder = { request: id, slackUser, title: titleOf(act) };
  return withLock(locks, { name, holder, lockFor: actLockMs }, work, onLocked);
}

/** Runs `work` under a lock, or `onLocked` with its holder. `lockFor`: milliseconds, longer than the work takes. */
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

/** True if the holder of a lock is a press of this request. */
export function isPressOf(id: string, holder: unknown): boolean {
  return LockHolder.safeParse(holder).data?.request === id;
}

/** The answer to a member whose act another act stopped. */
export function underWayWords(by: unknown): string {
  const holder = LockHolder.safeParse(by).data;
  const what = holder ? `${holder.title}, asked for by <@${holder.slackUser}>,` : "Something else";
  return `${what} is being sent right now, so nothing else was done. Try again when its outcome is known.`;
}
