import * as z from "#zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { inData, parted } from "../http/data.ts";
import { endpoint } from "./client.ts";

/** The page that a provider describes for its services, unchanged; null where it describes none. Reseller spec section 4. */
const UiSchema = z.object({ schema: z.unknown() });

/** In the platform's layout, with its secrets separated; null for a service without a plugin. */
export const readProvider = endpoint(
  "GET /services/{serviceId}/provider",
  "read",
  "4",
  inData(
    z
      .object({ provider: z.unknown() })
      .transform(({ provider }): Parted | null => (provider === null ? null : partSecrets(provider))),
  ),
);

export const readUiSchema = endpoint("GET /services/{serviceId}/ui-schema", "read", "4", inData(UiSchema));

/** Only the provider knows its effect and its answer. */
export const runUiAction = endpoint("POST /services/{serviceId}/ui-action/{action}", "services", "4", parted, {
  sends: (params: Record<string, unknown> = {}) => ({ body: { params } }),
  removes: true,
});
