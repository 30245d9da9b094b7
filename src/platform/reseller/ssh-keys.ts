import * as z from "#zod";
import { Id } from "../fields.ts";
import { done } from "../http/data.ts";
import { listOf } from "../http/pages.ts";
import { endpoint } from "./client.ts";

/** An SSH key of a dedicated server. The spec names only its id; other fields pass through unchanged. */
export const ServerSshKey = z.looseObject({ id: Id });
export type ServerSshKey = z.infer<typeof ServerSshKey>;

/** Of a dedicated server. */
export const listServerSshKeys = endpoint(
  "GET /services/{serviceId}/ssh-keys",
  "read",
  "4",
  listOf("ssh_keys", ServerSshKey),
);

/** Adds a stored or a new key; the next reinstall applies it. */
export const addServerSshKey = endpoint("POST /services/{serviceId}/ssh-keys", "services", "4", done, {
  sends: (body: { sshKeyId: string } | { publicKey: string; name: string }) => ({ body }),
});

export const deleteServerSshKey = endpoint("DELETE /services/{serviceId}/ssh-keys/{keyId}", "services", "4", done, {
  removes: true,
});
