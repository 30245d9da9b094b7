import { billedText } from "../money/money.ts";
import { productId } from "../world/catalogue.ts";
import { seededId } from "../world/ids.ts";
import { images } from "../world/os-images.ts";
import type { Capabilities, Instance, Snapshot, Vps } from "../world/service.ts";
import type { World } from "../world/world.ts";
import { newIpv4 } from "./addresses.ts";

const day = 86_400_000;
const GiB = 1024 ** 3;

export interface VpsOverrides extends Partial<Omit<Vps, "instance" | "capabilities" | "product" | "snapshots">> {
  product?: string;
  /** null: no machine exists. */
  instance?: Partial<Instance> | null;
  capabilities?: Partial<Capabilities>;
  snapshots?: SnapshotOverrides[];
}

interface SnapshotOverrides extends Partial<Snapshot> {
  name: string;
  /** Days since it was taken. */
  age: number;
}

const everything: Capabilities = {
  actions: ["start", "shutdown", "reboot"],
  console: true,
  reinstall: true,
  password_reset: true,
  snapshots: true,
  images: true,
  shared: false,
  frozen: false,
  shared_managed: false,
  unavailable_reason: null,
  provider_dependent: false,
};

/** A VPS of the catalogue's product, different from it in what `overrides` says. `index` gives it its location and its age. */
export function buildVps(
  world: World,
  at: { holder: string; project: string },
  index: number,
  name: string,
  overrides: VpsOverrides,
): Vps {
  const now = world.clock.now();
  const { product: productName = "VPS M", instance, capabilities, snapshots = [], ...facts } = overrides;
  const product = world.catalogue.products.get(productId(productName));
  if (product === undefined) throw new Error(`There is no product ${productName}`);
  const id = facts.id ?? seededId("vps", at.holder, name, index);
  const hasMachine = instance !== null;
  return {
    id,
    kind: "vps",
    holder: at.holder,
    name,
    hostname: `${name}.example.test`,
    status: "active",
    provider: product.provider,
    product: { id: product.id, name: product.name },
    billing: {
      cycle: "monthly",
      amount: billedText(product.monthly),
      currency: "EUR",
      next_due_date: new Date(now + (3 + (index % 27)) * day).toISOString(),
    },
    cancellation: null,
    location: ["es-mad", "de-fra", "us-nyc"][index % 3] ?? null,
    failure: null,
    specs: product.specs,
    project_id: at.project,
    created_at: new Date(now - (20 + index) * day).toISOString(),
    order_id: null,
    instance: hasMachine ? { ...machine(product.specs, now), ...instance } : null,
    ip_addresses: hasMachine && facts.ip_addresses === undefined ? [newIpv4(world)] : [],
    os_installation_status: null,
    capabilities: { ...everything, ...capabilities },
    snapshots_max: product.snapshots_max,
    disk_job: null,
    templates: product.templates,
    ordered_os: null,
    ...facts,
    snapshots: snapshots.map((one) => snapshot(id, one, now)),
  };
}

function machine(specs: { cpu: number; ram: number; storage: number } | null, now: number): Instance {
  return {
    state: "running",
    vcpus: specs?.cpu ?? null,
    memory_mb: specs?.ram ?? null,
    disk_gb: specs?.storage ?? null,
    os: images.debian.name,
    rescue_mode: false,
    updated_at: new Date(now - 3_600_000).toISOString(),
  };
}

function snapshot(vpsId: string, { age, ...overrides }: SnapshotOverrides, now: number): Snapshot {
  const taken = now - age * day;
  return {
    id: seededId("snapshot", vpsId, overrides.name),
    description: null,
    status: "available",
    size_bytes: Math.round((1 + age / 10) * GiB),
    crash_consistent: false,
    created_at: new Date(taken).toISOString(),
    completed_at: new Date(taken + 40_000).toISOString(),
    error: null,
    missing: false,
    ...overrides,
  };
}
