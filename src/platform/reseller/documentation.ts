import type { Download } from "../http/envelope.ts";
import { OpenApi, openApiPath } from "../http/openapi.ts";
import type { ResellerClient } from "./client.ts";

/** GET /openapi.json: every route of the reseller API, a document without the envelope; needs no key. The introduction of the reseller spec. */
export function readOpenApi(client: ResellerClient): Promise<OpenApi> {
  return client.get(openApiPath, OpenApi);
}

/** GET /docs: the reference as a page; needs no key. The introduction of the reseller spec. */
export function readDocs(client: ResellerClient): Promise<Download> {
  return client.download("/docs");
}

/** GET /guide.md: the guide as Markdown; needs no key. The introduction of the reseller spec. */
export function readGuide(client: ResellerClient): Promise<Download> {
  return client.download("/guide.md");
}
