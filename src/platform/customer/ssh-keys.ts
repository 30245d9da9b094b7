import * as z from "zod";
import { DateTime } from "../dates.ts";
import { dataOf, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { CustomerClient } from "./client.ts";
import { readList } from "./list.ts";

/** A stored public key. Spec section 2.8. */
export const SshKey = z.object({
  id: z.string().min(1),
  name: z.string(),
  public_key: z.string().nullish(),
  fingerprint: z.string().nullish(),
  created_at: DateTime.nullish(),
});
export type SshKey = z.infer<typeof SshKey>;

/** GET /ssh-keys. Spec section 4.7. */
export function listSshKeys(client: CustomerClient): Promise<SshKey[]> {
  return readList(client, "/ssh-keys", "ssh_keys", SshKey);
}

/** POST /ssh-keys: stores a public key, without its comment. Spec sections 2.8 and 4.7. */
export async function addSshKey(
  client: CustomerClient,
  body: { name: string; publicKey: string; projectId?: string },
): Promise<SshKey> {
  return (await client.send("POST", "/ssh-keys", dataOf("ssh_key", SshKey), body)).data;
}

/** DELETE /ssh-keys/{id}. Spec section 4.7. */
export async function deleteSshKey(client: CustomerClient, id: string): Promise<void> {
  await client.send("DELETE", path("/ssh-keys/{id}", { id }), done);
}
