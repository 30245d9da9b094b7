import * as z from "#zod";
import type { Clock } from "../../process/clock.ts";
import { defineKind } from "../../storage/kind.ts";
import type { Store } from "../../storage/store.ts";
import type { Link } from "./link.ts";

/** The moment of each key's last use by its member. Apart from the link: no act waits for this note, nor is a link written for it. */
const keyUses = defineKind({ name: "use of a key", namespace: "key-uses", schema: z.number(), lasts: "soon" });

const minute = 60_000;

type UsedLink = Pick<Link, "api" | "member" | "keyId">;

/** Notes the use of keys, once a minute each. */
export function createKeyUses({ store, clock }: { store: Store; clock: Clock }, onFault: (error: unknown) => void) {
  const uses = store.keyv(keyUses);
  const noted = new Map<string, number>();

  return {
    /** Never rejects: the note must not stop the act. */
    async note(link: UsedLink): Promise<void> {
      const [id, now] = [idOf(link), clock.now()];
      if (Math.floor((noted.get(id) ?? -minute) / minute) === Math.floor(now / minute)) return;
      noted.set(id, now);
      await uses.set(id, now).catch(onFault);
    },
    /** Milliseconds since the epoch; null if the member has not used it. */
    last: async (link: UsedLink): Promise<number | null> => (await uses.get(idOf(link))) ?? null,
    async forget(link: UsedLink): Promise<void> {
      noted.delete(idOf(link));
      await uses.delete(idOf(link));
    },
  };
}

function idOf({ api, member, keyId }: UsedLink): string {
  return `${api} ${member} ${keyId}`;
}
