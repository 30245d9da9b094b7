import { createHash } from "node:crypto";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { type KeyIdentity, readIdentity } from "../platform/customer/identity.ts";
import { PlatformRefused } from "../platform/errors.ts";
import type { Client, Platform } from "../platform/transport.ts";
import { SealBroken } from "../storage/errors.ts";
import { scanAll } from "../storage/scan-all.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";

const Named = z.object({ id: z.string(), name: z.string() });

/** What is known of a member's linked key; the key itself stays sealed in this room. */
export const Linked = z.object({
  v: z.literal(1),
  member: z.string(),
  slackUser: z.string(),
  keyId: z.string(),
  keyLabel: z.string(),
  scopes: z.array(z.string()),
  user: Named.extend({ email: z.string() }),
  account: Named.extend({ owner: z.boolean() }).nullable(),
  /** The project that the key is confined to. */
  bound: Named.nullable(),
  /** The project that the member chose to work in. */
  project: Named.nullable(),
  /** Set when the platform last refused the key. */
  refusedAt: z.number().nullable(),
  linkedAt: z.number(),
  checkedAt: z.number(),
});
export type Linked = z.infer<typeof Linked>;

const Stored = Linked.extend({ sealed: z.string(), fingerprint: z.string() });
type Kept = z.infer<typeof Stored>;

export type LinkOutcome =
  | { is: "linked"; linked: Linked; replaced: boolean }
  | { is: "not a key" }
  | { is: "reseller key" }
  | { is: "someone else's" };

export interface Refreshed {
  linked: Linked;
  gained: string[];
  lost: string[];
}

export interface Identities {
  /** Checks the key with the platform and keeps it sealed for this member; platform errors pass through. */
  link(member: { member: string; slackUser: string }, key: string): Promise<LinkOutcome>;
  unlink(member: string): Promise<boolean>;
  find(member: string): Promise<Linked | null>;
  /** A client that acts with the member's own key, in their project; null when they have none. */
  client(member: string): Promise<Client | null>;
  /** Both at once. */
  session(member: string): Promise<{ linked: Linked; client: Client } | null>;
  /** Asks the platform again what the key can do, and says what changed; null when nothing is linked. */
  refresh(member: string): Promise<Refreshed | null>;
  /** Every call of theirs is narrowed to this project from now on; null narrows none. Null when they have no key. */
  chooseProject(member: string, project: Linked["project"]): Promise<Linked | null>;
  /** Remembers that the platform refused the key. */
  noteRefused(member: string): Promise<void>;
  all(): Promise<Linked[]>;
}

const customerKey = /^fbk_[0-9a-f]{8}_[0-9a-f]{96}$/;

export function createIdentities(deps: { store: Store; seal: Seal; platform: Platform; clock: Clock }): Identities {
  const { seal, platform, clock } = deps;
  const members = deps.store.values("identities");
  const owners = deps.store.values("key-owners");

  async function read(member: string): Promise<Kept | null> {
    const parsed = Stored.safeParse(await members.get(member));
    if (!parsed.success) return null;
    const { sealed } = parsed.data;
    if (seal.isCurrent(sealed)) return parsed.data;
    const key = opened(sealed, member);
    // Sealed with a key that is gone: as good as not linked, and linking again mends it.
    return key === null ? null : change(parsed.data, { sealed: seal.seal(key, member) });
  }

  function opened(sealed: string, member: string): string | null {
    try {
      return seal.open(sealed, member);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  /** Changes a record, unless it was erased or replaced since it was read: a key that was unlinked must not come back. */
  async function change(stored: Kept, change: Partial<Kept>): Promise<Kept | null> {
    const now = Stored.safeParse(await members.get(stored.member));
    if (!now.success || now.data.fingerprint !== stored.fingerprint) return null;
    const changed = { ...now.data, ...change };
    await members.set(stored.member, changed);
    return changed;
  }

  function openClient(stored: Kept): Client {
    return platform.client({ key: seal.open(stored.sealed, stored.member), project: stored.project?.id ?? null });
  }

  async function release(stored: Kept): Promise<void> {
    await members.delete(stored.member);
    await owners.delete(stored.fingerprint);
  }

  return {
    async link({ member, slackUser }, typed) {
      const key = typed.trim();
      if (key.startsWith("rsk_")) return { is: "reseller key" };
      if (!customerKey.test(key)) return { is: "not a key" };
      const identity = await readIdentity(platform.client({ key }));
      const fingerprint = createHash("sha256").update(key).digest("hex");
      const before = await read(member);
      // The claim comes before the record: one key links to one member, also when two link it at once.
      const claimed = await owners.claim(fingerprint, member);
      if (!claimed && (await owners.get(fingerprint)) !== member) return { is: "someone else's" };
      if (before && before.fingerprint !== fingerprint) await release(before);
      const linked = describe({ member, slackUser }, identity, clock.now(), null);
      await members.set(member, { ...linked, sealed: seal.seal(key, member), fingerprint });
      return { is: "linked", linked, replaced: before !== null };
    },
    async unlink(member) {
      const stored = await read(member);
      if (stored) await release(stored);
      return stored !== null;
    },
    async find(member) {
      const stored = await read(member);
      return stored && Linked.parse(stored);
    },
    async client(member) {
      const stored = await read(member);
      return stored && openClient(stored);
    },
    async session(member) {
      const stored = await read(member);
      return stored && { linked: Linked.parse(stored), client: openClient(stored) };
    },
    async refresh(member) {
      const stored = await read(member);
      if (!stored) return null;
      const identity = await readIdentity(openClient(stored).in(null));
      const linked = { ...describe(stored, identity, clock.now(), stored.project), linkedAt: stored.linkedAt };
      if (!(await change(stored, linked))) return null;
      return {
        linked,
        gained: linked.scopes.filter((scope) => !stored.scopes.includes(scope)),
        lost: stored.scopes.filter((scope) => !linked.scopes.includes(scope)),
      };
    },
    async chooseProject(member, project) {
      const stored = await read(member);
      if (!stored) return null;
      const changed = await change(stored, { project });
      return changed && Linked.parse(changed);
    },
    async noteRefused(member) {
      const stored = await read(member);
      if (stored) await change(stored, { refusedAt: clock.now() });
    },
    async all() {
      const found: Linked[] = [];
      for await (const [, value] of scanAll(members)) {
        const parsed = Linked.safeParse(value);
        if (parsed.success) found.push(parsed.data);
      }
      return found;
    },
  };
}

/** True when the platform itself refused the key: revoked, expired or unknown. */
export function keyRefused(error: unknown): boolean {
  return error instanceof PlatformRefused && error.status === 401;
}

function describe(
  who: { member: string; slackUser: string },
  identity: KeyIdentity,
  now: number,
  project: Linked["project"],
): Linked {
  const { user, account, key } = identity;
  return {
    v: 1,
    member: who.member,
    slackUser: who.slackUser,
    keyId: key.id,
    keyLabel: key.label ?? "without a label",
    scopes: key.scopes,
    user: { id: user.id, name: user.name ?? user.email, email: user.email },
    account: account && { id: account.id, name: account.name, owner: account.owner },
    bound: key.project && { id: key.project.id, name: key.project.name },
    project,
    refusedAt: null,
    linkedAt: now,
    checkedAt: now,
  };
}
