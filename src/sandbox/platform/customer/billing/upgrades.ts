import { z } from "zod";
import { badField, badRequest, notFound } from "../../http/refusal.ts";
import { type ApiResponse, ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { addAddOn, cancelAddOn, liveAddOns, optionsOf } from "../../money/add-ons.ts";
import { cancelDocument, documentRow } from "../../money/documents.ts";
import { euros, monthsOf } from "../../money/money.ts";
import { priceUpgrade, prorated, prorationOf, upgradeRow } from "../../money/upgrade-price.ts";
import { type Change, moveTo, pendingOf, refuseSecond, startUpgrade } from "../../money/upgrades.ts";
import type { BillingDocument, Upgrade } from "../../world/billing.ts";
import type { Product } from "../../world/catalogue.ts";
import type { Service } from "../../world/service.ts";
import { holderOf } from "../../world/users.ts";
import type { World } from "../../world/world.ts";
import { orderDetail, summary } from "../orders/rows.ts";
import { inScope, refuseOutOfService, serviceOf } from "../request/access.ts";
import { type Call, ordering, type Route, readBody, viewing } from "../request/call.ts";

const path = "/services/{id}/upgrades";

export const upgradeRoutes: Route[] = [
  { ...viewing, path, handle: preview },
  { ...ordering, path, handle: upgrade },
  { ...ordering, path: `${path}/options`, handle: changeOptions },
  { ...viewing, path: "/upgrades/{upgradeId}", handle: show },
  { ...ordering, path: "/upgrades/{upgradeId}/cancel", handle: cancel },
];

function preview(call: Call) {
  const service = serviceOf(call);
  const { id, product, billing } = service;
  const pending = pendingOf(call.world, id);
  return ok({
    service: {
      id,
      productName: product.name,
      amount: Number(billing.amount),
      billingCycle: billing.cycle,
      nextDueDate: billing.next_due_date,
    },
    upgrades: targetsOf(call.world, service).map((target) => upgradeRow(call.world, service, target)),
    pendingUpgrade: pending === undefined ? null : upgradeView(pending),
  });
}

function targetsOf(world: World, service: Service): Product[] {
  const ids = world.catalogue.products.get(service.product.id)?.upgrades ?? [];
  return ids.flatMap((id) => world.catalogue.products.get(id) ?? []);
}

const upgradeBody = z.object({ toProductId: z.guid("toProductId must be a uuid") });

function upgrade(call: Call) {
  const { world } = call;
  const service = upgradable(call);
  const { toProductId } = readBody(call, upgradeBody);
  const target = targetsOf(world, service).find((one) => one.id === toProductId);
  if (target === undefined) throw badField("toProductId", "This service cannot be moved to that product");
  refuseSecond(world, service);
  const price = priceUpgrade(world, service, target);
  return begin(call, service, {
    kind: "product",
    what: `${service.product.name} to ${target.name}`,
    lines: [
      { description: `${target.name}, ${price.period.daysRemaining} days`, amount: price.chargeAmount },
      { description: `${service.product.name}, not used`, amount: -price.creditAmount },
      ...(price.upgradeFee > 0 ? [{ description: "Upgrade fee", amount: price.upgradeFee }] : []),
    ],
    apply: () => moveTo(world, service, target),
  });
}

const optionsBody = z.object({
  addOptions: z.array(z.guid("addOptions must hold uuids")).default([]),
  removeOptions: z.array(z.guid("removeOptions must hold uuids")).default([]),
});

function changeOptions(call: Call) {
  const { world } = call;
  const service = upgradable(call);
  const { addOptions, removeOptions } = readBody(call, optionsBody);
  if (addOptions.length + removeOptions.length === 0) throw badRequest("Name an option to add or to remove");
  if (addOptions.some((id) => removeOptions.includes(id))) throw badRequest("An option is both added and removed");
  const live = liveAddOns(world, service.id);
  if (live.some((one) => addOptions.includes(one.option_id))) throw badField("addOptions", "An option is already held");
  const removed = live.filter((one) => removeOptions.includes(one.option_id));
  if (removed.length < removeOptions.length) throw badField("removeOptions", "An option is not held");
  const added = optionsOf(world, service).filter((option) => addOptions.includes(option.id));
  if (added.length < addOptions.length) throw badField("addOptions", "There is no such option");
  refuseSecond(world, service);

  const { cycle } = service.billing;
  const period = prorationOf(world, service);
  const adding = added.map((option) => ({
    description: option.name,
    amount: prorated(option.monthly * Math.max(1, monthsOf[cycle]), period),
  }));
  const removing = removed.map((one) => ({
    description: `${one.name}, not used`,
    amount: -prorated(one.amount, period),
  }));
  return begin(call, service, {
    kind: "options",
    what: "Change of options",
    lines: [...adding, ...removing],
    apply() {
      for (const addOn of removed) cancelAddOn(world, addOn);
      for (const option of added) {
        addAddOn(world, service.id, option, { status: "active", quantity: 1, billing_cycle: cycle });
      }
    },
  });
}

function begin(call: Call, service: Service, change: Change) {
  const { upgrade, document } = startUpgrade(call.world, service, change);
  return upgradeResult(call, upgrade, document, change.lines);
}

function show(call: Call) {
  const upgrade = upgradeOf(call);
  const order = call.world.orders.get(upgrade.order_id);
  return ok({
    upgrade: upgradeView(upgrade),
    order: order === undefined ? null : orderDetail(call.world, order),
  });
}

function cancel(call: Call) {
  const upgrade = upgradeOf(call);
  if (upgrade.status !== "awaiting_payment")
    throw badRequest(`An upgrade that is ${upgrade.status} cannot be cancelled`);
  upgrade.status = "cancelled";
  const document = upgrade.document_id === null ? undefined : call.world.documents.get(upgrade.document_id);
  if (document !== undefined) cancelDocument(document);
  return ok({ upgrade: upgradeView(upgrade) });
}

function upgradable(call: Call): Service {
  const service = serviceOf(call);
  refuseOutOfService(service);
  if (service.status !== "active") throw badRequest("Only an active service can be upgraded");
  return service;
}

function upgradeOf(call: Call): Upgrade {
  const upgrade = call.world.upgrades.get(param(call, "upgradeId").toLowerCase());
  const service = upgrade && call.world.services.get(upgrade.service_id);
  if (upgrade === undefined || service === undefined) throw notFound("Upgrade");
  if (service.holder !== holderOf(call.user) || !inScope(call, service.project_id)) throw notFound("Upgrade");
  return upgrade;
}

/** The answer to a change that has begun (spec 2.12). */
function upgradeResult(
  call: Call,
  upgrade: Upgrade,
  document: BillingDocument | null,
  lines: Change["lines"],
): ApiResponse {
  const made = {
    upgrade: upgradeView(upgrade),
    billingDocument: document === null ? null : documentRow(document),
    billingDocumentType: document?.type ?? null,
    lineItems: lines.map(({ description, amount }) => ({ description, amount: euros(amount) })),
    orderId: upgrade.order_id,
  };
  if (call.world.settings.shapes.upgradeSummary === "beside") return success(201, made, summary(call, document));
  return success(201, { ...made, ...summary(call, document) });
}

function upgradeView({ id, status, kind, executed_at, created_at, service_id }: Upgrade) {
  return { id, status, kind, executed_at, created_at, service_id };
}
