import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import * as z from "#zod";
import { defineKind } from "../../storage/kind.ts";
import type { Store } from "../../storage/store.ts";
import { update } from "../../storage/update.ts";

const mostUses = 5;
/** Slack's response URLs end by then. */
const lifeMs = 30 * 60_000;
const mostUrls = 5_000;

const Uses = z.object({ uses: z.number() });
export const responseUses = defineKind({
  name: "uses of a response URL",
  namespace: "response",
  schema: Uses,
  ttlMs: lifeMs,
});

/** Counts the uses of response URLs, over restarts and instances. */
export interface ResponseUses {
  /** To be called when a payload brings a URL: nobody has used it. */
  received(url: string): void;
  /** Stores one more use before it is made. False if the URL may be used up, or if its uses cannot be counted now. */
  take(url: string): Promise<boolean>;
}

export function createResponseUses(store: Pick<Store, "keyv" | "read" | "transact">): ResponseUses {
  const soon = store.keyv({ ...responseUses, lasts: "soon" });
  /** The URLs that came to this process, with the write of their first use; null before that. */
  const own = new LRUCache<string, { stored: Promise<unknown> | null }>({ max: mostUrls });

  /** Another instance may have used it while this one stood still, and may do so now. */
  async function storeFirstUse(key: string): Promise<void> {
    const { value } = await store.read(responseUses, key);
    if (value) await update(store, responseUses, key, (before) => ({ uses: (before?.uses ?? 0) + 1 }));
    else await soon.set(key, { uses: 1 });
  }

  async function takeNext(key: string): Promise<boolean> {
    let taken = false;
    await update(store, responseUses, key, (before) => {
      // A process that died may have used it once, and taken the record of that with it.
      const uses = before?.uses ?? 1;
      taken = uses < mostUses;
      return taken ? { uses: uses + 1 } : undefined;
    });
    return taken;
  }

  return {
    received(url) {
      // A payload that comes twice brings no new one.
      if (!own.has(url)) own.set(url, { stored: null });
    },
    async take(url) {
      // The address opens a conversation, so only its digest is stored.
      const key = hash("sha256", url, "base64url");
      const known = own.get(url);
      if (known && !known.stored) {
        // An answer must not wait for the disk because of its first use: most URLs are used once.
        known.stored = storeFirstUse(key).catch(() => {});
        return true;
      }
      try {
        await known?.stored;
        return await takeNext(key);
      } catch {
        // The other ways to the member need no count.
        return false;
      }
    },
  };
}
