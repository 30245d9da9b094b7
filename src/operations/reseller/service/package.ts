import * as z from "#zod";
import type { Preconditions, Progress } from "../../../operation/answer.ts";
import { defineOperation } from "../../../operation/define.ts";
import { Refusal } from "../../../operation/errors.ts";
import type { PollCall } from "../../../operation/operation.ts";
import { nameIs, textIs } from "../../../operation/preconditions.ts";
import type { ResellerClient } from "../../../platform/reseller/client.ts";
import { cycleIn, pricesOf } from "../../../platform/reseller/cycles.ts";
import { quantityOf, readOptions } from "../../../platform/reseller/options.ts";
import {
  changePackage,
  type PackageChange,
  readUpgrades,
  type Upgrades,
} from "../../../platform/reseller/package-change.ts";
import { listProducts, type Product } from "../../../platform/reseller/products.ts";
import { readService, type Service } from "../../../platform/reseller/services.ts";
import { oncePer } from "../../../process/once-per.ts";
import { plainly } from "../../../process/plain-text.ts";
import { partSecrets } from "../../../process/secret-parts.ts";
import { type Block, paragraphs, section } from "../../../views/blocks.ts";
import { bareAmount, money } from "../../../views/format.ts";
import { jsonLines } from "../../../views/json.ts";
import { capital, code, prose, sentence } from "../../../views/text.ts";
import { leftOutIs } from "../../kits/add-ons.ts";
import { headed } from "../../kits/card.ts";
import { fitting, wholeLines } from "../../kits/lines.ts";
import { collectedLater } from "../../kits/order-effects.ts";
import {
  changeKinds,
  type SizeChange,
  sizeChange,
  sizeInSpecs,
  sizePreconditions,
  upgradeEffects,
} from "../../kits/plan-change.ts";
import { specsOf } from "../../kits/specs.ts";
import { paySteps } from "../order/order.ts";
import { activeAddOn } from "./options.ts";
import {
  costFact,
  receivedBlocks,
  requireActive,
  resoldService,
  rowsOrNone,
  showStep,
  soldName,
  soldProduct,
  soldWords,
} from "./service.ts";

/** The packages that a service can change to: name, the catalogue's price on the service's cycle, and the platform's other data. */
function packageBlocks(row: Service, { available, addons, pendingUpgrade }: Upgrades, products: Product[]): Block[] {
  const rest: [string, unknown][] = [
    ["Add-ons", addons],
    ["Pending", pendingUpgrade],
  ];
  return [
    ...offers(row, available, products),
    ...rest.flatMap(([title, part]) => receivedBlocks(part, products, { title })),
  ];
}

function offers(row: Service, available: unknown, products: Product[]): Block[] {
  const found = rowsOrNone(available).map((one) => ({
    offer: one,
    product: products.find(({ id }) => holds(one, id)),
  }));
  if (found.length === 0 || found.some(({ product }) => product === undefined))
    return receivedBlocks(available, products, { none: "The platform offers no other package for this service." });
  return found.flatMap(({ offer, product }) => (product ? offerBlocks(row, offer, product) : []));
}

/**
 * The products that the service can go to: those that an offer names, priced on the service's own cycle. All priced products where the
 * offers cannot be matched with the catalogue: the spec does not show their fields. Reseller spec sections 2.2, 2.4 and 4.3.
 */
function possible(row: Service, { available }: Upgrades, products: Product[]): Product[] {
  const priced = products.filter((product) => cycleIn(row.billingCycle) === null || priceOn(row, product) !== null);
  if (!Array.isArray(available)) return priced;
  const isNamed = ({ id }: Product) => available.some((offer) => holds(offer, id));
  const isReadable = available.every((offer) => products.some(({ id }) => holds(offer, id)));
  return isReadable ? priced.filter(isNamed) : priced;
}

function offerBlocks(row: Service, offer: unknown, product: Product): Block[] {
  const price = priceOn(row, product);
  const head = `*${code(product.name)}*${price ? `: ${price}` : ""}`;
  return [section(head), ...paragraphs([jsonLines(unnamed(partSecrets(offer).rest), product.currency).join(" · ")])];
}

/** An offer without its name and ids, which the block shows above it, and with units in its specs. */
function unnamed(offer: unknown): unknown {
  if (typeof offer !== "object" || offer === null) return offer;
  const kept = Object.entries(offer).filter(([name]) => !/^id$|_id$|Id$|name$/i.test(name));
  return Object.fromEntries(kept.map(([name, value]) => [name, /specs$/i.test(name) ? specsOf(value) : value]));
}

function priceOn(row: Service, { pricing, currency }: Product): string | null {
  const found = pricesOf(pricing).find(({ cycle }) => cycle === cycleIn(row.billingCycle));
  return found ? `${money(found.price, currency ?? null)} ${found.cycle}` : null;
}

/** A package by its name, price and slug, for a service whose present package has the same name. */
function toldApart(row: Service, product: Product): string {
  const marks = [priceOn(row, product), product.slug && code(product.slug)].filter((mark) => mark);
  return marks.length > 0 ? `${code(product.name)} (${marks.join(", ")})` : code(product.name);
}

function holds(offer: unknown, id: string): boolean {
  return JSON.stringify(offer)?.includes(JSON.stringify(id)) ?? false;
}

/**
 * The price after the change. The platform refuses a product without a price on the service's cycle, so this throws first. Reseller spec
 * sections 2.2 and 4.3.
 */
function newPrice(row: Service, product: Product): Preconditions {
  const cycle = cycleIn(row.billingCycle);
  if (cycle === null)
    return { price: { ...textIs("Price", "unknown, since the platform shows no billing cycle"), decides: "unknown" } };
  const price = priceOn(row, product);
  if (price) {
    return {
      price: { ...textIs("Price", `${presentPrice(row) ?? "unknown"} → ${price}, excl. VAT`), decides: "known" },
    };
  }
  throw new Refusal(
    `${code(product.name)} is not sold with ${cycle} billing, which ${code(soldName(row))} has. Nothing was charged. Choose another package.`,
    [{ label: "Packages", command: "reseller service upgrades", target: row.serviceId }],
  );
}

/** Null if the platform does not show it. */
function presentPrice({ wholesaleAmount }: Service): string | null {
  return wholesaleAmount ? `${bareAmount(wholesaleAmount)} (base currency)` : null;
}

/** The offer of that product in the platform's layout. Figures may be in any field, so none is computed. */
function offerText({ available }: Upgrades, { id, currency }: Product): string {
  const offer = rowsOrNone(available).find((row) => holds(row, id));
  const lines = offer === undefined ? [] : jsonLines(unnamed(partSecrets(offer).rest), currency);
  return lines.length > 0
    ? wholeLines(lines, 1_500, "\n")
    : "not shown by the platform: its document will show the price";
}

export const upgrades = defineOperation({
  command: "reseller service upgrades",
  summary: "Show the packages that a resold service could change to, at your price",
  example: "/reseller service upgrades web-2",
  act: readUpgrades,
  reads: [listProducts, readService],
  risk: "read",
  target: resoldService,
  input: z.object({}),
  async run({ client, target, name }) {
    const [found, products] = await Promise.all([readUpgrades(client, target.serviceId), listProducts(client)]);
    return {
      ...headed(`Packages for ${name}, at your price, excl. VAT`, packageBlocks(target, found, products)),
      next: fitting([
        [
          target.status === "active" && !isPending(found) && possible(target, found, products).length > 0,
          { label: "Change its package…", command: "reseller service upgrade", target: target.serviceId },
        ],
        [true, { label: "Refresh", command: "reseller service upgrades", target: target.serviceId, replace: true }],
      ]),
    };
  },
});

const Before = z.object({ kind: z.enum(changeKinds), from: z.string(), to: z.string() });
type Before = z.infer<typeof Before>;

/** True where the service shows the new package by its name. Two packages can have one name, which then shows nothing. */
function showsChange({ productName }: Service, { from, to }: Pick<Before, "from" | "to">): boolean {
  return from !== to && productName === to;
}

const Handle = Before.extend({
  document: z.string().nullable(),
  /** True once the platform showed the change as pending: when it stops being pending, it was withdrawn or refused. */
  announced: z.boolean(),
});

export const upgrade = defineOperation({
  command: "reseller service upgrade",
  synonyms: ["resize"],
  summary: "Change the package of a resold service; the change applies after payment",
  example: '/reseller service upgrade web-2 to="VPS L"',
  act: changePackage,
  reads: [readUpgrades, listProducts, readService, readOptions],
  // A smaller disk loses data, whatever it costs.
  risk: {
    usual: "spend",
    async of({ client, target, input }) {
      const { losses } = await readSoldChange(client, target, ({ id }) => id === input.to);
      return losses.length > 0 ? "destroy" : "spend";
    },
  },
  effects: [...upgradeEffects, collectedLater],
  verb: "Change package of",
  target: resoldService,
  backupFirst: "reseller service backup",
  input: z.object({ to: z.string().meta({ title: "New package" }) }),
  choices: {
    async to({ client, target }) {
      const [found, products] = await Promise.all([readUpgrades(client, target.serviceId), listProducts(client)]);
      return possible(target, found, products).map((product) => ({
        value: product.id,
        label: product.name,
        description: priceOn(target, product) ?? "price unknown",
      }));
    },
  },
  usable: ({ target }) => requireActive(target),
  async review({ client, target, input }) {
    const [found, change] = await Promise.all([
      readUpgrades(client, target.serviceId),
      readSoldChange(client, target, ({ id }) => id === input.to),
    ]);
    const { product, kind, now, after, leftOut, losses } = change;
    if (!product) throw new Refusal("That package is not in your catalogue. Nothing was charged.");
    refuseSecond(target, found);
    const { name: to } = product;
    const { productName: from } = target;
    const fromWords = from ? code(from) : "its present package, which the platform does not name,";
    const later = priceOn(target, product);
    const present = presentPrice(target);
    // With both prices the sentence says the fact of the price, which is then not repeated.
    const named = `Later billing is ${later}, excl. VAT.${present === null ? " The present price is not shown by the platform." : ` It is ${present} now.`}`;
    const prices = `${later === null ? "The platform does not name the new price." : named} The platform raises a document with the amount due now.`;
    const toWords = from === to ? `another ${toldApart(target, product)}` : code(to);
    return {
      title: capital(kind),
      press: plainly`${capital(kind)} ${soldName(target)} to ${to}`,
      back: "Keep its package",
      consequence: `${soldWords(target)} will change from ${fromWords} to ${toWords}.${losses.length > 0 ? "" : ` ${prices}`}`,
      // A dialog has room for the first sentences: what is lost comes before the prices.
      warnings:
        losses.length > 0
          ? [...losses, "This will happen when the change is paid, or at once if nothing is due.", prices]
          : [],
      preconditions: {
        from: from
          ? nameIs("Package now", from)
          : { value: null, label: "Package now", text: "not shown by the platform" },
        to: nameIs("New package", to),
        ...sizePreconditions(now, after),
        ...leftOutIs(leftOut),
        ...newPrice(target, product),
        offer: { ...textIs("The platform's offer", offerText(found, product)), decides: "known" },
      },
      shown: [
        costFact("Costs you now", target),
        {
          label: "Collected",
          value:
            "The platform charges you at once, or raises a document that you pay. The platform may have to approve the change, which can take days.",
          decides: "unknown",
        },
      ],
      price: "unknown",
      before: { kind, from: from ?? "its present package", to },
    };
  },
  async run({ client, target, input, name }, before) {
    const { kind, from, to } = Before.parse(before);
    const change = await changePackage(client, target.serviceId, input.to);
    // The change is accepted already, so a failed read here must not fail it.
    const announced = await readUpgrades(client, target.serviceId).then(isPending, () => false);
    const document = change.billingDocumentId ?? null;
    const pay = change.status === "awaiting_payment" ? paySteps({ invoice_id: document, proforma_id: null }) : [];
    return {
      text: `The ${kind} of ${name} to ${code(to)} is accepted. ${waitWords(change)}`,
      handle: { kind, from, to, document, announced },
      order: change.orderId ?? undefined,
      next: [...pay, showStep(target.serviceId)],
    };
  },
  async reconcile({ client, target, name }, { before }) {
    const { kind, from, to } = Before.parse(before);
    const { row, pendingUpgrade } = await readChangeState(client, target.serviceId);
    if (showsChange(row, { from, to }))
      return { is: "done", text: `the ${kind} took effect: ${name} is ${code(to)} now.` };
    if (from === to && (pendingUpgrade === null || pendingUpgrade === undefined))
      return {
        is: "unsure",
        text: `${name} is ${code(from)}, which is the name of both packages. The platform shows no pending change.`,
      };
    if (pendingUpgrade === undefined)
      return {
        is: "unsure",
        text: `${name} is still ${code(from)}. The platform does not show if a change is pending.`,
      };
    if (pendingUpgrade === null)
      return { is: "not done", text: `${name} is still ${code(from)}, and no change is pending.` };
    const handle = { kind, from, to, document: null, announced: true };
    return { is: "done", text: `the ${kind} of ${name} to ${code(to)} is pending.`, handle };
  },
  follow: {
    every: 10_000,
    // No route shows the progress, and the supplier may take days to agree.
    deadline: 7 * 24 * 60 * 60_000,
    handle: Handle,
    poll: changeProgress,
  },
});

/**
 * The service after its pending change. A change that takes effect between the two reads is in the second one; read the other way round, it
 * would be in neither, and end as withdrawn.
 */
async function readChangeState(client: ResellerClient, serviceId: string) {
  const { pendingUpgrade } = await readUpgrades(client, serviceId);
  return { pendingUpgrade, row: await readService(client, serviceId) };
}

/** The progress of a change, by the service's product name; `pendingUpgrade` shows if it still waits. Reseller spec sections 4.3 and 9. */
async function changeProgress(
  { client, targetId, since, now }: PollCall<"reseller">,
  handle: z.infer<typeof Handle>,
): Promise<Progress> {
  const { row, pendingUpgrade } = await readChangeState(client, targetId);
  const name = code(soldName(row));
  const next = [showStep(targetId)];
  if (showsChange(row, handle))
    return { state: "done", text: `The ${handle.kind} took effect: ${name} is ${code(handle.to)} now.`, next };
  const elapsed = now - since;
  const pay = paySteps({ invoice_id: handle.document, proforma_id: null });
  const isOver = pendingUpgrade === null && elapsed > settledAfter;
  if (isOver && handle.from === handle.to)
    return {
      state: "done",
      endUnknown: true,
      text: `The platform shows no pending change of ${name}. Both packages are called ${code(handle.to)}, so nothing shows if it changed. Compare its price.`,
      next: [...pay, ...next],
    };
  if (isOver && handle.announced)
    return {
      state: "failed",
      text: `${name} is still ${code(row.productName ?? handle.from)}, and no change is pending any more: it was withdrawn or refused. Ask the platform's support.`,
      next,
    };
  return {
    state: "working",
    text: `${name} is still ${code(row.productName ?? handle.from)}. The ${handle.kind} waits for payment, the platform's approval, or the work itself.`,
    next: [...pay, ...next],
    every: Math.min(10 * 60_000, Math.max(10_000, elapsed / 5)),
  };
}

const settledAfter = 60_000;

const statusWords: Record<PackageChange["status"], string> = {
  pending: "The change begins soon.",
  awaiting_payment: "The change applies after you pay its document.",
  executing: "The change is being applied.",
  awaiting_admin: "The platform must approve the change, which may take days.",
};

function waitWords(change: PackageChange): string {
  const { status, billingDocumentNumber: number, message } = change;
  return [
    statusWords[status],
    ...(number ? [`Its document is ${code(number)}.`] : []),
    ...(isFree(change) ? ["There is no document: the change costs nothing now."] : []),
    ...(message ? [sentence(prose(message, 300))] : []),
  ].join(" ");
}

/**
 * True only where the platform says that there is no document: a field that is missing says nothing. A null document alone does not make a
 * change free either: it may come later, or be the month's proforma. Reseller spec sections 2.3, 3.4 and 4.
 */
function isFree(change: PackageChange): boolean {
  const { status, billingDocumentType: type, billingDocumentId: id, billingDocumentNumber: number, orderId } = change;
  return type === null && !id && !number && !orderId && status !== "awaiting_payment" && status !== "awaiting_admin";
}

function isPending({ pendingUpgrade }: Upgrades): boolean {
  return pendingUpgrade !== null && pendingUpgrade !== undefined;
}

/** The endpoints that are read for `pendingLosses`. */
export const pendingReads = [readService, readUpgrades, listProducts, readOptions] as const;

/** The losses of a package change that waits, as sentences; empty if none waits. The spec shows nothing of a pending change. */
export async function pendingLosses(client: ResellerClient, serviceId: string): Promise<string[]> {
  const [row, found] = await Promise.all([readService(client, serviceId), readUpgrades(client, serviceId)]);
  if (!isPending(found)) return [];
  const { losses } = await readSoldChange(client, row, ({ id }) => holds(found.pendingUpgrade, id));
  return losses.length === 0 ? [] : [`The package change of ${code(soldName(row))} that waits may begin.`, ...losses];
}

/** The platform accepts one change at a time. This check refuses a second one before anybody approves. */
function refuseSecond(row: Service, found: Upgrades): void {
  if (!isPending(found)) return;
  throw new Refusal(
    `A package change of ${code(soldName(row))} is pending already. Nothing was charged. Wait until that change has ended.`,
    [{ label: "Packages", command: "reseller service upgrades", target: row.serviceId }],
  );
}

function amountOn(row: Service, { pricing }: Product): string | null {
  return pricesOf(pricing).find(({ cycle }) => cycle === cycleIn(row.billingCycle))?.price ?? null;
}

/** A change to another package, as the catalogue names it. `product` is null if it has no such package. */
interface SoldChange extends SizeChange {
  product: Product | null;
}

/** The catalogue and the service's add-ons. */
const readGoods = oncePer((row: Service, client: ResellerClient) =>
  Promise.all([listProducts(client), readOptions(client, row.serviceId)]),
);

/** `isNew` tells the new package from the others. The spec shows no size of a service itself. */
async function readSoldChange(
  client: ResellerClient,
  row: Service,
  isNew: (product: Product) => boolean,
): Promise<SoldChange> {
  const [products, { active }] = await readGoods(row, client);
  const [only, other] = products.filter(isNew);
  const product = (!other && only) || null;
  const present = soldProduct(row, products);
  const offered = (product?.options ?? []).map(({ id }) => id);
  const leftOut = active.filter((option) => !offered.includes(quantityOf(option)?.optionId ?? "")).map(activeAddOn);
  const sizes = { now: sizeInSpecs(present?.specs), after: sizeInSpecs(product?.specs), leftOut };
  const [from, to] = [present, product].map((one) => one && amountOn(row, one));
  return { product, ...sizeChange(sizes, from && to ? [from, to] : null) };
}
