import { z } from "zod";
import { badField, badRequest, conflict, notFound } from "../../http/refusal.ts";
import { ok, success } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { addAddOn, cancelAddOn, liveAddOns, optionsOf } from "../../money/add-ons.ts";
import { issue } from "../../money/documents.ts";
import { billedText, cycles, euros } from "../../money/money.ts";
import { recordOrder } from "../../money/orders.ts";
import type { AddOn } from "../../world/billing.ts";
import type { Option } from "../../world/catalogue.ts";
import type { Service } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import type { World } from "../../world/world.ts";
import { autoCredit, createResult, nestedDocument, orderDetail, orderedService } from "../orders/rows.ts";
import { refuseOutOfService, serviceOf } from "../request/access.ts";
import { type Call, ending, ordering, type Route, readBody, viewing } from "../request/call.ts";

const path = "/services/{id}/options";

export const addOnRoutes: Route[] = [
  { ...viewing, path, handle: listAddOns },
  { ...viewing, path: `${path}/available`, handle: available },
  { ...ordering, path, handle: buy },
  { ...ending, path: `${path}/{optionId}`, handle: removeAddOn },
];

function listAddOns(call: Call) {
  const service = serviceOf(call);
  return ok({ options: liveAddOns(call.world, service.id).map((one) => addOnRow(call, service, one)) });
}

// The spec does not show these rows: money comes as text for some services, as a number for others.
function addOnRow(call: Call, service: Service, { amount, service_id, ...row }: AddOn) {
  return { ...row, amount: shapeOf(call, service.id, 2) === 0 ? billedText(amount) : euros(amount) };
}

function available(call: Call) {
  const service = serviceOf(call);
  const live = liveAddOns(call.world, service.id).map((one) => one.option_id);
  const rows = optionsOf(call.world, service).map((option) => ({
    id: option.id,
    name: option.name,
    ...optionPrice(call, service, option),
    held: live.includes(option.id),
  }));
  return ok({ options: rows });
}

function optionPrice(call: Call, service: Service, { monthly }: Option) {
  if (shapeOf(call, service.id, 2) === 0) return { price: euros(monthly).toFixed(2), billing_cycle: "monthly" };
  return { prices: { monthly: euros(monthly), annually: euros(monthly * 12) } };
}

const body = z.object({
  optionId: z.guid("optionId must be a uuid"),
  billingType: z.string().default("recurring"),
  billingCycle: z.enum(cycles, "billingCycle is not known").optional(),
  quantity: z.int("quantity must be a whole number").min(1, "quantity must be at least 1").default(1),
});

function buy(call: Call) {
  const { world } = call;
  const service = serviceOf(call);
  refuseOutOfService(service);
  if (service.status !== "active") throw badRequest("Only an active service takes add-ons");
  const { optionId, billingCycle, quantity } = readBody(call, body);
  const option = optionsOf(world, service).find((one) => one.id === optionId);
  if (option === undefined) throw badField("optionId", "This service has no such option");
  if (waitsOrLives(world, service.id, option.id)) throw conflict("The service already has this option");

  const terms = { status: "pending_payment", quantity, billing_cycle: billingCycle ?? service.billing.cycle } as const;
  const addOn = addAddOn(world, service.id, option, terms);
  const document = issue(world, {
    holder: service.holder,
    cause: "add-on",
    lines: [{ description: `${option.name} × ${quantity}`, amount: addOn.amount }],
    service_ids: [service.id],
    whenPaid() {
      addOn.status = "active";
    },
  });
  const order = recordOrder(world, service, "addon", document, option.name);
  const nested = {
    services: [orderedService(service)],
    serviceOption: addOnRow(call, service, addOn),
    document: nestedDocument(document),
  };
  autoCredit(call, document, nested);
  return success(201, createResult(call, { order: orderDetail(world, order), document, nested }));
}

function waitsOrLives(world: World, serviceId: string, optionId: string): boolean {
  return [...world.addOns.values()].some(
    (one) => one.service_id === serviceId && one.option_id === optionId && one.status !== "cancelled",
  );
}

/** By the catalogue's id of the option, not by that of the row. */
function removeAddOn(call: Call) {
  const service = serviceOf(call);
  refuseOutOfService(service);
  const optionId = param(call, "optionId").toLowerCase();
  const addOn = liveAddOns(call.world, service.id).find((one) => one.option_id === optionId);
  if (addOn === undefined) throw notFound("Add-on");
  cancelAddOn(call.world, addOn);
  return ok({ serviceOption: addOnRow(call, service, addOn) }, { message: "The add-on was cancelled" });
}
