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

/** The fields that only a stored link has: its sealed key and the key's fingerprint. */
export const Sealed = z.object({ sealed: z.string(), fingerprint: z.string() });

/** A stored link, with its sealed key. */
export type StoredLink<A extends ApiName> = LinkOf[A] & z.infer<typeof Sealed>;

/** The links of one API, with their keys. */
export interface LinkStore<A extends ApiName> {
  /** Undefined if the member has none. Throws RecordUnreadable for one that cannot be read. */
  read(member: string): Promise<StoredLink<A> | undefined>;
  /** Notes that the member uses the link now, at most once an hour. Null if it was erased since it was read. */
  use(stored: StoredLink<A>): Promise<StoredLink<A> | null>;
  key(stored: StoredLink<A>): string;
  /** Stores the key for this member and releases their former one, unless another member has linked it. */
  keep(link: LinkOf[A], key: string): Promise<{ replaced: LinkOf[A] | null } | "someone else's">;
  /** The member who has linked this key, or null. */
  ownerOf(key: string): Promise<string | null>;
  /** Changes a link, unless it was erased or replaced since it was read, so that an unlinked key does not come back. */
  change(stored: StoredLink<A>, change: Partial<LinkOf[A]>): Promise<StoredLink<A> | null>;
  /** Erases the link. `retire` keeps it, unusable, for at most an hour, to check the outcome of work begun with it. */
  erase(member: string, options: { retire: boolean }): Promise<StoredLink<A> | null>;
  /** The link with this exact key, in use or retired. */
  ofKey(member: string, keyId: string): Promise<StoredLink<A> | null>;
  eraseRetired(member: string, keyId: string): Promise<void>;
  /** A page of the members who have a link. */
  members(after?: string): Promise<{ members: string[]; next: string | undefined }>;
}

/** Milliseconds. Longer than any check of an outcome takes; the check erases the key when it ends. */
const retiredLife = 60 * 60_000;
/** Milliseconds between two notes of a key's use. */
const usedToMs = 60 * 60_000;

export function createLinkStore<A extends ApiName>(
  { store, seal, clock, log }: { store: Store; seal: Seal; clock: Clock; log: Logger },
  kind: {
    namespace: string;
    schema: z.ZodType<StoredLink<A>>;
    upcasts?: Readonly<Record<number, (older: unknown) => unknown>>;
  },
): LinkStore<A> {
  const record = { name: "linked key", schema: kind.schema, version: 2, upcasts: kind.upcasts ?? {}, log };
  const links = createRecords(store.values(kind.namespace), record);
  const retired = createRecords(store.values(`${kind.namespace}-retired`), record);
  /** The member who has linked a key, by its fingerprint. */
  const owners = store.values("key-owners");

  async function read(member: string): Promise<StoredLink<A> | undefined> {
    const stored = await links.get(member);
    if (!stored || seal.isCurrent(stored.sealed)) return stored;
    const key = opened(stored);
    // The encryption key that sealed it is gone. It counts as not linked, and linking again repairs that.
    if (key === null) return undefined;
    const sealed = seal.seal(key, member);
    return (await write(stored, { sealed })) ?? undefined;
  }

  function opened({ sealed, member }: StoredLink<A>): string | null {
    try {
      return seal.open(sealed, member);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Changes the stored link if it still has the same key; null otherwise. */
  async function write(before: StoredLink<A>, change: object): Promise<StoredLink<A> | null> {
    let changed: StoredLink<A> | null = null;
    await links.update(before.member, (now) => {
      changed = now?.fingerprint === before.fingerprint ? { ...now, ...change } : null;
      return changed ?? undefined;
    });
    return changed;
  }

  return {
    read,
    async use(stored) {
      const now = clock.now();
      // Avoid a write for each call of a busy key.
      if (stored.usedAt !== null && Math.abs(now - stored.usedAt) < usedToMs) return stored;
      return write(stored, { usedAt: now });
    },
    key: (stored) => seal.open(stored.sealed, stored.member),
    async keep(link, key) {
      const fingerprint = fingerprintOf(key);
      const before = await links.get(link.member);
      // Claim the fingerprint before the record is written: of two members who link one key at once, only one succeeds.
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
    change: (stored, change) => write(stored, change),
    async erase(member, { retire }) {
      const stored = await links.get(member);
      if (!stored) return null;
      if (retire) await retired.set(`${member} ${stored.keyId}`, stored, retiredLife);
      const taken = await links.take(member);
      if (taken) await owners.delete(taken.fingerprint);
      return taken ?? null;
    },
    async ofKey(member, keyId) {
      const stored = await read(member);
      return stored?.keyId === keyId ? stored : ((await retired.get(`${member} ${keyId}`)) ?? null);
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
