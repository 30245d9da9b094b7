import { addAddOn } from "../money/add-ons.ts";
import { billedText } from "../money/money.ts";
import { newIpv4, newIpv6 } from "../provisioning/addresses.ts";
import { productId } from "../world/catalogue.ts";
import { seededId } from "../world/ids.ts";
import { images } from "../world/os-images.ts";
import type { Dedicated, Game, PluginService, Service, ServiceBase } from "../world/service.ts";
import { newSshKey } from "../world/ssh-key.ts";
import { isoNow, type World } from "../world/world.ts";

const day = 86_400_000;

/** The services that are no VPS (metal, games, mail), with the add-ons, backups and SSH keys of services. */
export function seedEstate(world: World, holder: string): void {
  const services: Service[] = [
    metal(world, holder, "metal-1", {}),
    metal(world, holder, "metal-2", { provisioning_managed: false, power_state: "off" }),
    metal(world, holder, "metal-broken-controller", { controller_broken: true }),
    metal(world, holder, "metal-pending", {
      status: "pending",
      hardware: null,
      power_state: "unknown",
      ip_addresses: [],
    }),
    metal(world, holder, "metal-suspended", { status: "suspended" }),
    game(world, holder, "arena-1", {}),
    game(world, holder, "arena-2", { state: "stopped" }),
    game(world, holder, "arena-stubbed", { runtime: false }),
    game(world, holder, "arena-unlinked", { linked: false }),
    plugin(world, holder, "mailboxes"),
    foreign(world, holder, "leased-1", "upstream", "Leased VPS"),
    foreign(world, holder, "transit-1", "transit", "IP transit 1G"),
    foreign(world, holder, "rack-1", "colocation", "Rack unit"),
  ];
  for (const service of services) world.services.set(service.id, service);
  const web1 = seededId("vps", holder, "web-1", 0);
  const backup = world.catalogue.products.get(productId("VPS L"))?.options[0];
  if (backup !== undefined) {
    addAddOn(world, web1, backup, { status: "active", quantity: 1, billing_cycle: "monthly" });
  }
  seedBackups(world);
  seedSshKeys(world, holder);
}

function base(world: World, holder: string, kind: Service["kind"], name: string, productName: string): ServiceBase {
  const product = world.catalogue.products.get(productId(productName));
  if (product === undefined) throw new Error(`There is no product ${productName}`);
  const now = world.clock.now();
  return {
    id: seededId(kind, holder, name),
    holder,
    name,
    hostname: `${name}.example.test`,
    status: "active",
    provider: product.provider,
    product: { id: product.id, name: product.name },
    billing: {
      cycle: "monthly",
      amount: billedText(product.monthly),
      currency: "EUR",
      next_due_date: new Date(now + 11 * day).toISOString(),
    },
    cancellation: null,
    location: "es-mad",
    failure: null,
    specs: product.specs,
    project_id: seededId("project", holder, "production"),
    created_at: new Date(now - 90 * day).toISOString(),
    order_id: null,
  };
}

function metal(world: World, holder: string, name: string, overrides: Partial<Dedicated>): Dedicated {
  return {
    ...base(world, holder, "dedicated", name, "Metal 1"),
    kind: "dedicated",
    hardware: {
      name: `rack-${name}`,
      manufacturer: "Practice Metal",
      model: "PM-1",
      specs: { cpu: "16 cores", ram_gb: 64, disks: ["2 x 1 TB NVMe"] },
      status: "in_use",
    },
    power_state: "on",
    provision_state: "active",
    os_installation: "completed",
    provisioning_managed: true,
    controller_broken: false,
    ip_addresses: [newIpv4(world), newIpv6(world)],
    templates: [images.debian, images.ubuntu],
    ...overrides,
  };
}

function game(world: World, holder: string, name: string, overrides: Partial<Game["game"]>): Game {
  return {
    ...base(world, holder, "game", name, "Game box"),
    kind: "game",
    game: { title: "Practice Craft", state: "running", slots: 20, runtime: true, linked: true, ...overrides },
  };
}

function plugin(world: World, holder: string, name: string): PluginService {
  return { ...base(world, holder, "unknown", name, "Mail hosting"), kind: "unknown" };
}

/** A service that neither the platform nor a plugin can control; its product is no longer sold. */
function foreign(world: World, holder: string, name: string, provider: string, product: string): PluginService {
  const id = productId(product);
  return { ...plugin(world, holder, name), provider, product: { id, name: product }, specs: null };
}

function seedBackups(world: World): void {
  const plugin1 = [...world.services.values()].find((service) => service.name === "plugin-1");
  if (plugin1 === undefined) return;
  const rows = [1, 2].map((age) => ({
    id: seededId("backup", plugin1.id, age),
    name: `daily-${age}`,
    created_at: new Date(world.clock.now() - age * day).toISOString(),
    size_mb: 1100 + age,
    state: "complete" as const,
  }));
  world.plugins.get(plugin1.provider)?.backups.set(plugin1.id, rows);
}

function seedSshKeys(world: World, holder: string): void {
  for (const name of ["ana laptop", "deploy"]) {
    const blob = Buffer.from(`practice key of ${name}, which opens nothing`).toString("base64");
    const project_id = seededId("project", holder, "default");
    const key = newSshKey({ holder, project_id, name, text: `ssh-ed25519 ${blob}`, created_at: isoNow(world) });
    key.id = seededId("ssh-key", holder, name);
    world.sshKeys.set(key.id, key);
  }
}
