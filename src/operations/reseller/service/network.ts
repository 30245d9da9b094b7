import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import { unsure } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import type { Chooser } from "../../../operation/input.ts";
import { listOsTemplates, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { kindSection, readDocument } from "../../../platform/reseller/document.ts";
import { readHealth, readNetwork, setRdns, setTransitConfig } from "../../../platform/reseller/network.ts";
import type { Service } from "../../../platform/reseller/services.ts";
import { paragraphs } from "../../../views/blocks.ts";
import { code, count, listingOf, prose } from "../../../views/text.ts";
import { headed } from "../../kits/card.ts";
import { clearable, clearHint, isCleared, sendCleared } from "../../kits/clearing.ts";
import { receivedOperation, withReceived } from "../../kits/received.ts";
import { requireMachine, resoldService, showStep } from "./service.ts";

const received = {
  target: resoldService,
  none: "The platform shows nothing about this service now.",
};

export const network = receivedOperation({
  ...received,
  command: "reseller service network",
  synonyms: ["ips", "ip", "addresses"],
  summary: "Show the subnets, addresses and reverse names of a resold service",
  example: "/reseller service network web-2",
  act: readNetwork,
  read: (client, { serviceId }) => readNetwork(client, serviceId),
  title: "Network",
});

export const health = receivedOperation({
  ...received,
  command: "reseller service health",
  summary: "Show the temperatures, fans and power supplies of a dedicated server, up to a minute old",
  example: "/reseller service health metal-1",
  act: readHealth,
  read: (client, { serviceId }) => readHealth(client, serviceId),
  title: "Hardware health",
});

export const templates = defineOperation({
  command: "reseller service templates",
  summary: "List the systems for a reinstall of a resold service",
  example: "/reseller service templates web-2",
  act: listOsTemplates,
  reads: [readCapabilities],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const { templates: found, platform } = await listOsTemplates(client, target.serviceId);
    if (found.length === 0)
      return { text: `The platform offers no system to reinstall ${name} with. Ask the platform's support.` };
    const by = platform && platform !== "native" ? `, as ${code(platform)} names them` : "";
    const can = target.status === "active" && (await readCapabilities(client, target.serviceId)).reinstall;
    return {
      ...headed(
        `${name} can be reinstalled with ${count(found.length, "system")}${by}.`,
        paragraphs(found.map((one) => `• ${prose(one.name, 100)}`)),
      ),
      next: can ? [{ label: "Reinstall…", command: "reseller service reinstall", target: target.serviceId }] : [],
    };
  },
});

const networkStep = (target: string) => ({ label: "Network", command: "reseller service network", target });

/** Finds addresses with an id anywhere in the network section; the spec does not show its content. */
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
  command: "reseller service rdns",
  synonyms: ["ptr"],
  summary: "Set the reverse name of an address of a dedicated server, or clear it",
  example: "/reseller service rdns metal-1 address=192.0.2.42 hostname=metal.example.com",
  act: setRdns,
  reads: [readNetwork],
  risk: "change",
  effects: [],
  verb: "Set a reverse name of",
  target: resoldService,
  input: z.object({
    address: z.string().meta({ title: "Address" }),
    hostname: z
      .string()
      .trim()
      .regex(/^[a-z0-9.-]{1,253}$/i, "give a host name of letters, digits, dots and hyphens, or none.")
      .meta({
        title: "Reverse name",
        description: "Such as web.example.com; none clears the reverse name",
        clearable: true,
      }),
  }),
  choices: { address: addressChoices },
  typed: ["address"],
  usable: ({ target }) => requireMachine(target),
  async run({ client, target, input, name }) {
    const { address, hostname } = input;
    const cleared = isCleared(hostname);
    await setRdns(client, target.serviceId, { ipAddressId: address, hostname: cleared ? null : hostname });
    const done = cleared ? "is cleared" : `is ${code(hostname)}`;
    return {
      text: `The reverse name of the address of ${name} ${done}.`,
      next: [networkStep(target.serviceId)],
    };
  },
  reconcile: unsure("`/reseller service network` lists the reverse names. Setting the same one again is harmless."),
});

/** So many prefixes a card names. */
const mostPrefixes = 50;

export const transit = defineOperation({
  command: "reseller service transit",
  summary: "Set the announcements of an IP transit: your customer's AS number, AS set, prefixes and routes",
  example: "/reseller service transit transit-1 routes=default",
  act: setTransitConfig,
  reads: [readDocument],
  // The prefixes are an absolute set: those that it leaves out are withdrawn.
  risk: {
    usual: "change",
    of: async ({ client, target, input }) =>
      prefixLoss(await readTransit(client, target), input.prefixes) === null ? "change" : "destroy",
  },
  effects: [],
  verb: "Configure the transit of",
  target: resoldService,
  input: z
    .object({
      asn: z.number().int().min(1).max(4_294_967_295).optional().meta({ title: "AS number" }),
      set: z
        .string()
        .trim()
        .max(255)
        .meta({ title: "AS set", description: `Of the routing registry. ${clearHint}`, clearable: true })
        .optional(),
      prefixes: z
        .array(clearable(z.string().regex(/^[0-9a-f.:]+\/\d{1,3}$/i, "give prefixes such as 192.0.2.0/24."), 50))
        .refine((all) => all.length === 1 || !all.some(isCleared), "give prefixes, or only none.")
        .meta({
          title: "Announced prefixes",
          description: `All of them, with commas between. ${clearHint}`,
          clearable: true,
        })
        .optional(),
      routes: z.string().trim().max(40).optional().meta({ title: "Routes", description: "Such as full or default" }),
    })
    .refine(isAnySet, { path: ["asn"], message: "give at least one value to set." }),
  present: async ({ client, target }) => ({ ...(await readTransit(client, target)) }),
  interrupts:
    "The announced routes change. A wrong prefix or AS number takes your customer's network off the internet.",
  usable: ({ target }) => requireMachine(target),
  async review({ client, target, input: { prefixes }, name }) {
    const present = await readTransit(client, target);
    const loss = prefixLoss(present, prefixes);
    const before = present.prefixes ? prefixNames(present.prefixes) : "not shown by the platform";
    const wanted = prefixes === undefined ? present.prefixes : announced(prefixes);
    const isSame = wanted?.join() === present.prefixes?.join();
    return {
      consequence: `The transit of ${name} will be configured anew.`,
      warnings: loss === null ? [] : [loss],
      back: "Leave it as it is",
      preconditions: {
        prefixes: {
          value: present.prefixes ?? null,
          label: "Announced prefixes",
          text: isSame ? before : `${before} → ${prefixNames(wanted ?? [])}`,
        },
      },
    };
  },
  async run({ client, target, input: { asn, set, prefixes, routes }, name }) {
    const answer = await sendCleared([set], (sent) =>
      setTransitConfig(client, target.serviceId, {
        ...(asn === undefined ? {} : { customerAsn: asn }),
        ...(set === undefined ? {} : { irrAsSet: sent(set) }),
        ...(prefixes === undefined ? {} : { announcedPrefixes: announced(prefixes) }),
        ...(routes === undefined ? {} : { routeType: routes }),
      }),
    );
    return { ...withReceived(`The transit of ${name} is configured.`, answer), next: [showStep(target.serviceId)] };
  },
  async reconcile({ client, target, input: { asn, set, prefixes, routes }, name }) {
    const present: Record<string, unknown> = { ...(await readTransit(client, target)) };
    const wanted = { asn, set: set && isCleared(set) ? null : set, prefixes: prefixes && announced(prefixes), routes };
    const requested = Object.entries(wanted).filter(([, value]) => value !== undefined);
    if (requested.every(([field, value]) => isDeepStrictEqual(present[field] || null, value)))
      return { is: "done", text: `The transit of ${name} has these values.` };
    return {
      is: "unsure",
      text: `The platform does not show these values of ${name}. Setting them again is harmless.`,
    };
  },
});

function announced(prefixes: readonly string[]): string[] {
  return prefixes.filter((prefix) => !isCleared(prefix));
}

function isAnySet(input: Record<string, unknown>): boolean {
  return ["asn", "set", "prefixes", "routes"].some((name) => input[name] !== undefined);
}

const Transit = z.looseObject({
  customerAsn: z.number().nullish().catch(null),
  irrAsSet: z.string().nullish().catch(null),
  announcedPrefixes: z.array(z.string()).nullish().catch(null),
  routeType: z.string().nullish().catch(null),
});

/** The loss of what a new set of prefixes leaves out, as a sentence; null if it withdraws none. */
function prefixLoss({ prefixes: present }: Announced, wanted: readonly string[] | undefined): string | null {
  if (wanted === undefined) return null;
  if (!present) return "The platform does not show the present prefixes. Any that you leave out will be withdrawn.";
  const left = announced(wanted);
  const withdrawn = present.filter((prefix) => !left.includes(prefix));
  if (withdrawn.length === 0) return null;
  return `${prefixNames(withdrawn)} will be withdrawn, and the internet will not reach ${withdrawn.length > 1 ? "their" : "its"} addresses.`;
}

/** "`192.0.2.0/24`, `198.51.100.0/24` and 7 more"; "none" where there are none. */
function prefixNames(all: readonly string[]): string {
  const names = all.map((prefix) => code(prefix));
  return listingOf(names, mostPrefixes) || "none";
}

interface Announced {
  asn?: number | null | undefined;
  set?: string | null | undefined;
  /** Null or missing where the platform does not show them. */
  prefixes?: string[] | null | undefined;
  routes?: string | null | undefined;
}

/** The present configuration, where the section uses the request's field names; the spec does not show them. */
async function readTransit(client: ResellerClient, { serviceId }: Service): Promise<Announced> {
  const { data } = Transit.safeParse(kindSection(await readDocument(client, serviceId)).rest);
  if (!data) return {};
  const { customerAsn: asn, irrAsSet: set, announcedPrefixes: prefixes, routeType: routes } = data;
  return { asn, set, prefixes, routes };
}
