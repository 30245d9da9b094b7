import type { OrderBody } from "../../../platform/reseller/place-order.ts";
import type { OrderInput } from "./draft.ts";

/**
 * The body of an order. The request's id is the idempotency key. It is also the external service id where the member gave none, so that
 * a lost answer can be reconciled. Reseller spec section 4.1.
 */
export function bodyOf(id: string, order: OrderInput): OrderBody {
  const { customer, location, hostname, osImage, customImage } = order;
  return {
    productId: order.product,
    billingCycle: order.cycle,
    quantity: order.quantity,
    externalOrderId: id,
    ...(customer ? { externalCustomerId: customer.id } : {}),
    ...(customer?.name ? { externalCustomerName: customer.name } : {}),
    ...(customer?.email ? { externalCustomerEmail: customer.email } : {}),
    configuration: {
      ...order.form,
      ...(hostname ? { hostname } : {}),
      ...(location ? { location } : {}),
      ...(osImage ? { [order.imageField]: osImage } : {}),
      ...(customImage ? { custom_image_id: customImage } : {}),
      // The prefix shows lookups that this is the partner's own id, and not one of the platform's.
      externalServiceId: order.ownId ?? `order-${id}`,
    },
    ...(order.options.length > 0
      ? { options: order.options.map((option) => ({ optionId: option.id, quantity: option.quantity })) }
      : {}),
    ...(order.method ? { paymentMethodId: order.method } : {}),
  };
}
