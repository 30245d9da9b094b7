import { readKeyIdentity } from "../../platform/customer/account.ts";
import type { ApiClient } from "../../platform/http/client.ts";
import { type ApiName, isRefusal } from "../../platform/http/errors.ts";
import type { Platform } from "../../platform/platform.ts";
import type { ResellerClient } from "../../platform/reseller/client.ts";
import { readScopes } from "../../platform/reseller/scopes.ts";
import { signingSecretForm, verifySignature } from "../../platform/reseller/signing.ts";
import { testWebhook } from "../../platform/reseller/webhook.ts";
import type { Clock } from "../../process/clock.ts";
import type { PlainText } from "../../process/plain-text.ts";
import type { ActingUser, Identities } from "./identities.ts";
import { customerOfKey, keyForms, prefixOf } from "./keys.ts";
import { fingerprintOf } from "./link-store.ts";
import {
  monitoringKeyNames,
  type WorkspaceSecret,
  type WorkspaceSecretName,
  type WorkspaceSecrets,
} from "./workspace.ts";

/** The outcome of connecting a secret that an admin entered. */
export type ConnectOutcome =
  | { is: "connected"; replaced: boolean; confinedTo: PlainText | null }
  /** The text does not have the form of such a secret. */
  | { is: "malformed" }
  /** The admin has no reseller key to prove the secret with. */
  | { is: "no key" }
  /** A member has linked this key as their own. */
  | { is: "a member's" }
  /** A monitoring key may have the read scope alone; `scopes` are those of this key. */
  | { is: "not for reading alone"; scopes: string[] };

/**
 * The workspace's connection to the platform, which an admin makes once for everybody. Errors of the platform pass
 * through.
 */
export interface SupplierConnection {
  about(name: WorkspaceSecretName): Promise<WorkspaceSecret | null>;
  /** Tests a signing secret with the member's reseller key, and stores it only if the platform accepts it. */
  setSigningSecret(who: ActingUser, secret: string): Promise<ConnectOutcome>;
  /** Tests a monitoring key by a read, and stores it. */
  setReader(api: ApiName, who: ActingUser, key: string): Promise<ConnectOutcome>;
  /** Tests the stored secret again; a signing secret with the member's reseller key, if they have one. */
  check(name: WorkspaceSecretName, member: string): Promise<"works" | "not readable" | "no key">;
  /**
   * The client with the monitoring key, which tries each read once, and the facts about that key. Null if none is set, or if it cannot be
   * opened.
   */
  reader<A extends ApiName>(api: A): Promise<MonitoringClient<A> | null>;
  disconnect(name: WorkspaceSecretName): Promise<boolean>;
  /**
   * Checks a delivery's signature with the present secret only: after a rotation the older one is worth nothing. Reseller spec section 6.
   */
  verify(body: Buffer, signature: string): Promise<"right" | "forged" | "not connected">;
}

type KeyFacts = { scopes: string[] } & Pick<WorkspaceSecret, "user" | "confinedTo">;

export interface MonitoringClient<A extends ApiName> {
  client: ApiClient<A>;
  /** Differs for each key; a part of its fingerprint. */
  keyId: string;
  about: WorkspaceSecret;
}

export function createConnection(deps: {
  platform: Platform;
  identities: Identities;
  secrets: WorkspaceSecrets;
  clock: Clock;
}): SupplierConnection {
  const { platform, identities, secrets, clock } = deps;

  /**
   * Sends a signed test event, which changes nothing. Without an address on file the platform accepts the signature and sends nothing.
   */
  async function prove(client: ResellerClient<"POST /webhooks/test">): Promise<void> {
    try {
      await testWebhook(client);
    } catch (error) {
      if (!isRefusal(error, "no webhook address")) throw error;
    }
  }

  /** Reads a key's scopes, the one project or customer that it sees, and its user if the platform names one. */
  const keyFacts: Record<ApiName, (key: string) => Promise<KeyFacts>> = {
    async customer(key) {
      const { key: own, user } = await readKeyIdentity(platform.customer({ key }));
      return { scopes: own.scopes, user: user.id, confinedTo: own.project?.name ?? null };
    },
    async reseller(key) {
      const client = platform.reseller({ key, signingSecret: null });
      const bound = await customerOfKey(client);
      return { scopes: await readScopes(client), user: null, confinedTo: bound?.name ?? null };
    },
  };

  const clientOf: { [A in ApiName]: (key: string) => ApiClient<A> } = {
    customer: (key) => platform.customer({ key, patient: false }),
    reseller: (key) => platform.reseller({ key, signingSecret: null, patient: false }),
  };

  /** A member's key is refused: it would stop polling when they leave, and polling would use up their rate limit. */
  async function keep(
    name: WorkspaceSecretName,
    secret: string,
    facts: Pick<WorkspaceSecret, "label" | "user" | "confinedTo">,
    { slackUser }: ActingUser,
  ): Promise<ConnectOutcome> {
    const replaced = (await secrets.about(name)) !== null;
    const isStored = await secrets.set(name, secret, { ...facts, slackUser, at: clock.now() });
    const { confinedTo } = facts;
    return isStored ? { is: "connected", replaced, confinedTo } : { is: "a member's" };
  }

  return {
    about: secrets.about,
    async setSigningSecret(who, typed) {
      const secret = typed.trim();
      if (!signingSecretForm.test(secret)) return { is: "malformed" };
      const client = await identities.resellerClient(who.member, secret);
      if (!client) return { is: "no key" };
      await prove(client);
      return keep("signing-secret", secret, { label: "", user: null, confinedTo: null }, who);
    },
    async setReader(api, who, typed) {
      const key = typed.trim();
      if (!keyForms[api].test(key)) return { is: "malformed" };
      const { scopes, ...facts } = await keyFacts[api](key);
      if (scopes.join() !== "read") return { is: "not for reading alone", scopes };
      return keep(monitoringKeyNames[api], key, { label: prefixOf(key), ...facts }, who);
    },
    async reader(api) {
      const [key, about] = await Promise.all([
        secrets.read(monitoringKeyNames[api]),
        secrets.about(monitoringKeyNames[api]),
      ]);
      if (key === null || about === null) return null;
      return { client: clientOf[api](key), keyId: fingerprintOf(key).slice(0, 16), about };
    },
    async check(name, member) {
      const secret = await secrets.read(name);
      if (secret === null) return "not readable";
      if (name !== "signing-secret") {
        const { confinedTo } = await keyFacts[name === "customer-reader" ? "customer" : "reseller"](secret);
        // The project or the customer may have another name by now.
        await secrets.noteConfined(name, secret, confinedTo);
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
