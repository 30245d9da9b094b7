import * as z from "#zod";
import { Id } from "../fields.ts";
import { ifReadable } from "../http/data.ts";
import { PlatformRefused } from "../http/errors.ts";

/** The order that a refusal belongs to: at least its id. Other fields are null where they cannot be read. */
const RefusedOrder = z.object({
  orderId: Id,
  orderNumber: ifReadable(Id),
  status: ifReadable(z.string()),
});
export type RefusedOrder = z.infer<typeof RefusedOrder>;

/**
 * Finds the order in a refused write: after 502 it is charged and not built, after 402 its charge failed and can be retried. Null where
 * the refusal has none. It searches the whole body, since the spec does not show the place. Reseller spec sections 4.1, 4.2 and 7.
 */
export function orderIn(error: unknown): RefusedOrder | null {
  if (!(error instanceof PlatformRefused)) return null;
  let level: unknown[] = [error.body];
  for (let depth = 0; depth < 5; depth += 1) {
    for (const part of level) {
      const order = RefusedOrder.safeParse(withOrderId(part));
      if (order.success) return order.data;
    }
    level = level.flatMap((part) => (typeof part === "object" && part !== null ? Object.values(part) : []));
  }
  return null;
}

/** An order names itself `id`; an object beside an order names it `orderId`. */
function withOrderId(part: unknown): unknown {
  if (typeof part !== "object" || part === null || !("order" in part)) return part;
  const { order } = part;
  if (typeof order !== "object" || order === null || "orderId" in order || !("id" in order)) return part;
  return { ...order, orderId: order.id };
}
