import * as z from "zod";
import { data, dataOf, dataWithStatus, done } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import { path } from "../http/path.ts";
import { Id } from "../ids.ts";
import { Amount, Currency } from "../money.ts";
import type { ResellerClient } from "./client.ts";
import { PaymentMode } from "./states.ts";

/** An add-on that a service holds: `id` is the row's own, by which it is removed. The rest comes as the platform lays it out. Reseller spec section 2.4. */
export const ActiveOption = z.looseObject({ id: Id });
export type ActiveOption = z.infer<typeof ActiveOption>;

/** The add-ons of a service, at what the partner pays. Reseller spec section 2.4. */
export const ServiceOptions = z.looseObject({
  priceBasis: z.string().nullish(),
  active: z.array(ActiveOption),
  available: z.unknown().optional(),
});
export type ServiceOptions = z.infer<typeof ServiceOptions>;

/** An add-on as it is ordered; the quantity is 1 to 100. */
export interface WantedOption {
  optionId: string;
  quantity?: number;
}

const maybe = <S extends z.ZodType>(schema: S) => schema.nullish().catch(null);

/** What was charged, or is to be: at least its order where there is one; the rest where it can be read. */
const OptionsCharge = z.looseObject({
  orderId: z.string().nullish(),
  paymentMode: maybe(PaymentMode),
  amount: maybe(Amount),
  total: maybe(Amount),
  currency: maybe(Currency),
  invoiceId: maybe(z.string()),
  proformaId: maybe(z.string()),
});
export type OptionsCharge = z.infer<typeof OptionsCharge>;

/**
 * What came of a set of add-ons. `charge` is null where nothing was owed; its order's charge can be retried where it failed. The lists of what
 * changed come as the platform lays them out. `idempotent` on a replay of a change that was charged before. Reseller spec section 4.2.
 */
export const OptionsChange = z.looseObject({
  added: z.unknown().optional(),
  increased: z.unknown().optional(),
  decreased: z.unknown().optional(),
  removed: z.unknown().optional(),
  unchanged: z.unknown().optional(),
  options: z.array(ActiveOption).nullish(),
  charge: OptionsCharge.nullish().transform((charge) => charge ?? null),
  idempotent: z
    .boolean()
    .nullish()
    .transform((replayed) => replayed === true),
});
export type OptionsChange = z.infer<typeof OptionsChange>;

/** GET /services/{serviceId}/options: that section of the document. Reseller spec sections 2.4 and 4. */
export async function readOptions(client: ResellerClient, serviceId: string): Promise<ServiceOptions> {
  const route = path("/services/{serviceId}/options", { serviceId });
  return (await client.get(route, dataOf("options", ServiceOptions))).data;
}

/**
 * PUT /services/{serviceId}/options: the whole set that the service shall have; what is not in it is removed, and not refunded. 200 where it
 * was applied, 202 where the additions wait for their document, 402 where the charge failed and nothing changed (`orderIn` names the
 * order). `externalReference` is its idempotency key, 90 characters at most. Reseller spec sections 4.2 and 8.
 */
export function setOptions(
  client: ResellerClient,
  serviceId: string,
  body: { options: WantedOption[]; externalReference: string },
): Promise<Success<OptionsChange>> {
  const route = path("/services/{serviceId}/options", { serviceId });
  return dataWithStatus(client.sendWithStatus("PUT", route, data(OptionsChange), body));
}

/** DELETE /services/{serviceId}/options/{serviceOptionId}: by the row's own id; at once, and nothing is refunded. Reseller spec sections 2.4, 4 and 4.2. */
export async function removeOption(client: ResellerClient, serviceId: string, serviceOptionId: string): Promise<void> {
  const route = path("/services/{serviceId}/options/{serviceOptionId}", { serviceId, serviceOptionId });
  await client.send("DELETE", route, done);
}

/** What a row is of, in the words that a set takes; null where the row does not say both: a quantity that was guessed could take something away. */
export function wantedOf({ optionId, option_id, quantity }: ActiveOption): Required<WantedOption> | null {
  const id = optionId ?? option_id;
  return typeof id === "string" && typeof quantity === "number" ? { optionId: id, quantity } : null;
}
