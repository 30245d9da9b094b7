import * as z from "#zod";
import type { Precondition } from "../../operation/answer.ts";
import { amountOf, unitsOf } from "../../platform/amounts.ts";
import { readProduct } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listAvailableOptions, listServiceOptions } from "../../platform/customer/options.ts";
import type { Order } from "../../platform/customer/orders.ts";
import type { Service, ServiceDetail } from "../../platform/customer/services.ts";
import {
  previewUpgrades,
  readUpgrade,
  type Upgrade,
  type UpgradeOffer,
  type UpgradePreview,
} from "../../platform/customer/upgrades.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { oncePer } from "../../process/once-per.ts";
import { characters } from "../../process/plain-text.ts";
import { money, perCycle } from "../../views/format.ts";
import { capital, code, listing } from "../../views/text.ts";
import { addOnLoss, addOnWords, type HeldAddOn } from "../kits/add-ons.ts";
import { mentions, namesIn, textsIn } from "../kits/mentions.ts";
import { diskLoss, type PlanSize, type SizeChange, sizeChange, sizeInSpecs } from "../kits/plan-change.ts";
import { optionTitle, serviceAddOns } from "./options.ts";
import { serviceName } from "./service.ts";

/** The endpoints that are read for a change of plan. */
export const changeReads = [previewUpgrades, readVps, listServiceOptions, listAvailableOptions, readProduct] as const;

export interface PlanChange extends SizeChange {
  preview: UpgradePreview;
  offer: UpgradeOffer;
  /** The present plan and the one on offer, as they are recognised later. */
  marks: { now: PlanMarks; after: PlanMarks };
}

/**
 * The facts by which a service shows its plan; null for one that the platform does not name. Several plans may share a name or a size, and
 * only a VPS names the id of its plan (spec section 2.3).
 */
export const PlanMarks = z.object({
  id: z.string().nullable(),
  name: z.string(),
  price: z.string(),
  disk: z.string().nullable(),
});
export type PlanMarks = z.infer<typeof PlanMarks>;

function priceMark(amount: string, cycle: string): string {
  return `${amountOf(unitsOf(amount))} ${cycle}`;
}

function diskMark({ diskGb }: PlanSize): string | null {
  return diskGb === null ? null : String(diskGb);
}

/** After an unknown outcome: has the plan of before become the one on offer? Undefined if the platform does not show it. */
export function becamePlan(now: PlanMarks, before: { now: PlanMarks; after: PlanMarks }): boolean | undefined {
  const { now: was, after } = before;
  if (now.id !== null && now.id === after.id) return true;
  const became = (["name", "price", "disk"] as const).some(
    (mark) => now[mark] !== null && now[mark] === after[mark] && now[mark] !== was[mark],
  );
  if (became) return now.id === null ? true : undefined;
  const isSame = now.id === null ? was.name !== after.name && now.name === was.name : now.id === was.id;
  return isSame && now.price === was.price ? false : undefined;
}

/** The price of a cycle, of now and after. */
export function pricePrecondition({ preview, offer }: Pick<PlanChange, "preview" | "offer">, currency: string | null) {
  const { amount, billingCycle } = preview.service;
  const now = perCycle(money(amount, currency), billingCycle);
  const after = perCycle(money(offer.newCyclePrice, currency), offer.billingCycle);
  return {
    value: [offer.newCyclePrice, currency, offer.billingCycle],
    label: "Price",
    text: `${now} → ${after}`,
  } satisfies Precondition;
}

/** The subject of the sentences about a change: "The upgrade of `web-1` to `VPS L`". */
export function changeSubject(kind: string, row: Service, to: string | null): string {
  return `The ${kind} of ${code(serviceName(row))} to ${to === null ? "another plan" : code(to)}`;
}

/** The change to that plan; null if it is not on offer. */
export async function readChange(
  client: CustomerClient,
  target: ServiceDetail,
  to: string,
): Promise<PlanChange | null> {
  const { preview, now, marks } = await readPlans(target, client);
  const offer = preview.upgrades.find(({ toProductId }) => toProductId === to);
  if (!offer) return null;
  const { amount, billingCycle } = preview.service;
  const size = sizeInSpecs(offer.toSpecs);
  const after = {
    id: offer.toProductId,
    name: offer.toProductName,
    price: priceMark(offer.newCyclePrice, offer.billingCycle),
    disk: diskMark(size),
  };
  const leftOut = await readLeftOut(offer, client, target.service.id);
  const prices = offer.billingCycle === billingCycle ? ([amount, offer.newCyclePrice] as const) : null;
  return { preview, offer, marks: { now: marks, after }, ...sizeChange({ now, after: size, leftOut }, prices) };
}

/** The add-ons that the plan does not offer: the service follows its catalogue from then on (spec 4.5). An offer is of one service. */
const readLeftOut = oncePer(async ({ toProductId }: UpgradeOffer, client: CustomerClient, id: string) => {
  const held = (await serviceAddOns(client, id).catch(nullIfRefused(400, 403, 404))) ?? [];
  if (held.length === 0) return [];
  const product = await readProduct(client, toProductId).catch(nullIfRefused(403, 404));
  const offered = (product?.options ?? []).map((option) => option.id);
  return held.filter(({ option }) => !offered.includes(option.option_id));
});

/** The plans on offer, and the present size. Only a VPS has a page that names its size. */
export const readPlans = oncePer(
  async ({ service: { id, serviceType, specs } }: ServiceDetail, client: CustomerClient) => {
    const [preview, machine] = await Promise.all([
      previewUpgrades(client, id),
      serviceType === "vps" ? readVps(client, id) : null,
    ]);
    const now = machine ? presentSize(machine) : sizeInSpecs(specs);
    const { productName: name, amount, billingCycle } = preview.service;
    const price = priceMark(amount, billingCycle);
    const marks: PlanMarks = { id: machine?.product.id ?? null, name, price, disk: diskMark(now) };
    return { preview, now, marks };
  },
);

function presentSize({ instance, specs }: Vps): PlanSize {
  const { cpu, memoryMb, diskGb } = sizeInSpecs(specs);
  return {
    cpu: instance?.vcpus ?? cpu,
    memoryMb: instance?.memory_mb ?? memoryMb,
    diskGb: instance?.disk_gb ?? diskGb,
  };
}

/** The acts of a change of add-ons. */
export const changesAddOns = ["options change", "option add", "option remove"] as const;

/** A change of a service's plan or add-ons that has not ended, as the platform shows it. */
interface OpenChange {
  service: ServiceDetail;
  upgrade: Upgrade;
  order: Order | null;
}

/** The same with what it does. The spec shows no more of a change than its state, so the new plan and the add-ons may be unknown. */
export interface PendingChange extends OpenChange {
  /** The subject of the sentences about it: "The downgrade of `web-1` to `VPS S`". */
  what: string;
  /** The plans and sizes of now and after; null for a change of add-ons. `offer` is null if the platform does not name the new plan. */
  plan: (Pick<PlanChange, "preview" | "now" | "after"> & { offer: UpgradeOffer | null }) | null;
  /** A sentence for each loss; empty if it surely loses nothing. */
  losses: string[];
}

/** The change of a service that has not ended; null if there is none. */
export async function readOpenChange(client: CustomerClient, service: ServiceDetail): Promise<OpenChange | null> {
  const { preview } = await readPlans(service, client);
  return preview.pendingUpgrade && { service, ...(await readUpgrade(client, preview.pendingUpgrade.id)) };
}

/** `document` is that of the change: its lines, too, may name the new plan or the add-ons. */
export async function describeChange(
  client: CustomerClient,
  change: OpenChange,
  document: unknown = null,
): Promise<PendingChange> {
  const { service, upgrade, order } = change;
  const { service: row } = service;
  const { preview, now } = await readPlans(service, client);
  const texts = [...new Set(textsIn([preview.pendingUpgrade, upgrade, order, document]))];
  const named = namedOffer(texts, preview);
  const plan = named && (await readChange(client, service, named.toProductId));
  if (plan) {
    const what = changeSubject(plan.kind, row, plan.offer.toProductName);
    return { ...change, what, plan, losses: plan.losses };
  }
  const { held, areNamed, removed } = await readAddOns(client, row.id, texts);
  const name = code(serviceName(row));
  if (areNamed)
    return { ...change, what: `The change of add-ons of ${name}`, plan: null, losses: present(addOnLoss(removed)) };
  const after = sizeInSpecs(null);
  const unnamed =
    held.length > 0
      ? `The platform does not name the new add-ons. ${capital(listing(held.map(addOnWords)))} may end.`
      : null;
  return {
    ...change,
    what: `The change of ${name}`,
    plan: { preview, offer: null, now, after },
    losses: present(diskLoss(now, after), unnamed),
  };
}

function present(...sentences: (string | null)[]): string[] {
  return sentences.filter((sentence) => sentence !== null);
}

/** The one plan on offer that the texts name, by its id or its name. The present plan is in them as well. */
function namedOffer(texts: unknown, { service, upgrades }: UpgradePreview): UpgradeOffer | null {
  const names = namesIn(texts, [service.productName, ...upgrades.map(({ toProductName }) => toProductName)]);
  names.delete(service.productName);
  const byId = upgrades.filter(({ toProductId }) => mentions(texts, [toProductId]));
  const named = byId.length > 0 ? byId : upgrades.filter(({ toProductName }) => names.has(toProductName));
  const [only, other] = named;
  return only && !other ? only : null;
}

interface AddOn extends HeldAddOn {
  isHeld: boolean;
}

/** The titles of the service's add-ons, and of those among them that the texts name: an add-on that it has cannot be added (spec 2.8). */
async function readAddOns(client: CustomerClient, id: string, texts: unknown) {
  const refused = nullIfRefused(400, 403, 404);
  const [held, available] = await Promise.all([
    serviceAddOns(client, id).catch(refused),
    listAvailableOptions(client, id).catch(refused),
  ]);
  const addOns = new Map<string, AddOn>([
    ...(available ?? []).map(
      (option) => [option.id, { name: optionTitle(option), quantity: 1, isHeld: false }] as const,
    ),
    ...(held ?? []).map(({ option, ...addOn }) => [option.option_id, { ...addOn, isHeld: true }] as const),
  ]);
  const titles = namesIn(
    texts,
    [...addOns.values()].map(({ name }) => characters(name)),
  );
  const named = [...addOns].filter(([option, { name }]) => titles.has(characters(name)) || mentions(texts, [option]));
  const heldOf = (all: AddOn[]) => all.filter(({ isHeld }) => isHeld);
  return {
    held: heldOf([...addOns.values()]),
    areNamed: named.length > 0,
    removed: heldOf(named.map(([, addOn]) => addOn)),
  };
}
