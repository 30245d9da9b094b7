import type { Identities } from "./identities.ts";
import { type WorkspaceSecrets, workspaceSecretNames } from "./workspace.ts";

/** Seals whatever the previous encryption key sealed with the current one, by reading it; answers with the number of members who have linked a key. */
export async function sealAnew(identities: Pick<Identities, "all">, secrets: WorkspaceSecrets): Promise<number> {
  const members = await identities.all();
  for (const name of workspaceSecretNames) await secrets.read(name);
  return members.length;
}
