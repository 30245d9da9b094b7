import * as z from "zod";
import { PlainText } from "../../process/plain-text.ts";
import { DateTime } from "../dates.ts";
import { ifReadable, objectOrField } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { readList } from "./list.ts";

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
export type NewSshKey = z.infer<typeof NewSshKey>;

/** GET /ssh-keys. Spec section 4.7. */
export const listSshKeys = endpoint(
  "GET /ssh-keys",
  (call): Promise<SshKey[]> => readList(call, {}, "ssh_keys", SshKey),
);

/** POST /ssh-keys: stores a public key, without its comment. Spec sections 2.8 and 4.7. */
export const addSshKey = endpoint(
  "POST /ssh-keys",
  (call, body: { name: string; publicKey: string; projectId?: string }): Promise<NewSshKey> =>
    call.data({}, objectOrField("ssh_key", NewSshKey), { body }),
);

/** DELETE /ssh-keys/{id}. Spec section 4.7. */
export const deleteSshKey = endpoint("DELETE /ssh-keys/{id}", (call, id: string): Promise<void> => call.done({ id }));
