import type { Precondition } from "../../operation/answer.ts";
import { wrongInput } from "../../operation/errors.ts";
import { unitsOf } from "../../platform/amounts.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import type { Service, ServiceDetail } from "../../platform/customer/services.ts";
import { previewUpgrades, type UpgradeOffer, type UpgradePreview } from "../../platform/customer/upgrades.ts";
import { readVps, type Vps } from "../../platform/customer/vps.ts";
import { perCycle } from "../../views/cycles.ts";
import { money } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { type PlanSize, sizeInSpecs } from "../kits/plan-change.ts";
import { serviceName } from "./service.ts";

export interface PlanChange {
  preview: UpgradePreview;
  offer: UpgradeOffer;
  now: PlanSize;
  after: PlanSize;
}

/** A change to a smaller disk or a lower price is a downgrade. Prices of two billing cycles do not compare. */
export function kindOfChange({ preview: { service }, offer, now, after }: PlanChange): "upgrade" | "downgrade" {
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

/** The offer of that plan, and the sizes of now and after. */
export async function readChange(client: CustomerClient, target: ServiceDetail, to: string): Promise<PlanChange> {
  const { preview, now } = await readPlans(client, target);
  const offer = preview.upgrades.find(({ toProductId }) => toProductId === to);
  if (!offer) throw wrongInput("to", "This service cannot change to that plan.");
  return { preview, offer, now, after: sizeInSpecs(offer.toSpecs) };
}

type Plans = Pick<PlanChange, "preview" | "now">;
const readings = new WeakMap<ServiceDetail, Promise<Plans>>();

/** The plans on offer, and the present size: read once for each reading of the service. Only a VPS has a page that names its size. */
export function readPlans(client: CustomerClient, target: ServiceDetail): Promise<Plans> {
  const known = readings.get(target);
  if (known) return known;
  const { id, serviceType } = target.service;
  const read = Promise.all([previewUpgrades(client, id), serviceType === "vps" ? readVps(client, id) : null]).then(
    ([preview, machine]) => ({ preview, now: machine ? presentSize(machine) : sizeInSpecs(target.service.specs) }),
  );
  readings.set(target, read);
  return read;
}

function presentSize({ instance, specs }: Vps): PlanSize {
  const { cpu, memoryMb, diskGb } = sizeInSpecs(specs);
  return {
    cpu: instance?.vcpus ?? cpu,
    memoryMb: instance?.memory_mb ?? memoryMb,
    diskGb: instance?.disk_gb ?? diskGb,
  };
}
