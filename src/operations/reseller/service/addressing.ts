import * as z from "zod";
import { defineOperation } from "../../../operation/define.ts";
import { InputError } from "../../../operation/errors.ts";
import type { Chooser } from "../../../operation/input.ts";
import { readNetwork, setRdns, setTransitConfig } from "../../../platform/reseller/network.ts";
import { partSecrets } from "../../../platform/reseller/secret-fields.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { paragraphs, section } from "../../../views/blocks.ts";
import { renderJson } from "../../../views/json.ts";
import { code } from "../../../views/text.ts";
import { nameOf, requireInService, showStep, soldService } from "./service.ts";

const networkStep = (target: string) => ({ label: "Network", command: "reseller service network", target });

/** Addresses that have an id, wherever the network holds them: of what is within, the spec shows nothing. */
function addressesIn(value: unknown): { id: string; address: string }[] {
  if (typeof value !== "object" || value === null) return [];
  const own = "id" in value && "address" in value ? [{ id: value.id, address: value.address }] : [];
  const found = own.flatMap(({ id, address }) =>
    typeof id === "string" && typeof address === "string" ? [{ id, address }] : [],
  );
  return [...found, ...Object.values(value).flatMap(addressesIn)];
}

const addressChoices: Chooser<"reseller", Service> = async ({ client, target }) =>
  addressesIn(await readNetwork(client, target.serviceId)).map(({ id, address }) => ({ value: id, label: address }));

export const rdns = defineOperation({
  api: "reseller",
  command: "reseller service rdns",
  summary: "Set the reverse name of an address of a dedicated server, or clear it",
  routes: ["PUT /services/{serviceId}/rdns", "GET /services/{serviceId}/network", "GET /services/{serviceId}"],
  scope: "services",
  risk: "change",
  verb: "Set a reverse name of",
  target: soldService,
  input: z.object({
    address: z.string().meta({ title: "Address" }),
    hostname: z
      .string()
      .trim()
      .regex(/^[a-z0-9.-]{1,253}$/i, "a host name of letters, digits, dots and hyphens.")
      .optional()
      .meta({ title: "Host name", description: "Left empty, the reverse name is cleared" }),
  }),
  choices: { address: addressChoices },
  typed: ["address"],
  usable: ({ target }) => requireInService(target),
  async run({ client, target, input }) {
    const { address, hostname } = input;
    await setRdns(client, target.serviceId, { ipAddressId: address, hostname: hostname ?? null });
    const done = hostname === undefined ? "is cleared" : `is ${code(hostname)}`;
    return {
      text: `The reverse name of the address of ${code(nameOf(target))} ${done}.`,
      next: [networkStep(target.serviceId)],
    };
  },
});

export const transit = defineOperation({
  api: "reseller",
  command: "reseller service transit",
  summary: "Set what an IP transit announces: your customer's AS number, AS set, prefixes and routes",
  routes: ["PUT /services/{serviceId}/transit-config", "GET /services/{serviceId}"],
  scope: "services",
  risk: "change",
  verb: "Configure the transit of",
  target: soldService,
  input: z.object({
    asn: z.number().int().min(1).max(4_294_967_295).optional().meta({ title: "AS number" }),
    set: z.string().trim().max(255).optional().meta({ title: "AS set", description: "Of the routing registry" }),
    prefixes: z
      .array(z.string().regex(/^[0-9a-f.:]+\/\d{1,3}$/i, "prefixes such as 192.0.2.0/24."))
      .optional()
      .meta({ title: "Announced prefixes", description: "All of them, with commas between" }),
    routes: z.string().trim().max(40).optional().meta({ title: "Routes", description: "Such as full or default" }),
  }),
  interrupts: "What it announces changes: a wrong prefix or AS number takes your customer's network off the internet.",
  usable: ({ target }) => requireInService(target),
  async run({ client, target, input }) {
    const { asn, set, prefixes, routes } = input;
    if (asn === undefined && set === undefined && prefixes === undefined && routes === undefined)
      throw new InputError([{ field: "asn", message: "Give at least one thing to set." }]);
    const told = await setTransitConfig(client, target.serviceId, {
      ...(asn === undefined ? {} : { customerAsn: asn }),
      ...(set === undefined ? {} : { irrAsSet: set }),
      ...(prefixes === undefined ? {} : { announcedPrefixes: prefixes }),
      ...(routes === undefined ? {} : { routeType: routes }),
    });
    const text = `The transit of ${code(nameOf(target))} is configured.`;
    const lines = renderJson(partSecrets(told).rest ?? {});
    return { text, blocks: [section(text), ...paragraphs(lines)], next: [showStep(target.serviceId)] };
  },
});
