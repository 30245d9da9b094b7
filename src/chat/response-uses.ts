import { hash } from "node:crypto";
import { LRUCache } from "lru-cache";
import * as z from "zod";
import { defineKind } from "../storage/kind.ts";
import type { Store } from "../storage/store.ts";
import { update } from "../storage/update.ts";

/**
 * Slack takes five. The record of a URL's first use is not waited for, so a kill may lose it, and the process after it counts from none:
 * one use is left for that.
 */
const mostUses = 4;
/** Slack's response URLs end by then. */
const lifeMs = 30 * 60_000;
const mostUrls = 5_000;

const Uses = z.object({ uses: z.number() });
const responseUses = defineKind({ name: "uses of a response URL", namespace: "response", schema: Uses, ttlMs: lifeMs });

/** Counts the uses of response URLs, over restarts and instances. */
export interface ResponseUses {
  /** Stores one more use before it is made. False if the URL may be used up, or if its uses cannot be counted now. */
  take(url: string): Promise<boolean>;
}

interface FirstUse {
  taken: boolean;
  stored: Promise<unknown> | null;
}

export function createResponseUses(store: Pick<Store, "keyv" | "read" | "transact">): ResponseUses {
  const soon = store.keyv({ ...responseUses, lasts: "soon" });
  /** The URLs that this process used, with the write of the first use. */
  const first = new LRUCache<string, Promise<FirstUse>>({ max: mostUrls });

  /** An answer must not wait for the disk because of its first use: most URLs are used once. */
  async function takeFirst(key: string): Promise<FirstUse> {
    const { value } = await store.read(responseUses, key);
    return value ? { taken: false, stored: null } : { taken: true, stored: soon.set(key, { uses: 1 }).catch(() => {}) };
  }

  async function takeNext(key: string): Promise<boolean> {
    let taken = false;
    await update(store, responseUses, key, (before) => {
      const uses = before?.uses ?? 0;
      taken = uses < mostUses;
      return taken ? { uses: uses + 1 } : undefined;
    });
    return taken;
  }

  return {
    async take(url) {
      // The address opens a conversation, so only its digest is stored.
      const key = hash("sha256", url, "base64url");
      try {
        const before = first.get(key);
        const own = before ?? takeFirst(key);
        first.set(key, own);
        const { taken, stored } = await own;
        if (taken && !before) return true;
        await stored;
        return await takeNext(key);
      } catch {
        first.delete(key);
        // The other ways to the member need no count.
        return false;
      }
    },
  };
}
