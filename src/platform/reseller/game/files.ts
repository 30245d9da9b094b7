import * as z from "#zod";
import { partSecrets } from "../../../process/secret-parts.ts";
import { rowsIn, unspecified } from "../../http/data.ts";
import type { Download } from "../../http/envelope.ts";
import type { Query } from "../../http/path.ts";
import { byGameQuery, gameEndpoint, inGameBody } from "./endpoint.ts";

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
const GameFiles = unspecified.transform((answer) => {
  const found = rowsIn(answer, "", Row);
  return { answer, rows: "rows" in found ? found.rows : [] };
});

/** Lists a folder. The spec names the query of none of these four reads. */
export const listGameFiles = gameEndpoint("GET /services/{id}/game/files", "read", "4", GameFiles, byGameQuery);

export const readGameFile = gameEndpoint("GET /services/{id}/game/files/read", "read", "4", unspecified, byGameQuery);

export const readGameFileContents = gameEndpoint(
  "GET /services/{id}/game/files/contents",
  "read",
  "4",
  unspecified,
  byGameQuery,
);

/** The file's bytes. Throws PlatformOffContract above the transport's size limit. */
export const downloadGameFile = gameEndpoint(
  "GET /services/{id}/game/files/download",
  "read",
  "4",
  (call, values, query: Query): Promise<Download> => call.download(values, { query }),
);

/** Gives what the module answered. */
export const runFileOperation = gameEndpoint("POST /services/{id}/game/files/{op}", "services", "4", unspecified, {
  at: { op: ["write", "mkdir", "rename", "delete", "compress", "decompress", "chmod"] },
  ...inGameBody,
});

/** The address may itself be a credential, so it is among the secrets. */
export const openGameFileLink = gameEndpoint(
  "POST /services/{id}/game/files/{op}",
  "services",
  "4",
  unspecified.transform((answer) => partSecrets(answer, { links: true })),
  { at: { op: "download-url" }, ...inGameBody },
);

/** Throws a RangeError over 4 MiB. */
export const uploadGameFile = gameEndpoint("POST /services/{id}/game/files/{op}", "services", "4, 8", unspecified, {
  at: { op: "upload" },
  sends({ path, name, content }: { path: string; name: string; content: Uint8Array }) {
    const { byteLength } = content;
    if (byteLength > uploadBytes)
      throw new RangeError(`${byteLength} bytes are more than the ${uploadBytes} of an upload`);
    return { body: { path, name, content: Buffer.from(content).toString("base64") } };
  },
});
