import * as z from "zod";
import { type Parted, partSecrets } from "../../../process/secret-parts.ts";
import { unspecified } from "../../http/data.ts";
import type { Download } from "../../http/envelope.ts";
import type { Query } from "../../http/path.ts";
import { rowsIn } from "../../http/rows.ts";
import { gameEndpoint } from "./endpoint.ts";
import type { GameBody } from "./list.ts";

/** The operations that change files of a game server or send them. Reseller spec section 4. */
export const fileOperations = [
  "write",
  "mkdir",
  "rename",
  "delete",
  "compress",
  "decompress",
  "chmod",
  "download-url",
  "upload",
] as const;
export type FileOperation = (typeof fileOperations)[number];

/** The largest upload, in bytes. Reseller spec sections 4 and 8. */
export const uploadBytes = 4 * 1024 * 1024;

const text = z.string().optional().catch(undefined);
const Row = z.looseObject({ name: text, path: text }).refine(({ name, path }) => (name ?? path ?? "") !== "");
export type FileRow = z.infer<typeof Row>;

/** A folder, whose layout the spec does not show. `rows` are the rows with a name or a path; `answer` is all of it. */
export const GameFiles = unspecified.transform((answer) => {
  const found = rowsIn(answer, "", Row);
  return { answer, rows: "rows" in found ? found.rows : [] };
});
export type GameFiles = z.infer<typeof GameFiles>;

/** GET /services/{id}/game/files: lists a folder. The spec does not name the query. Reseller spec section 4. */
export const listGameFiles = gameEndpoint(
  "GET /services/{id}/game/files",
  (call, id: string, query: Query): Promise<GameFiles> => call.envelope({ id }, GameFiles, { query }),
);

/** GET /services/{id}/game/files/read. Reseller spec section 4. */
export const readGameFile = gameEndpoint(
  "GET /services/{id}/game/files/read",
  (call, id: string, query: Query): Promise<unknown> => call.envelope({ id }, unspecified, { query }),
);

/** GET /services/{id}/game/files/contents. Reseller spec section 4. */
export const readGameFileContents = gameEndpoint(
  "GET /services/{id}/game/files/contents",
  (call, id: string, query: Query): Promise<unknown> => call.envelope({ id }, unspecified, { query }),
);

/** GET /services/{id}/game/files/download: the file's bytes. Throws PlatformOffContract above the transport's size limit. Reseller spec section 4. */
export const downloadGameFile = gameEndpoint(
  "GET /services/{id}/game/files/download",
  (call, id: string, query: Query): Promise<Download> => call.download({ id }, { query }),
);

/** POST /services/{id}/game/files/{op}. Gives what the module answered. Reseller spec section 4. */
export const runFileOperation = gameEndpoint(
  "POST /services/{id}/game/files/{op}",
  (call, id: string, op: Exclude<FileOperation, "download-url" | "upload">, body: GameBody): Promise<unknown> =>
    call.envelope({ id, op }, unspecified, { body }),
);

/** POST /services/{id}/game/files/download-url: the address may itself be a credential, so it is among the secrets. Reseller spec section 4. */
export const openGameFileLink = gameEndpoint(
  "POST /services/{id}/game/files/{op}",
  async (call, id: string, body: GameBody): Promise<Parted> =>
    partSecrets(await call.envelope({ id, op: "download-url" }, unspecified, { body }), { links: true }),
);

/** POST /services/{id}/game/files/upload: throws a RangeError over 4 MiB. Reseller spec sections 4 and 8. */
export const uploadGameFile = gameEndpoint(
  "POST /services/{id}/game/files/{op}",
  (call, id: string, file: { path: string; name: string; content: Uint8Array }): Promise<unknown> => {
    const { byteLength } = file.content;
    if (byteLength > uploadBytes)
      throw new RangeError(`${byteLength} bytes are more than the ${uploadBytes} of an upload`);
    const body = { path: file.path, name: file.name, content: Buffer.from(file.content).toString("base64") };
    return call.envelope({ id, op: "upload" }, unspecified, { body });
  },
);
