import { hash } from "node:crypto";
import * as z from "#zod";
import type { ApiName } from "../../platform/http/errors.ts";
import type { Clock } from "../../process/clock.ts";
import { scanIndex } from "../../storage/create.ts";
import { SealBroken } from "../../storage/errors.ts";
import { defineKind, type Kind } from "../../storage/kind.ts";
import { deleting, type RecordChange, replacing } from "../../storage/record.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";
import { update } from "../../storage/update.ts";
import type { Link, LinkOf } from "./link.ts";
import { pastLinkChange } from "./past-links.ts";

/** The fields that only a stored link has: its sealed key and the key's fingerprint. */
export const Sealed = z.object({ sealed: z.string(), fingerprint: z.string() });

/** A stored link, with its sealed key. */
export type StoredLink<A extends ApiName> = LinkOf[A] & z.infer<typeof Sealed>;

/** The links of one API, with their keys. */
export interface LinkStore<A extends ApiName> {
  /** Undefined if the member has none. Throws RecordUnreadable for one that cannot be read. */
  read(member: string): Promise<StoredLink<A> | undefined>;
  key(stored: StoredLink<A>): string;
  /**
   * Stores the key for this member and releases their former one, which is noted as a past link. A key of another member or of the
   * workspace is not stored. `again` makes the link of a key that the member had linked already. `retires` says of the former key if it is
   * retired, as by `erase`.
   */
  keep(
    link: LinkOf[A],
    key: string,
    options: { again: (link: LinkOf[A], before: LinkOf[A]) => LinkOf[A]; retires: RetiresKey },
  ): Promise<{ link: LinkOf[A]; replaced: LinkOf[A] | null } | "someone else's" | "the workspace's">;
  /** The member who has linked this key, `workspace:` with the name of a monitoring key, or null. */
  ownerOf(key: string): Promise<string | null>;
  /** Changes a link, unless it was erased or replaced since it was read, so that an unlinked key does not come back. */
  change(stored: StoredLink<A>, change: Partial<LinkOf[A]>): Promise<StoredLink<A> | null>;
  /** Erases the link, and notes it as a past one. `retire` keeps it, unusable, for at most an hour, to check the outcome of work begun with it. */
  erase(member: string, options: { retire: boolean }): Promise<StoredLink<A> | null>;
  /** The link with this exact key, in use or retired. */
  ofKey(member: string, keyId: string): Promise<StoredLink<A> | null>;
  eraseRetired(member: string, keyId: string): Promise<void>;
  /** The members who have a link. */
  members(): Promise<string[]>;
}

/** True if the outcome of work begun with a key that its member no longer uses is still to be checked. */
export type RetiresKey = (former: Pick<Link, "member" | "keyId">) => Promise<boolean>;

/** Milliseconds. Longer than any check of an outcome takes; the check erases the key when it ends. */
const retiredLife = 60 * 60_000;

/** The owner of a key, by its fingerprint: the member who has linked it, or `workspace:` with the name of a monitoring key. */
export const keyOwners = defineKind({ name: "owner of a key", namespace: "key-owners", schema: z.string() });
/** No member id begins so: those begin with the id of a team or an enterprise. */
export const workspaceOwner = "workspace:";

const retiredId = ({ member, keyId }: Pick<Link, "member" | "keyId">) => `${member} ${keyId}`;

/** Null if the key is the member's, or nobody's. */
function otherOwner(owner: string | undefined, member: string): "someone else's" | "the workspace's" | null {
  if (owner === undefined || owner === member) return null;
  return owner.startsWith(workspaceOwner) ? "the workspace's" : "someone else's";
}

/** The kinds of an API's links, in use and retired. */
export function linkKinds<L extends Readonly<Record<string, unknown>>>(declared: {
  namespace: string;
  schema: z.ZodType<L>;
}): { links: Kind<L>; retired: Kind<L> } {
  const link = { ...declared, name: "linked key" };
  return {
    links: defineKind(link),
    retired: defineKind({ ...link, namespace: `${declared.namespace}-retired`, ttlMs: retiredLife }),
  };
}

export function createLinkStore<A extends ApiName>(
  app: { store: Store; seal: Seal; clock: Clock },
  kinds: { links: Kind<StoredLink<A>>; retired: Kind<StoredLink<A>> },
): LinkStore<A> {
  const { store, seal } = app;
  const links = store.keyv(kinds.links);
  const retired = store.keyv(kinds.retired);
  const owners = store.keyv(keyOwners);

  /** The index of members who have a link: a search for the links would have Redis visit every key that it has. */
  const listing = (member: string, score: number | null) => ({ name: kinds.links.namespace, member, score });

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

  async function write(before: StoredLink<A>, change: object): Promise<StoredLink<A> | null> {
    let changed: StoredLink<A> | null = null;
    await update(store, kinds.links, before.member, (now) => {
      changed = now?.fingerprint === before.fingerprint ? { ...now, ...change } : null;
      return changed ?? undefined;
    });
    return changed;
  }

  /** The changes for a link that ends: its key has no owner any more, the link is noted as a past one, and perhaps retired. */
  async function released(former: StoredLink<A> | null, retires: RetiresKey): Promise<RecordChange[]> {
    if (!former) return [];
    const owner = await store.read(keyOwners, former.fingerprint);
    const changes = [deleting(owner), await pastLinkChange(app, former)];
    if (!(await retires(former))) return changes;
    return [...changes, replacing(await store.read(kinds.retired, retiredId(former)), former)];
  }

  /** Null if another process changed the link or the owner meanwhile. */
  async function tryToKeep(
    linked: LinkOf[A],
    sealed: z.infer<typeof Sealed>,
    { again, retires }: Parameters<LinkStore<A>["keep"]>[2],
  ): Promise<Awaited<ReturnType<LinkStore<A>["keep"]>> | null> {
    const { member } = linked;
    const before = await store.read(kinds.links, member);
    const owner = await store.read(keyOwners, sealed.fingerprint);
    const other = otherOwner(owner.value, member);
    if (other) return other;
    const replaced = before.value ?? null;
    const isSame = replaced?.fingerprint === sealed.fingerprint;
    const link = replaced && isSame ? again(linked, replaced) : linked;
    const former = isSame ? [] : await released(replaced, retires);
    // One step: of two members who link one key at once, only one succeeds. No crash leaves a key without its owner, or forgets a
    // former platform user.
    const records = [replacing(before, { ...link, ...sealed }), replacing(owner, member), ...former];
    return (await store.transact({ records, index: [listing(member, 0)] })) ? { link, replaced } : null;
  }

  return {
    read,
    key: (stored) => seal.open(stored.sealed, stored.member),
    async keep(linked, key, options) {
      const sealed = { sealed: seal.seal(key, linked.member), fingerprint: fingerprintOf(key) };
      for (;;) {
        const kept = await tryToKeep(linked, sealed, options);
        if (kept) return kept;
      }
    },
    ownerOf: async (key) => (await owners.get(fingerprintOf(key))) ?? null,
    change: write,
    async erase(member, { retire }) {
      for (;;) {
        const stored = await store.read(kinds.links, member);
        if (!stored.value) return null;
        const changes = await released(stored.value, async () => retire);
        // One step: a member without a link and without a past one would pass as another person.
        const records = [deleting(stored), ...changes];
        if (await store.transact({ records, index: [listing(member, null)] })) return stored.value;
      }
    },
    async ofKey(member, keyId) {
      const stored = await read(member);
      return stored?.keyId === keyId ? stored : ((await retired.get(retiredId({ member, keyId }))) ?? null);
    },
    async eraseRetired(member, keyId) {
      await retired.delete(retiredId({ member, keyId }));
    },
    async members() {
      const found: string[] = [];
      for await (const { member } of scanIndex(store.index(kinds.links.namespace))) found.push(member);
      return found;
    },
  };
}

export function fingerprintOf(key: string): string {
  return hash("sha256", key);
}
