import { checkText, checkTimeToLive } from "./checks.ts";
import type { Engine } from "./engine.ts";
import type { Locks, Paces, Timers } from "./store.ts";

interface LockMark {
  instance: string;
  fence: number;
  holder: unknown;
}

/** Locks are marks that name the instance which has them. */
export function createLocks(engine: Engine): Locks {
  const keyOf = (name: string): string => `mark:~lock:${checkText(name)}`;
  const heldIn = (text: string): LockMark => JSON.parse(text);

  /** The instance of a lock, if it has ended without releasing it. */
  async function endedInstance({ instance }: LockMark): Promise<string | undefined> {
    return (await engine.alive(instance)) ? undefined : instance;
  }

  return {
    async lock(name, holder, ttlMs) {
      checkTimeToLive(ttlMs);
      const fence = Math.floor(Math.random() * Number.MAX_SAFE_INTEGER);
      const text = JSON.stringify({ instance: engine.instance, fence, holder: holder ?? null } satisfies LockMark);
      // Nearly always it is free.
      for (let was: string | undefined, gone: string | undefined; ; ) {
        const change = { texts: [{ key: keyOf(name), was: was ?? null, text, ttlMs }], gone, signs: true };
        if (await engine.apply(change, { soon: true })) return { fence };
        was = await engine.get(keyOf(name));
        const held = was === undefined ? undefined : heldIn(was);
        gone = held && (await endedInstance(held));
        if (held && gone === undefined) return { holder: held.holder };
      }
    },
    async unlock(name, fence) {
      const was = await engine.get(keyOf(name));
      if (was === undefined || heldIn(was).fence !== fence) return false;
      return (
        (await engine.apply({ texts: [{ key: keyOf(name), was, text: undefined }] }, { soon: true })) !== undefined
      );
    },
  };
}

export function createPaces(engine: Pick<Engine, "turn">, { prove }: Pick<Timers, "prove">): Paces {
  return {
    async take(name, { burst, everyMs }, run) {
      if (run) await prove(run);
      return engine.turn(checkText(name), burst, everyMs);
    },
  };
}
