import * as z from "zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { unspecified } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";

/** The page that a provider describes for its services, unchanged; `useDefaultUI` where it describes none. Reseller spec section 4. */
export const UiSchema = z.object({ schema: z.unknown(), useDefaultUI: z.boolean().nullish() });
export type UiSchema = z.infer<typeof UiSchema>;

/**
 * GET /services/{serviceId}/provider: in the platform's layout, with its secrets separated; null for a service without a plugin.
 * Reseller spec section 4.
 */
export const readProvider = endpoint(
  "GET /services/{serviceId}/provider",
  async (call, serviceId: string): Promise<Parted | null> => {
    const { provider } = await call.data({ serviceId }, z.object({ provider: z.unknown() }));
    return provider === null ? null : partSecrets(provider);
  },
);

/** GET /services/{serviceId}/ui-schema. Reseller spec section 4. */
export const readUiSchema = endpoint(
  "GET /services/{serviceId}/ui-schema",
  (call, serviceId: string): Promise<UiSchema> => call.data({ serviceId }, UiSchema),
);

/** POST /services/{serviceId}/ui-action/{action}: only the provider knows its effect and its answer. Reseller spec section 4. */
export const runUiAction = endpoint(
  "POST /services/{serviceId}/ui-action/{action}",
  async (call, serviceId: string, action: string, params: Record<string, unknown> = {}): Promise<Parted> =>
    partSecrets(await call.envelope({ serviceId, action }, unspecified, { body: { params } })),
);
