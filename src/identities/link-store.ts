import { createHash } from "node:crypto";
import * as z from "zod";
import { SealBroken } from "../storage/errors.ts";
import { scanAll } from "../storage/scan-all.ts";
import type { Seal } from "../storage/seal.ts";
import type { Values } from "../storage/store.ts";
import type { Link } from "./link.ts";

/** A link as it is kept: with its sealed key, and what it is recognised by. */
export type Kept<L extends Link> = L & { sealed: string; fingerprint: string };

/** The links of one API, with their keys. */
export interface LinkStore<L extends Link> {
  read(member: string): Promise<Kept<L> | null>;
  key(kept: Kept<L>): string;
  /** Keeps the key for this member, unless somebody else has linked it; what they had before is released. */
  keep(link: L, key: string): Promise<{ replaced: L | null } | "someone else's">;
  /** Changes a link, unless it was erased or replaced since it was read: a key that was unlinked must not come back. */
  change(kept: Kept<L>, change: Partial<L>): Promise<L | null>;
  /** `retire`: what the key was used for is not clear yet, so that it is kept, out of use, until it is. */
  erase(member: string, options: { retire: boolean }): Promise<L | null>;
  /** The link with this very key, in use or retired. */
  ofKey(member: string, keyId: string): Promise<Kept<L> | null>;
  eraseRetired(member: string, keyId: string): Promise<void>;
  all(): AsyncIterable<L>;
}

/** Longer than it is looked for what is really so; it is erased as soon as that is known. */
const retiredLife = 60 * 60_000;

const Sealed = z.object({ sealed: z.string(), fingerprint: z.string() });

export function createLinkStore<L extends Link>(deps: {
  /** By member. */
  links: Values;
  /** Who has linked a key, by its fingerprint. */
  owners: Values;
  /** Keys that are no longer linked and still needed, by member and key id. */
  retired: Values;
  seal: Seal;
  schema: z.ZodType<L>;
}): LinkStore<L> {
  const { links, owners, retired, seal, schema } = deps;

  function parse(value: unknown): Kept<L> | null {
    const link = schema.safeParse(value);
    const sealed = Sealed.safeParse(value);
    return link.success && sealed.success ? { ...link.data, ...sealed.data } : null;
  }

  async function read(member: string): Promise<Kept<L> | null> {
    const kept = parse(await links.get(member));
    if (!kept || seal.isCurrent(kept.sealed)) return kept;
    const key = opened(kept);
    // Sealed with a key that is gone: as good as not linked, and linking again mends it.
    if (key === null) return null;
    return write(kept, { ...kept, sealed: seal.seal(key, member) });
  }

  function opened({ sealed, member }: Kept<L>): string | null {
    try {
      return seal.open(sealed, member);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  async function write(before: Kept<L>, after: Kept<L>): Promise<Kept<L> | null> {
    const now = parse(await links.get(before.member));
    if (!now || now.fingerprint !== before.fingerprint) return null;
    await links.set(before.member, after);
    return after;
  }

  async function release(kept: Kept<L>): Promise<void> {
    await links.delete(kept.member);
    await owners.delete(kept.fingerprint);
  }

  return {
    read,
    key: (kept) => seal.open(kept.sealed, kept.member),
    async keep(link, key) {
      const fingerprint = fingerprintOf(key);
      const before = await read(link.member);
      // The claim comes before the record: one key links to one member, also when two link it at once.
      const claimed = await owners.claim(fingerprint, link.member);
      if (!claimed && (await owners.get(fingerprint)) !== link.member) return "someone else's";
      if (before && before.fingerprint !== fingerprint) await release(before);
      await links.set(link.member, { ...link, sealed: seal.seal(key, link.member), fingerprint });
      return { replaced: before };
    },
    async change(kept, change) {
      return write(kept, { ...kept, ...change });
    },
    async erase(member, { retire }) {
      const kept = await read(member);
      if (kept && retire) await retired.set(`${member} ${kept.keyId}`, kept, retiredLife);
      if (kept) await release(kept);
      return kept;
    },
    async ofKey(member, keyId) {
      const kept = await read(member);
      return kept?.keyId === keyId ? kept : parse(await retired.get(`${member} ${keyId}`));
    },
    eraseRetired: (member, keyId) => retired.delete(`${member} ${keyId}`),
    async *all() {
      for await (const [, value] of scanAll(links)) {
        const kept = parse(value);
        if (kept) yield kept;
      }
    },
  };
}

export function fingerprintOf(key: string): string {
  return createHash("sha256").update(key).digest("hex");
}
