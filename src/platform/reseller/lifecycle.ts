import * as z from "zod";
import { notShown } from "../http/data.ts";
import { path } from "../http/path.ts";
import type { ResellerClient } from "./client.ts";
import { ServiceStatus } from "./states.ts";

/** What can be asked of the power of a service; shutdown is another word for stop. Reseller spec section 4. */
export const powerActions = ["start", "stop", "restart", "shutdown"] as const;
export type PowerAction = (typeof powerActions)[number];

/** What the backend answered, as it comes; `alreadyInState` where it had nothing to do. */
export interface PowerResult {
  alreadyInState: boolean;
  result: unknown;
}

/** What suspending and taking that back leave; a thing that was done does not fail for want of a word about it. */
const Suspension = notShown.pipe(
  z
    .object({ status: ServiceStatus.nullish(), actions: z.array(z.unknown()).nullish() })
    .nullable()
    .transform((told) => ({ status: told?.status ?? null, actions: told?.actions ?? [] })),
);
export type Suspension = z.infer<typeof Suspension>;

/** POST /services/{serviceId}/power. A 424 means that the management controller did not do it. Reseller spec sections 4, 4.3 and 7. */
export async function powerService(
  client: ResellerClient,
  serviceId: string,
  action: PowerAction,
): Promise<PowerResult> {
  const route = path("/services/{serviceId}/power", { serviceId });
  const result = await client.send("POST", route, notShown, { action });
  return { alreadyInState: isTrue(result, "alreadyInState"), result };
}

/** POST /services/{serviceId}/suspend: stays billed; 409 unless it is active. Reseller spec sections 1, 3.2 and 4. */
export function suspendService(client: ResellerClient, serviceId: string, reason?: string): Promise<Suspension> {
  const body = reason === undefined ? undefined : { reason };
  return client.send("POST", path("/services/{serviceId}/suspend", { serviceId }), Suspension, body);
}

/** POST /services/{serviceId}/unsuspend. Reseller spec sections 3.2 and 4. */
export function unsuspendService(client: ResellerClient, serviceId: string): Promise<Suspension> {
  return client.send("POST", path("/services/{serviceId}/unsuspend", { serviceId }), Suspension);
}

/** DELETE /services/{serviceId}: terminates it for good, and billing stops. `alreadyTerminated` where an earlier call had. Reseller spec sections 3.2 and 4. */
export async function terminateService(
  client: ResellerClient,
  serviceId: string,
): Promise<{ alreadyTerminated: boolean }> {
  const told = await client.send("DELETE", path("/services/{serviceId}", { serviceId }), z.looseObject({}));
  return { alreadyTerminated: isTrue(told, "alreadyTerminated") || isTrue(told.data, "alreadyTerminated") };
}

function isTrue(value: unknown, name: string): boolean {
  if (typeof value !== "object" || value === null) return false;
  return Object.entries(value).some(([field, told]) => field === name && told === true);
}
