import { parted } from "../../http/data.ts";
import { gameEndpoint } from "./endpoint.ts";

/** How to reach the files. A password in the answer is among the secrets. */
export const readSftp = gameEndpoint("GET /services/{id}/game/sftp", "read", "4", parted);

/** Sets a new password, which is among the secrets. */
export const rotateSftp = gameEndpoint("POST /services/{id}/game/sftp/rotate", "services", "4", parted);
