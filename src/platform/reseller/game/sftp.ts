import { notShown } from "../../http/data.ts";
import { path } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import { type Parted, partSecrets } from "../secret-fields.ts";

/** GET /services/{id}/game/sftp: how the files are reached; the password, if it is told, is among the secrets. Reseller spec section 4. */
export async function readSftp(client: ResellerClient, id: string): Promise<Parted> {
  return partSecrets(await client.get(path("/services/{id}/game/sftp", { id }), notShown));
}

/** POST /services/{id}/game/sftp/rotate: a new password, which is among the secrets. Reseller spec section 4. */
export async function rotateSftp(client: ResellerClient, id: string): Promise<Parted> {
  return partSecrets(await client.send("POST", path("/services/{id}/game/sftp/rotate", { id }), notShown));
}
