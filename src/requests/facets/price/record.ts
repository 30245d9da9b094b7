import * as z from "zod";
import type { Review } from "../../../operation/answer.ts";
import { Price } from "../../../policy/rule.ts";
import { money } from "../../../views/format.ts";
import { limits } from "../../../views/limits.ts";

/** The facet of a price; "unknown" if the platform names none. */
export const RequestPrice = z.union([Price, z.literal("unknown")]);
export type RequestPrice = z.infer<typeof RequestPrice>;

/** The price, or "unknown" if it costs money and the platform names no price. Null if it costs nothing. */
export function priceOf(risk: string, { price }: Pick<Review, "price">): RequestPrice | null {
  return price ?? (risk === "spend" ? "unknown" : null);
}

/** The label of the deciding button with a known price: "Order for 17.00 EUR plus tax". The price must fit, since a cut one would mislead. */
export function pricedPress(press: string, price: Review["price"]): string {
  if (price === null || price === "unknown") return press;
  const amount = money(price.amount, price.currency);
  const priced = `${press} for ${amount}${price.beforeTax ? " plus tax" : ""}`;
  return press.includes(amount) || priced.length > limits.button.text ? press : priced;
}
