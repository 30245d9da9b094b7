// members/identities/: members and their keys, one for each API, and the workspace's secrets; the only room that stores a key or makes a client with one.

import { timingSafeEqual } from "node:crypto";
import type { Logger } from "pino";
import { readKeyIdentity } from "../../platform/customer/account.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, keyRejected } from "../../platform/http/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import type { Clock } from "../../process/clock.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";
import { removeUnlinkedAgents } from "./agents.ts";
import { createKeyUses } from "./key-uses.ts";
import { apiOfKey, customerOfKey, describeCustomerKey, describeResellerKey } from "./keys.ts";
import { CustomerLink, type Link, type LinkOf, type Links, linksIn, ResellerLink } from "./link.ts";
import {
  createLinkStore,
  fingerprintOf,
  type LinkStore,
  linkKinds,
  type RetiresKey,
  Sealed,
  type StoredLink,
} from "./link-store.ts";
import { type LinkOwner, linkOwner, readPastLinks } from "./past-links.ts";
import type { Person, PersonMarks } from "./person.ts";
import { type WorkspaceSecrets, workspaceSecretNames } from "./workspace.ts";

export type LinkOutcome = { is: "linked"; link: Link; replaced: Link | null } | { is: KeyRefused };

/** The reason why a key is not linked. Two members never share a key, and no member links the workspace's monitoring key. */
type KeyRefused = "not a key" | "someone else's" | "the workspace's";

/** A link after a refresh, with the scopes that it gained and lost. */
export interface Refreshed<L extends Link = Link> {
  link: L;
  gained: string[];
  lost: string[];
}

/** Members' linked keys, at most one for each API. Only this room opens a key or makes a client with one. */
export interface Identities {
  /**
   * Checks the key with the platform and stores it sealed for this member. Errors of the platform pass through. `retires` says of the key
   * that it replaces if that is kept, as by `unlink`.
   */
  link(who: ActingUser, key: string, retires?: RetiresKey): Promise<LinkOutcome>;
  /** Checks whether this member could link the key, without storing it. Errors of the platform pass through. */
  check(member: string, key: string): Promise<"fine" | KeyRefused>;
  /**
   * Compares a typed key with the one that the member linked, in constant time, and then asks the platform if it is still accepted. A
   * member with a customer key proves that one: a reseller key names no owner. Errors of the platform pass through.
   */
  proveKey(member: string, typed: string): Promise<Link | "not linked" | "another key">;
  /** True if the member has linked exactly this key. */
  hasLinked(member: string, typed: string): Promise<boolean>;
  /** Unlinks a key. `retire` keeps it sealed and unusable, to check the outcome of work begun with it; `eraseRetired` ends that. */
  unlink(member: string, api: ApiName, options: { retire: boolean }): Promise<Link | null>;
  eraseRetired(member: string, api: ApiName, keyId: string): Promise<void>;
  links(member: string): Promise<Links>;
  /**
   * The person behind a member, by all links of now and of the last 30 days: unlinking does not hide who acted before. `then`: the marks
   * that were stored with what they decided, which count for as long as that does.
   */
  person(member: string, then?: PersonMarks): Promise<Person>;
  /** Whose these links were, the present ones first. */
  owners(member: string): Promise<LinkOwner[]>;
  /** The member's link with a client for it (in their project, if the API has projects); null if they have no link. */
  session<A extends ApiName>(member: string, api: A): Promise<LinkSession<A> | null>;
  /** The same for one exact key, even if it is no longer linked but was retired. */
  sessionOfKey<A extends ApiName>(member: string, api: A, keyId: string): Promise<LinkSession<A> | null>;
  /** A client with the member's reseller key that signs with this secret, to test the secret; null if they have no such key. */
  resellerClient(member: string, signingSecret: string): Promise<ResellerClient<string> | null>;
  /** Reads the key's rights from the platform again; null if nothing is linked. A rejected key is marked so, and the error is thrown. */
  refresh<A extends ApiName>(member: string, api: A): Promise<Refreshed<LinkOf[A]> | null>;
  /** Confines the member's customer key to a project from now on; null lifts that. Resolves with null if they have no key. */
  chooseProject(member: string, project: CustomerLink["project"]): Promise<CustomerLink | null>;
  /** Stores on the link that the platform rejected this key. A key that was linked meanwhile stays as it is. */
  markRejected(member: string, api: ApiName, keyId: string): Promise<void>;
  /** When the member last used this key, to the minute (milliseconds since the epoch); null if never. */
  lastUse(link: Pick<Link, "api" | "member" | "keyId">): Promise<number | null>;
  /** The links of every member who has one. */
  all(): Promise<Links[]>;
}

/** A link, a client with its key, and all links of the member. */
export interface LinkSession<A extends ApiName> {
  link: LinkOf[A];
  links: Links;
  client: ApiClient<A, string>;
}

/** The member who acts, and their Slack user id. */
export interface ActingUser {
  member: string;
  slackUser: string;
}

type StoredLinks = { [A in ApiName]: StoredLink<A> | undefined };

export function createIdentities(deps: {
  foundation: { store: Store; seal: Seal; clock: Clock; log: Logger };
  platform: Platform;
  workspace: WorkspaceSecrets;
}): Identities {
  const { foundation, platform, workspace } = deps;
  const stores: { [A in ApiName]: LinkStore<A> } = {
    customer: createLinkStore(foundation, customerLinks),
    reseller: createLinkStore(foundation, resellerLinks),
  };

  const uses = createKeyUses(foundation, (error) =>
    foundation.log.warn({ err: error }, "The use of a key could not be noted"),
  );

  const clients: { [A in ApiName]: (stored: StoredLink<A>) => Promise<ApiClient<A, string>> } = {
    customer: async (stored) =>
      platform.customer({ key: stores.customer.key(stored), project: stored.project?.id ?? null }),
    reseller: async (stored) => resellerClient(stores.reseller.key(stored)),
  };

  async function resellerClient(key: string): Promise<ResellerClient<string>> {
    return platform.reseller({ key, signingSecret: await workspace.read("signing-secret") });
  }

  async function owners(member: string): Promise<LinkOwner[]> {
    const [now, ended] = [linksIn(await links(member)), await readPastLinks(foundation, member)];
    return [...now.map(linkOwner), ...ended];
  }

  const links = async (member: string) => withSigning(linksOf(member, await readAll(member)));
  const describe = describers(platform, resellerClient, foundation.clock);

  async function readAll(member: string): Promise<StoredLinks> {
    const [customer, reseller] = await Promise.all([stores.customer.read(member), stores.reseller.read(member)]);
    return { customer, reseller };
  }

  async function withSigning(links: Links): Promise<Links> {
    const isUnsigned = links.reseller !== null && (await workspace.read("signing-secret")) === null;
    return isUnsigned ? { ...links, unsigned: true } : links;
  }

  async function open<A extends ApiName>(api: A, stored: StoredLink<A> | null | undefined, links: Links) {
    return stored ? { link: linkOf[api](stored), links, client: await clients[api](stored) } : null;
  }

  async function linkKey<A extends ApiName>(
    api: A,
    who: ActingUser,
    key: string,
    retires: RetiresKey,
  ): Promise<LinkOutcome> {
    if (await workspace.isReader(api, key)) return { is: "the workspace's" };
    const stored = await stores[api].keep(await describe[api](key, who), key, { again: linkedAgain[api], retires });
    if (typeof stored === "string") return { is: stored };
    if (stored.replaced && stored.replaced.keyId !== stored.link.keyId) await uses.forget(stored.replaced);
    await removeUnlinkedAgents(foundation, await links(who.member));
    return { is: "linked", ...stored };
  }

  async function refresh<A extends ApiName>(api: A, member: string): Promise<Refreshed<LinkOf[A]> | null> {
    const stored = await stores[api].read(member);
    if (!stored) return null;
    try {
      const described = await describe[api](stores[api].key(stored), stored);
      const link = await stores[api].change(stored, platformFields[api](described));
      return link && { link: linkOf[api](link), ...differences(stored.scopes, link.scopes) };
    } catch (error) {
      if (keyRejected(error)) await markRejected(member, api, stored.keyId);
      throw error;
    }
  }

  async function markRejected<A extends ApiName>(member: string, api: A, keyId: string): Promise<void> {
    const stored = await stores[api].read(member);
    const rejected: Partial<LinkOf[A]> = {};
    rejected.rejectedAt = foundation.clock.now();
    if (stored?.keyId === keyId) await stores[api].change(stored, rejected);
  }

  return {
    async link(who, typed, retires = async () => false) {
      const api = apiOfKey(typed.trim());
      return api ? linkKey(api, who, typed.trim(), retires) : { is: "not a key" };
    },
    async proveKey(member, typed) {
      const { customer, reseller } = await readAll(member);
      const stored = customer ?? reseller;
      if (!stored) return "not linked";
      if (!isKeyOf(stored, typed)) return "another key";
      await prove[stored.api](platform, typed.trim());
      return stored.api === "customer" ? linkOf.customer(stored) : linkOf.reseller(stored);
    },
    async hasLinked(member, typed) {
      const { customer, reseller } = await readAll(member);
      return [customer, reseller].some((stored) => stored !== undefined && isKeyOf(stored, typed));
    },
    async check(member, typed) {
      const key = typed.trim();
      const api = apiOfKey(key);
      if (!api) return "not a key";
      await prove[api](platform, key);
      if (await workspace.isReader(api, key)) return "the workspace's";
      const owner = await stores[api].ownerOf(key);
      return owner === null || owner === member ? "fine" : "someone else's";
    },
    async unlink(member, api, options) {
      const erased = await stores[api].erase(member, options);
      if (erased) await uses.forget(erased);
      await removeUnlinkedAgents(foundation, await links(member));
      return erased;
    },
    async person(member, then = { users: [], keys: [] }) {
      const all = await owners(member);
      const users = [...all.flatMap(({ user }) => user ?? []), ...then.users];
      return { member, users, keys: [...all.map(({ key }) => key), ...then.keys] };
    },
    owners,
    eraseRetired: (member, api, keyId) => stores[api].eraseRetired(member, keyId),
    links,
    async session(member, api) {
      const all = await readAll(member);
      const used = all[api];
      if (used) void uses.note(used);
      return open(api, used, await withSigning(linksOf(member, all)));
    },
    sessionOfKey: async (member, api, keyId) => open(api, await stores[api].ofKey(member, keyId), await links(member)),
    async resellerClient(member, signingSecret) {
      const stored = await stores.reseller.read(member);
      return stored ? platform.reseller({ key: stores.reseller.key(stored), signingSecret }) : null;
    },
    refresh: (member, api) => refresh(api, member),
    async chooseProject(member, project) {
      const stored = await stores.customer.read(member);
      const link = stored && (await stores.customer.change(stored, { project }));
      return link ? linkOf.customer(link) : null;
    },
    markRejected,
    lastUse: uses.last,
    async all() {
      const members = [...(await stores.customer.members()), ...(await stores.reseller.members())];
      // For a choice among people: nobody reads the signing secret once for each of them.
      return Promise.all([...new Set(members)].map(async (member) => linksOf(member, await readAll(member))));
    },
  };
}

/** Functions that describe a key by the platform's answers. */
function describers(
  platform: Platform,
  resellerClient: (key: string) => Promise<ResellerClient>,
  clock: Clock,
): { [A in ApiName]: (key: string, who: ActingUser) => Promise<LinkOf[A]> } {
  return {
    customer: (key, who) => describeCustomerKey(platform.customer({ key }), who, clock.now()),
    reseller: async (key, who) => describeResellerKey(await resellerClient(key), key, who, clock.now()),
  };
}

/** The fields that the platform knows. A refresh writes no others: the member may set them while the platform answers. */
const platformFields: { [A in ApiName]: (link: LinkOf[A]) => Partial<LinkOf[A]> } = {
  customer: ({ project: _, linkedAt: __, ...fields }) => fields,
  reseller: ({ linkedAt: _, ...fields }) => fields,
};

/** The link of a key that the member had linked already, with what they chose for it. */
const linkedAgain: { [A in ApiName]: (link: LinkOf[A], before: LinkOf[A]) => LinkOf[A] } = {
  customer: (link, { project }) => ({ ...link, project }),
  reseller: (link) => link,
};

/** Checks by one read that the platform accepts a key. Its scopes are read when it is linked. */
const prove: { [A in ApiName]: (platform: Platform, key: string) => Promise<unknown> } = {
  customer: (platform, key) => readKeyIdentity(platform.customer({ key })),
  reseller: (platform, key) => customerOfKey(platform.reseller({ key, signingSecret: null })),
};

/** Compares hashes of one length in constant time, so that the duration tells nothing of the key. */
function isKeyOf({ fingerprint }: { fingerprint: string }, typed: string): boolean {
  return timingSafeEqual(Buffer.from(fingerprint), Buffer.from(fingerprintOf(typed.trim())));
}

/** A link without its sealed key, for the rest of the app. */
const linkOf: { [A in ApiName]: (stored: StoredLink<A>) => LinkOf[A] } = {
  customer: ({ sealed: _, fingerprint: __, ...link }) => link,
  reseller: ({ sealed: _, fingerprint: __, ...link }) => link,
};

function linksOf(member: string, { customer, reseller }: StoredLinks): Links {
  return {
    member,
    customer: customer ? linkOf.customer(customer) : null,
    reseller: reseller ? linkOf.reseller(reseller) : null,
  };
}

const StoredCustomerLink = CustomerLink.extend(Sealed.shape);
const StoredResellerLink = ResellerLink.extend(Sealed.shape);

const customerLinks = linkKinds({ namespace: "identities", schema: StoredCustomerLink });
const resellerLinks = linkKinds({ namespace: "reseller-identities", schema: StoredResellerLink });

function differences(before: readonly string[], now: readonly string[]): { gained: string[]; lost: string[] } {
  return {
    gained: now.filter((scope) => !before.includes(scope)),
    lost: before.filter((scope) => !now.includes(scope)),
  };
}

/** Reseals everything that the previous encryption key sealed, by reading it. Resolves with the number of members who have a link. */
export async function sealAnew(identities: Pick<Identities, "all">, secrets: WorkspaceSecrets): Promise<number> {
  const members = await identities.all();
  for (const name of workspaceSecretNames) await secrets.read(name);
  return members.length;
}
