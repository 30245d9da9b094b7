import * as z from "#zod";
import { Amount } from "../amounts.ts";
import { done, inData } from "../http/data.ts";
import { everyRow } from "../http/pages.ts";
import { endpoint } from "./client.ts";
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

/** Only add-ons that are live. */
export const listServiceOptions = endpoint(
  "GET /services/{id}/options",
  "read",
  "4.5",
  everyRow("options", ServiceOption),
);

export const listAvailableOptions = endpoint(
  "GET /services/{id}/options/available",
  "read",
  "4.5",
  everyRow("options", AvailableOption),
);

/** Charges the full price of a cycle. After an unknown outcome re-read the options. */
export const buyOption = endpoint("POST /services/{id}/options", "orders", "2.8, 4.5", inData(CreateResult), {
  sends: (body: { optionId: string; billingType: string; billingCycle: string; quantity: number }) => ({ body }),
  charges: true,
  refusals: [],
});

/** Ends the add-on today. `optionId` is the catalogue's id. */
export const removeOption = endpoint("DELETE /services/{id}/options/{optionId}", "destructive", "3.3, 4.5", done);
