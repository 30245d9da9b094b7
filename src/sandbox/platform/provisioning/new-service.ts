import { randomUUID } from "node:crypto";
import { addAddOn } from "../money/add-ons.ts";
import { billedText, monthsOf, toCents } from "../money/money.ts";
import type { Product } from "../world/catalogue.ts";
import type { CustomImage } from "../world/custom-image.ts";
import type { Order } from "../world/order.ts";
import type { Cycle, Service, ServiceBase } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { buildVps } from "./build-vps.ts";

interface NewService {
  order: Order;
  product: Product;
  billingCycle: Cycle;
  location: string | undefined;
  options: { optionId: string; quantity: number }[];
  /** The image to install: one of the product's, or a custom one. */
  osImageId: string | undefined;
  customImage: CustomImage | undefined;
  hostname: string | undefined;
  /** Distinguishes the copies of one order. */
  suffix: string;
}

/** The row of a service that was ordered and is not paid for yet, with the add-ons that were ordered along. */
export function newService(world: World, ordered: NewService): Service {
  const service = rowFor(world, ordered);
  world.services.set(service.id, service);
  for (const { optionId, quantity } of ordered.options) {
    const option = ordered.product.options.find((one) => one.id === optionId);
    const terms = { status: "pending_payment", quantity, billing_cycle: ordered.billingCycle } as const;
    if (option !== undefined) addAddOn(world, service.id, option, terms);
  }
  return service;
}

function rowFor(world: World, ordered: NewService): Service {
  const { order, product, billingCycle, location, hostname, suffix } = ordered;
  const label = hostname?.split(".")[0] ?? product.name.toLowerCase().replaceAll(" ", "-");
  const base: ServiceBase = {
    id: randomUUID(),
    holder: order.holder,
    name: `${label}${suffix}`,
    hostname: hostname ?? null,
    status: "pending_payment",
    provider: product.provider,
    product: { id: product.id, name: product.name },
    billing: { cycle: billingCycle, amount: billed(ordered), currency: "EUR", next_due_date: null },
    cancellation: null,
    location: location ?? null,
    failure: null,
    specs: product.specs,
    project_id: order.project_id,
    created_at: isoNow(world),
    order_id: order.id,
  };
  if (product.kind === "vps") return newVps(world, base, ordered);
  if (product.kind === "unknown") return { ...base, kind: "unknown" };
  if (product.kind === "game") {
    const game = { title: "Practice Craft", state: "stopped", slots: 20, runtime: true, linked: true } as const;
    return { ...base, kind: "game", game };
  }
  return {
    ...base,
    kind: "dedicated",
    hardware: null,
    power_state: "unknown",
    provision_state: "available",
    os_installation: null,
    provisioning_managed: true,
    controller_broken: false,
    ip_addresses: [],
    templates: product.templates,
  };
}

function newVps(world: World, base: ServiceBase, { product, osImageId, customImage }: NewService): Service {
  const { product: _, ...facts } = base;
  const at = { holder: base.holder, project: base.project_id };
  const vps = buildVps(world, at, world.services.size, base.name, { ...facts, product: product.name, instance: null });
  if (product.provider !== "native") {
    Object.assign(vps.capabilities, { provider_dependent: true, snapshots: false, images: false });
  }
  const image = vps.templates.find((one) => one.id === osImageId);
  vps.ordered_os = customImage?.name ?? image?.name ?? vps.templates[0]?.name ?? null;
  return vps;
}

/** The price of each cycle: the surcharge of its location stays with it. */
function billed({ product, billingCycle, location }: NewService): string {
  if (billingCycle === "hourly") return (product.hourly ?? 0).toFixed(4);
  const surcharge = product.locations.find((place) => place.value === location)?.surcharge?.monthly ?? 0;
  return billedText((product.monthly + toCents(surcharge)) * monthsOf[billingCycle]);
}
