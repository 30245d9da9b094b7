import type { Fact, Preconditions, Step } from "../../../operation/answer.ts";
import { Gone, NotYet, Refusal } from "../../../operation/errors.ts";
import { idFact } from "../../../operation/identity.ts";
import { unshownFact } from "../../../operation/preconditions.ts";
import type { Entry, TargetKind } from "../../../operation/target.ts";
import { readCapabilities } from "../../../platform/reseller/capabilities.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import type { Product } from "../../../platform/reseller/products.ts";
import { largestServicePage, listServices, readService, type Service } from "../../../platform/reseller/services.ts";
import { ServiceStatus } from "../../../platform/reseller/states.ts";
import { readStats, type Stats } from "../../../platform/reseller/stats.ts";
import { isInactive, mayBeActive, serviceStage, unlistedStatus } from "../../../platform/service-stage.ts";
import { characters, type PlainText } from "../../../process/plain-text.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { type Block, section } from "../../../views/blocks.ts";
import { bareAmount } from "../../../views/format.ts";
import { jsonBlocks } from "../../../views/json.ts";
import { code, dotted, prose } from "../../../views/text.ts";
import { stateWords } from "../../../views/values.ts";
import { withoutIds } from "../../kits/lines.ts";
import { isEndState, troubleIn } from "../../kits/service-states.ts";

/** All status words of a service. Reseller spec section 3.2. */
const statusWords = ServiceStatus.options.map(stateWords);

/** Lists, names and reads resold services, also by the partner's own id. */
const countries = new Intl.DisplayNames(["en"], { type: "region", fallback: "none" });

/** "Germany (de-fra)": a location's code begins with its country, and the reseller API has no name for it. */
export function placeName(place: string): PlainText {
  const [, country] = /^([a-z]{2})-[a-z\d-]+$/.exec(place) ?? [];
  const name = country && countries.of(country.toUpperCase());
  return name ? `${name} (${place})` : place;
}

export const resoldService: TargetKind<"reseller", Service> = {
  noun: "service",
  label: "resold service",
  plural: "resold services",
  foundBy: "host name, address, your own id for it",
  states: { all: statusWords, unlisted: ({ status }) => unlistedStatus(status) },
  lostWith: ["snapshots", "backups", "add-ons", "addresses"],
  card: "reseller service show",
  usage: {
    labels: { cpu: "CPU", memory: "Memory", disk: "Disk in use" },
    read: async (client, id) => usageIn(await readStats(client, id)),
  },
  pageSize: largestServicePage,
  list: listServices,
  read: readService,
  reads: [readService],
  entry: (row) => ({
    id: row.serviceId,
    name: soldName(row),
    aliases: [row.hostname, shortName(row.hostname), row.externalServiceId, row.serverIp].filter(
      (alias) => typeof alias === "string",
    ),
    state: soldState(row),
    detail: dotted([
      soldState(row),
      row.productName,
      row.externalCustomerId && `for ${row.externalCustomerId}`,
      row.externalServiceId,
      row.serverIp,
    ]),
    nameless: !row.hostname,
    columns: {
      "Sold to": row.externalCustomerId ?? "",
      Product: row.productName ?? "",
      "Your own id": row.externalServiceId ?? "",
      Address: row.serverIp ?? "",
    },
    ...concernsOf(row),
  }),
  identity: {
    project: "The reseller API knows no projects.",
    address: ({ serverIp }) => serverIp,
    hostname: ({ hostname }) => hostname ?? null,
    location: ({ serverLocation }) => serverLocation ?? null,
    soldTo: buyerOf,
    placeName,
    apart: ({ serviceId }) => [idFact(serviceId)],
  },
};

/** The usage of a VPS in percent; null for other kinds, since the spec names none. Reseller spec section 2.4. */
export function usageIn(stats: Stats) {
  const figures = stats.of === "vps" ? stats.figures : null;
  return {
    cpu: figures?.cpu?.usage ?? null,
    memory: figures?.memory?.percentage ?? null,
    disk: figures?.disk?.percentage ?? null,
  };
}

function concernsOf({ status, nextDueDate, createdAt }: Service): Pick<Entry, "trouble" | "due" | "awaitedSince"> {
  const lives = mayBeActive(status) || status === "suspended";
  const awaited = status === "pending" || status === "installing";
  return {
    ...troubleIn(status, ", and still billed to you"),
    ...(lives && nextDueDate ? { due: { at: nextDueDate, what: "due for renewal" as const } } : {}),
    ...(awaited && createdAt ? { awaitedSince: createdAt } : {}),
  };
}

/** The services of one customer; the argument is the partner's own customer id. */
export function servicesOf(externalCustomerId: string): TargetKind<"reseller", Service> {
  return {
    ...resoldService,
    noun: `service of ${externalCustomerId}`,
    label: `service resold to ${code(externalCustomerId)}`,
    plural: `services resold to ${code(externalCustomerId)}`,
    list: (client: ResellerClient, query) => listServices(client, { ...query, externalCustomerId }),
  };
}

export function soldName({ hostname, externalServiceId, serviceId }: Service): PlainText {
  return hostname || externalServiceId || serviceId;
}

/** The billing status in words. */
export function soldState({ status }: Pick<Service, "status">): string {
  return stateWords(status);
}

/** The partner's price. Rows name no currency, so it is the supplier's own. Null where the row has no amount. Reseller spec section 2.4. */
export function wholesaleOf({ wholesaleAmount, billingCycle }: Service): string | null {
  if (!wholesaleAmount) return null;
  const cycle = billingCycle ? `billed ${billingCycle}` : "how often is not shown";
  return `${bareAmount(wholesaleAmount)} in the platform's base currency, ${cycle}, excl. VAT`;
}

/** The present price, beside the decision about the service. */
export function costFact(label: string, row: Service): Fact {
  const cost = wholesaleOf(row);
  return cost === null ? unshownFact(label) : { label, value: cost, decides: "known" };
}

/** The service's product in the catalogue. Its row has only the name: null where two products share it, since neither price is certain. */
export function soldProduct({ productName }: Service, products: Product[]): Product | null {
  const [only, ...others] = products.filter(({ name }) => name === productName);
  return only && others.length === 0 ? only : null;
}

/** Rows whose layout the spec does not show; none where the platform sends no list. */
export function rowsOrNone(found: unknown): unknown[] {
  return Array.isArray(found) ? found : [];
}

/** Such rows in the platform's layout, with the catalogue's currency. `none`: the sentence for an empty list, which a missing one is not. */
export function receivedBlocks(found: unknown, products: Product[], words: { title?: string; none?: string }): Block[] {
  if (words.none !== undefined && (found === null || found === undefined))
    return [section(`${words.title ? `*${words.title}*\n` : ""}The platform does not show this list.`)];
  return jsonBlocks(withoutIds(partSecrets(found).rest), { ...words, currency: products[0]?.currency ?? null });
}

/** The partner's customer. Null is no customer; a row that leaves the field out does not say. */
function buyerOf({ externalCustomerId: id }: Service): string {
  if (id === undefined) return "an unknown customer";
  return id ? code(id) : "no customer";
}

/** "`web-1` (sold to `cust-7`)". */
export function soldWords(row: Service): string {
  const name = code(soldName(row));
  return row.externalCustomerId === undefined || row.externalCustomerId ? `${name} (sold to ${buyerOf(row)})` : name;
}

/** The buyer and the product: another buyer's service is not the one that was approved. */
export function soldPreconditions(row: Service): Preconditions {
  const { externalCustomerId, productName } = row;
  return {
    buyer: {
      value: externalCustomerId === undefined ? "unknown" : externalCustomerId,
      label: "Sold to",
      text: buyerOf(row),
      decides: externalCustomerId === undefined ? "unknown" : "known",
    },
    product: { value: productName ?? null, label: "Product", text: productName ? prose(productName, 100) : "unknown" },
  };
}

export function showStep(target: string): Step {
  return { label: "Show", command: "reseller service show", target };
}

export function unsuspendStep(target: string): Step {
  return { label: "Unsuspend", command: "reseller service unsuspend", target, style: "primary" };
}

/** The platform accepts nothing for an ended service. This check says so before anybody approves. Reseller spec section 4.3. */
export function requireNotOver(row: Service): void {
  if (!isEndState(row.status)) return;
  throw new Gone(`${code(soldName(row))} is ${soldState(row)}: it accepts no more actions.`, "Nothing was sent.");
}

/** Throws for a service that has no machine, or that the platform withholds. Reseller spec section 3.2. */
export function requireMachine(row: Service): void {
  requireNotOver(row);
  const name = code(soldName(row));
  const stage = serviceStage(row.status);
  const show = [showStep(row.serviceId)];
  if (stage === "withheld") throw new Refusal(`${name} is withheld by the platform. Nothing was sent.`);
  if (stage === "failed")
    throw new Refusal(`${name} is ${soldState(row)}, so it has no machine. Nothing was sent.`, show);
  if (stage !== "starting") return;
  throw new NotYet(`${name} is ${soldState(row)}: the platform has not built it yet. Nothing was sent.`, show);
}

/** Throws for a suspended service too: it cannot be started, entered, reinstalled, backed up, or given a password. Reseller spec section 4.3. */
export function requireNotSuspended(row: Service): void {
  requireMachine(row);
  if (row.status !== "suspended") return;
  throw new Refusal(`${code(soldName(row))} is suspended. Unsuspend it first. Nothing was sent.`, [
    unsuspendStep(row.serviceId),
  ]);
}

/** The platform changes the package of an active service alone. This check says so before anybody approves. Reseller spec section 4.3. */
export function requireActive(row: Service): void {
  if (!isInactive(row.status)) return;
  throw new Refusal(
    `${code(soldName(row))} is ${soldState(row)}: only an active service can change its package. Nothing was charged.`,
    [showStep(row.serviceId)],
  );
}

type Control = "console" | "reinstall" | "password" | "backups";

const words: Record<Control, string> = {
  console: "a console",
  reinstall: "a reinstall",
  password: "a new password",
  backups: "backups",
};

/** Refuses an act that is not among the service's own, before a form opens or anybody approves. Reseller spec sections 2.4 and 4.3. */
export async function requireControl(client: ResellerClient, row: Service, control: Control): Promise<void> {
  requireNotSuspended(row);
  const found = await readCapabilities(client, row.serviceId);
  if (found[control]) return;
  const name = code(soldName(row));
  const why =
    found.backend === null
      ? `No reachable platform runs ${name}`
      : `The product of ${name} has ${words[control]} switched off, or this kind of service has none`;
  throw new Refusal(`${why}. Nothing was sent.`, [showStep(row.serviceId)]);
}

/** The first part of a host name: "web-1" of "web-1.example.net". */
function shortName(hostname: PlainText | null | undefined): string | undefined {
  return hostname ? characters(hostname).split(".")[0] : undefined;
}
