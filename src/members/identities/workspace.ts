import * as z from "#zod";
import type { ApiName } from "../../platform/http/errors.ts";
import { PlainText } from "../../process/plain-text.ts";
import { SealBroken } from "../../storage/errors.ts";
import { defineKind } from "../../storage/kind.ts";
import { deleting, type RecordChange, replacing } from "../../storage/record.ts";
import type { Seal } from "../../storage/seal.ts";
import type { Store } from "../../storage/store.ts";
import { update } from "../../storage/update.ts";
import { fingerprintOf, keyOwners, workspaceOwner } from "./link-store.ts";

/**
 * The secrets that an admin connects once for everybody: the secret that signs the reseller API's writes, and a
 * monitoring key of each API.
 */
export const workspaceSecretNames = ["signing-secret", "reseller-reader", "customer-reader"] as const;
export type WorkspaceSecretName = (typeof workspaceSecretNames)[number];

/** The name of each API's monitoring key. */
export const monitoringKeyNames = { customer: "customer-reader", reseller: "reseller-reader" } as const;

/** The public facts about such a secret. */
const PublicFacts = z.object({
  /** The prefix of a key, which the portal also shows; empty for the signing secret. */
  label: z.string(),
  slackUser: z.string(),
  at: z.number(),
  /** The platform user who owns the key, if known. */
  user: z.string().nullable(),
  /** The name of the one project or customer that a monitoring key sees; null where it sees all. */
  confinedTo: PlainText.nullable().default(null),
});
export type WorkspaceSecret = z.infer<typeof PublicFacts>;

const StoredSecret = PublicFacts.extend({
  sealed: z.string(),
  /** The fingerprint under which a monitoring key is claimed; null for the signing secret. */
  fingerprint: z.string().nullable(),
});

/** The workspace's own secrets, sealed. */
export interface WorkspaceSecrets {
  /** Null if none is set, or if its encryption key is gone; setting it again repairs that. */
  read(name: WorkspaceSecretName): Promise<string | null>;
  /** The public facts, even if the secret can no longer be opened. */
  about(name: WorkspaceSecretName): Promise<WorkspaceSecret | null>;
  /** True if this is the workspace's monitoring key. It must survive a leaving member, whose own keys are erased. */
  isReader(api: ApiName, key: string): Promise<boolean>;
  /** Stores the secret. False, with nothing stored, for a key that a member has linked. */
  set(name: WorkspaceSecretName, secret: string, about: WorkspaceSecret): Promise<boolean>;
  /** Stores anew what the key sees, unless another was set meanwhile. */
  noteConfined(name: WorkspaceSecretName, secret: string, confinedTo: PlainText | null): Promise<void>;
  erase(name: WorkspaceSecretName): Promise<void>;
}

const workspaceSecrets = defineKind({
  name: "secret of the workspace",
  namespace: "workspace-secrets",
  schema: StoredSecret,
});

export function createWorkspaceSecrets({ store, seal }: { store: Store; seal: Seal }): WorkspaceSecrets {
  const stored = store.keyv(workspaceSecrets);

  const ownerOf = (name: WorkspaceSecretName) => `${workspaceOwner}${name}`;
  /** The last opened secret of each name. Every delivery is verified with the same one, and opening it costs more than the check. */
  const lastOpened = new Map<WorkspaceSecretName, { sealed: string; secret: string }>();

  function opened(name: WorkspaceSecretName, sealed: string): string | null {
    const last = lastOpened.get(name);
    if (last?.sealed === sealed) return last.secret;
    try {
      const secret = seal.open(sealed, ownerOf(name));
      lastOpened.set(name, { sealed, secret });
      return secret;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  async function read(name: WorkspaceSecretName): Promise<string | null> {
    const found = await stored.get(name);
    if (!found) return null;
    const secret = opened(name, found.sealed);
    if (secret !== null && !seal.isCurrent(found.sealed))
      await update(store, workspaceSecrets, name, (now) =>
        now?.sealed === found.sealed ? { ...now, sealed: seal.seal(secret, ownerOf(name)) } : undefined,
      );
    return secret;
  }

  /** The claim of a secret with a fingerprint; null if the key is a member's, or has another name. */
  async function claimed(name: WorkspaceSecretName, fingerprint: string | null): Promise<RecordChange[] | null> {
    if (fingerprint === null) return [];
    const claim = await store.read(keyOwners, fingerprint);
    const isFree = claim.value === undefined || claim.value === ownerOf(name);
    return isFree ? [replacing(claim, ownerOf(name))] : null;
  }

  /** The end of a secret's claim, if it has one. */
  async function released(secret: { fingerprint: string | null } | undefined): Promise<RecordChange[]> {
    return secret?.fingerprint ? [deleting(await store.read(keyOwners, secret.fingerprint))] : [];
  }

  return {
    read,
    isReader: async (api, key) => (await read(monitoringKeyNames[api])) === key,
    async about(name) {
      const found = await stored.get(name);
      return found ? PublicFacts.parse(found) : null;
    },
    async set(name, secret, about) {
      const fingerprint = name === "signing-secret" ? null : fingerprintOf(secret);
      const sealed = seal.seal(secret, ownerOf(name));
      for (;;) {
        const before = await store.read(workspaceSecrets, name);
        const claim = await claimed(name, fingerprint);
        if (!claim) return false;
        const former = before.value?.fingerprint === fingerprint ? [] : await released(before.value);
        // One step: a member who links the key at the same time finds it claimed, or their link is found here.
        if (
          await store.transact({ records: [replacing(before, { ...about, sealed, fingerprint }), ...claim, ...former] })
        )
          return true;
      }
    },
    async noteConfined(name, secret, confinedTo) {
      await update(store, workspaceSecrets, name, (now) =>
        now && opened(name, now.sealed) === secret ? { ...now, confinedTo } : undefined,
      );
    },
    async erase(name) {
      lastOpened.delete(name);
      for (;;) {
        const before = await store.read(workspaceSecrets, name);
        if (!before.value) return;
        if (await store.transact({ records: [deleting(before), ...(await released(before.value))] })) return;
      }
    },
  };
}
