import { issue, payByOperator } from "../money/documents.ts";
import { recordOrder } from "../money/orders.ts";
import type { BillingDocument } from "../world/billing.ts";
import { seededId } from "../world/ids.ts";
import type { World } from "../world/world.ts";

const day = 86_400_000;

/** Documents in each state, orders behind the first servers, and a balance that came from somewhere. */
export function seedBilling(world: World, holder: string): void {
  const serviceId = (name: string, index: number) => seededId("vps", holder, name, index);
  const web2 = serviceId("web-2", 1);
  const at = (age: number, type: BillingDocument["type"], title: string, net: number, services: string[] = []) =>
    dated(world, holder, { age, type, title, net, services });

  at(2, "invoice", "Renewal of web-2", 1000, [web2]);
  at(3, "proforma", "Colocation for a quarter", 12_000);
  const part = at(6, "invoice", "Consulting", 8000);
  part.payments.push({
    id: seededId("payment", part.id),
    amount: 4000,
    method: "operator",
    created_at: part.created_at,
  });
  payByOperator(world, at(31, "invoice", "Renewal of web-1", 2000));
  payByOperator(world, at(33, "proforma", "Setup of db-1", 5000));
  const unrecorded = at(35, "proforma", "Setup of db-2", 5000);
  payByOperator(world, unrecorded);
  unrecorded.invoice_id = null;

  for (const [index, name] of ["web-1", "web-2"].entries()) seedOrder(world, serviceId(name, index), name);
  seedLedger(world);
}

interface SeedDocument {
  age: number;
  type: BillingDocument["type"];
  title: string;
  net: number;
  services: string[];
}

function dated(world: World, holder: string, { age, type, title, net, services }: SeedDocument): BillingDocument {
  const lines = [{ description: title, amount: net }];
  const cause = services.length > 0 ? "renewal" : "order";
  const document = issue(world, { holder, cause, lines, service_ids: services, whenPaid: () => {} }, type);
  world.documents.delete(document.id);
  document.id = seededId("document", holder, title);
  document.created_at = new Date(world.clock.now() - age * day).toISOString();
  world.documents.set(document.id, document);
  return document;
}

function seedOrder(world: World, serviceId: string, name: string): void {
  const service = world.services.get(serviceId);
  if (service === undefined) return;
  const order = recordOrder(world, service, "new", null, service.product.name);
  world.orders.delete(order.id);
  order.id = seededId("order", service.holder, name);
  order.created_at = service.created_at;
  service.order_id = order.id;
  world.orders.set(order.id, order);
}

function seedLedger(world: World): void {
  for (const user of world.users.values()) {
    if (user.balance === 0) continue;
    world.ledger.push({
      id: seededId("ledger", user.name),
      user: user.name,
      type: "deposit",
      amount: user.balance,
      balance: user.balance,
      description: "Credit added",
      created_at: new Date(world.clock.now() - 60 * day).toISOString(),
    });
  }
}
