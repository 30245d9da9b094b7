import { addAddOn } from "../../money/add-ons.ts";
import { billedText } from "../../money/money.ts";
import { customerByExternalId, resoldOf, type WholesaleOrder } from "../../programme/partner.ts";
import { newService } from "../../provisioning/new-service.ts";
import type { Order } from "../../world/order.ts";
import { defaultProject } from "../../world/project.ts";
import type { Service } from "../../world/service.ts";
import type { Call } from "../request/call.ts";
import type { CheckedOrder } from "./rules.ts";

/** Makes the services of an order, each of them waiting for its payment; null where the supplier cannot. */
export function createServices(call: Call, order: WholesaleOrder, checked: CheckedOrder): Service[] | null {
  const { world, programme } = call;
  if (programme.settings.creationFails) return null;
  const record = recordFor(call, order, checked);
  world.orders.set(record.id, record);
  const copies = Array.from({ length: order.quantity }, (_, index) => index + 1);
  const services = copies.map((copy) => {
    const service = newService(world, {
      order: record,
      product: checked.product,
      billingCycle: order.cycle,
      location: checked.location,
      options: [],
      osImageId: checked.osImageId,
      customImage: checked.customImage,
      hostname: checked.hostname,
      suffix: copies.length > 1 ? `-${copy}` : "",
    });
    service.billing.amount = billedText(checked.perService);
    attribute(call, order, service.id, checked.body.configuration.externalServiceId);
    addOptions(call, order, service);
    return service;
  });
  order.serviceIds = services.map(({ id }) => id);
  record.service_ids = order.serviceIds;
  return services;
}

/** The same order as the customer API knows it. */
function recordFor({ world, partner }: Call, order: WholesaleOrder, checked: CheckedOrder): Order {
  return {
    id: order.id,
    number: order.number,
    holder: partner.holder,
    project_id: defaultProject(world, partner.holder).id,
    order_type: "new",
    hostname: checked.hostname ?? null,
    idempotency_key: null,
    items: [
      {
        id: order.id,
        product_id: checked.product.id,
        product_name: checked.product.name,
        billing_cycle: order.cycle,
        quantity: order.quantity,
        hostname: checked.hostname ?? null,
        amount: order.base,
      },
    ],
    service_ids: [],
    document_id: order.documentId,
    total: order.base,
    created_at: order.created_at,
  };
}

function attribute(call: Call, order: WholesaleOrder, serviceId: string, externalServiceId: unknown): void {
  const resold = resoldOf(call.partner, serviceId);
  resold.externalServiceId = typeof externalServiceId === "string" ? externalServiceId : null;
  resold.orderId = order.id;
  resold.externalOrderId = order.externalOrderId;
  resold.customer = customerByExternalId(call.partner, order.customer?.id ?? "")?.id ?? null;
}

function addOptions({ world }: Call, order: WholesaleOrder, service: Service): void {
  for (const { optionId, name, quantity, unitPrice } of order.options) {
    const terms = { status: "pending_payment", quantity, billing_cycle: order.cycle } as const;
    addAddOn(world, service.id, { id: optionId, name, monthly: 0 }, terms).amount = unitPrice * quantity;
  }
}
