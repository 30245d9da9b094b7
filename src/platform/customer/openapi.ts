import { OpenApi, openApiPath } from "../http/openapi.ts";
import type { CustomerClient } from "./client.ts";

/** GET /openapi.json: a document outside the envelope. Spec sections 1 and 4.1. */
export function readOpenApi(client: CustomerClient): Promise<OpenApi> {
  return client.get(openApiPath, OpenApi);
}
