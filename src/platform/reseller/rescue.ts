import { parted } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { rescueRefusals } from "./refusals.ts";

/**
 * For a dedicated server in a settled state, where the supplier allows it. The one-time rescue password is among the secrets.
 */
export const startRescue = endpoint("POST /services/{serviceId}/rescue", "services", "4", parted, {
  refusals: rescueRefusals,
});

/** Boots the installed system again. Gives what the platform answered. */
export const endRescue = endpoint("POST /services/{serviceId}/unrescue", "services", "4", parted, {
  refusals: rescueRefusals,
});
