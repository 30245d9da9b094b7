import * as z from "#zod";
import { listFields } from "../../messages/answers/list.ts";
import type { Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { type Identity, identityFacts, readIdentity } from "../../operation/identity.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { listLocations, listProducts } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import {
  type Dedicated,
  type DedicatedPart,
  dedicatedParts,
  listDedicated,
  readDedicated,
} from "../../platform/customer/dedicated.ts";
import { listServices, readService } from "../../platform/customer/services.ts";
import { mayBeActive } from "../../platform/service-stage.ts";
import type { PlainText } from "../../process/plain-text.ts";
import { secretsIn } from "../../process/secret-parts.ts";
import { money, perCycle } from "../../views/format.ts";
import { jsonBlocks } from "../../views/json.ts";
import { code, prose } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { currencyFor } from "../billing/bill.ts";
import { payStepsFor } from "../billing/open-documents.ts";
import { placeNames } from "../catalog/places.ts";
import { isCancellable } from "../kits/cancelling.ts";
import { card, showCommon } from "../kits/card.ts";
import { fitting, type KnownFacts } from "../kits/lines.ts";
import { listOperation } from "../kits/list.ts";
import { isUnread, unreachable } from "../kits/power.ts";
import { receivedOperation } from "../kits/received.ts";
import { priceInRow } from "../kits/row-words.ts";
import { stateLine, stateMark } from "../kits/service-states.ts";
import { anotherSteps, cycleOf } from "../order/order.ts";
import { dedicated, modelOf, powerMark, readPower, serverState } from "./dedicated.ts";
import { installationOf } from "./reinstall.ts";

export const list = listOperation({
  kind: dedicated,
  command: "dedicated list",
  summary: "List dedicated servers, filtered by status, project or text",
  example: "/dedicated list metal",
  act: listDedicated,
  input: z.object(listFields),
  many: "dedicated servers",
  mark: stateMark,
});

export const show = defineOperation({
  ...showCommon,
  command: "dedicated show",
  synonyms: ["info", "details"],
  summary: "Show a dedicated server: state, power, hardware and possible actions",
  example: "/dedicated show metal-1",
  act: readDedicated,
  reads: [
    ...[listLocations, listProducts, listInvoices, listProformas, readInvoice, readProforma],
    ...[dedicatedParts.ips, dedicatedParts["power-status"], readService, listServices, readBalance],
  ],
  target: dedicated,
  async run(call) {
    const { target, name } = call;
    // The spec has its power, its addresses and its price at routes of their own. A read that fails must not hide the server.
    const [placeOf, another, pay, identity, price, { power, words }] = await Promise.all([
      placeNames(call),
      anotherSteps(call, target),
      payStepsFor(call, target),
      readIdentity(dedicated, call.client, target),
      priceWords(call.client, target).catch(() => "could not be read"),
      powerOfActive(call.client, target),
    ]);
    const { status } = target;
    // Its power must not hide a state that no spec lists.
    const state = (status === "active" ? power : null) ?? serverState(target);
    const isBuilding = status === "pending" || status === "installing" || (status === "active" && !target.hardware);
    const { location, datacenter, os_installation, features, hardware } = target;
    const facts = { location, datacenter, system: os_installation, features, hardware: hardware?.specs };
    const known = Object.entries(facts).filter(([, value]) => value !== undefined && value !== null);
    return card({
      text: `${name} is ${prose(state, 60)}.`,
      title: `${status === "active" && power ? powerMark(power) : stateMark(state)} *${name}* is ${prose(state, 60)}`,
      lines: [
        stateLine(status),
        isBuilding && ":hourglass_flowing_sand: It is being built. Its power cannot be switched yet.",
      ],
      facts: [...placeFacts(identity), ["Price", price], ["Power", words], ...factsOf(target, placeOf)],
      details: jsonBlocks(Object.fromEntries(known)),
      id: `Dedicated server ${code(target.id)}`,
      secrets: secretsIn(facts),
      next: [...pay, ...stepsFor(target, power), ...another],
    });
  },
});

/** The address and the project, which are on the card without a press. */
function placeFacts(identity: Identity): KnownFacts {
  const shown = identityFacts(identity).filter(({ label }) => label === "Address" || label === "Project");
  return shown.map(({ label, value }) => [label, value]);
}

/** The power of a server that is in service and has a machine, and its words on the card. */
async function powerOfActive(client: CustomerClient, { id, status, hardware }: Dedicated) {
  if (!mayBeActive(status) || !hardware) return { power: null, words: null };
  const power = await readPower(client, id).catch(() => undefined);
  if (power === undefined) return { power: null, words: "could not be read" };
  if (power === unreachable) return { power: null, words: "its management controller cannot be reached" };
  const seen = power !== null && !isUnread(power) ? power : null;
  return { power: seen, words: prose(seen ?? "not shown by the platform", 60) };
}

/** The price for each cycle: its own row may name it, and otherwise the panel's. */
async function priceWords(client: CustomerClient, server: Dedicated): Promise<string> {
  const price = priceInRow(server) ?? priceInRow((await readService(client, server.id)).service);
  if (!price) return "not named by the platform";
  return perCycle(money(price.amount, await currencyFor(client, price.currency)), price.cycle);
}

function factsOf(server: Dedicated, placeOf: (value: string) => PlainText): KnownFacts {
  const { hostname, hardware, provisioning, location } = server;
  const model = modelOf(server);
  return [
    ["Machine", model && prose(model, 100)],
    ["Host name", hostname && code(hostname)],
    ["Location", typeof location === "string" ? prose(placeOf(location), 100) : null],
    ["Billing state", serverState(server)],
    ["Provisioning", provisioning?.provision_state && prose(stateWords(provisioning.provision_state), 60)],
    ["Its name in the rack", hardware?.name && code(hardware.name)],
  ];
}

/** False while no act on the machine can begin: it is not in service, not built, or being installed. */
function isReady(server: Dedicated): boolean {
  return mayBeActive(server.status) && Boolean(server.hardware) && installationOf(server) !== "in_progress";
}

/** Buttons for the acts that the platform would accept now, as far as the server reports it. */
function stepsFor(server: Dedicated, power: string | null): Step[] {
  const { id: target } = server;
  const ready = isReady(server);
  const off = power === "off";
  const active = mayBeActive(server.status);
  return fitting([
    [ready && off, { label: "Switch on", command: "dedicated on", target, style: "primary" }],
    [ready && !off, { label: "Restart", command: "dedicated restart", target }],
    [ready, { label: "Usage", command: "dedicated stats", target }],
    [ready, { label: "Power status", command: "dedicated status", target }],
    [ready && !off, { label: "Switch off", command: "dedicated off", target }],
    [ready && power === null, { label: "Switch on", command: "dedicated on", target }],
    [ready, { label: "New password…", command: "dedicated password", target }],
    [active && cycleOf(server) !== "hourly", { label: "Renew…", command: "service renew", target }],
    [active, { label: "Add-ons", command: "service options", target }],
    [ready, { label: "Reinstall…", command: "dedicated reinstall", target }],
    [isCancellable(server), { label: "Cancel service…", command: "service cancel", target }],
    [true, { label: "Refresh", command: "dedicated show", target, replace: true }],
  ]);
}

/** A part of a dedicated server as its management controller reports it. */
function partOf(
  part: DedicatedPart,
  verb: string,
  words: {
    summary: string;
    example: `/dedicated ${string}`;
    title: string;
    next?: (server: Dedicated) => Omit<Step, "target">[];
    synonyms?: string[];
  },
) {
  return receivedOperation({
    ...words,
    command: `dedicated ${verb}`,
    act: dedicatedParts[part],
    target: dedicated,
    read: (client, { id }) => dedicatedParts[part](client, id),
    none: "The platform shows nothing about it at the moment.",
  });
}

export const ips = partOf("ips", "ips", {
  summary: "List a dedicated server's addresses",
  example: "/dedicated ips metal-1",
  title: "Addresses",
  synonyms: ["ip", "addresses", "network"],
});
export const status = partOf("power-status", "status", {
  summary: "Ask the management controller of a dedicated server whether it is on",
  example: "/dedicated status metal-1",
  title: "Power status",
});
export const provisioning = partOf("provision-status", "provisioning", {
  summary: "Show the progress of the provisioning of a dedicated server",
  example: "/dedicated provisioning metal-1",
  title: "Provisioning",
});
export const images = partOf("os-images", "images", {
  summary: "List the operating systems that a dedicated server can be reinstalled with",
  example: "/dedicated images metal-1",
  title: "Operating systems",
  next: (server) => (isReady(server) ? [{ label: "Reinstall…", command: "dedicated reinstall" }] : []),
});
export const stats = partOf("stats", "stats", {
  synonyms: ["usage", "metrics", "graphs"],
  summary: "Show a dedicated server's usage",
  example: "/dedicated stats metal-1",
  title: "Usage",
});
export const traffic = partOf("traffic", "traffic", {
  summary: "Show a dedicated server's traffic",
  example: "/dedicated traffic metal-1",
  title: "Traffic",
});
