import * as z from "zod";
import type { Path } from "./path.ts";

/** An API's own list of what it offers: methods by path. Spec section 1 of the customer API; the reseller API begins with it. */
export const OpenApi = z.object({ paths: z.record(z.string(), z.record(z.string(), z.unknown())) });
export type OpenApi = z.infer<typeof OpenApi>;

/** Where each API has it: a document without the envelope. */
export const openApiPath: Path = { path: "/openapi.json", route: "/openapi.json", bare: true };
