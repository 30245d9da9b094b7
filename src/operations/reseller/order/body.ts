import type { OrderBody } from "../../../platform/reseller/place-order.ts";
import type { OrderInput } from "./draft.ts";

/**
 * What is sent for an order. The request's id is its idempotency key, and the partner's id of the service where none was given, so that
 * what came of it can be found by it. Reseller spec section 4.1.
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
      // Not written as the platform writes ids, so that it is looked up by what it is.
      externalServiceId: order.ownId ?? `order-${id}`,
    },
    ...(order.options.length > 0
      ? { options: order.options.map((option) => ({ optionId: option.id, quantity: option.quantity })) }
      : {}),
    ...(order.method ? { paymentMethodId: order.method } : {}),
  };
}
