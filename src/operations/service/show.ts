import { listAnswer } from "../../messages/answers/list.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { defineOperation } from "../../operation/define.ts";
import { type Identity, identityFacts } from "../../operation/identity.ts";
import { readNamedIdentity } from "../../operation/named-places.ts";
import { noTarget, type TargetKind } from "../../operation/target.ts";
import { readBalance } from "../../platform/customer/account.ts";
import { listInvoices, listProformas, readInvoice, readProforma } from "../../platform/customer/billing.ts";
import { listProducts } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { dedicatedParts, readDedicated } from "../../platform/customer/dedicated.ts";
import {
  listServices,
  readService,
  readServiceStats,
  type Service,
  type ServiceDetail,
} from "../../platform/customer/services.ts";
import { readVps } from "../../platform/customer/vps.ts";
import { mayBeActive } from "../../platform/service-stage.ts";
import { secretsIn } from "../../process/secret-parts.ts";
import { context } from "../../views/blocks.ts";
import { moment, money, perCycle } from "../../views/format.ts";
import { jsonBlocks, jsonLines } from "../../views/json.ts";
import { code, withArticle } from "../../views/text.ts";
import { currencyFor } from "../billing/bill.ts";
import { payStepsFor } from "../billing/open-documents.ts";
import { isCancellable } from "../kits/cancelling.ts";
import { card, showCommon } from "../kits/card.ts";
import { fitting, wholeLines } from "../kits/lines.ts";
import { receivedOperation } from "../kits/received.ts";
import { priceInRow } from "../kits/row-words.ts";
import { isEndState, stateLine, stateMark } from "../kits/service-states.ts";
import { anotherSteps, cycleOf } from "../order/order.ts";
import { failureLine } from "../vps/show.ts";
import { askProvider } from "./provider.ts";
import { endsAt, kindOf, listInput, ownCard, service, serviceName, serviceState } from "./service.ts";

export const list = defineOperation({
  command: "service list",
  phrase: "List services",
  synonyms: ["ls"],
  summary: "List services of every kind with their counts and totals, filtered by status or text",
  example: "/service list web",
  act: listServices,
  risk: "read",
  target: noTarget,
  input: listInput("active, suspended or pending"),
  positional: "text",
  async run(call) {
    let stats: unknown;
    // The totals come with the page, so they cost no further call.
    async function list(client: CustomerClient, query: { page: number; limit: number; status?: string }) {
      const page = await listServices(client, query);
      stats = page.stats;
      return { rows: page.rows.map((row) => ({ service: row })), pagination: page.pagination };
    }
    const kind: TargetKind<"customer", ServiceDetail> = { ...service, list };
    const options = {
      kind,
      byStatus: list,
      command: "service list",
      open: "service show",
      many: "services",
      mark: stateMark,
    };
    const answer = await listAnswer(call, options);
    const totals = stats === undefined ? [] : [context(wholeLines(jsonLines(stats), 1_900))];
    return answer.blocks ? { ...answer, blocks: [...answer.blocks, ...totals] } : answer;
  },
});

export const show = defineOperation({
  ...showCommon,
  command: "service show",
  summary: "Show a service of any kind: state, the panel's details and possible actions",
  example: "/service show web-2",
  act: readService,
  reads: [
    ...[listProducts, readVps, listInvoices, listProformas, readInvoice, readProforma],
    ...[readDedicated, dedicatedParts.ips, listServices, readBalance],
  ],
  target: service,
  async run(call) {
    const { client, target } = call;
    const price = priceInRow(target.service);
    // The panel's document names neither project nor address: the page of the service's own kind does.
    const [failure, pay, another, identity, currency] = await Promise.all([
      failureIn(client, target.service),
      payStepsFor(call, target.service),
      anotherSteps(call, target.service),
      readNamedIdentity(service, call, target),
      price && currencyFor(client, price.currency).catch(() => null),
    ]);
    const priceWords = price && perCycle(money(price.amount, currency), price.cycle);
    const { next = [], ...shown } = serviceCard(target, failure, identity, priceWords);
    return { ...shown, next: [...pay, ...next, ...another] };
  },
});

const shownApart = new Set(["id", "name", "hostname", "status", "serviceType", "vps_capabilities", "cancellation"]);
/** The reason for which a VPS was not built: the panel's document has none. Null for any other service, and where it cannot be read. */
async function failureIn(client: CustomerClient, { id, serviceType, status }: Service): Promise<string | null> {
  if (serviceType !== "vps" || status !== "provisioning_failed") return null;
  const { failure } = await readVps(client, id).catch(() => ({ failure: null }));
  return failure && failureLine(failure);
}

function serviceCard(
  { service: row, liveInfo }: ServiceDetail,
  failure: string | null,
  identity: Identity,
  price: string | null,
): Answer {
  const state = serviceState(row);
  const ends = endsAt(row);
  const placed = identityFacts(identity).map(({ label, value }) => [label, value] as const);
  // The contract does not describe the panel's document, so its other fields are shown as received.
  const rest = Object.fromEntries(Object.entries(row).filter(([name]) => !shownApart.has(name)));
  return card({
    text: `${code(serviceName(row))} is ${state}.`,
    title: `${stateMark(state)} *${code(serviceName(row))}* is ${state}`,
    lines: [
      failure,
      stateLine(row.status),
      ends && `:warning: It is cancelled and ends ${moment(ends)}. You can withdraw the cancellation until then.`,
    ],
    facts: [["Kind", kindOf(row)], ...placed.slice(0, 2), ["Price", price], ...placed.slice(2)],
    details: [...jsonBlocks(liveInfo, { title: "Live" }), ...jsonBlocks(rest)],
    id: `Service ${code(row.id)}`,
    next: stepsFor(row, typeof ends === "string"),
    secrets: secretsIn(liveInfo, rest),
  });
}

function stepsFor(row: Service, ending: boolean): Step[] {
  const { id: target, status } = row;
  const own = ownCard[row.serviceType];
  const active = mayBeActive(status);
  const over = isEndState(status);
  return fitting([
    [ending, { label: "Keep it", command: "service keep", target, style: "primary" }],
    [own !== null && !over, { label: `As ${withArticle(kindOf(row))}`, command: own ?? "", target }],
    [active, { label: "Usage", command: "service stats", target }],
    [active, { label: "Actions", command: "service actions", target }],
    [active, { label: "Add-ons", command: "service options", target }],
    [active, { label: "Upgrades", command: "service upgrades", target }],
    [active, { label: "Backups", command: "service backups", target }],
    [active && cycleOf(row) !== "hourly", { label: "Renew…", command: "service renew", target }],
    [!ending && isCancellable(row), { label: "Cancel service…", command: "service cancel", target }],
    [true, { label: "Refresh", command: "service show", target, replace: true }],
  ]);
}

export const stats = receivedOperation({
  command: "service stats",
  synonyms: ["usage", "metrics", "graphs"],
  summary: "Show a service's usage, as its provider reports it",
  example: "/service stats web-2",
  act: readServiceStats,
  target: service,
  read: (client, { service: row }) => askProvider(row, "stats", () => readServiceStats(client, row.id)),
  title: "Usage",
  none: "The platform shows no usage figures at the moment.",
});
