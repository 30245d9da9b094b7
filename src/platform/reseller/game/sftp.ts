import { type Parted, partSecrets } from "../../../process/secret-parts.ts";
import { unspecified } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";

/** GET /services/{id}/game/sftp: how to reach the files. A password in the answer is among the secrets. Reseller spec section 4. */
export const readSftp = gameEndpoint(
  "GET /services/{id}/game/sftp",
  async (call, id: string): Promise<Parted> => partSecrets(await call.envelope({ id }, unspecified)),
);

/** POST /services/{id}/game/sftp/rotate: sets a new password, which is among the secrets. Reseller spec section 4. */
export const rotateSftp = gameEndpoint(
  "POST /services/{id}/game/sftp/rotate",
  async (call, id: string): Promise<Parted> => partSecrets(await call.envelope({ id }, unspecified)),
);
