import * as z from "#zod";
import type { ApiClient } from "./client.ts";
import type { ApiName } from "./errors.ts";

/** The OpenAPI document of an API: methods by path. */
const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
export type OpenApi = z.infer<typeof OpenApi>;

/**
 * GET /openapi.json of either API: every route, outside the envelope; needs no key. Customer spec sections 1 and 4.1, and the introduction
 * of the reseller spec.
 */
export function readOpenApi(client: Pick<ApiClient<ApiName>, "get">): Promise<OpenApi> {
  return client.get({ path: "/openapi.json", route: "/openapi.json", outsideEnvelope: true }, OpenApi);
}
