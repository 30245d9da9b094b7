import { randomUUID } from "node:crypto";
import { parseBody } from "../../http/body.ts";
import { badField, badRequest } from "../../http/refusal.ts";
import { success } from "../../http/response.ts";
import { issue } from "../../money/documents.ts";
import { monthsOf, toCents } from "../../money/money.ts";
import { nextNumber } from "../../money/numbers.ts";
import { newService } from "../../provisioning/new-service.ts";
import { provision } from "../../provisioning/provision.ts";
import type { BillingDocument } from "../../world/billing.ts";
import { type Order, servicesOf } from "../../world/order.ts";
import type { Project } from "../../world/project.ts";
import type { Service } from "../../world/service.ts";
import { holderOf } from "../../world/users.ts";
import { isoNow, type World } from "../../world/world.ts";
import { wantedProject } from "../request/access.ts";
import { type Call, isRecord, readBody } from "../request/call.ts";
import { cooled } from "../request/cooldowns.ts";
import { type OrderBody, orderBody } from "./body.ts";
import { autoCredit, createResult, nestedDocument, orderDetail, orderedService } from "./rows.ts";
import { checkLine, type OrderLine } from "./rules.ts";

/** Creates one order for one idempotency key, for as long as that order exists; a replay answers it as it is now. */
export function createOrder(call: Call) {
  return cooled(call, "orders", "orders", () => {
    const key = idempotencyKey(call);
    const first = key === null ? undefined : orderByKey(call, key);
    if (first !== undefined) return replay(call, first);
    const body = readBody(call, orderBody);
    const project = wantedProject(call, body.projectId);
    const lines = body.items.map((line) => checkLine(call, line, { location: body.location, project }));
    const discount = discountOf(call.world, body.discountCode);
    refuseWithoutHourlyBalance(call, lines);
    return placeOrder(call, { body, project, lines, discount, key });
  });
}

interface Checked {
  body: OrderBody;
  project: Project;
  lines: OrderLine[];
  discount: number;
  key: string | null;
}

function placeOrder(call: Call, { body, project, lines, discount, key }: Checked) {
  const { world } = call;
  const holder = holderOf(call.user);
  const order: Order = {
    id: randomUUID(),
    number: nextNumber(world, "ORD", world.orders),
    holder,
    project_id: project.id,
    order_type: "new",
    hostname: body.hostname ?? null,
    idempotency_key: key,
    items: lines.map((line) => itemOf(line, body)),
    service_ids: [],
    document_id: null,
    total: 0,
    created_at: isoNow(world),
  };
  const services = lines
    .flatMap((line) => Array.from({ length: line.body.quantity }, () => line))
    .map((line, index, all) => {
      const { product, location, customImage, body: lineBody } = line;
      return newService(world, {
        order,
        product,
        billingCycle: lineBody.billingCycle,
        location,
        options: lineBody.options,
        osImageId: lineBody.configuration.os_image_id,
        customImage,
        hostname: body.hostname,
        suffix: all.length > 1 ? `-${index + 1}` : "",
      });
    });
  order.service_ids = services.map((service) => service.id);
  world.orders.set(order.id, order);

  const ahead = services.filter((service) => service.billing.cycle !== "hourly");
  for (const service of services) if (!ahead.includes(service)) provision(world, service);
  const document = issueFor(world, order, ahead, discount);
  const nested = { services: services.map(orderedService), document: nestedDocument(document) };
  if (document !== null) autoCredit(call, document, nested);
  const result = createResult(call, { order: orderDetail(world, order), document, nested });
  return success(201, result, { message: "The order was created" });
}

function issueFor(world: World, order: Order, ahead: Service[], discount: number): BillingDocument | null {
  const lines = order.items
    .filter((item) => item.billing_cycle !== "hourly")
    .map((item) => ({
      description: [`${item.product_name} × ${item.quantity}`, item.billing_cycle, item.hostname ?? []]
        .flat()
        .join(", "),
      amount: Math.round((item.amount * (100 - discount)) / 100),
    }));
  if (ahead.length === 0 || lines.every((line) => line.amount === 0)) {
    for (const service of ahead) provision(world, service);
    return null;
  }
  const document = issue(world, {
    holder: order.holder,
    cause: "order",
    lines,
    service_ids: ahead.map((service) => service.id),
    whenPaid() {
      for (const service of ahead) provision(world, service);
    },
  });
  order.document_id = document.id;
  order.total = document.total;
  return document;
}

function replay(call: Call, order: Order) {
  const { world } = call;
  const document = order.document_id === null ? null : (world.documents.get(order.document_id) ?? null);
  const nested = { services: servicesOf(world, order).map(orderedService), document: nestedDocument(document) };
  const result = createResult(call, { order: orderDetail(world, order), document, nested });
  return success(
    200,
    { ...result, idempotent: true },
    { message: "An order with this idempotency key already exists" },
  );
}

/** The header wins over the body. */
function idempotencyKey(call: Call): string | null {
  const body = parseBody(call.text);
  const inBody = isRecord(body) && typeof body.idempotencyKey === "string" ? body.idempotencyKey : undefined;
  const key = call.header("idempotency-key") ?? inBody;
  if (key !== undefined && key.length > 255) throw badField("idempotencyKey", "At most 255 characters");
  return key === undefined || key === "" ? null : key;
}

function orderByKey(call: Call, key: string): Order | undefined {
  const holder = holderOf(call.user);
  return [...call.world.orders.values()].find((order) => order.holder === holder && order.idempotency_key === key);
}

function discountOf(world: World, code: string | undefined): number {
  if (code === undefined) return 0;
  const discount = world.catalogue.discounts.get(code.toUpperCase());
  if (discount === undefined) throw badField("discountCode", "This discount code is not valid");
  return discount.percent;
}

function refuseWithoutHourlyBalance(call: Call, lines: OrderLine[]): void {
  if (!lines.some((line) => line.body.billingCycle === "hourly")) return;
  if (call.user.balance >= call.world.settings.hourlyMinimum) return;
  throw badRequest("The credit balance is below the minimum for hourly products");
}

function itemOf(line: OrderLine, body: OrderBody) {
  const { product, body: lineBody } = line;
  return {
    id: randomUUID(),
    product_id: product.id,
    product_name: product.name,
    billing_cycle: lineBody.billingCycle,
    quantity: lineBody.quantity,
    hostname: body.hostname ?? null,
    amount: priceOf(line) * lineBody.quantity,
  };
}

/** The first period of one copy, in cents: plan, options, and what the location adds. */
function priceOf(line: OrderLine): number {
  const { product, body } = line;
  const months = monthsOf[body.billingCycle];
  const surcharge = product.locations.find((place) => place.value === line.location)?.surcharge;
  const options = body.options.reduce((sum, { optionId, quantity }) => {
    return sum + (product.options.find((option) => option.id === optionId)?.monthly ?? 0) * quantity;
  }, 0);
  const perMonth = product.monthly + options + toCents(surcharge?.monthly ?? 0);
  return perMonth * months + (months > 0 ? toCents(surcharge?.setup ?? 0) : 0);
}
