import { cancelDocument, daysToPay, issue, payByOperator } from "./money/documents.ts";
import { powerOf } from "./provisioning/interludes.ts";
import type { BillingDocument } from "./world/billing.ts";
import type { Product } from "./world/catalogue.ts";
import type { CustomImage } from "./world/custom-image.ts";
import type { Order } from "./world/order.ts";
import type { Plugin } from "./world/plugins.ts";
import type { Dedicated, Game, Service, Snapshot, Vps } from "./world/service.ts";
import { holderOf, type User } from "./world/users.ts";
import { changeStatus, isoNow, type World } from "./world/world.ts";

interface ServicePatch
  extends Partial<Omit<Vps, "kind" | "instance" | "capabilities">>,
    Partial<Omit<Dedicated, keyof Vps>> {
  instance?: Partial<NonNullable<Vps["instance"]>> | null;
  capabilities?: Partial<Vps["capabilities"]>;
  game?: Partial<Game["game"]>;
}

/** The platform for a test or the demo, which see and change it behind the API's back. All results are copies, but for plugins. */
export interface Controls {
  /** The `nth` service of this name, or the one with this id; throws when there is none. */
  find(name: string, nth?: number): Service;
  findVps(name: string, nth?: number): Vps;
  /** The machine's last password; undefined if the API has set none. */
  passwordOf(service: string): string | undefined;
  /** Of the team: its id, by slug. */
  projectId(slug: string): string;
  /** Renames a project, by slug, to whatever name: the API takes at most 80 characters, and older ones may have more. */
  renameProject(slug: string, name: string): void;
  /** Changes facts of a service (by id or name). An instance, capabilities or a game may be given in part. */
  change(service: string, patch: ServicePatch): void;
  /** The service is no more: no key finds it, as one that was moved to another account. */
  remove(service: string): void;
  changeSnapshot(vps: string, snapshot: string, patch: Partial<Snapshot>): void;
  changeImage(name: string, patch: Partial<CustomImage>): void;
  changeProduct(name: string, patch: Partial<Product>): void;
  changeUser(name: string, patch: Partial<Pick<User, "balance" | "permissions" | "account" | "suspended">>): void;
  /** The plugin itself: its verbs, whether it is reachable, which verbs fail. */
  plugin(slug: string): Plugin;
  user(name: string): User;
  product(name: string): Product;
  orders(): Order[];
  /** The conditions of all services, documents and images, by id. */
  conditions(): Conditions;
  documents(): BillingDocument[];
  /** A line for each thing that costs, or has cost: documents, payments, orders, add-ons and stored images. */
  charges(): string[];
  /** The ids of everything that there is. */
  ids(): ReadonlySet<string>;
  /** Something is billed to the team, before tax in cents. Gives a copy of the document. */
  bill(title: string, cents: number): BillingDocument;
  /** A service (by id or name) is to be renewed in so many days. */
  renewIn(service: string, days: number): void;
  /** An open document is due in so many days, or was. */
  fallDue(documentId: string, inDays: number): void;
  /** A payment of an open document is in progress. */
  payLater(documentId: string): void;
  /** Money arrives from elsewhere. */
  payByOperator(documentId: string): void;
  /** The operator withdraws what was billed. */
  cancelByOperator(documentId: string): void;
  /** Suspends a user, and their whole team. */
  suspendAccount(user: string): void;
}

const day = 86_400_000;

export function createControls(world: World, team: string): Controls {
  const projectNamed = (slug: string) =>
    named(world.projects.values(), slug, (one) => one.holder === team && one.slug === slug);
  return {
    find: (name, nth) => structuredClone(serviceNamed(world, name, nth)),
    findVps: (name, nth) => structuredClone(vpsNamed(world, name, nth)),
    passwordOf: (service) => world.passwords.get(serviceNamed(world, service).id),
    projectId: (slug) => projectNamed(slug).id,
    renameProject: (slug, name) => void Object.assign(projectNamed(slug), { name }),
    change: (service, patch) => patchService(world, serviceNamed(world, service), patch),
    remove: (service) => void world.services.delete(serviceNamed(world, service).id),
    changeSnapshot(vps, snapshot, patch) {
      const { snapshots } = vpsNamed(world, vps);
      Object.assign(
        named(snapshots, snapshot, (one) => one.name === snapshot),
        patch,
      );
    },
    changeImage: (name, patch) =>
      Object.assign(
        named(world.customImages.values(), name, (one) => one.name === name),
        patch,
      ),
    changeProduct: (name, patch) => Object.assign(productNamed(world, name), patch),
    changeUser: (name, patch) => Object.assign(userNamed(world, name), patch),
    plugin: (slug) => named(world.plugins.values(), slug, (one) => one.slug === slug),
    user: (name) => structuredClone(userNamed(world, name)),
    product: (name) => structuredClone(productNamed(world, name)),
    orders: () => structuredClone([...world.orders.values()]),
    conditions: () => conditionsIn(world),
    documents: () => [...world.documents.values()].map((one) => ({ ...one })),
    charges: () => chargesIn(world),
    ids: () =>
      idsIn(
        Object.entries(world).flatMap(([name, value]) => (value instanceof Map && !records.has(name) ? [value] : [])),
      ),
    bill(title, cents) {
      const lines = [{ description: title, amount: cents }];
      return { ...issue(world, { holder: team, cause: "order", lines, service_ids: [], whenPaid: () => {} }) };
    },
    renewIn(name, days) {
      serviceNamed(world, name).billing.next_due_date = new Date(world.clock.now() + days * day).toISOString();
    },
    fallDue(id, inDays) {
      documentWith(world, id).created_at = new Date(world.clock.now() + (inDays - daysToPay) * day).toISOString();
    },
    payLater(id) {
      documentWith(world, id).status = "pending";
    },
    payByOperator: (id) => payByOperator(world, documentWith(world, id)),
    cancelByOperator: (id) => cancelDocument(documentWith(world, id)),
    suspendAccount(name) {
      const holder = holderOf(userNamed(world, name));
      for (const user of world.users.values()) if (holderOf(user) === holder) user.suspended = true;
    },
  };
}

/** The states of a resource, by the aspect that acts change. */
export type Conditions = ReadonlyMap<string, Readonly<Record<string, string | null>>>;

function conditionsIn({ services, documents, customImages, passwords }: World): Conditions {
  const payments = { unpaid: "new", pending: "new", paid: "paid", converted: "paid", cancelled: "cancelled" };
  return new Map<string, Record<string, string | null>>([
    ...[...services.values()].map((service) => [service.id, conditionOf(service, passwords)] as const),
    ...[...documents.values()].map(({ id, status }) => [id, { payment: payments[status] }] as const),
    ...[...customImages.values()].map(({ id, status }) => [id, { image: status }] as const),
  ]);
}

function chargesIn({ documents, orders, addOns, customImages }: World): string[] {
  return [
    ...[...documents.values()].flatMap(({ id, payments }) => [id, ...payments.map((payment) => payment.id)]),
    ...[...orders.values(), ...addOns.values(), ...customImages.values()].map(({ id }) => id),
  ];
}

/** The collections of the world that nobody owns: people, and what is only written down. Any other holds what an act could take. */
const records: ReadonlySet<string> = new Set<keyof World>(["users", "passwords", "documents", "orders", "upgrades"]);

/** The ids of all records within a value, however deep they lie. */
export function idsIn(value: unknown): ReadonlySet<string> {
  if (value instanceof Map) return idsIn([...value.values()]);
  if (typeof value !== "object" || value === null) return new Set();
  const own = "id" in value && !Array.isArray(value) ? [String(value.id)] : [];
  return new Set([...own, ...Object.values(value).flatMap((one) => [...idsIn(one)])]);
}

function conditionOf(service: Service, passwords: World["passwords"]): Record<string, string | null> {
  const installation =
    service.kind === "vps"
      ? service.os_installation_status
      : service.kind === "dedicated"
        ? service.os_installation
        : null;
  return {
    power: powerOf(service),
    billing: service.status,
    cancellation: service.cancellation === null ? "none" : "scheduled",
    installation,
    credentials: passwords.get(service.id) ?? null,
    plan: service.product.id,
    project: service.project_id,
  };
}

export function userNamed(world: World, name: string): User {
  return named(world.users.values(), name, (one) => one.name === name);
}

function productNamed(world: World, name: string): Product {
  return named(world.catalogue.products.values(), name, (one) => one.name === name);
}

function documentWith(world: World, id: string): BillingDocument {
  return named(world.documents.values(), id, (one) => one.id === id);
}

/** The one of this name; throws when there is none. */
export function named<T>(items: Iterable<T>, name: string, matches: (thing: T) => boolean): T {
  for (const thing of items) if (matches(thing)) return thing;
  throw new Error(`There is no ${name} on the practice platform`);
}

export function serviceNamed(world: World, name: string, nth = 0): Service {
  const same = [...world.services.values()].filter((one) => one.name === name);
  const service = same[nth] ?? world.services.get(name);
  if (service === undefined) throw new Error(`There is no service ${name} on the practice platform`);
  return service;
}

function vpsNamed(world: World, name: string, nth?: number): Vps {
  const service = serviceNamed(world, name, nth);
  if (service.kind !== "vps") throw new Error(`${name} is no VPS`);
  return service;
}

function patchService(
  world: World,
  service: Service,
  { instance, capabilities, game, status, ...facts }: ServicePatch,
): void {
  Object.assign(service, facts);
  if (status !== undefined) changeStatus(world, service, status);
  if (service.kind === "game") Object.assign(service.game, game);
  if (service.kind !== "vps") return;
  Object.assign(service.capabilities, capabilities);
  if (instance === null) service.instance = null;
  else if (instance !== undefined && service.instance !== null) {
    // The hypervisor reports a new state, and when.
    const reported = instance.state === undefined ? {} : { updated_at: isoNow(world) };
    Object.assign(service.instance, reported, instance);
  }
}
