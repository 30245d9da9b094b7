import * as z from "zod";
import type { Path } from "./path.ts";

/** The OpenAPI document of an API: methods by path. Spec section 1 of the customer API, introduction of the reseller API's. */
export const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
export type OpenApi = z.infer<typeof OpenApi>;

/** The path of the OpenAPI document in both APIs; it comes outside the envelope. */
export const openApiPath: Path = { path: "/openapi.json", route: "/openapi.json", bare: true };
