import { notShown } from "../../http/data.ts";
import type { Download } from "../../http/envelope.ts";
import { path, type Query } from "../../http/path.ts";
import type { ResellerClient } from "../client.ts";
import { type Parted, partSecrets } from "../secret-fields.ts";
import type { GameBody } from "./list.ts";

/** What can be done to the files of a game server, beside reading them. Reseller spec section 4. */
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

/** A file that is sent may have as many bytes. Reseller spec sections 4 and 8. */
export const uploadBytes = 4 * 1024 * 1024;

/** GET /services/{id}/game/files: a folder; what the query is called, the spec does not show. Reseller spec section 4. */
export function listGameFiles(client: ResellerClient, id: string, query: Query): Promise<unknown> {
  return client.get(path("/services/{id}/game/files", { id }), notShown, query);
}

/** GET /services/{id}/game/files/read. Reseller spec section 4. */
export function readGameFile(client: ResellerClient, id: string, query: Query): Promise<unknown> {
  return client.get(path("/services/{id}/game/files/read", { id }), notShown, query);
}

/** GET /services/{id}/game/files/contents. Reseller spec section 4. */
export function readGameFileContents(client: ResellerClient, id: string, query: Query): Promise<unknown> {
  return client.get(path("/services/{id}/game/files/contents", { id }), notShown, query);
}

/** GET /services/{id}/game/files/download: the file itself; one that is larger than the transport takes is PlatformOffContract. Reseller spec section 4. */
export function downloadGameFile(client: ResellerClient, id: string, query: Query): Promise<Download> {
  return client.download(path("/services/{id}/game/files/download", { id }), query);
}

/** POST /services/{id}/game/files/{op}. Gives what the module answered. Reseller spec section 4. */
export function runFileOperation(
  client: ResellerClient,
  id: string,
  op: Exclude<FileOperation, "download-url" | "upload">,
  body: GameBody,
): Promise<unknown> {
  return client.send("POST", path("/services/{id}/game/files/{op}", { id, op }), notShown, body);
}

/** POST /services/{id}/game/files/download-url: an address that may be a credential itself, and so is among the secrets. Reseller spec section 4. */
export async function openGameFileLink(client: ResellerClient, id: string, body: GameBody): Promise<Parted> {
  const route = path("/services/{id}/game/files/{op}", { id, op: "download-url" });
  return partSecrets(await client.send("POST", route, notShown, body), { links: true });
}

/** POST /services/{id}/game/files/upload: RangeError over 4 MiB. Reseller spec sections 4 and 8. */
export function uploadGameFile(
  client: ResellerClient,
  id: string,
  file: { path: string; name: string; content: Uint8Array },
): Promise<unknown> {
  const { byteLength } = file.content;
  if (byteLength > uploadBytes)
    throw new RangeError(`${byteLength} bytes are more than the ${uploadBytes} of an upload`);
  const body = { path: file.path, name: file.name, content: Buffer.from(file.content).toString("base64") };
  return client.send("POST", path("/services/{id}/game/files/{op}", { id, op: "upload" }), notShown, body);
}
