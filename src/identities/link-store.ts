import { createHash } from "node:crypto";
import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import type { ApiName } from "../platform/http/errors.ts";
import { SealBroken } from "../storage/errors.ts";
import { createRecords } from "../storage/records.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";
import type { LinkOf } from "./link.ts";

/** What a kept link has beside what is known of it: its sealed key, and what the key is recognised by. */
export const Sealed = z.object({ sealed: z.string(), fingerprint: z.string() });

/** A link as it is kept. */
export type Kept<A extends ApiName> = LinkOf[A] & z.infer<typeof Sealed>;

/** The links of one API, with their keys. */
export interface LinkStore<A extends ApiName> {
  /** Undefined where there is none; one that cannot be read is an error, and not that. */
  read(member: string): Promise<Kept<A> | undefined>;
  /** The link for something that the member does with it now, which is noted once an hour; null where it was erased since it was read. */
  use(kept: Kept<A>): Promise<Kept<A> | null>;
  key(kept: Kept<A>): string;
  /** Keeps the key for this member, unless somebody else has linked it; what they had before is released. */
  keep(link: LinkOf[A], key: string): Promise<{ replaced: LinkOf[A] | null } | "someone else's">;
  /** Who has linked this key, if anybody. */
  ownerOf(key: string): Promise<string | null>;
  /** Changes a link, unless it was erased or replaced since it was read: a key that was unlinked does not come back. */
  change(kept: Kept<A>, change: Partial<LinkOf[A]>): Promise<Kept<A> | null>;
  /** `retire`: what the key was used for is not clear yet, so that it is kept, out of use, until it is. */
  erase(member: string, options: { retire: boolean }): Promise<Kept<A> | null>;
  /** The link with this very key, in use or retired. */
  ofKey(member: string, keyId: string): Promise<Kept<A> | null>;
  eraseRetired(member: string, keyId: string): Promise<void>;
  /** A page of the members who have one. */
  members(after?: string): Promise<{ members: string[]; next: string | undefined }>;
}

/** Longer than it is looked for what is really so; it is erased as soon as that is known. */
const retiredLife = 60 * 60_000;
/** How exactly it is known when a key was last used. */
const usedToMs = 60 * 60_000;

export function createLinkStore<A extends ApiName>(
  { store, seal, clock, log }: { store: Store; seal: Seal; clock: Clock; log: Logger },
  kind: {
    namespace: string;
    schema: z.ZodType<Kept<A>>;
    upcasts?: Readonly<Record<number, (older: unknown) => unknown>>;
  },
): LinkStore<A> {
  const record = { name: "linked key", schema: kind.schema, version: 2, upcasts: kind.upcasts ?? {}, log };
  const links = createRecords(store.values(kind.namespace), record);
  const retired = createRecords(store.values(`${kind.namespace}-retired`), record);
  /** Who has linked a key, by its fingerprint. */
  const owners = store.values("key-owners");

  async function read(member: string): Promise<Kept<A> | undefined> {
    const kept = await links.get(member);
    if (!kept || seal.isCurrent(kept.sealed)) return kept;
    const key = opened(kept);
    // Sealed with a key that is gone: as good as not linked, and linking again mends it.
    if (key === null) return undefined;
    const sealed = seal.seal(key, member);
    return (await write(kept, { sealed })) ?? undefined;
  }

  function opened({ sealed, member }: Kept<A>): string | null {
    try {
      return seal.open(sealed, member);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Applied to what is kept at that moment, and only while it is the same key. */
  async function write(before: Kept<A>, change: object): Promise<Kept<A> | null> {
    let changed: Kept<A> | null = null;
    await links.update(before.member, (now) => {
      changed = now?.fingerprint === before.fingerprint ? { ...now, ...change } : null;
      return changed ?? undefined;
    });
    return changed;
  }

  return {
    read,
    async use(kept) {
      const now = clock.now();
      // A busy key is not written at each call.
      if (kept.usedAt !== null && Math.abs(now - kept.usedAt) < usedToMs) return kept;
      return write(kept, { usedAt: now });
    },
    key: (kept) => seal.open(kept.sealed, kept.member),
    async keep(link, key) {
      const fingerprint = fingerprintOf(key);
      const before = await links.get(link.member);
      // The claim comes before the record: one key links to one member, also when two link it at once.
      const claimed = await owners.claim(fingerprint, link.member);
      if (!claimed && (await owners.get(fingerprint)) !== link.member) return "someone else's";
      await links.set(link.member, { ...link, sealed: seal.seal(key, link.member), fingerprint });
      if (before && before.fingerprint !== fingerprint) await owners.delete(before.fingerprint);
      return { replaced: before ?? null };
    },
    async ownerOf(key) {
      const owner = await owners.get(fingerprintOf(key));
      return typeof owner === "string" ? owner : null;
    },
    change: (kept, change) => write(kept, change),
    async erase(member, { retire }) {
      const kept = await links.get(member);
      if (!kept) return null;
      if (retire) await retired.set(`${member} ${kept.keyId}`, kept, retiredLife);
      const taken = await links.take(member);
      if (taken) await owners.delete(taken.fingerprint);
      return taken ?? null;
    },
    async ofKey(member, keyId) {
      const kept = await read(member);
      return kept?.keyId === keyId ? kept : ((await retired.get(`${member} ${keyId}`)) ?? null);
    },
    eraseRetired: (member, keyId) => retired.delete(`${member} ${keyId}`),
    async members(after) {
      const { records, next } = await links.scan({ after });
      return { members: records.map(([member]) => member), next };
    },
  };
}

export function fingerprintOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
