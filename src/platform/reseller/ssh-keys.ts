import * as z from "zod";
import { done, notShown } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import type { ResellerClient } from "./client.ts";

/** An SSH key of a dedicated server; only its id is known of it. */
export const ServerSshKey = z.looseObject({ id: Id });
export type ServerSshKey = z.infer<typeof ServerSshKey>;

/** GET /services/{serviceId}/ssh-keys: of a dedicated server. Reseller spec section 4. */
export function listServerSshKeys(client: ResellerClient, serviceId: string): Promise<ServerSshKey[]> {
  return client.get(path("/services/{serviceId}/ssh-keys", { serviceId }), listOf("ssh_keys", ServerSshKey));
}

/** POST /services/{serviceId}/ssh-keys: one that is stored, or a new one; the next reinstall applies it. Gives what the platform answered. Reseller spec section 4. */
export function addServerSshKey(
  client: ResellerClient,
  serviceId: string,
  body: { sshKeyId: string } | { publicKey: string; name: string },
): Promise<unknown> {
  return client.send("POST", path("/services/{serviceId}/ssh-keys", { serviceId }), notShown, body);
}

/** DELETE /services/{serviceId}/ssh-keys/{keyId}. Reseller spec section 4. */
export async function deleteServerSshKey(client: ResellerClient, serviceId: string, keyId: string): Promise<void> {
  await client.send("DELETE", path("/services/{serviceId}/ssh-keys/{keyId}", { serviceId, keyId }), done);
}
