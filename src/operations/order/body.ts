import type { OrderBody, OrderConfiguration } from "../../platform/customer/orders.ts";
import type { OrderInput, OrderLine } from "./draft.ts";

/** The body of an order: one product alone, or lines (spec section 2.8). */
export function bodyOf(order: OrderInput): OrderBody {
  const { lines, hostname, location, project, discount } = order;
  const common = {
    ...(hostname ? { hostname } : {}),
    ...(location ? { location } : {}),
    ...(project ? { projectId: project } : {}),
    ...(discount ? { discountCode: discount } : {}),
  };
  const [only] = lines;
  if (only && lines.length === 1 && only.quantity === 1 && only.options.length === 0) {
    return { productId: only.product, billingCycle: only.cycle, configOptions: configurationOf(only), ...common };
  }
  const items = lines.map((line) => ({
    productId: line.product,
    billingCycle: line.cycle,
    quantity: line.quantity,
    configuration: { ...configurationOf(line) },
    options: line.options.map(({ id, quantity }) => ({ optionId: id, quantity })),
  }));
  return { items, ...(only ? { billingCycle: only.cycle } : {}), ...common };
}

function configurationOf({ osImage, customImage, userData, keys, pasted }: OrderLine): OrderConfiguration {
  return {
    ...(osImage ? { os_image_id: osImage } : {}),
    ...(customImage ? { custom_image_id: customImage } : {}),
    ...(userData ? { user_data: userData } : {}),
    ...(pasted.length > 0 ? { ssh_keys: pasted } : {}),
    ...(keys.length > 0 ? { ssh_key_ids: keys } : {}),
  };
}
