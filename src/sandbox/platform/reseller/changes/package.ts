import { z } from "zod";
import { badRequest, conflict } from "../../http/refusal.ts";
import { payByOperator, payFromCredit } from "../../money/documents.ts";
import { billedText, euros, taxOn, toCents } from "../../money/money.ts";
import { prorated, prorationOf } from "../../money/upgrade-price.ts";
import { type Change, moveTo, pendingOf, startUpgrade } from "../../money/upgrades.ts";
import type { Partner } from "../../programme/partner.ts";
import { isResold, wholesalePrice } from "../../programme/prices.ts";
import type { BillingDocument, Upgrade } from "../../world/billing.ts";
import type { Product } from "../../world/catalogue.ts";
import type { Service } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { productNamed } from "../orders/products.ts";
import { refuseOutOfService, serviceOf, statusOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { productOf } from "./difference.ts";

const path = "/services/{serviceId}";

export const packageRoutes: Route[] = [
  { method: "POST", path: `${path}/change-package`, scope: "services", handle: change },
  { method: "GET", path: `${path}/upgrades`, scope: "read", handle: upgrades },
];

const body = z.object({ productId: z.guid("productId must be a uuid") });

/** Applies once its document is settled, and where the supplier has to agree, after that (spec 3.4 and 4.3). */
function change(call: Call) {
  const { world } = call;
  const service = serviceOf(call);
  refuseOutOfService(call, service);
  if (statusOf(call, service) !== "active") throw conflict(`The service is ${statusOf(call, service)}, not active`);
  const target = productNamed(call, readBody(call, body).productId);
  const { cycle } = service.billing;
  const price = wholesalePrice(call.programme, target, cycle);
  if (price === null) throw badRequest(`Product is not sold on the '${cycle}' billing cycle`);
  if (!targetsOf(call, service).includes(target)) throw conflict("No upgrade path");
  if (pendingOf(world, service.id) !== undefined) throw conflict("An upgrade is already in progress");
  const { upgrade, document } = startUpgrade(world, service, changeTo(call, service, target, price));
  if (document !== null) payNow(call, document);
  return underName(call, "upgrade", resultOf(call, service, upgrade, document), 202);
}

function changeTo(call: Call, service: Service, target: Product, price: number): Change {
  const { world, programme, partner } = call;
  const period = prorationOf(world, service);
  return {
    kind: "product",
    what: `${service.product.name} to ${target.name}`,
    lines: [
      { description: `${target.name}, ${period.daysRemaining} days`, amount: prorated(price, period) },
      {
        description: `${service.product.name}, not used`,
        amount: -prorated(toCents(service.billing.amount), period),
      },
    ],
    begin(run) {
      const pending = pendingOf(world, service.id);
      if (!programme.settings.approvesChanges || pending === undefined) return run();
      waitForSupplier(partner, pending, run);
    },
    apply() {
      moveTo(world, service, target);
      service.billing.amount = billedText(price);
    },
  };
}

function waitForSupplier(partner: Partner, upgrade: Upgrade, run: () => void): void {
  const decided = (act: () => void) => () => {
    partner.waitingChanges.delete(upgrade.id);
    act();
  };
  partner.waitingChanges.set(upgrade.id, {
    serviceId: upgrade.service_id,
    approve: decided(run),
    deny: decided(() => {
      upgrade.status = "cancelled";
    }),
  });
}

/** In the modes that pay now the document is paid where that can be; else it waits. */
function payNow({ world, programme, partner }: Call, document: BillingDocument): void {
  const { mode } = programme.settings;
  const user = world.users.get(partner.owner);
  const method = partner.paymentMethods.find(({ isDefault }) => isDefault);
  if (mode === "saved_method" && method?.refusal === null) payByOperator(world, document);
  if (mode === "credit" && user !== undefined && user.balance >= document.total) payFromCredit(world, user, document);
}

function resultOf(call: Call, service: Service, upgrade: Upgrade, document: BillingDocument | null) {
  const status = statusOfChange(call, upgrade);
  return {
    serviceId: service.id,
    upgradeId: upgrade.id,
    status,
    billingDocumentType: document?.type ?? null,
    billingDocumentId: document?.id ?? null,
    billingDocumentNumber: document?.number ?? null,
    // A change that costs nothing has neither a document nor an order.
    orderId: document === null ? null : upgrade.order_id,
    message: messages[status],
  };
}

const messages = {
  awaiting_payment: "The change applies once its document is paid",
  awaiting_admin: "The supplier has to agree to the change",
  executing: "The change is being applied",
};

function statusOfChange({ partner }: Call, { id, status }: Upgrade): keyof typeof messages {
  if (partner.waitingChanges.has(id)) return "awaiting_admin";
  return status === "awaiting_payment" ? "awaiting_payment" : "executing";
}

function upgrades(call: Call) {
  return underName(call, "upgrades", upgradesSection(call, serviceOf(call)));
}

/** The section about upgrades in the service's document, at wholesale prices. */
export function upgradesSection(call: Call, service: Service) {
  const { world, programme } = call;
  const { cycle, amount } = service.billing;
  const period = prorationOf(world, service);
  const available = targetsOf(call, service).flatMap((target) => {
    const price = wholesalePrice(programme, target, cycle);
    if (price === null) return [];
    const due = Math.max(0, prorated(price, period) - prorated(toCents(amount), period));
    const money = {
      price: euros(price),
      dueNow: euros(due),
      dueWithVat: euros(due + taxOn(due, world.settings.vatRate)),
    };
    const plain = shapeOf(call, service.id, 2) === 0;
    const named = plain
      ? { productId: target.id, productName: target.name }
      : { toProductId: target.id, toProductName: target.name };
    return [{ ...named, specs: target.specs, billingCycle: cycle, ...money }];
  });
  const pending = pendingOf(world, service.id);
  return {
    available,
    addons: [],
    pendingUpgrade:
      pending === undefined
        ? null
        : { id: pending.id, status: statusOfChange(call, pending), createdAt: pending.created_at },
  };
}

function targetsOf(call: Call, service: Service): Product[] {
  const ids = productOf(call, service)?.upgrades ?? [];
  return ids.flatMap((id) => {
    const target = call.world.catalogue.products.get(id);
    return target !== undefined && isResold(call.programme, target) ? [target] : [];
  });
}
