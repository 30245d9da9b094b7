import type { CustomerClient } from "../../platform/customer/client.ts";
import { listAvailableOptions } from "../../platform/customer/options.ts";
import type { Order } from "../../platform/customer/orders.ts";
import type { ServiceDetail } from "../../platform/customer/services.ts";
import { readUpgrade, type Upgrade, type UpgradeOffer, type UpgradePreview } from "../../platform/customer/upgrades.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { code, listing } from "../../views/text.ts";
import { addOnLoss } from "../kits/add-on-loss.ts";
import { mentions, namesIn } from "../kits/mentions.ts";
import { diskLoss, sizeInSpecs } from "../kits/plan-change.ts";
import { optionTitle, serviceAddOns } from "./options.ts";
import { changeSubject, kindOfChange, type PlanChange, readChange, readPlans } from "./plan-change.ts";
import { serviceName } from "./service.ts";

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
  const texts = [preview.pendingUpgrade, upgrade, order, document];
  const named = namedOffer(texts, preview);
  const plan = named && (await readChange(client, service, named.toProductId));
  if (plan) {
    const what = changeSubject(kindOfChange(plan), row, plan.offer.toProductName);
    return { ...change, what, plan, losses: plan.losses };
  }
  const { held, areNamed, removed } = await readAddOns(client, row.id, texts);
  const name = code(serviceName(row));
  if (areNamed)
    return { ...change, what: `The change of add-ons of ${name}`, plan: null, losses: present(addOnLoss(removed)) };
  const after = sizeInSpecs(null);
  const unnamed = held.length > 0 ? `The platform does not name the new add-ons. ${listing(held)} may end.` : null;
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

interface AddOn {
  title: string;
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
    ...(available ?? []).map((option) => [option.id, { title: optionTitle(option), isHeld: false }] as const),
    ...(held ?? []).map(({ option, title }) => [option.option_id, { title, isHeld: true }] as const),
  ]);
  const titles = namesIn(
    texts,
    [...addOns.values()].map(({ title }) => title),
  );
  const named = [...addOns].filter(([option, { title }]) => titles.has(title) || mentions(texts, [option]));
  const heldOf = (all: AddOn[]) => all.filter(({ isHeld }) => isHeld).map(({ title }) => code(title, 60));
  return {
    held: heldOf([...addOns.values()]),
    areNamed: named.length > 0,
    removed: heldOf(named.map(([, addOn]) => addOn)),
  };
}
