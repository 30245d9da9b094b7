import * as z from "#zod";
import { resourceText } from "../../../members/resources/favourites.ts";
import { listFields } from "../../../messages/answers/list.ts";
import type { Answer, Step } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { PlatformRefused } from "../../../platform/http/errors.ts";
import { type Capabilities, readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { listCustomers } from "../../../platform/reseller/customers.ts";
import { kindSection, readDocument, type ServiceDocument } from "../../../platform/reseller/document.ts";
import { listOrders } from "../../../platform/reseller/orders.ts";
import { listServices, type Service } from "../../../platform/reseller/services.ts";
import { type ServiceStatus, stillBilled } from "../../../platform/reseller/states.ts";
import { readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { mayBeActive } from "../../../platform/service-stage.ts";
import { ownValue } from "../../../process/own-value.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { type Block, context } from "../../../views/blocks.ts";
import { moment } from "../../../views/format.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code, prose } from "../../../views/text.ts";
import { stateWords } from "../../../views/values.ts";
import { card, showCommon } from "../../kits/card.ts";
import { fitting, type KnownFacts } from "../../kits/lines.ts";
import { listOperation } from "../../kits/list.ts";
import { isUnread, unreachable } from "../../kits/power.ts";
import { isEndState, machineMark, machineTakes, stateMark } from "../../kits/service-states.ts";
import { specsOf } from "../../kits/specs.ts";
import { customerByText } from "../customer.ts";
import { showOrderStep } from "../order/order.ts";
import { stateIn } from "./lifecycle.ts";
import { placeName, resoldService, servicesOf, soldName, soldState, usageIn, wholesaleOf } from "./service.ts";
import { usageLine } from "./stats.ts";

export const list = listOperation({
  kind: resoldService,
  command: "reseller service list",
  // Resold game servers have no list of their own.
  synonyms: ["/reseller game list"],
  summary: "List resold services, by text, status or customer",
  example: "/reseller service list web",
  act: listServices,
  reads: [listCustomers],
  input: z.object({
    text: z
      .string()
      .optional()
      .meta({ title: "Text", description: "In the host name, address, your own id or the platform's id" }),
    status: z.string().optional().meta({ title: "Status", description: "Such as active, suspended or installing" }),
    customer: z
      .string()
      .max(255)
      .optional()
      .meta({ title: "Customer", description: "The customer's name, or your own id for the customer" }),
    sort: z.enum(["name", "state"]).optional().meta({ title: "Sorted by" }),
    page: listFields.page,
  }),
  many: "resold services",
  mark: stateMark,
  async options({ client, input: { customer: typed } }) {
    // Without this check, a mistyped customer would read as a customer without services.
    const customer = typed === undefined ? null : (await customerByText(client, typed)).external_customer_id;
    const ofCustomer = customer === null ? {} : { externalCustomerId: customer };
    return {
      ...(customer === null ? {} : { kind: servicesOf(customer), many: `services resold to ${code(customer)}` }),
      async byStatus(client, { status, ...query }) {
        return listServices(client, { ...query, ...ofCustomer, status });
      },
    };
  },
});

export const show = defineOperation({
  ...showCommon,
  command: "reseller service show",
  summary: "Show a resold service: its customer, state and cost to you",
  example: "/reseller service show web-2",
  act: readDocument,
  reads: [readCapabilities, readStats, listOrders],
  target: resoldService,
  async run({ client, target }) {
    const [document, stats, order] = await Promise.all([
      readOwnDocument(client, target.serviceId),
      knownStats(client, target),
      orderStepsFor(client, target),
    ]);
    const power = stats && stateIn(stats);
    const can = document?.capabilities ?? (await readCapabilities(client, target.serviceId));
    return serviceCard(target, { document, stats, power }, [
      ...order,
      ...cardSteps(target, { can, document, stats, power }),
    ]);
  },
});

/** The largest page of orders. Reseller spec section 8. */
const mostOrders = 200;

/** The way to the order of a service that is not built: it has the reason, or the document to pay. A service does not name its order. */
async function orderStepsFor(client: ResellerClient, { serviceId, status }: Service): Promise<Step[]> {
  if (status !== "provisioning_failed" && status !== "pending_payment") return [];
  const { rows } = await listOrders(client, { limit: mostOrders }).catch(() => ({ rows: [] }));
  const its = rows.find(({ services }) => services.some((one) => one.serviceId === serviceId));
  return its ? [showOrderStep(its.id)] : [{ label: "Orders", command: "reseller order list" }];
}

/** The figures of its machine; null if it has none, or if nothing tells them now: the answer then offers every power action. */
async function knownStats(client: ResellerClient, row: Service): Promise<Stats | null> {
  return isBuilt(row) ? readStats(client, row.serviceId).catch(() => null) : null;
}

/** True once its machine was built, until it ends. Reseller spec section 3.2. */
function isBuilt({ status }: Service): boolean {
  return mayBeActive(status) || status === "suspended";
}

/** The service's page, or null where the platform has none; the answer then has only the row. */
async function readOwnDocument(client: ResellerClient, id: string): Promise<ServiceDocument | null> {
  try {
    return await readDocument(client, id);
  } catch (error) {
    if (error instanceof PlatformRefused && error.status < 500 && error.auth === undefined) return null;
    throw error;
  }
}

function serviceCard(row: Service, read: Omit<Offering, "can">, next: Step[]): Answer {
  const { document, stats, power } = read;
  const isSeen = row.status === "active" && power !== null && !isUnread(power);
  const state = isSeen ? stateWords(power) : soldState(row);
  const name = code(soldName(row));
  return card({
    text: `${name} is ${state}.`,
    title: `${isSeen ? machineMark(power) : stateMark(state)} *${name}* is ${state}`,
    lines: [
      ownValue(notices, row.status),
      power === unreachable && ":warning: Its management controller cannot be reached.",
      stats && usageLine(stats),
    ],
    facts: factsOf(row, document),
    details: document ? documentBlocks(document) : [context("The platform shows nothing more about this service.")],
    id: `Service ${code(row.serviceId)}`,
    next,
  });
}

const notices: Record<ServiceStatus, string | null> = {
  pending_payment: ":receipt: The platform builds it after you pay its document.",
  pending: null,
  installing: null,
  active: null,
  suspended: `:no_entry: The service is suspended. ${stillBilled}.`,
  provisioning_failed: ":x: The service was not built. The platform knows; the order shows more.",
  terminated: ":black_circle: The service is terminated and no longer billed.",
  fraud: ":no_entry: The platform withholds this service. Ask the platform's support.",
  cancelled: null,
};

function factsOf(row: Service, document: ServiceDocument | null): KnownFacts {
  const place = row.serverLocation ?? document?.service.serverLocation;
  return [
    ["Sold to", row.externalCustomerId && code(row.externalCustomerId)],
    ["Address", row.serverIp && code(`${row.serverIp}${row.serverPort ? `:${row.serverPort}` : ""}`)],
    ["Costs you", wholesaleOf(row)],
    ["Size", specsOf(document?.service.productSpecs) ?? (row.productName && prose(row.productName, 100))],
    ["Location", place && prose(placeName(place), 100)],
    ["System", document?.service.osImage?.name && prose(document.service.osImage.name, 100)],
    ["Product", row.productName && prose(row.productName, 100)],
    ["Next due", row.nextDueDate && moment(row.nextDueDate)],
    ["Your own id", row.externalServiceId && code(row.externalServiceId)],
    ["Billing state", soldState(row)],
    ["Ordered", row.createdAt && moment(row.createdAt)],
  ];
}

/** Sections that the spec does not show, in the platform's layout and without their secrets. */
function documentBlocks(document: ServiceDocument): Block[] {
  const parts: [string, unknown][] = [
    ["Network", partSecrets(document.network).rest],
    ["Machine", kindSection(document).rest],
  ];
  return parts.flatMap(([title, value]) => jsonBlocks(value, { title }));
}

/** The readings that decide which acts a card offers. */
interface Offering {
  can: Capabilities | null;
  document: ServiceDocument | null;
  stats: Stats | null;
  power: string | null;
}

function hasUsage(stats: Offering["stats"]): boolean {
  return stats !== null && Object.values(usageIn(stats)).some((figure) => figure !== null);
}

/** The power of a service, and the actions that it allows. The commands of a game server include its power: after the service's own power action, no state can be read. */
function powerFacts(
  row: Service,
  { acts, document, power }: Pick<Offering, "document" | "power"> & { acts: Offering["can"] },
) {
  const isGame = document?.kind === "game";
  const hasPower = !isGame && acts?.power && isBuilt(row) && power !== unreachable;
  const host = machineTakes(power);
  const settled = host !== "busy" && host !== "lost";
  return {
    isGame: isGame && isBuilt(row),
    powers: hasPower ? acts.powerActions : [],
    settled,
    isStuck: host === "stuck",
    runs: settled && power !== "stopped",
  };
}

/** The actions that the platform would accept now: by state, backend, power, and the panels of the service's page. */
function cardSteps(row: Service, { can, document, stats, power }: Offering): Step[] {
  const { serviceId: target, status } = row;
  const step = (label: string, verb: string) => ({ label, command: `reseller service ${verb}`, target });
  const gameStep = (label: string, verb: string) => ({ label, command: `reseller game ${verb}`, target });
  const thing = resourceText("reseller service show", target);
  const over = isEndState(status);
  // A suspended service can only be stopped and read. Reseller spec section 4.3.
  const active = mayBeActive(status);
  const acts = over ? null : can;
  const panels = over ? null : document?.features;
  const { isGame, powers, settled, isStuck, runs } = powerFacts(row, { acts, document, power });
  const isVps = acts?.backend === "vps";
  const isMachine = isVps || acts?.backend === "dedicated";
  const console = active && acts?.console && (power !== "stopped" || !isVps);
  return fitting([
    [status === "suspended", { ...step("Unsuspend", "unsuspend"), style: "primary" }],
    [isGame, gameStep("Game server", "show")],
    [isGame, gameStep("Files", "files")],
    [isGame, gameStep("Game backups", "backups")],
    [active && powers.includes("start") && settled && power !== "running", step("Start", "start")],
    [powers.includes("restart") && runs, step("Restart", "restart")],
    [isStuck && active && panels?.rescue, step("Rescue…", "rescue")],
    [acts?.stats, step("Usage", "stats")],
    [console, isMachine ? step("Console link…", "console-cast") : step("Console", "console")],
    [active && acts?.password && !isStuck && (runs || !isVps), step("New password…", "password")],
    [powers.includes("stop") && runs, step("Stop", "stop")],
    [active && acts?.backups, step("Backups", "backups")],
    [active && acts?.reinstall && settled, step("Reinstall…", "reinstall")],
    [acts?.backend === "plugin", step("Its provider", "provider")],
    [panels?.traffic, step("Traffic", "traffic")],
    [panels?.hardware_health, step("Health", "health")],
    [panels?.ssh_keys, step("SSH keys", "sshkeys")],
    [!isStuck && active && panels?.rescue, step("Rescue…", "rescue")],
    [hasUsage(stats), { label: "Watch usage…", command: "rackbell watch", input: { thing, figure: "cpu" } }],
    [true, { ...step("Refresh", "show"), replace: true }],
    [active, step("Add-ons", "options")],
    [active, step("Packages", "upgrades")],
    [active, step("Suspend", "suspend")],
    [!over, step("Terminate…", "terminate")],
  ]);
}
