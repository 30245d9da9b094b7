import * as z from "zod";
import type { CustomerClient } from "./client.ts";

/** The platform's own list of what it offers: methods by path. */
export const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
export type OpenApi = z.infer<typeof OpenApi>;

/** GET /openapi.json: a document without the envelope. Spec sections 1 and 4.1. */
export function readOpenApi(client: CustomerClient): Promise<OpenApi> {
  return client.get({ path: "/openapi.json", route: "/openapi.json", bare: true }, OpenApi);
}
