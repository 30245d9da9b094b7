import type { Identities } from "./identities.ts";
import { type WorkspaceSecrets, workspaceSecretNames } from "./workspace.ts";

/** Reseals everything that the previous encryption key sealed, by reading it. Resolves with the number of members who have a link. */
export async function sealAnew(identities: Pick<Identities, "all">, secrets: WorkspaceSecrets): Promise<number> {
  const members = await identities.all();
  for (const name of workspaceSecretNames) await secrets.read(name);
  return members.length;
}
