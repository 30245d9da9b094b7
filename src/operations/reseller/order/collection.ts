import type { CallContext } from "../../../operation/call-context.ts";
import { listOrders } from "../../../platform/reseller/orders.ts";
import { listPaymentMethods } from "../../../platform/reseller/payment-methods.ts";
import { code } from "../../../views/text.ts";
import { nameOf } from "../payment/method.ts";

/**
 * Says how an order will be paid. No route shows it beforehand, but the whole programme uses one way: the last order's. Reseller spec
 * section 1.2.
 */
export async function collectionWords(
  { client, may }: Pick<CallContext<"reseller">, "client" | "may">,
  methodId: string | undefined,
): Promise<string> {
  // This is information only. A failed read must not stop the order.
  const rows = await listOrders(client, { limit: 20 }).then(
    (page) => page.rows,
    () => [],
  );
  const mode = rows.map(({ payment_mode: one }) => one).find((one) => one && one !== "storefront");
  if (mode === "invoice")
    return "As with your last order, an invoice or proforma is raised: nothing is charged now, and you have it once that is paid.";
  if (mode === "credit")
    return "As with your last order, it is taken from your credit with the supplier at once; where that is too small nothing is ordered, and both figures are told.";
  const methods = may("reseller payment list") ? await listPaymentMethods(client).catch(() => []) : [];
  const method = methods.find(({ id, isDefault }) => (methodId ? id === methodId : isDefault));
  const from = method ? code(nameOf(method)) : "your default payment method";
  if (mode === "saved_method") return `As with your last order, ${from} is charged at once.`;
  return `Your supplier has one way for all orders, which is told with the first: ${from} is charged at once, or your credit, or an invoice is raised.`;
}
