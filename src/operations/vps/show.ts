import * as z from "#zod";
import { listFields } from "../../messages/answers/list.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import type { Entry } from "../../operation/target.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { listLocations, listProducts } from "../../platform/customer/catalog.ts";
import { listServices } from "../../platform/customer/services.ts";
import {
  listVps,
  listVpsImages,
  listVpsIps,
  type ProvisioningFailure,
  readVps,
  readVpsStats,
  type Vps,
} from "../../platform/customer/vps.ts";
import { mayBeActive, unlistedStatus } from "../../platform/service-stage.ts";
import { ownValue } from "../../process/own-value.ts";
import { type PlainText, plainly } from "../../process/plain-text.ts";
import { paragraphs } from "../../views/blocks.ts";
import { moment, money, perCycle } from "../../views/format.ts";
import { code, count, dotted, prose } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { payStepsFor } from "../billing/open-documents.ts";
import { placeNames } from "../catalog/places.ts";
import { isCancellable } from "../kits/cancelling.ts";
import { type CardLines, card, headed, showCommon } from "../kits/card.ts";
import { fitting, type KnownFacts } from "../kits/lines.ts";
import { listOperation } from "../kits/list.ts";
import { receivedOperation } from "../kits/received.ts";
import { isEndState, machineMark, stateLine } from "../kits/service-states.ts";
import { specsOf } from "../kits/specs.ts";
import { anotherSteps } from "../order/order.ts";
import { isInState, isUsable, sizeOf, takes, vps, vpsState } from "./vps.ts";

export const list = listOperation({
  kind: vps,
  command: "vps list",
  summary: "List VPSes, filtered by status, project or text",
  example: "/vps list web",
  act: listVps,
  reads: [listLocations],
  input: z.object(listFields),
  many: "VPSes",
  mark: machineMark,
  options: async (call) => ({ worded: async (entries) => entries.map(inPlace(await placeNames(call))) }),
});

/** Replaces the location's code in a row by its name. */
function inPlace(placeOf: (value: string) => PlainText): (entry: Entry) => Entry {
  return (entry) => {
    const { Location: location } = entry.columns ?? {};
    if (typeof location !== "string" || location === "") return entry;
    const name = placeOf(location);
    return { ...entry, detail: plainly`${entry.detail} · ${name}`, columns: { ...entry.columns, Location: name } };
  };
}

export const show = defineOperation({
  ...showCommon,
  command: "vps show",
  summary: "Show a VPS: state, addresses, billing and possible actions",
  example: "/vps show web-1",
  act: readVps,
  reads: [listLocations, listProducts, listInvoices, listProformas, readInvoice, readProforma, listServices],
  target: vps,
  async run(call) {
    const [placeOf, another, pay] = await Promise.all([
      placeNames(call),
      anotherSteps(call, call.target),
      payStepsFor(call, call.target),
    ]);
    return vpsCard(call.target, placeOf, [...pay, ...stepsFor(call.target), ...another]);
  },
});

/** The meaning of a build failure code for the member who ordered it (spec section 2.3). */
export const failureMeaning: Record<ProvisioningFailure["code"], string> = {
  ip_capacity: "No address was free in that location. Another location may work.",
  capacity: "No capacity was left in that location. Another location may work.",
  storage_capacity: "The storage was full. Try again once.",
  install_timeout: "The installation took too long. Try again once.",
  provider_unreachable: "The provider could not be reached. Try again once.",
  unknown: "The cause is unknown. Try again once.",
  other: "Rackbell does not know this cause. The message of the platform may say what to do.",
  configuration: "The order itself must change before it can be built.",
  name_conflict: "The name is taken: the order itself must change before it can be built.",
};

/** The reason of a failed build and what the member can do about it, as a line of a card. */
export function failureLine({ message, code: kind }: ProvisioningFailure): string {
  return `:x: The build failed: ${prose(message)} ${failureMeaning[kind]}`;
}

/** The card of a VPS, with the acts that it allows now. `placeOf` returns the name of a location. */
export function vpsCard(vps: Vps, placeOf: (value: string) => PlainText, next: Step[] = stepsFor(vps)): Answer {
  const state = vpsState(vps);
  return card({
    text: `${code(vps.name)} ${isInState(state)}.`,
    title: `${machineMark(state)} *${code(vps.name)}* ${isInState(state)}`,
    lines: notices(vps),
    facts: factsOf(vps, placeOf),
    id: `VPS ${code(vps.id)}`,
    next,
  });
}

function notices(vps: Vps): CardLines {
  const { status, cancellation, failure, capabilities, os_installation_status: installing, instance } = vps;
  const reason = capabilities?.unavailable_reason;
  return [
    failure && failureLine(failure),
    cancellation &&
      `:warning: It is cancelled and ends ${moment(cancellation.scheduled_date)}. You can withdraw the cancellation until then.`,
    stateLine(status),
    status === "active" &&
      !instance &&
      ":hourglass_flowing_sand: It has no machine yet. Power, reinstall and password work once the machine is built.",
    installing === "in_progress" && ":hourglass_flowing_sand: An operating system is being installed.",
    installing === "failed" && ":x: The last installation of an operating system failed.",
    instance?.rescue_mode && ":ring_buoy: It runs in rescue mode.",
    reason && `:snowflake: ${ownValue(unavailable, reason) ?? `Rackbell cannot control it: ${prose(reason)}.`}`,
    capabilities?.provider_dependent && ":electric_plug: An outside provider runs it and decides which actions work.",
  ];
}

const unavailable: Record<string, string> = {
  shared_cluster: "It runs on a shared cluster, so Rackbell cannot control it.",
  frozen_cluster: "Its cluster is frozen: it cannot be controlled until the platform's operator unfreezes the cluster.",
};

function factsOf(vps: Vps, placeOf: (value: string) => PlainText): KnownFacts {
  const { billing, instance } = vps;
  return [
    ["Addresses", addressesOf(vps)],
    ["Project", prose(vps.project.name, 100)],
    ["Billing", perCycle(money(billing.amount, billing.currency), billing.cycle)],
    ["Size", sizeOf(vps) ?? specsOf(vps.specs)],
    ["Machine", instance && unlistedStatus(vps.status).length > 0 ? stateWords(instance.state) : null],
    ["Location", vps.location && prose(placeOf(vps.location), 100)],
    ["Paid until", billing.next_due_date && moment(billing.next_due_date)],
    ["System", instance?.os ? prose(instance.os, 100) : null],
    ["Host name", vps.hostname && code(vps.hostname)],
    ["Product", prose(vps.product.name, 100)],
    ["Provider", vps.provider === "native" ? null : code(vps.provider)],
    ["Machine last seen", instance?.updated_at && moment(instance.updated_at)],
    ["Ordered", moment(vps.created_at)],
  ];
}

const mostAddresses = 4;

function addressesOf(vps: Vps): string | null {
  const all = vps.ip_addresses.map(({ address }) => code(address));
  if (all.length === 0) return vps.primary_ip && code(vps.primary_ip);
  return (
    all.slice(0, mostAddresses).join("\n") +
    (all.length > mostAddresses ? `\nand ${all.length - mostAddresses} more` : "")
  );
}

/** The acts that the platform would accept now, the most usual first. */
function stepsFor(vps: Vps): Step[] {
  const { id: target, capabilities, instance, status, cancellation, billing } = vps;
  const refresh: Step = { label: "Refresh", command: "vps show", target, replace: true };
  if (isEndState(status)) return [refresh];
  const active = mayBeActive(status);
  const live = active && instance !== null && capabilities !== null && !capabilities.frozen;
  return fitting([
    [cancellation !== null, { label: "Keep it", command: "vps keep", target, style: "primary" }],
    [takes(vps, "start"), { label: "Start", command: "vps start", target, style: "primary" }],
    [takes(vps, "reboot"), { label: "Reboot", command: "vps reboot", target }],
    [live, { label: "Usage", command: "vps stats", target }],
    [
      capabilities?.password_reset && takes(vps, "password"),
      { label: "New password", command: "vps password", target },
    ],
    [live && capabilities?.snapshots, { label: "Snapshots", command: "vps snapshots", target }],
    [vps.ip_addresses.length > mostAddresses, { label: "All addresses", command: "vps ips", target }],
    [takes(vps, "shutdown"), { label: "Stop", command: "vps stop", target }],
    [active && billing.cycle !== "hourly", { label: "Renew…", command: "service renew", target }],
    [active, { label: "Change plan", command: "service upgrades", target }],
    [active, { label: "Add-ons", command: "service options", target }],
    [capabilities?.reinstall && isUsable(vps, "reinstall"), { label: "Reinstall…", command: "vps reinstall", target }],
    [cancellation === null && isCancellable(vps), { label: "Cancel service…", command: "vps cancel", target }],
    [true, refresh],
  ]);
}

export const ips = defineOperation({
  command: "vps ips",
  synonyms: ["ip", "addresses", "network"],
  summary: "List a VPS's addresses with their gateways",
  example: "/vps ips web-1",
  act: listVpsIps,
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target, name }) {
    const found = await listVpsIps(client, target.id);
    const lines = found.map(({ address, prefix_length: prefix, gateway, purpose }) =>
      dotted([
        code(prefix === null ? address : `${address}/${prefix}`),
        gateway && `gateway ${code(gateway)}`,
        prose(purpose, 60),
      ]),
    );
    return headed(`${name} has ${count(found.length, "address", "addresses")}.`, paragraphs(lines));
  },
});

export const stats = receivedOperation({
  command: "vps stats",
  synonyms: ["usage", "metrics", "graphs"],
  summary: "Show a VPS's usage: CPU, memory, disk and network",
  example: "/vps stats web-1",
  act: readVpsStats,
  target: vps,
  read: (client, { id }) => readVpsStats(client, id),
  title: "Usage",
  none: "The platform shows no usage figures at the moment.",
});

export const images = defineOperation({
  command: "vps images",
  summary: "List the operating systems that a VPS can be reinstalled with",
  example: "/vps images web-1",
  act: listVpsImages,
  risk: "read",
  target: vps,
  input: z.object({}),
  async run({ client, target, name }) {
    const found = await listVpsImages(client, target.id);
    if (found.length === 0)
      return { text: `No operating system is enabled for the plan of ${name}. Ask the platform's operator.` };
    const lines = found.map((image) => `• ${prose(image.name, 100)}${image.is_default ? " (default)" : ""}`);
    return {
      ...headed(`${name} can be reinstalled with ${count(found.length, "system")}.`, paragraphs(lines)),
      next: fitting([
        [isUsable(target, "reinstall"), { label: "Reinstall…", command: "vps reinstall", target: target.id }],
      ]),
    };
  },
});
