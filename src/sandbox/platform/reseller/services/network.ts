import { z } from "zod";
import { badRequest, forbidden, notFound } from "../../http/refusal.ts";
import { ok } from "../../http/response.ts";
import { panelOf } from "../../programme/panel.ts";
import { seededId } from "../../world/ids.ts";
import type { IpAddress, Service } from "../../world/service.ts";
import { shapeOf } from "../../world/shapes.ts";
import { refuseWithheld, serviceOf } from "../request/access.ts";
import { type Call, type Route, readBody } from "../request/call.ts";

const path = "/services/{serviceId}";

export const networkRoutes: Route[] = [
  { method: "GET", path: `${path}/network`, scope: "read", handle: (call) => ok(networkOf(call, serviceOf(call))) },
  { method: "PUT", path: `${path}/rdns`, scope: "services", handle: setRdns },
  { method: "PUT", path: `${path}/transit-config`, scope: "services", handle: setTransit },
];

/** Of a service of any kind; what is within, the spec does not show. */
export function networkOf(call: Call, service: Service) {
  const { rdns, transit } = panelOf(call.partner, service.id);
  const addresses = "ip_addresses" in service ? service.ip_addresses : [];
  const ipAddresses = addresses.map((one) => ({ id: idOf(one), ...one, rdns: rdns.get(one.address) ?? null }));
  const subnets = addresses.flatMap(({ subnet_cidr, gateway }) =>
    subnet_cidr === null ? [] : [{ cidr: subnet_cidr, gateway }],
  );
  const allocations = service.provider === "transit" ? transit.announcedPrefixes.map((prefix) => ({ prefix })) : [];
  const names = Object.fromEntries(rdns);
  if (shapeOf(call, service.id, 2) === 0) return { subnets, ipAddresses, allocations, rdns: names };
  const list = Object.entries(names).map(([address, hostname]) => ({ address, hostname }));
  return { subnets: subnets.map(({ cidr }) => cidr), ipAddresses, allocations, rdns: list };
}

function idOf({ address }: IpAddress): string {
  return seededId("ip", address);
}

const rdnsBody = z.object({
  ipAddressId: z.guid("ipAddressId must be a uuid"),
  hostname: z
    .string("hostname must be a host name, or null")
    .regex(/^[a-z0-9.-]{1,253}$/i, "hostname is no host name")
    .nullable(),
});

function setRdns(call: Call) {
  const service = serviceOf(call);
  refuseWithheld(call, service);
  if (service.kind !== "dedicated") throw badRequest("Only the addresses of a dedicated server have reverse names");
  const { ipAddressId, hostname } = readBody(call, rdnsBody);
  const address = service.ip_addresses.find((one) => idOf(one) === ipAddressId.toLowerCase());
  if (address === undefined) throw notFound("Address");
  const { rdns } = panelOf(call.partner, service.id);
  if (hostname === null) rdns.delete(address.address);
  else rdns.set(address.address, hostname);
  if (shapeOf(call, service.id, 2) === 0) return ok({ ipAddressId, address: address.address, hostname });
  return ok({ updated: true, rdns: { [address.address]: hostname } });
}

const transitBody = z.object({
  customerAsn: z.coerce.number("customerAsn must be a number").int().min(1).max(4_294_967_295).optional(),
  irrAsSet: z.string().max(255).nullish(),
  announcedPrefixes: z.array(z.string().regex(/^[0-9a-f.:]+\/\d{1,3}$/i, "A prefix, such as 192.0.2.0/24")).optional(),
  routeType: z.enum(["full", "default", "partial"], "routeType is not known").optional(),
});

function setTransit(call: Call) {
  const service = serviceOf(call);
  refuseWithheld(call, service);
  if (service.provider !== "transit") throw badRequest("This service is no IP transit");
  if (!call.programme.settings.transitEditing) throw forbidden("The supplier configures IP transit itself");
  const { customerAsn, irrAsSet, announcedPrefixes, routeType } = readBody(call, transitBody);
  const { transit } = panelOf(call.partner, service.id);
  if (customerAsn !== undefined) transit.customerAsn = customerAsn;
  if (irrAsSet !== undefined) transit.irrAsSet = irrAsSet;
  if (announcedPrefixes !== undefined) transit.announcedPrefixes = announcedPrefixes;
  if (routeType !== undefined) transit.routeType = routeType;
  return ok(
    shapeOf(call, service.id, 2) === 0 ? { ...transit } : { config: { ...transit }, appliesAt: "next session" },
  );
}
