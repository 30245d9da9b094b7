import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../fields.ts";
import { done, ifReadable, inData, objectOrField } from "../http/data.ts";
import { everyRow } from "../http/pages.ts";
import { endpoint } from "./client.ts";

/** A stored public key. Spec section 2.8. */
export const SshKey = z.object({
  id: z.string().min(1),
  name: PlainText,
  public_key: z.string().nullish(),
  fingerprint: z.string().nullish(),
  created_at: DateTime.nullish(),
});
export type SshKey = z.infer<typeof SshKey>;

/** The answer to storing a key. */
const NewSshKey = z.object({ id: z.string().min(1), fingerprint: ifReadable(z.string()) });

export const listSshKeys = endpoint("GET /ssh-keys", "read", "4.7", everyRow("ssh_keys", SshKey));

/** Stores a public key, without its comment. */
export const addSshKey = endpoint(
  "POST /ssh-keys",
  "services",
  "2.8, 4.7",
  inData(objectOrField("ssh_key", NewSshKey)),
  {
    sends: (body: { name: string; publicKey: string; projectId?: string }) => ({ body }),
  },
);

export const deleteSshKey = endpoint("DELETE /ssh-keys/{id}", "services", "4.7", done, { removes: true });
