// reseller/account/: the partner's customers, payment methods and webhook address (spec 2.5, 2.6 and 6).

import { z } from "zod";
import { badRequest, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { param } from "../../http/router.ts";
import { type CustomerRecord, customerByExternalId, customerFor } from "../../programme/partner.ts";
import { isoNow } from "../../world/world.ts";
import { type Call, type Route, readBody } from "../request/call.ts";
import { underName } from "../request/envelope.ts";
import { byPage } from "../request/pages.ts";

const path = "/customers/{customerId}";

export const customerRoutes: Route[] = [
  { method: "GET", path: "/customers", scope: "read", handle: list },
  { method: "POST", path: "/customers", scope: "customers", handle: create },
  { method: "PUT", path, scope: "customers", handle: change },
  { method: "DELETE", path, scope: "customers", handle: remove },
];

function list(call: Call) {
  const search = (call.query.get("search") ?? "").toLowerCase();
  const seen = [...call.partner.customers.values()]
    .filter(({ id }) => call.key.customer === null || call.key.customer === id)
    .filter(({ externalId, email, name }) =>
      [externalId, email, name].some((one) => one?.toLowerCase().includes(search)),
    );
  return byPage(call, "customers", seen, { usual: 20, most: 100 }, (one) => customerRow(call, one));
}

/** A key that is bound to a customer does not see how many services there are (spec 2.5). */
function customerRow(call: Call, { id, externalId, email, name, metadata, created_at }: CustomerRecord) {
  return {
    id,
    external_customer_id: externalId,
    external_customer_email: email,
    external_customer_name: name,
    metadata,
    created_at,
    ...(call.key.customer === null ? { service_count: servicesOf(call, id).length } : {}),
  };
}

function servicesOf({ world, partner }: Call, customer: string) {
  return [...partner.resold].flatMap(([id, resold]) => {
    const service = resold.customer === customer ? world.services.get(id) : undefined;
    return service === undefined ? [] : [service];
  });
}

const email = z.email("externalCustomerEmail is no address");
const name = z.string().max(255, "externalCustomerName has at most 255 characters");

const createBody = z.object({
  externalCustomerId: z
    .string("externalCustomerId is required")
    .min(1, "externalCustomerId is required")
    .max(100, "externalCustomerId has at most 100 characters"),
  externalCustomerEmail: email.nullish(),
  externalCustomerName: name.nullish(),
});

/** One that exists comes back as it is, with 200 (spec 4.3). */
function create(call: Call) {
  const { externalCustomerId: externalId, ...facts } = readBody(call, createBody);
  const known = customerByExternalId(call.partner, externalId);
  if (known !== undefined) return underName(call, "customer", customerRow(call, known));
  const record = customerFor(call.partner, {
    externalId,
    email: facts.externalCustomerEmail ?? null,
    name: facts.externalCustomerName ?? null,
    created_at: isoNow(call.world),
  });
  return underName(call, "customer", customerRow(call, record), 201);
}

/** The spec does not say how a value is cleared: null does it here, and an empty text. */
const changeBody = z.object({
  externalCustomerEmail: email.or(z.literal("")).nullable().optional(),
  externalCustomerName: name.nullable().optional(),
  metadata: z.record(z.string(), z.unknown(), "metadata must be an object").optional(),
});

/** Only what is sent changes; metadata replaces all that was stored. */
function change(call: Call) {
  const customer = customerOf(call);
  const body = readBody(call, changeBody);
  if (body.externalCustomerEmail !== undefined) customer.email = body.externalCustomerEmail || null;
  if (body.externalCustomerName !== undefined) customer.name = body.externalCustomerName || null;
  if (body.metadata !== undefined) customer.metadata = body.metadata;
  return underName(call, "customer", customerRow(call, customer));
}

/** Ended services stay, detached; keys that are bound to the customer are revoked (spec 4.3). */
function remove(call: Call) {
  const customer = customerOf(call);
  const services = servicesOf(call, customer.id);
  const live = services.filter(({ status }) => status !== "terminated" && status !== "cancelled");
  if (live.length > 0) throw badRequest(`The customer still has ${live.length} services that are not terminated`);
  for (const { id } of services) {
    const resold = call.partner.resold.get(id);
    if (resold !== undefined) resold.customer = null;
  }
  for (const key of call.keys.values()) if (key.customer === customer.id) key.revoked = true;
  call.partner.customers.delete(customer.id);
  return ok({ deleted: true });
}

function customerOf(call: Call): CustomerRecord {
  const customer = call.partner.customers.get(param(call, "customerId").toLowerCase());
  if (customer === undefined) throw notFound("Customer");
  return customer;
}
