import * as z from "zod";
import { listOf } from "../http/pages.ts";
import { Id } from "../ids.ts";
import { endpoint } from "./endpoint.ts";

/** An SSH key of a dedicated server. The spec names only its id; other fields pass through unchanged. */
export const ServerSshKey = z.looseObject({ id: Id });
export type ServerSshKey = z.infer<typeof ServerSshKey>;

/** GET /services/{serviceId}/ssh-keys: for a dedicated server. Reseller spec section 4. */
export const listServerSshKeys = endpoint(
  "GET /services/{serviceId}/ssh-keys",
  (call, serviceId: string): Promise<ServerSshKey[]> => call.envelope({ serviceId }, listOf("ssh_keys", ServerSshKey)),
);

/** POST /services/{serviceId}/ssh-keys: adds a stored or a new key; the next reinstall applies it. Reseller spec section 4. */
export const addServerSshKey = endpoint(
  "POST /services/{serviceId}/ssh-keys",
  (call, serviceId: string, body: { sshKeyId: string } | { publicKey: string; name: string }): Promise<void> =>
    call.done({ serviceId }, { body }),
);

/** DELETE /services/{serviceId}/ssh-keys/{keyId}. Reseller spec section 4. */
export const deleteServerSshKey = endpoint(
  "DELETE /services/{serviceId}/ssh-keys/{keyId}",
  (call, serviceId: string, keyId: string): Promise<void> => call.done({ serviceId, keyId }),
);
