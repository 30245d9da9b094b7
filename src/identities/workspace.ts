import * as z from "zod";
import { SealBroken } from "../storage/errors.ts";
import type { Seal } from "../storage/seal.ts";
import type { Store } from "../storage/store.ts";

const Kept = z.object({ v: z.literal(1), sealed: z.string() });
const owner = "workspace";

/** The workspace's own secrets: what an admin connects once for everybody (design section 10). */
export interface WorkspaceSecrets {
  /** The reseller API's signing secret, or null where none is set or it was sealed with a key that is gone. */
  signingSecret(): Promise<string | null>;
  setSigningSecret(secret: string | null): Promise<void>;
}

export function createWorkspaceSecrets({ store, seal }: { store: Store; seal: Seal }): WorkspaceSecrets {
  const kept = store.values("workspace-secrets");

  async function read(name: string): Promise<string | null> {
    const found = Kept.safeParse(await kept.get(name));
    if (!found.success) return null;
    try {
      return seal.open(found.data.sealed, `${owner}:${name}`);
    } catch (error) {
      if (error instanceof SealBroken) return null;
      throw error;
    }
  }

  return {
    signingSecret: () => read("signing-secret"),
    async setSigningSecret(secret) {
      if (secret === null) await kept.delete("signing-secret");
      else await kept.set("signing-secret", { v: 1, sealed: seal.seal(secret, `${owner}:signing-secret`) });
    },
  };
}
