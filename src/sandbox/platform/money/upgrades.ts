import { randomUUID } from "node:crypto";
import { conflict } from "../http/refusal.ts";
import type { BillingDocument, Upgrade } from "../world/billing.ts";
import type { Product } from "../world/catalogue.ts";
import type { Service } from "../world/service.ts";
import { isoNow, type World } from "../world/world.ts";
import { issue, openDocumentsOf, reprice } from "./documents.ts";
import { billedText, monthsOf } from "./money.ts";
import { recordOrder } from "./orders.ts";

export interface Change {
  kind: Upgrade["kind"];
  what: string;
  /** In cents; what is given back only offsets what is charged. */
  lines: { description: string; amount: number }[];
  apply(): void;
  /** The step between the payment and the work; it calls `run`. None by default. */
  begin?(run: () => void): void;
}

/** Begins a change of a service: with a document when something is owed, else it is complete at once (spec 3.3). */
export function startUpgrade(
  world: World,
  service: Service,
  change: Change,
): { upgrade: Upgrade; document: BillingDocument | null } {
  const { lines } = change;
  const net = lines.reduce((sum, line) => sum + line.amount, 0);
  const started: { upgrade?: Upgrade } = {};
  const document =
    net <= 0
      ? null
      : issue(world, {
          holder: service.holder,
          cause: "upgrade",
          lines,
          service_ids: [service.id],
          whenPaid: () => started.upgrade && execute(world, started.upgrade, change),
        });
  const order = recordOrder(world, service, "upgrade", document, change.what);
  const upgrade: Upgrade = {
    id: randomUUID(),
    service_id: service.id,
    status: "awaiting_payment",
    kind: change.kind,
    document_id: document?.id ?? null,
    order_id: order.id,
    executed_at: null,
    created_at: isoNow(world),
  };
  started.upgrade = upgrade;
  world.upgrades.set(upgrade.id, upgrade);
  if (document === null && change.begin === undefined) complete(world, upgrade, change);
  else if (document === null) execute(world, upgrade, change);
  return { upgrade, document };
}

function execute(world: World, upgrade: Upgrade, change: Change): void {
  upgrade.status = "executing";
  const run = () => {
    world.jobs.start("upgrade", upgrade.service_id, () => complete(world, upgrade, change));
  };
  if (change.begin === undefined) run();
  else change.begin(run);
}

function complete(world: World, upgrade: Upgrade, change: Change): void {
  change.apply();
  upgrade.status = "completed";
  upgrade.executed_at = isoNow(world);
}

/** The service takes on the new product's catalogue; renewals that wait for money are priced anew. */
export function moveTo(world: World, service: Service, target: Product): void {
  const amount = target.monthly * monthsOf[service.billing.cycle];
  service.product = { id: target.id, name: target.name };
  service.specs = target.specs;
  service.billing.amount = service.billing.cycle === "hourly" ? (target.hourly ?? 0).toFixed(4) : billedText(amount);
  for (const document of openDocumentsOf(world, service.id)) {
    if (document.cause !== "renewal" || document.type !== "invoice") continue;
    reprice(world, document, [{ description: `Renewal of ${service.name}`, amount }]);
  }
  if (service.kind !== "vps") return;
  service.templates = target.templates;
  service.snapshots_max = target.snapshots_max;
  if (service.instance === null || target.specs === null) return;
  const { cpu, ram, storage } = target.specs;
  Object.assign(service.instance, { vcpus: cpu, memory_mb: ram, disk_gb: storage, updated_at: isoNow(world) });
}

export function pendingOf(world: World, serviceId: string): Upgrade | undefined {
  return [...world.upgrades.values()].find(
    (one) => one.service_id === serviceId && (one.status === "awaiting_payment" || one.status === "executing"),
  );
}

export function refuseSecond(world: World, service: Service): void {
  if (pendingOf(world, service.id) !== undefined) throw conflict("An upgrade of this service is already pending");
}
