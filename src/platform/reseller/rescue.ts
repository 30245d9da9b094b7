import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { unspecified } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { rescueRefusals } from "./refusals.ts";

/**
 * POST /services/{serviceId}/rescue: for a dedicated server in a settled state, where the supplier allows it. The one-time rescue
 * password is among the secrets. Reseller spec section 4.
 */
export const startRescue = endpoint(
  "POST /services/{serviceId}/rescue",
  async (call, serviceId: string): Promise<Parted> => partSecrets(await call.envelope({ serviceId }, unspecified)),
  { refusals: rescueRefusals },
);

/** POST /services/{serviceId}/unrescue: boots the installed system again. Gives what the platform answered. Reseller spec section 4. */
export const endRescue = endpoint(
  "POST /services/{serviceId}/unrescue",
  async (call, serviceId: string): Promise<Parted> => partSecrets(await call.envelope({ serviceId }, unspecified)),
  { refusals: rescueRefusals },
);
