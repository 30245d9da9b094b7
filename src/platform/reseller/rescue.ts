import { notShown } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";
import { type Parted, partSecrets } from "./secret-fields.ts";

/** POST /services/{serviceId}/rescue: of a dedicated server in a settled state, where the supplier allows it. The rescue password is among the secrets, once. Reseller spec section 4. */
export async function startRescue(client: ResellerClient, serviceId: string): Promise<Parted> {
  return partSecrets(await client.send("POST", path("/services/{serviceId}/rescue", { serviceId }), notShown));
}

/** POST /services/{serviceId}/unrescue: back to the installed system. Gives what the platform answered. Reseller spec section 4. */
export async function endRescue(client: ResellerClient, serviceId: string): Promise<Parted> {
  return partSecrets(await client.send("POST", path("/services/{serviceId}/unrescue", { serviceId }), notShown));
}
