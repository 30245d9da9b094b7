import * as z from "zod";
import { fieldOf, unspecified } from "../http/data.ts";
import { endpoint } from "./endpoint.ts";
import { controlOff, noBackend } from "./refusals.ts";
import { ServiceStatus } from "./states.ts";

/** The power actions of a service. A fourth one, shutdown, is another name of stop. Reseller spec section 4. */
export const powerActions = ["start", "stop", "restart"] as const;
export type LifecycleAction = (typeof powerActions)[number];

/** The answer to suspend and unsuspend. Both fields are optional: a write that ran must not fail because one is missing. */
const Suspension = unspecified.pipe(
  z
    .object({ status: ServiceStatus.nullish(), actions: z.array(z.unknown()).nullish() })
    .nullable()
    .transform((answer) => ({ status: answer?.status ?? null, actions: answer?.actions ?? [] })),
);
export type Suspension = z.infer<typeof Suspension>;

/**
 * POST /services/{serviceId}/power. `alreadyInState` where the backend had nothing to do. A 424 means that the management controller did
 * not do it. Reseller spec sections 4, 4.3 and 7.
 */
export const powerService = endpoint(
  "POST /services/{serviceId}/power",
  async (call, serviceId: string, action: LifecycleAction): Promise<{ alreadyInState: boolean }> => {
    const result = await call.envelope({ serviceId }, unspecified, { body: { action } });
    return { alreadyInState: fieldOf(result, "alreadyInState") === true };
  },
  {
    refusals: [
      ...controlOff,
      ...noBackend,
      {
        status: 424,
        means: "The server's management controller did not do it. Check the server's state before you try again.",
        spec: "4.3",
      },
    ],
  },
);

/** POST /services/{serviceId}/suspend: the service stays billed; 409 unless it is active. Reseller spec sections 1, 3.2 and 4. */
export const suspendService = endpoint(
  "POST /services/{serviceId}/suspend",
  (call, serviceId: string, reason?: string): Promise<Suspension> => {
    const body = reason === undefined ? undefined : { reason };
    return call.envelope({ serviceId }, Suspension, { body });
  },
  { refusals: [{ status: 409, means: "Only an active service can be suspended.", spec: "3.2" }] },
);

/** POST /services/{serviceId}/unsuspend. Reseller spec sections 3.2 and 4. */
export const unsuspendService = endpoint(
  "POST /services/{serviceId}/unsuspend",
  (call, serviceId: string): Promise<Suspension> => call.envelope({ serviceId }, Suspension),
  { refusals: [{ status: 409, means: "Only a suspended service can be unsuspended.", spec: "3.2" }] },
);

/**
 * DELETE /services/{serviceId}: terminates the service for good and ends its billing. `alreadyTerminated` where an earlier call did.
 * Reseller spec sections 3.2 and 4.
 */
export const terminateService = endpoint(
  "DELETE /services/{serviceId}",
  async (call, serviceId: string): Promise<{ alreadyTerminated: boolean }> => {
    const answer = await call.envelope({ serviceId }, z.looseObject({}));
    return { alreadyTerminated: [answer, answer.data].some((place) => fieldOf(place, "alreadyTerminated") === true) };
  },
);
