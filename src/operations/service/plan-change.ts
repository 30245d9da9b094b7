import type { Precondition } from "../../operation/answer.ts";
import { unitsOf } from "../../platform/amounts.ts";
import { readProduct } from "../../platform/customer/catalog.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { listAvailableOptions, listServiceOptions } from "../../platform/customer/options.ts";
import type { Service, ServiceDetail } from "../../platform/customer/services.ts";
import { previewUpgrades, type UpgradeOffer, type UpgradePreview } from "../../platform/customer/upgrades.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { oncePer } from "../../process/once-per.ts";
import { perCycle } from "../../views/cycles.ts";
import { money } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { leftOutLoss } from "../kits/add-on-loss.ts";
import { diskLoss, type PlanSize, sizeInSpecs } from "../kits/plan-change.ts";
import { serviceAddOns } from "./options.ts";
import { serviceName } from "./service.ts";

/** The endpoints that are read for a change of plan. */
export const changeReads = [previewUpgrades, readVps, listServiceOptions, listAvailableOptions, readProduct] as const;

export interface PlanChange {
  preview: UpgradePreview;
  offer: UpgradeOffer;
  now: PlanSize;
  after: PlanSize;
  /** The add-ons of the service that the new plan does not offer, as mrkdwn. */
  leftOut: string[];
  /** A sentence for each loss; empty if it surely loses nothing. */
  losses: string[];
}

/** A change to a smaller disk or a lower price is a downgrade. Prices of two billing cycles do not compare. */
export function kindOfChange({
  preview: { service },
  offer,
  now,
  after,
}: Pick<PlanChange, "preview" | "offer" | "now" | "after">): "upgrade" | "downgrade" {
  const isCheaper =
    offer.billingCycle === service.billingCycle && unitsOf(offer.newCyclePrice) < unitsOf(service.amount);
  const isSmaller = now.diskGb !== null && after.diskGb !== null && after.diskGb < now.diskGb;
  return isSmaller || isCheaper ? "downgrade" : "upgrade";
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
  const { preview, now } = await readPlans(target, client);
  const offer = preview.upgrades.find(({ toProductId }) => toProductId === to);
  if (!offer) return null;
  const after = sizeInSpecs(offer.toSpecs);
  const leftOut = await readLeftOut(offer, client, target.service.id);
  const losses = [diskLoss(now, after), leftOutLoss(leftOut)].filter((loss) => loss !== null);
  return { preview, offer, now, after, leftOut, losses };
}

/** The add-ons that the plan does not offer: the service follows its catalogue from then on (spec 4.5). An offer is of one service. */
const readLeftOut = oncePer(async ({ toProductId }: UpgradeOffer, client: CustomerClient, id: string) => {
  const held = (await serviceAddOns(client, id).catch(nullIfRefused(400, 403, 404))) ?? [];
  if (held.length === 0) return [];
  const product = await readProduct(client, toProductId).catch(nullIfRefused(403, 404));
  const offered = (product?.options ?? []).map((option) => option.id);
  return held.filter(({ option }) => !offered.includes(option.option_id)).map(({ title }) => code(title, 60));
});

/** The plans on offer, and the present size. Only a VPS has a page that names its size. */
export const readPlans = oncePer(
  async ({ service: { id, serviceType, specs } }: ServiceDetail, client: CustomerClient) => {
    const [preview, machine] = await Promise.all([
      previewUpgrades(client, id),
      serviceType === "vps" ? readVps(client, id) : null,
    ]);
    return { preview, now: machine ? presentSize(machine) : sizeInSpecs(specs) };
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
