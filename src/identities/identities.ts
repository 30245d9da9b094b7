import type { Clock } from "../clock.ts";
import { type ApiName, keyRejected } from "../platform/http/errors.ts";
import type { ClientOf, Platform } from "../platform/platform.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";
import { describeCustomerKey } from "./customer-key.ts";
import { CustomerLink, type Link, type LinkOf, type Links, ResellerLink } from "./link.ts";
import { createLinkStore, type Kept } from "./link-store.ts";
import { describeResellerKey } from "./reseller-key.ts";
import type { WorkspaceSecrets } from "./workspace.ts";

export type LinkOutcome =
  | { is: "linked"; link: Link; replaced: Link | null }
  | { is: "not a key" }
  | { is: "someone else's" };

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
  /** `retire` keeps the key, sealed and out of use, for what is not clear yet; `eraseRetired` ends that. */
  unlink(member: string, api: ApiName, options: { retire: boolean }): Promise<Link | null>;
  eraseRetired(member: string, api: ApiName, keyId: string): Promise<void>;
  links(member: string): Promise<Links>;
  /** The link and a client that acts with its key (in the member's project, where the API has such); null when there is none. */
  session<A extends ApiName>(member: string, api: A): Promise<{ link: LinkOf[A]; client: ClientOf[A] } | null>;
  /** The same with this very key, also if it is no longer linked and was retired. */
  sessionOfKey<A extends ApiName>(
    member: string,
    api: A,
    keyId: string,
  ): Promise<{ link: LinkOf[A]; client: ClientOf[A] } | null>;
  /** Asks the platform again what the key can do, and says what changed; null when nothing is linked. A rejected key is marked so, and the error thrown. */
  refresh<A extends ApiName>(member: string, api: A): Promise<Refreshed<LinkOf[A]> | null>;
  /** Every call with the customer key is narrowed to this project from now on; null narrows none. Null when they have no key. */
  chooseProject(member: string, project: CustomerLink["project"]): Promise<CustomerLink | null>;
  /** Remembers that the platform rejected the key. */
  markRejected(member: string, api: ApiName): Promise<void>;
  /** Everybody who has linked a key. */
  all(): Promise<Links[]>;
}

const keyForms: Record<ApiName, RegExp> = {
  customer: /^fbk_[0-9a-f]{8}_[0-9a-f]{96}$/,
  reseller: /^rsk_[\w-]{8}_[\w-]{64}$/,
};

export function createIdentities(deps: {
  store: Store;
  seal: Seal;
  platform: Platform;
  workspace: WorkspaceSecrets;
  clock: Clock;
}): Identities {
  const { store, seal, platform, workspace, clock } = deps;
  const owners = store.values("key-owners");
  const retired = store.values("retired-keys");
  const customer = createLinkStore({ links: store.values("identities"), owners, retired, seal, schema: CustomerLink });
  const resellers = store.values("reseller-identities");
  const reseller = createLinkStore({ links: resellers, owners, retired, seal, schema: ResellerLink });

  function customerClient(kept: Kept<CustomerLink>): ClientOf["customer"] {
    return platform.customer({ key: customer.key(kept), project: kept.project?.id ?? null });
  }

  async function resellerClient(key: string): Promise<ClientOf["reseller"]> {
    return platform.reseller({ key, signingSecret: await workspace.signingSecret() });
  }

  async function links(member: string): Promise<Links> {
    const [ofCustomer, ofReseller] = await Promise.all([customer.read(member), reseller.read(member)]);
    return {
      member,
      customer: ofCustomer && CustomerLink.parse(ofCustomer),
      reseller: ofReseller && ResellerLink.parse(ofReseller),
    };
  }

  /** One entry an API: what is asked by the API's name finds the kind of link and client that belong to it. */
  const sessions: {
    [A in ApiName]: (member: string, keyId?: string) => Promise<{ link: LinkOf[A]; client: ClientOf[A] } | null>;
  } = {
    async customer(member, keyId) {
      const kept = await (keyId === undefined ? customer.read(member) : customer.ofKey(member, keyId));
      return kept && { link: CustomerLink.parse(kept), client: customerClient(kept) };
    },
    async reseller(member, keyId) {
      const kept = await (keyId === undefined ? reseller.read(member) : reseller.ofKey(member, keyId));
      return kept && { link: ResellerLink.parse(kept), client: await resellerClient(reseller.key(kept)) };
    },
  };

  const refreshes: { [A in ApiName]: (member: string) => Promise<Refreshed<LinkOf[A]> | null> } = {
    async customer(member) {
      const kept = await customer.read(member);
      if (!kept) return null;
      const told = await describeCustomerKey(customerClient(kept), kept, clock.now());
      const link = await customer.change(kept, { ...told, project: kept.project, linkedAt: kept.linkedAt });
      return link && { link: CustomerLink.parse(link), ...differences(kept.scopes, link.scopes) };
    },
    async reseller(member) {
      const kept = await reseller.read(member);
      if (!kept) return null;
      const key = reseller.key(kept);
      const told = await describeResellerKey(await resellerClient(key), key, kept, clock.now());
      const link = await reseller.change(kept, { ...told, linkedAt: kept.linkedAt });
      return link && { link: ResellerLink.parse(link), ...differences(kept.scopes, link.scopes) };
    },
  };

  async function markRejected(member: string, api: ApiName): Promise<void> {
    const rejectedAt = clock.now();
    if (api === "customer") {
      const kept = await customer.read(member);
      if (kept) await customer.change(kept, { rejectedAt });
    } else {
      const kept = await reseller.read(member);
      if (kept) await reseller.change(kept, { rejectedAt });
    }
  }

  return {
    async link(who, typed) {
      const key = typed.trim();
      if (keyForms.customer.test(key)) {
        const link = await describeCustomerKey(platform.customer({ key }), who, clock.now());
        const kept = await customer.keep(link, key);
        return kept === "someone else's" ? { is: kept } : { is: "linked", link, replaced: kept.replaced };
      }
      if (keyForms.reseller.test(key)) {
        const link = await describeResellerKey(await resellerClient(key), key, who, clock.now());
        const kept = await reseller.keep(link, key);
        return kept === "someone else's" ? { is: kept } : { is: "linked", link, replaced: kept.replaced };
      }
      return { is: "not a key" };
    },
    unlink: (member, api, options) =>
      api === "customer" ? customer.erase(member, options) : reseller.erase(member, options),
    eraseRetired: (member, api, keyId) =>
      api === "customer" ? customer.eraseRetired(member, keyId) : reseller.eraseRetired(member, keyId),
    sessionOfKey: (member, api, keyId) => sessions[api](member, keyId),
    links,
    session: (member, api) => sessions[api](member),
    async refresh(member, api) {
      try {
        return await refreshes[api](member);
      } catch (error) {
        if (keyRejected(error)) await markRejected(member, api);
        throw error;
      }
    },
    async chooseProject(member, project) {
      const kept = await customer.read(member);
      const link = kept && (await customer.change(kept, { project }));
      return link && CustomerLink.parse(link);
    },
    markRejected,
    async all() {
      const members = new Set<string>();
      for await (const { member } of customer.all()) members.add(member);
      for await (const { member } of reseller.all()) members.add(member);
      return Promise.all([...members].map(links));
    },
  };
}

function differences(before: readonly string[], now: readonly string[]): { gained: string[]; lost: string[] } {
  return {
    gained: now.filter((scope) => !before.includes(scope)),
    lost: before.filter((scope) => !now.includes(scope)),
  };
}
