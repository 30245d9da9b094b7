import type { Preconditions } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { type Identity, identityFacts } from "../../operation/identity.ts";
import { readNamedIdentity } from "../../operation/named-places.ts";
import { nameIs } from "../../operation/preconditions.ts";
import type { NamedAct } from "../../operation/same-act.ts";
import { listInvoices, listProformas } from "../../platform/customer/billing.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import { listServices, readService, type Service, type ServiceDetail } from "../../platform/customer/services.ts";
import { readUpgrade, type Upgrade } from "../../platform/customer/upgrades.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { largestPage, readAllPages } from "../../platform/http/pages.ts";
import { oncePer } from "../../process/once-per.ts";
import { characters } from "../../process/plain-text.ts";
import { code, listing, lowerFirst } from "../../views/text.ts";
import { mentions } from "../kits/mentions.ts";
import { sizePreconditions } from "../kits/plan-change.ts";
import {
  changeReads,
  changesAddOns,
  describeChange,
  type PendingChange,
  pricePrecondition,
  readOpenChange,
} from "../service/plan-change.ts";
import { service as serviceKind, serviceName } from "../service/service.ts";
import { type Bill, waitsForMoney } from "./bill.ts";
import { documentNaming, openDocuments } from "./open-documents.ts";

/** A change of a service, and the facts by which people know that service: the document names none of them. */
interface StartedChange extends PendingChange {
  identity: Identity;
}

/** The changes of services that begin once a document is paid. */
export interface StartedChanges {
  changes: StartedChange[];
  /** False if the platform does not show which document pays them: then it may be this one. */
  isSure: boolean;
  /** The reason, as a sentence, for which Rackbell cannot see what the document pays; null if it can. */
  unseen: string | null;
}

/** The endpoints that are read for it, beside those of a document. */
export const startedReads = [
  ...[listOrders, readOrder, listServices, readService, listInvoices, listProformas],
  ...[readUpgrade, ...changeReads],
];

const none: StartedChanges = { changes: [], isSure: true, unseen: null };

/** Each order of a change is one call, and each of its services more. Of an account with more, Rackbell says that it cannot see all. */
const mostRead = 20;
const tooMany: StartedChanges = { ...none, unseen: "The account has too many changes of services." };

/**
 * The spec shows no link between a document and its order, so either may name the other's id. A change of a service is an order of the type
 * `upgrade` (spec 4.5). Where nothing is linked, each pending change may be the one, unless the document is surely of something else.
 */
export const readStartedChanges = oncePer(
  async (bill: Bill, call: CallContext<"customer">): Promise<StartedChanges> => {
    const { client, confinedTo, listing: entriesOf } = call;
    if (!waitsForMoney(bill)) return none;
    // Documents are of the whole account, whichever project the member works in.
    const account = client.in(null);
    const pages = await readAllPages(account, (page) => listOrders(account, { page, limit: largestPage })).catch(
      nullIfRefused(403),
    );
    if (pages === null) return { ...none, unseen: "Your key may not read orders." };
    const orders = pages.flat();
    const changes = orders.filter(({ order_type: type }) => type === "upgrade");
    const linked = orders.filter((order) => areLinked(order, bill));
    const own = changes.filter((order) => linked.includes(order));
    if (own.length === 0 && linked.some(({ order_type: type }) => type)) return none;
    if (own.length === 0 && confinedTo !== null)
      return { ...none, unseen: `Your key sees only the project ${code(confinedTo.name)}.` };
    const candidates = own.length > 0 ? own : changes.filter((order) => !hasEnded(order));
    if (candidates.length > mostRead) return tooMany;
    const started = await Promise.all(
      candidates.map(async (order) => ({ order, services: await servicesOf(account, order) })),
    );
    if (started.flatMap(({ services }) => services).length > mostRead) return tooMany;
    const context = { client: account, listing: entriesOf };
    const read = (await Promise.all(started.map((one) => changesOf(context, one, bill)))).flat();
    const isSure = read.some(({ isOwn }) => isOwn);
    const found = read.flatMap(({ change, isOwn }) => (isOwn === isSure ? [change] : []));
    const shown = found.filter((change) => typeof change !== "string");
    return {
      changes: [...new Map(shown.map((change) => [change.upgrade.id, change])).values()],
      isSure,
      unseen: found.find((change) => typeof change === "string") ?? null,
    };
  },
);

/** The losses of what a payment starts, as sentences; empty if it surely loses nothing. `isWhole`: it pays all that is left. */
export function lossesOf({ changes, unseen }: StartedChanges, { isWhole }: { isWhole: boolean }): string[] {
  const lossy = changes.filter(({ losses }) => losses.length > 0);
  const nameIn = ({ service }: PendingChange) => (changes.length > 1 ? `${code(serviceName(service.service))}: ` : "");
  return [
    ...(unseen === null
      ? []
      : [
          `${unseen} Rackbell cannot see what this document pays.`,
          "If it pays a change of plan, the platform does not name the new disk. Data may be lost.",
        ]),
    ...lossy.flatMap((change) => change.losses.map((loss) => `${nameIn(change)}${loss}`)),
    ...(isWhole || lossy.length === 0
      ? []
      : ["This will happen when the rest is paid, also if another member pays it."]),
  ];
}

/** The ids of the services that the payment may take something from. */
export function destroyedBy({ changes }: StartedChanges): string[] {
  return changes.flatMap(({ losses, service: { service: row } }) => (losses.length > 0 ? [row.id] : []));
}

/** " This will start the downgrade of `web-1` to `VPS S` (project `Production`, address …)."; empty if it starts nothing. */
export function startWords({ changes, isSure }: StartedChanges): string {
  if (changes.length === 0) return "";
  const what = listing(changes.map((change) => `${lowerFirst(change.what)}${placeWords(change.identity)}`));
  return isSure ? ` This will start ${what}.` : ` The platform does not show if this will start ${what}.`;
}

/** Machines may share a name, and the document names none. */
function placeWords(identity: Identity): string {
  const facts = identityFacts(identity)
    .slice(0, 2)
    .map(({ label, value }) => `${lowerFirst(label)} ${value}`);
  return facts.length > 0 ? ` (${facts.join(", ")})` : "";
}

/** The acts that the payment does by starting the changes, under whatever command: `/service upgrade` and `/service options change`. */
export function actsOf({ changes }: StartedChanges): Pick<NamedAct, "acts" | "kinds"> {
  return {
    acts: [...new Set(changes.flatMap(({ plan }) => (plan === null ? changesAddOns : ["upgrade"])))],
    kinds: [...new Set(changes.map(({ service: { service: row } }) => row.serviceType))],
  };
}

/** The facts of the changes: a payment that was decided on must not start another change, or one to another size. */
export function startPreconditions({ changes, unseen }: StartedChanges, currency: string | null): Preconditions {
  const all = changes.map((change) => factsOf(change, currency));
  const [only, other] = all;
  return {
    ...(unseen === null
      ? {}
      : { pays: { value: unseen, label: "Pays", text: "not shown by the platform", decides: "unknown" } }),
    ...(only && !other
      ? only
      : Object.fromEntries(
          all.map((facts, at) => [
            `change ${at + 1}`,
            {
              value: Object.values(facts).map(({ value }) => value),
              label: "Change",
              text: Object.values(facts)
                .map(({ label, text }) => `${label}: ${text}`)
                .join(" · "),
            },
          ]),
        )),
  };
}

/** The facts that a phone must show come first: its card has room for six. */
function factsOf(
  { service: { service: row }, identity, upgrade, plan, losses }: StartedChange,
  currency: string | null,
): Preconditions {
  const known = identityFacts(identity).map(
    ({ label, value }) => [lowerFirst(label), { value, label, text: value }] as const,
  );
  return {
    service: { value: [row.id, upgrade.id, ...losses], label: "Service", text: code(serviceName(row)) },
    ...Object.fromEntries(known.slice(0, 2)),
    ...(plan && planFacts(plan, currency)),
    ...Object.fromEntries(known.slice(2)),
  };
}

function planFacts(
  { preview, offer, now, after }: NonNullable<PendingChange["plan"]>,
  currency: string | null,
): Preconditions {
  const unnamed = { value: null, label: "New plan", text: "not named by the platform" };
  return {
    ...sizePreconditions(now, after),
    ...(offer && { price: pricePrecondition({ preview, offer }, currency) }),
    from: nameIs("Plan now", preview.service.productName),
    to: offer ? nameIs("New plan", offer.toProductName) : unnamed,
  };
}

/** True if an id of one is in the other: only ids prove that the two belong together. */
function areLinked(row: { id: string }, bill: Bill): boolean {
  return mentions(row, [bill.id]) || mentions(bill.row, [row.id]);
}

/**
 * True also if one of them names the other's number. That proves nothing: a platform may number orders and documents each in a sequence of its
 * own, so that strangers share a number. Digits alone may be another figure.
 */
function mayBeLinked(order: Order, bill: Bill): boolean {
  const [ofOrder, ofBill] = [numberOf(order, "order"), numberOf(bill.row, bill.type)];
  const names = (row: unknown, number: string | null) =>
    number !== null && /\D/.test(number) && mentions(row, [number]);
  return areLinked(order, bill) || (ofOrder !== ofBill && (names(order, ofBill) || names(bill.row, ofOrder)));
}

/** Only these words of an order's status are the spec's own (section 3.3). */
function hasEnded({ status }: Order): boolean {
  return status === "completed" || status === "cancelled";
}

/** A change that the document may start, or the reason for which Rackbell cannot see it. `isOwn`: the platform shows that the document pays it. */
interface PaidChange {
  change: StartedChange | string;
  isOwn: boolean;
}

/** The ids of the services that an order is about. A list may leave them out. */
async function servicesOf(client: CustomerClient, order: Order): Promise<string[]> {
  const { services = [] } = order.services?.length ? order : await readOrder(client, order.id);
  return [...new Set(services.map(({ id }) => id))];
}

/** The changes that an order is about and that wait for their payment. */
async function changesOf(
  context: Pick<CallContext<"customer">, "client" | "listing">,
  { order, services }: { order: Order; services: readonly string[] },
  bill: Bill,
): Promise<PaidChange[]> {
  const { client } = context;
  const found = await Promise.all(services.map((id) => waitingChanges(context, id, order, bill)));
  const seen = found.flatMap((one) => one ?? []);
  if (services.length > 0 && !found.includes(null)) return seen;
  const isOwn = await isDocumentOf(client, { order }, bill);
  const unseen =
    services.length > 0
      ? "The platform does not show what an order changes."
      : "The order of a change names no service.";
  return isOwn === false ? seen : [...seen, { change: unseen, isOwn: isOwn === true }];
}

/** The change of a service that waits for the payment of the order, if it has one; null if the platform does not show that. */
async function waitingChanges(
  context: Pick<CallContext<"customer">, "client" | "listing">,
  id: string,
  order: Order,
  bill: Bill,
): Promise<PaidChange[] | null> {
  const { client } = context;
  const service = await readService(client, id).catch(nullIfRefused(400, 404));
  const read =
    service &&
    (await readOpenChange(client, service)
      .then((change) => ({ change }))
      .catch(nullIfRefused(400, 404)));
  if (service && !read) return null;
  // The order of a service that is gone starts nothing, unless it waits for this very document.
  if (!read?.change) return mayBeLinked(order, bill) && !hasEnded(order) ? null : [];
  const { change } = read;
  if (!waits.includes(change.upgrade.status) || (change.order !== null && change.order.id !== order.id)) return [];
  const isOwn = await isDocumentOf(client, { ...change, order: { ...order, ...change.order } }, bill);
  if (isOwn === false) return [];
  const [described, identity] = await Promise.all([
    describeChange(client, change, isOwn === true ? bill.row : null),
    readNamedIdentity(serviceKind, context, change.service),
  ]);
  return [{ change: { ...described, identity }, isOwn: isOwn === true }];
}

const waits: Upgrade["status"][] = ["pending", "awaiting_payment", "awaiting_admin"];

/** True if the document is surely that of the change, and false if it is surely another one; "unknown" otherwise. */
async function isDocumentOf(
  client: CustomerClient,
  { order, upgrade, service: detail }: { order: Order; upgrade?: Upgrade; service?: ServiceDetail },
  bill: Bill,
): Promise<boolean | "unknown"> {
  if (areLinked(order, bill) || (upgrade && areLinked(upgrade, bill))) return true;
  const { documents } = await readOpenDocuments(bill, client);
  const named = documentsIn([order, upgrade]);
  if (documents.some(({ id }) => id !== bill.id && named.includes(id))) return false;
  const its = await documentNaming(client, documents, [upgrade?.id, order.id]);
  if (its) return its.id === bill.id;
  // It may be of any service.
  return !detail || mayBeLinked(order, bill) || (await mayBeOf(bill, detail.service, client)) ? "unknown" : false;
}

/** False for a document that names other services, and not this one. */
export async function mayBeOf(bill: Bill, row: NamedService, client: CustomerClient): Promise<boolean> {
  if (mentions(bill.row, namesOf(row))) return true;
  const { rows } = await readServices(bill, client);
  return !rows.some((other) => mentions(bill.row, namesOf(other)));
}

const readOpenDocuments = oncePer((_: Bill, client: CustomerClient) => openDocuments(client));
const readServices = oncePer((_: Bill, client: CustomerClient) => listServices(client, { limit: largestPage }));

type NamedService = Pick<Service, "id" | "name" | "hostname">;

/** A name that is a plain word may be in any document. */
function namesOf({ id, name, hostname }: NamedService): string[] {
  return [id, characters(hostname ?? ""), characters(name ?? "")].filter((word) => /[\d.]/.test(word));
}

const isOfDocument = (path: string): boolean =>
  /(?:\bid|_id|Id)$/.test(path) && /[Ii]nvoice|[Pp]roforma|[Dd]ocument/.test(path);

/** The ids of documents that a value names, by the names of its fields. */
function documentsIn(value: unknown, path = ""): string[] {
  if (typeof value === "string") return value !== "" && isOfDocument(path) ? [value] : [];
  if (typeof value !== "object" || value === null) return [];
  return Object.entries(value).flatMap(([key, inner]) => documentsIn(inner, `${path} ${key}`));
}
