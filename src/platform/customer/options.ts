import * as z from "zod";
import { data, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import { Amount } from "../money.ts";
import type { CustomerClient } from "./client.ts";
import { readList } from "./list.ts";
import { CreateResult } from "./orders.ts";

/** An add-on that a service holds: `id` is the row's own, `option_id` the catalogue's, by which it is removed. Spec section 4.5. */
export const ServiceOption = z.looseObject({
  id: z.string().min(1),
  option_id: z.string().min(1),
  status: z.enum(["pending_payment", "active", "cancelled"]),
  amount: Amount.nullish(),
});
export type ServiceOption = z.infer<typeof ServiceOption>;

/** An add-on that a service could have; what its prices are called, the spec does not show. `held`: it has it already. */
export const AvailableOption = z.looseObject({
  id: z.string().min(1),
  name: z.string().nullish(),
  held: z.boolean().nullish(),
});
export type AvailableOption = z.infer<typeof AvailableOption>;

/** GET /services/{id}/options: the live ones only. Spec section 4.5. */
export function listServiceOptions(client: CustomerClient, id: string): Promise<ServiceOption[]> {
  return readList(client, path("/services/{id}/options", { id }), "options", ServiceOption);
}

/** GET /services/{id}/options/available. Spec section 4.5. */
export function listAvailableOptions(client: CustomerClient, id: string): Promise<AvailableOption[]> {
  return readList(client, path("/services/{id}/options/available", { id }), "options", AvailableOption);
}

/** POST /services/{id}/options: charges the full price of a cycle. After an unknown outcome re-read the options. Spec sections 2.8 and 4.5. */
export async function buyOption(
  client: CustomerClient,
  id: string,
  body: { optionId: string; billingType: string; billingCycle: string; quantity: number },
): Promise<CreateResult> {
  return (await client.send("POST", path("/services/{id}/options", { id }), data(CreateResult), body)).data;
}

/** DELETE /services/{id}/options/{optionId}: by the catalogue's id of the option; ends it today. Spec sections 3.3 and 4.5. */
export async function removeOption(client: CustomerClient, id: string, optionId: string): Promise<void> {
  await client.send("DELETE", path("/services/{id}/options/{optionId}", { id, optionId }), done);
}
