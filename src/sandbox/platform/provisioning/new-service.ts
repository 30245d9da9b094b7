import { randomUUID } from "node:crypto";
import type { Order } from "../customer/orders/rows.ts";
import type { OrderLine } from "../customer/orders/rules.ts";
import { billedText, monthsOf, toCents } from "../money/money.ts";
import type { Service, ServiceBase } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { buildVps } from "./build-vps.ts";

interface Wish {
  order: Order;
  line: OrderLine;
  hostname: string | undefined;
  /** Tells the copies of one order apart. */
  suffix: string;
}

/** The row of a service that was ordered and is not paid for yet. */
export function newService(world: World, wish: Wish): Service {
  const service = rowFor(world, wish);
  world.services.set(service.id, service);
  return service;
}

function rowFor(world: World, { order, line, hostname, suffix }: Wish): Service {
  const { product } = line;
  const label = hostname?.split(".")[0] ?? product.name.toLowerCase().replaceAll(" ", "-");
  const base: ServiceBase = {
    id: randomUUID(),
    holder: order.holder,
    name: `${label}${suffix}`,
    hostname: hostname ?? null,
    status: "pending_payment",
    provider: product.provider,
    product: { id: product.id, name: product.name },
    billing: { cycle: line.body.billingCycle, amount: billed(line), currency: "EUR", next_due_date: null },
    cancellation: null,
    location: line.location ?? null,
    failure: null,
    specs: product.specs,
    project_id: order.project_id,
    created_at: isoNow(world),
    order_id: order.id,
  };
  if (product.kind === "vps") return newVps(world, base, line);
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

function newVps(world: World, base: ServiceBase, { product, body, customImage }: OrderLine): Service {
  const { product: _, ...facts } = base;
  const at = { holder: base.holder, project: base.project_id };
  const vps = buildVps(world, at, world.services.size, base.name, { ...facts, product: product.name, instance: null });
  if (product.provider !== "native") {
    Object.assign(vps.capabilities, { provider_dependent: true, snapshots: false, images: false });
  }
  const image = vps.templates.find((one) => one.id === body.configuration.os_image_id);
  vps.ordered_os = customImage?.name ?? image?.name ?? vps.templates[0]?.name ?? null;
  return vps;
}

/** What it bills each time: the surcharge of its location stays with it. */
function billed({ product, body, location }: OrderLine): string {
  if (body.billingCycle === "hourly") return (product.hourly ?? 0).toFixed(4);
  const surcharge = product.locations.find((place) => place.value === location)?.surcharge?.monthly ?? 0;
  return billedText((product.monthly + toCents(surcharge)) * monthsOf[body.billingCycle]);
}
