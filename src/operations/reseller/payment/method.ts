import type { TargetKind } from "../../../operation/target.ts";
import { pageFrom } from "../../../platform/http/pages.ts";
import { listPaymentMethods, type PaymentMethod } from "../../../platform/reseller/payment-methods.ts";
import { NotListed } from "../../gone.ts";

/** Lists and names saved cards and wallets; the platform has no route for one. */
export const paymentMethod: TargetKind<"reseller", PaymentMethod> = {
  noun: "payment",
  label: "payment method",
  foundBy: "name, last four digits",
  pageSize: 100,
  list: async (client, query) => pageFrom(await listPaymentMethods(client), query),
  async read(client, id) {
    const found = (await listPaymentMethods(client)).find((method) => method.id === id);
    if (!found)
      throw new NotListed("That payment method is not among those of the reseller account.", "Nothing changed.");
    return found;
  },
  entry: (row) => ({
    id: row.id,
    name: nameOf(row),
    aliases: row.cardLastFour ? [row.cardLastFour] : [],
    state: row.isDefault ? "default" : "",
    project: "",
    detail: [row.isDefault && "the default", row.type].filter((part) => part).join(" · "),
  }),
};

/** "Visa ending in 4242", its own label, or its kind. */
export function nameOf({ label, cardBrand, cardLastFour, type, id }: PaymentMethod): string {
  const card = cardLastFour ? `${cardBrand ?? "Card"} ending in ${cardLastFour}` : null;
  return label || card || type || id;
}
