// identities/: members and their keys, one for each API, and the workspace's secrets; the only room that keeps a key or makes a client with one.
// May import: platform/, platform/*, storage/, the clock.

import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../clock.ts";
import { readIdentity } from "../platform/customer/identity.ts";
import { type ApiName, keyRejected } from "../platform/http/errors.ts";
import type { ClientOf, Platform } from "../platform/platform.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";
import { describeCustomerKey } from "./customer-key.ts";
import { apiOfKey } from "./key-forms.ts";
import { CustomerLink, type Link, type LinkOf, type Links, ResellerLink } from "./link.ts";
import { createLinkStore, type Kept, type LinkStore, Sealed } from "./link-store.ts";
import { customerOfKey, describeResellerKey } from "./reseller-key.ts";
import type { WorkspaceSecrets } from "./workspace.ts";

export type LinkOutcome = { is: "linked"; link: Link; replaced: Link | null } | { is: KeyRefused };

/** Why a key is not linked: one key is one member's, and the one that reads for all is nobody's. */
type KeyRefused = "not a key" | "someone else's" | "the workspace's";

/** A link after the platform was asked again, and what changed in it. */
export interface Refreshed<L extends Link = Link> {
  link: L;
  gained: string[];
  lost: string[];
}

/** Members' linked keys, one of each API; the only room that opens a key, or hands out a client made with one. */
export interface Identities {
  /** Checks the key with the platform and keeps it sealed for this member; platform errors pass through. */
  link(who: { member: string; slackUser: string }, key: string): Promise<LinkOutcome>;
  /** What linking this key would come to, with nothing kept; platform errors pass through. */
  check(who: { member: string; slackUser: string }, key: string): Promise<"fine" | KeyRefused>;
  /** Whether any member has linked this key. */
  isLinked(api: ApiName, key: string): Promise<boolean>;
  /** `retire` keeps the key, sealed and out of use, for what is not clear yet; `eraseRetired` ends that. */
  unlink(member: string, api: ApiName, options: { retire: boolean }): Promise<Link | null>;
  eraseRetired(member: string, api: ApiName, keyId: string): Promise<void>;
  links(member: string): Promise<Links>;
  /** What acts with the key of the member's link (in their project, where the API has such); null when there is none. */
  session<A extends ApiName>(member: string, api: A): Promise<Opened<A> | null>;
  /** The same with this very key, also if it is no longer linked and was retired. */
  sessionOfKey<A extends ApiName>(member: string, api: A, keyId: string): Promise<Opened<A> | null>;
  /** A client with the member's reseller key that signs with this secret, to try it; null when they have no such key. */
  resellerClient(member: string, signingSecret: string): Promise<ClientOf["reseller"] | null>;
  /** Asks the platform again what the key can do, and says what changed; null when nothing is linked. A rejected key is marked so, and the error thrown. */
  refresh<A extends ApiName>(member: string, api: A): Promise<Refreshed<LinkOf[A]> | null>;
  /** Every call with the customer key is narrowed to this project from now on; null narrows none. Null when they have no key. */
  chooseProject(member: string, project: CustomerLink["project"]): Promise<CustomerLink | null>;
  /** Remembers that the platform rejected the key. */
  markRejected(member: string, api: ApiName): Promise<void>;
  /** Everybody who has linked a key. */
  all(): Promise<Links[]>;
}

/** A link with a client that acts with its key, and all that the member has linked. */
export interface Opened<A extends ApiName> {
  link: LinkOf[A];
  links: Links;
  client: ClientOf[A];
}

interface Who {
  member: string;
  slackUser: string;
}

type AllKept = { [A in ApiName]: Kept<A> | undefined };

export function createIdentities(deps: {
  foundation: { store: Store; seal: Seal; clock: Clock; log: Logger };
  platform: Platform;
  workspace: WorkspaceSecrets;
}): Identities {
  const { foundation, platform, workspace } = deps;
  const stores: { [A in ApiName]: LinkStore<A> } = {
    customer: createLinkStore(foundation, { namespace: "identities", schema: CustomerKept, upcasts }),
    reseller: createLinkStore(foundation, { namespace: "reseller-identities", schema: ResellerKept }),
  };

  const clients: { [A in ApiName]: (kept: Kept<A>) => Promise<ClientOf[A]> } = {
    customer: async (kept) => platform.customer({ key: stores.customer.key(kept), project: kept.project?.id ?? null }),
    reseller: async (kept) => resellerClient(stores.reseller.key(kept)),
  };

  async function resellerClient(key: string): Promise<ClientOf["reseller"]> {
    return platform.reseller({ key, signingSecret: await workspace.read("signing-secret") });
  }

  const links = async (member: string) => linksOf(member, await readAll(member));
  const describe = describedBy(platform, resellerClient, foundation.clock);

  async function readAll(member: string): Promise<AllKept> {
    const [customer, reseller] = await Promise.all([stores.customer.read(member), stores.reseller.read(member)]);
    return { customer, reseller };
  }

  async function open<A extends ApiName>(api: A, kept: Kept<A> | null | undefined, links: Links) {
    return kept ? { link: linkOf[api](kept), links, client: await clients[api](kept) } : null;
  }

  async function linkKey<A extends ApiName>(api: A, who: Who, key: string): Promise<LinkOutcome> {
    if (await workspace.isReader(api, key)) return { is: "the workspace's" };
    const link = await describe[api](key, who, null);
    const kept = await stores[api].keep(link, key);
    return kept === "someone else's" ? { is: kept } : { is: "linked", link, replaced: kept.replaced };
  }

  async function refresh<A extends ApiName>(api: A, member: string): Promise<Refreshed<LinkOf[A]> | null> {
    const kept = await stores[api].read(member);
    if (!kept) return null;
    const link = await stores[api].change(kept, await describe[api](stores[api].key(kept), kept, kept));
    return link && { link: linkOf[api](link), ...differences(kept.scopes, link.scopes) };
  }

  async function markRejected<A extends ApiName>(member: string, api: A): Promise<void> {
    const kept = await stores[api].read(member);
    const rejected: Partial<LinkOf[A]> = {};
    rejected.rejectedAt = foundation.clock.now();
    if (kept) await stores[api].change(kept, rejected);
  }

  return {
    async link(who, typed) {
      const api = apiOfKey(typed.trim());
      return api ? linkKey(api, who, typed.trim()) : { is: "not a key" };
    },
    async check(who, typed) {
      const key = typed.trim();
      const api = apiOfKey(key);
      if (!api) return "not a key";
      await prove[api](platform, key);
      if (await workspace.isReader(api, key)) return "the workspace's";
      const owner = await stores[api].ownerOf(key);
      return owner === null || owner === who.member ? "fine" : "someone else's";
    },
    isLinked: async (api, key) => (await stores[api].ownerOf(key)) !== null,
    unlink: async (member, api, options) => stores[api].erase(member, options),
    eraseRetired: (member, api, keyId) => stores[api].eraseRetired(member, keyId),
    links,
    async session(member, api) {
      const all = await readAll(member);
      return open(api, all[api] && (await stores[api].use(all[api])), linksOf(member, all));
    },
    sessionOfKey: async (member, api, keyId) => open(api, await stores[api].ofKey(member, keyId), await links(member)),
    async resellerClient(member, signingSecret) {
      const kept = await stores.reseller.read(member);
      return kept ? platform.reseller({ key: stores.reseller.key(kept), signingSecret }) : null;
    },
    async refresh(member, api) {
      try {
        return await refresh(api, member);
      } catch (error) {
        if (keyRejected(error)) await markRejected(member, api);
        throw error;
      }
    },
    async chooseProject(member, project) {
      const kept = await stores.customer.read(member);
      const link = kept && (await stores.customer.change(kept, { project }));
      return link ? linkOf.customer(link) : null;
    },
    markRejected,
    async all() {
      const members = [...(await everybody(stores.customer)), ...(await everybody(stores.reseller))];
      return Promise.all([...new Set(members)].map(links));
    },
  };
}

/** What the platform says of a key now; what only the member chose stays as it is. */
function describedBy(
  platform: Platform,
  resellerClient: (key: string) => Promise<ClientOf["reseller"]>,
  clock: Clock,
): { [A in ApiName]: (key: string, who: Who, before: Kept<A> | null) => Promise<LinkOf[A]> } {
  return {
    async customer(key, who, before) {
      const link = await describeCustomerKey(platform.customer({ key }), who, clock.now());
      return before ? { ...link, ...chosen(before), project: before.project } : link;
    },
    async reseller(key, who, before) {
      const link = await describeResellerKey(await resellerClient(key), key, who, clock.now());
      return before ? { ...link, ...chosen(before) } : link;
    },
  };
}

/** What is not the platform's to say. */
function chosen({ linkedAt, usedAt }: Link): Pick<Link, "linkedAt" | "usedAt"> {
  return { linkedAt, usedAt };
}

/** That the platform takes a key, by one reading: what it can do is learnt when it is linked. */
const prove: { [A in ApiName]: (platform: Platform, key: string) => Promise<unknown> } = {
  customer: (platform, key) => readIdentity(platform.customer({ key })),
  reseller: (platform, key) => customerOfKey(platform.reseller({ key, signingSecret: null })),
};

/** What the rest of the app is told of a link: not its key. */
const linkOf: { [A in ApiName]: (kept: Kept<A>) => LinkOf[A] } = {
  customer: ({ sealed: _, fingerprint: __, ...link }) => link,
  reseller: ({ sealed: _, fingerprint: __, ...link }) => link,
};

function linksOf(member: string, { customer, reseller }: AllKept): Links {
  return {
    member,
    customer: customer ? linkOf.customer(customer) : null,
    reseller: reseller ? linkOf.reseller(reseller) : null,
  };
}

const CustomerKept = CustomerLink.extend(Sealed.shape);
const ResellerKept = ResellerLink.extend(Sealed.shape);

const First = z.looseObject({ refusedAt: z.number().nullable() });

/** How a link that version 1 kept becomes what would be kept now. */
const upcasts = {
  1: (older: unknown) => {
    const { refusedAt, ...first } = First.parse(older);
    return { ...first, api: "customer", rejectedAt: refusedAt };
  },
};

async function everybody<A extends ApiName>(store: LinkStore<A>): Promise<string[]> {
  const found: string[] = [];
  let after: string | undefined;
  do {
    const { members, next } = await store.members(after);
    found.push(...members);
    after = next;
  } while (after !== undefined);
  return found;
}

function differences(before: readonly string[], now: readonly string[]): { gained: string[]; lost: string[] } {
  return {
    gained: now.filter((scope) => !before.includes(scope)),
    lost: before.filter((scope) => !now.includes(scope)),
  };
}
