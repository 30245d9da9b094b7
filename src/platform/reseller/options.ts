import * as z from "#zod";
import { Amount, Currency } from "../amounts.ts";
import { Id } from "../fields.ts";
import { done, ifReadable, inData, objectOrField } from "../http/data.ts";
import type { Success } from "../http/envelope.ts";
import { endpoint } from "./client.ts";
import { creditTooLow } from "./refusals.ts";
import { PaymentMode } from "./states.ts";

/** An add-on that a service has. `id` is the row's own, and removes the add-on. Other fields pass through unchanged. Reseller spec section 2.4. */
export const ActiveOption = z.looseObject({ id: Id });
export type ActiveOption = z.infer<typeof ActiveOption>;

/** The add-ons of a service, at the partner's prices. Reseller spec section 2.4. */
export const ServiceOptions = z.looseObject({
  active: z.array(ActiveOption),
  available: z.unknown().optional(),
});
export type ServiceOptions = z.infer<typeof ServiceOptions>;

/** An add-on to order, as setting add-ons and ordering send it; the quantity is 1 to 100. */
export interface OptionQuantity {
  optionId: string;
  quantity?: number;
}

/** A past or future charge: at least its order, if there is one. Other fields are null where they cannot be read. */
const OptionsCharge = z.looseObject({
  orderId: z.string().nullish(),
  paymentMode: ifReadable(PaymentMode),
  amount: ifReadable(Amount),
  total: ifReadable(Amount),
  currency: ifReadable(Currency),
  invoiceId: ifReadable(z.string()),
  proformaId: ifReadable(z.string()),
});
export type OptionsCharge = z.infer<typeof OptionsCharge>;

/**
 * The result of setting add-ons. `charge` is null where nothing was owed, and undefined where the platform does not say; a failed charge can
 * be retried on its order. The lists of changes have the platform's layout. `idempotent` on a replay of a change that was charged before: it
 * is only there then. Reseller spec section 4.2.
 */
export const OptionsChange = z.looseObject({
  added: z.unknown().optional(),
  increased: z.unknown().optional(),
  decreased: z.unknown().optional(),
  removed: z.unknown().optional(),
  charge: OptionsCharge.nullish(),
  idempotent: z
    .boolean()
    .nullish()
    .transform((replayed) => replayed === true),
});
export type OptionsChange = z.infer<typeof OptionsChange>;

/** The same section as in the document. */
export const readOptions = endpoint(
  "GET /services/{serviceId}/options",
  "read",
  "2.4, 4",
  inData(objectOrField("options", ServiceOptions)),
);

/**
 * Replaces the whole set of add-ons; missing ones are removed without a refund. 200: applied. 202: the additions await payment of their
 * document. 402: the charge failed and nothing changed (`orderIn` names the order). `externalReference` is the idempotency key, 90
 * characters at most.
 */
export const setOptions = endpoint(
  "PUT /services/{serviceId}/options",
  "orders",
  "4.2, 8",
  (call, values, body: { options: OptionQuantity[]; externalReference: string }): Promise<Success<OptionsChange>> =>
    call.withStatus(values, inData(OptionsChange), { body }),
  {
    charges: true,
    removes: true,
    refusals: [
      creditTooLow,
      { status: 402, spec: "4.2" },
      { ...creditTooLow, status: 402, spec: "4.2" },
      {
        status: 409,
        says: /change|progress|under way|pending/i,
        means: "Another change is under way on this service. Wait until it has ended.",
        spec: "7",
      },
    ],
  },
);

/** Removes the add-on at once, without a refund. The id is the row's own. */
export const removeOption = endpoint(
  "DELETE /services/{serviceId}/options/{serviceOptionId}",
  "orders",
  "2.4, 4, 4.2",
  done,
  { removes: true },
);

/** The add-on and quantity of a row, ready to order. Null where the row lacks one: a guessed quantity could remove add-ons. */
export function quantityOf({ optionId, option_id, quantity }: ActiveOption): Required<OptionQuantity> | null {
  const id = optionId ?? option_id;
  return typeof id === "string" && typeof quantity === "number" ? { optionId: id, quantity } : null;
}
