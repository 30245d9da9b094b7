import * as z from "zod";
import type { Review } from "../../../operation/answer.ts";
import { Price } from "../../../policy/rule.ts";

/** The facet of a price; "unknown" if the platform names none. */
export const RequestPrice = z.union([Price, z.literal("unknown")]);
export type RequestPrice = z.infer<typeof RequestPrice>;

/** The price, or "unknown" if it costs money and the platform names no price. Null if it costs nothing. */
export function priceOf(risk: string, { price }: Pick<Review, "price">): RequestPrice | null {
  return price ?? (risk === "spend" ? "unknown" : null);
}
