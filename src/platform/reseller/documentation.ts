import type { Download } from "../http/envelope.ts";
import { OpenApi, openApiPath } from "../http/openapi.ts";
import type { ResellerClient } from "./client.ts";
import { endpoint } from "./endpoint.ts";

/** GET /openapi.json: every route of the reseller API, outside the envelope; needs no key. The introduction of the reseller spec. */
export function readOpenApi(client: ResellerClient): Promise<OpenApi> {
  return client.get(openApiPath, OpenApi);
}

/** GET /docs: the reference as a page; needs no key. The introduction of the reseller spec. */
export const readDocs = endpoint("GET /docs", (call): Promise<Download> => call.download({}));

/** GET /guide.md: the guide as Markdown; needs no key. The introduction of the reseller spec. */
export const readGuide = endpoint("GET /guide.md", (call): Promise<Download> => call.download({}));
