import type { Logger } from "pino";
import * as z from "zod";
import type { ApiName } from "../platform/http/errors.ts";
import { SealBroken } from "../storage/errors.ts";
import { createRecords } from "../storage/records.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";

/** What an admin connects once for everybody (design section 10): the secret that writes of the reseller API are signed with, and a key of each API to read with in the background. */
export const workspaceSecretNames = ["signing-secret", "reseller-reader", "customer-reader"] as const;
export type WorkspaceSecretName = (typeof workspaceSecretNames)[number];

/** The key of each API that reads in the background. */
export const readerNames = { customer: "customer-reader", reseller: "reseller-reader" } as const;

/** What anybody may know of such a secret. */
const About = z.object({
  /** The prefix of a key, which the portal shows of it; nothing of a secret. */
  label: z.string(),
  slackUser: z.string(),
  at: z.number(),
  /** The platform's user whose key it is, where that is known. */
  user: z.string().nullable().default(null),
});
export type WorkspaceSecret = z.infer<typeof About>;

const Kept = About.extend({ v: z.literal(1), sealed: z.string() });

/** The workspace's own secrets, sealed. */
export interface WorkspaceSecrets {
  /** Null where none is set, or it was sealed with a key that is gone: setting it again mends that. */
  read(name: WorkspaceSecretName): Promise<string | null>;
  /** What is known of it, also where it can no longer be opened. */
  about(name: WorkspaceSecretName): Promise<WorkspaceSecret | null>;
  /** Whether this key reads in the background: for all, and on when a member leaves, whose own keys are erased. */
  isReader(api: ApiName, key: string): Promise<boolean>;
  set(name: WorkspaceSecretName, secret: string, about: WorkspaceSecret): Promise<void>;
  erase(name: WorkspaceSecretName): Promise<void>;
}

export function createWorkspaceSecrets({
  store,
  seal,
  log,
}: {
  store: Store;
  seal: Seal;
  log: Logger;
}): WorkspaceSecrets {
  const kept = createRecords(store.values("workspace-secrets"), {
    name: "secret of the workspace",
    schema: Kept,
    version: 1,
    log,
  });

  const ownerOf = (name: WorkspaceSecretName) => `workspace:${name}`;
  /** What was opened last: each delivery of the supplier's is verified with the same, which takes longer to open than to use. */
  const known = new Map<WorkspaceSecretName, { sealed: string; secret: string }>();

  function opened(name: WorkspaceSecretName, sealed: string): string | null {
    const last = known.get(name);
    if (last?.sealed === sealed) return last.secret;
    try {
      const secret = seal.open(sealed, ownerOf(name));
      known.set(name, { sealed, secret });
      return secret;
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  async function read(name: WorkspaceSecretName): Promise<string | null> {
    const found = await kept.get(name);
    if (!found) return null;
    const secret = opened(name, found.sealed);
    if (secret !== null && !seal.isCurrent(found.sealed))
      await kept.update(name, (now) =>
        now?.sealed === found.sealed ? { ...now, sealed: seal.seal(secret, ownerOf(name)) } : undefined,
      );
    return secret;
  }

  return {
    read,
    isReader: async (api, key) => (await read(readerNames[api])) === key,
    async about(name) {
      const found = await kept.get(name);
      return found ? About.parse(found) : null;
    },
    set: (name, secret, about) => kept.set(name, { v: 1, ...about, sealed: seal.seal(secret, ownerOf(name)) }),
    async erase(name) {
      known.delete(name);
      await kept.delete(name);
    },
  };
}
