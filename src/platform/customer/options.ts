import * as z from "zod";
import { Amount } from "../money.ts";
import { endpoint } from "./endpoint.ts";
import { readList } from "./list.ts";
import { CreateResult } from "./orders.ts";

/** An add-on that a service has. `id` is the row's own; `option_id` is the catalogue's, and removes the add-on. Spec section 4.5. */
export const ServiceOption = z.looseObject({
  id: z.string().min(1),
  option_id: z.string().min(1),
  status: z.enum(["pending_payment", "active", "cancelled"]),
  amount: Amount.nullish(),
});
export type ServiceOption = z.infer<typeof ServiceOption>;

/** An add-on that a service can get. The spec does not name its price fields. `held`: the service has it already. */
export const AvailableOption = z.looseObject({
  id: z.string().min(1),
  name: z.string().nullish(),
  held: z.boolean().nullish(),
});
export type AvailableOption = z.infer<typeof AvailableOption>;

/** GET /services/{id}/options: only add-ons that are live. Spec section 4.5. */
export const listServiceOptions = endpoint(
  "GET /services/{id}/options",
  (call, id: string): Promise<ServiceOption[]> => readList(call, { id }, "options", ServiceOption),
);

/** GET /services/{id}/options/available. Spec section 4.5. */
export const listAvailableOptions = endpoint(
  "GET /services/{id}/options/available",
  (call, id: string): Promise<AvailableOption[]> => readList(call, { id }, "options", AvailableOption),
);

/** POST /services/{id}/options: charges the full price of a cycle. After an unknown outcome re-read the options. Spec sections 2.8 and 4.5. */
export const buyOption = endpoint(
  "POST /services/{id}/options",
  (
    call,
    id: string,
    body: { optionId: string; billingType: string; billingCycle: string; quantity: number },
  ): Promise<CreateResult> => call.data({ id }, CreateResult, { body }),
  { charges: true, refusals: [] },
);

/** DELETE /services/{id}/options/{optionId}: ends the add-on today. `optionId` is the catalogue's id. Spec sections 3.3 and 4.5. */
export const removeOption = endpoint(
  "DELETE /services/{id}/options/{optionId}",
  (call, id: string, optionId: string): Promise<void> => call.done({ id, optionId }),
);
