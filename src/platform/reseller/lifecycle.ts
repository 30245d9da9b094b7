import * as z from "#zod";
import { fieldOf, unspecified } from "../http/data.ts";
import { acceptedJob } from "../job-answer.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";
import { controlOff, noBackend } from "./refusals.ts";
import { ServiceStatus } from "./states.ts";

/** The power actions of a service. A fourth one, shutdown, is another name of stop. Reseller spec section 4. */
export const powerActions = ["start", "stop", "restart"] as const;
export type LifecycleAction = (typeof powerActions)[number];

/** The answer to suspend and unsuspend. Both fields are optional: a write that ran must not fail because one is missing. */
const Suspension = unspecified.pipe(
  z
    .object({ status: orUnlisted(ServiceStatus).nullish(), actions: z.array(z.unknown()).nullish() })
    .nullable()
    .transform((answer) => ({ status: answer?.status ?? null, actions: answer?.actions ?? [] })),
);
export type Suspension = z.infer<typeof Suspension>;

/** "already" where the backend had nothing to do; any other result of it may be a job's (reseller spec section 4.3). A 424 means that the management controller did not do it. */
export const powerService = endpoint(
  "POST /services/{serviceId}/power",
  "services",
  "4, 4.3, 7",
  z.unknown().transform((answer) => {
    const isAlready = fieldOf(fieldOf(answer, "data"), "alreadyInState") === true;
    return isAlready ? "already" : acceptedJob.parse(answer);
  }),
  {
    sends: (action: LifecycleAction) => ({ body: { action } }),
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

/** The service stays billed; 409 unless it is active. */
export const suspendService = endpoint("POST /services/{serviceId}/suspend", "services", "1, 3.2, 4", Suspension, {
  sends: (reason?: string) => (reason === undefined ? {} : { body: { reason } }),
  refusals: [{ status: 409, means: "Only an active service can be suspended.", spec: "3.2" }],
});

export const unsuspendService = endpoint("POST /services/{serviceId}/unsuspend", "services", "3.2, 4", Suspension, {
  refusals: [{ status: 409, means: "Only a suspended service can be unsuspended.", spec: "3.2" }],
});

/** Terminates the service for good and ends its billing. `alreadyTerminated` where an earlier call did. */
export const terminateService = endpoint(
  "DELETE /services/{serviceId}",
  "destructive",
  "3.2, 4",
  z.looseObject({}).transform((answer) => ({
    alreadyTerminated: [answer, answer.data].some((place) => fieldOf(place, "alreadyTerminated") === true),
  })),
);
