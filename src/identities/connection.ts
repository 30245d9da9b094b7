import type { Clock } from "../clock.ts";
import { readIdentity } from "../platform/customer/identity.ts";
import { type ApiName, PlatformRefused } from "../platform/http/errors.ts";
import type { ClientOf, Platform } from "../platform/platform.ts";
import { learnScopes } from "../platform/reseller/scopes.ts";
import { signingSecretForm, verifySignature } from "../platform/reseller/signing.ts";
import { testWebhook } from "../platform/reseller/webhook.ts";
import type { Identities } from "./identities.ts";
import { keyForms, prefixOf } from "./key-forms.ts";
import { fingerprintOf } from "./link-store.ts";
import { readerNames, type WorkspaceSecret, type WorkspaceSecretName, type WorkspaceSecrets } from "./workspace.ts";

/** What came of a secret that an admin gave. */
export type Connected =
  | { is: "connected"; replaced: boolean }
  /** It is not written as such a secret is. */
  | { is: "malformed" }
  /** The admin has no reseller key to prove the secret with. */
  | { is: "no key" }
  /** A member works with it. */
  | { is: "a member's" }
  /** A key for reading in the background may read, and nothing else: these are its scopes. */
  | { is: "not for reading alone"; scopes: string[] };

/** The workspace's connection to the platform: made once by an admin, for everybody (design section 10). Platform errors pass through. */
export interface Connection {
  about(name: WorkspaceSecretName): Promise<WorkspaceSecret | null>;
  /** Proves a signing secret with the member's reseller key, and keeps it: nothing is kept that the platform does not accept. */
  setSigningSecret(who: Who, secret: string): Promise<Connected>;
  /** Proves a key for reading in the background by a read, and keeps it. */
  setReader(api: ApiName, who: Who, key: string): Promise<Connected>;
  /** Proves again what is kept: a signing secret with the member's reseller key, where they have one. */
  check(name: WorkspaceSecretName, member: string): Promise<"works" | "not readable" | "no key">;
  /** What reads in the background, a read being tried once alone, and what is known of its key; null where none is set, or it cannot be opened. */
  reader<A extends ApiName>(api: A): Promise<Reading<A> | null>;
  disconnect(name: WorkspaceSecretName): Promise<boolean>;
  /** Whether a delivery is signed with the present secret: an older one ends with its rotation. Reseller spec section 6. */
  verify(body: Buffer, signature: string): Promise<"right" | "forged" | "not connected">;
}

export interface Reading<A extends ApiName> {
  client: ClientOf[A];
  /** Of this key, and of no other. */
  keyId: string;
  about: WorkspaceSecret;
}

interface Who {
  member: string;
  slackUser: string;
}

export function createConnection(deps: {
  platform: Platform;
  identities: Identities;
  secrets: WorkspaceSecrets;
  clock: Clock;
}): Connection {
  const { platform, identities, secrets, clock } = deps;

  /** Nothing but the signature is at stake: a test event is harmless, and where no address is on file nothing is sent at all. */
  async function prove(client: ClientOf["reseller"]): Promise<void> {
    try {
      await testWebhook(client);
    } catch (error) {
      if (!(error instanceof PlatformRefused && error.known === "no webhook address")) throw error;
    }
  }

  /** What a key may do, and whose it is where the platform says so. */
  const knownOf: Record<ApiName, (key: string) => Promise<{ scopes: string[]; user: string | null }>> = {
    async customer(key) {
      const { key: own, user } = await readIdentity(platform.customer({ key }));
      return { scopes: own.scopes, user: user.id };
    },
    reseller: async (key) => ({
      scopes: await learnScopes(platform.reseller({ key, signingSecret: null })),
      user: null,
    }),
  };

  const clientOf: { [A in ApiName]: (key: string) => ClientOf[A] } = {
    customer: (key) => platform.customer({ key, patient: false }),
    reseller: (key) => platform.reseller({ key, signingSecret: null, patient: false }),
  };

  async function keep(
    name: WorkspaceSecretName,
    secret: string,
    { label, user }: { label: string; user: string | null },
    { slackUser }: Who,
  ): Promise<Connected> {
    const replaced = (await secrets.about(name)) !== null;
    await secrets.set(name, secret, { label, user, slackUser, at: clock.now() });
    return { is: "connected", replaced };
  }

  return {
    about: secrets.about,
    async setSigningSecret(who, typed) {
      const secret = typed.trim();
      if (!signingSecretForm.test(secret)) return { is: "malformed" };
      const client = await identities.resellerClient(who.member, secret);
      if (!client) return { is: "no key" };
      await prove(client);
      return keep("signing-secret", secret, { label: "", user: null }, who);
    },
    async setReader(api, who, typed) {
      const key = typed.trim();
      if (!keyForms[api].test(key)) return { is: "malformed" };
      const { scopes, user } = await knownOf[api](key);
      if (scopes.join() !== "read") return { is: "not for reading alone", scopes };
      // It would end with that member, and read in the hours that they need themselves.
      if (await identities.isLinked(api, key)) return { is: "a member's" };
      return keep(readerNames[api], key, { label: prefixOf(key), user }, who);
    },
    async reader(api) {
      const [key, about] = await Promise.all([secrets.read(readerNames[api]), secrets.about(readerNames[api])]);
      if (key === null || about === null) return null;
      return { client: clientOf[api](key), keyId: fingerprintOf(key).slice(0, 16), about };
    },
    async check(name, member) {
      const secret = await secrets.read(name);
      if (secret === null) return "not readable";
      if (name !== "signing-secret") {
        await knownOf[name === "customer-reader" ? "customer" : "reseller"](secret);
        return "works";
      }
      const client = await identities.resellerClient(member, secret);
      if (!client) return "no key";
      await prove(client);
      return "works";
    },
    async disconnect(name) {
      const was = await secrets.about(name);
      await secrets.erase(name);
      return was !== null;
    },
    async verify(body, signature) {
      const secret = await secrets.read("signing-secret");
      if (secret === null) return "not connected";
      return verifySignature(secret, body, signature) ? "right" : "forged";
    },
  };
}
