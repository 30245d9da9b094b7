import { idsIn, named } from "./controls.ts";
import type { Api } from "./http/api.ts";
import { gameServerOf } from "./programme/game.ts";
import { panelOf } from "./programme/panel.ts";
import {
  newSigningSecret,
  type Partner,
  type PaymentMethod,
  resoldOf,
  type WholesaleOrder,
} from "./programme/partner.ts";
import { createProgramme, type ProgrammeSettings } from "./programme/programme.ts";
import { watchServices } from "./programme/watch.ts";
import { createResellerApi } from "./reseller/api.ts";
import {
  mintResellerKey,
  type ResellerKey,
  type ResellerKeyOptions,
  type ResellerKeys,
  resellerScopes,
} from "./reseller/request/keys.ts";
import { seedProgramme } from "./seed/reseller.ts";
import { createSupplier, type Supplier } from "./supplier.ts";
import { createWebhookPoster, type WebhookPoster } from "./webhooks/poster.ts";
import { createDeliveryQueue, type Delivery, type DeliveryQueue } from "./webhooks/queue.ts";
import { seededId } from "./world/ids.ts";
import type { Service } from "./world/service.ts";
import type { World } from "./world/world.ts";

export type ResellerKeyLabel = "ana" | "ben" | "caro" | "dave" | "reader" | "bound" | "expired" | "revoked" | "zoe";

/** The reseller programme for a test or the demo, which see and change it behind the API's back. */
export interface ResellerControls {
  /** The supplier's decisions, changed in place. */
  settings: ProgrammeSettings;
  /** Made at random at every start. `dave` and `reader` only read; `bound` is confined to the customer acme-bakery. */
  keys: Record<ResellerKeyLabel, ResellerKey>;
  addKey(options: ResellerKeyOptions): ResellerKey;
  revoke(key: ResellerKey): void;
  /** The team's; null: none is configured. */
  signingSecret(): string | null;
  /** The old one ends at once. Gives the new one. */
  rotateSecret(): string;
  forgetSecret(): void;
  setProfile(status: Partner["status"]): void;
  /** The id of the record of an external id. */
  customerId(externalId: string): string;
  /** A card or wallet, by its label. */
  changePaymentMethod(label: string, patch: Partial<PaymentMethod>): void;
  orders(): WholesaleOrder[];
  /** The servers whose rescue system was switched, and if it is on. */
  rescues(): ReadonlyMap<string, boolean>;
  /** The ids of everything that the programme knows beside the world. */
  ids(): ReadonlySet<string>;
  /** Another attempt at charging the order is in flight, or is over. */
  holdCharge(orderId: string, isHeld?: boolean): void;
  /** The supplier withholds a service: it reads `fraud`. */
  withhold(serviceId: string, withheld?: boolean): void;
  /** The supplier's decision on a change of package that waits for it. */
  decideChange(serviceId: string, agreed: boolean): void;
  /** The services of which a change of package waits for the supplier. */
  waitingChanges(): string[];
  /** The services that were ordered here or belong to a customer, newest first. */
  sold(): Service[];
  /** Puts a file on a game server, under any name. */
  putGameFile(serviceId: string, path: string, content: string): void;
  /** The paths of all files and folders of a game server. */
  gamePaths(serviceId: string): string[];
  /** A service of the team's, by its id, is sold on from now on, under an id of the team's own. */
  resell(serviceId: string, externalServiceId: string): void;
  /** Somebody opens the link to a console. */
  openCast(serviceId: string, castId: string): void;
  webhookUrl(): string | null;
  /** The address that the team's events go to, as if the API had set it; null: none. */
  setWebhookUrl(url: string | null): void;
  /** The events that were raised while an address was on file, oldest first. */
  deliveries(): Delivery[];
  /** `faults` are changed in place. */
  webhooks: Pick<DeliveryQueue, "faults" | "requeue"> & Pick<WebhookPoster, "resolve" | "postDue">;
  supplier: Supplier;
}

/** The reseller programme over a world: its API, and what is behind it. */
export function createResellerSide(
  world: World,
  options: { team: string; outsider: string; hourlyLimit: number; pace: number },
): { api: Api; controls: ResellerControls; close(): void } {
  const queue = createDeliveryQueue(world.clock);
  const programme = createProgramme(options.hourlyLimit, queue);
  const partner = seedProgramme(world, programme, options.team, options.outsider);
  watchServices(world, programme);
  const { resolve, postDue, close } = createWebhookPoster({
    clock: world.clock,
    queue,
    settings: programme.settings,
    shapes: world.settings.shapes,
    pace: options.pace,
  });
  const keys: ResellerKeys = new Map();
  const other = programme.partners.get(options.outsider) ?? partner;

  const controls: ResellerControls = {
    settings: programme.settings,
    keys: mintKeys(world, keys, partner, other),
    addKey: (options) => mintResellerKey(keys, partner, options),
    revoke(key) {
      key.revoked = true;
    },
    signingSecret: () => partner.signingSecret,
    rotateSecret() {
      const secret = newSigningSecret();
      partner.signingSecret = secret;
      return secret;
    },
    forgetSecret() {
      partner.signingSecret = null;
    },
    setProfile(status) {
      partner.status = status;
    },
    customerId: (externalId) =>
      named(partner.customers.values(), externalId, (one) => one.externalId === externalId).id,
    changePaymentMethod(label, patch) {
      Object.assign(
        named(partner.paymentMethods, label, (one) => one.label === label),
        patch,
      );
    },
    ids() {
      // A game server's rows come to be when it is looked at first.
      for (const { id, kind } of world.services.values())
        if (kind === "game") gameServerOf(partner, id, world.clock.now());
      return idsIn(partner);
    },
    rescues: () => new Map([...partner.panels].map(([id, { rescue }]) => [id, rescue])),
    orders: () => [...partner.orders.values()].map((order) => ({ ...order })),
    holdCharge(orderId, isHeld = true) {
      named(partner.orders.values(), orderId, ({ id }) => id === orderId).charging = isHeld;
    },
    withhold(serviceId, withheld = true) {
      resoldOf(partner, serviceId).withheld = withheld;
    },
    decideChange(serviceId, agreed) {
      const waiting = named(partner.waitingChanges.values(), serviceId, (one) => one.serviceId === serviceId);
      if (agreed) waiting.approve();
      else waiting.deny();
    },
    waitingChanges: () => [...partner.waitingChanges.values()].map(({ serviceId }) => serviceId),
    sold() {
      const known = [...partner.resold.keys()].flatMap((id) => world.services.get(id) ?? []);
      return structuredClone(known).sort((a, b) => b.created_at.localeCompare(a.created_at));
    },
    putGameFile(serviceId, path, content) {
      const now = world.clock.now();
      gameServerOf(partner, serviceId, now).files.set(path, {
        content: Buffer.from(content),
        mode: "0644",
        modified: now,
      });
    },
    gamePaths: (serviceId) => [...gameServerOf(partner, serviceId, world.clock.now()).files.keys()],
    resell(serviceId, externalServiceId) {
      Object.assign(resoldOf(partner, serviceId), { externalServiceId });
    },
    openCast(serviceId, castId) {
      const cast = named(panelOf(partner, serviceId).casts, castId, ({ id }) => id === castId);
      cast.viewerExpiresAt = world.clock.now() + cast.viewerTtlSeconds * 1000;
    },
    webhookUrl: () => partner.webhookUrl,
    setWebhookUrl(url) {
      partner.webhookUrl = url;
    },
    deliveries: queue.all,
    webhooks: { faults: queue.faults, resolve, postDue, requeue: queue.requeue },
    supplier: createSupplier(world),
  };
  return { api: createResellerApi(world, programme, keys), controls, close };
}

function mintKeys(
  world: World,
  keys: ResellerKeys,
  partner: Partner,
  other: Partner,
): Record<ResellerKeyLabel, ResellerKey> {
  const mint = (label: ResellerKeyLabel, options: ResellerKeyOptions = {}) =>
    mintResellerKey(keys, partner, { label: `${label}, reseller`, scopes: resellerScopes, ...options });
  return {
    ana: mint("ana"),
    ben: mint("ben"),
    caro: mint("caro"),
    dave: mint("dave", { scopes: ["read"] }),
    reader: mint("reader", { scopes: ["read"] }),
    bound: mint("bound", { customer: seededId("customer", "acme-bakery") }),
    expired: mint("expired", { expiresAt: world.clock.now() - 1 }),
    revoked: mint("revoked", { revoked: true }),
    zoe: mintResellerKey(keys, other, { label: "zoe, reseller", scopes: [...resellerScopes] }),
  };
}
