import { randomBytes, randomUUID } from "node:crypto";
import type { Cycle } from "../world/service.ts";
import type { GameServer } from "./game.ts";
import type { Panel } from "./panel.ts";

/** How the whole programme collects what is ordered (spec 1.2). */
export const modes = ["saved_method", "credit", "invoice"] as const;
export type Mode = (typeof modes)[number];

/** A record of one of the partner's customers (spec 2.5). */
export interface CustomerRecord {
  id: string;
  externalId: string;
  email: string | null;
  name: string | null;
  metadata: Record<string, unknown>;
  created_at: string;
}

/** A saved card or wallet (spec 2.6). */
export interface PaymentMethod {
  id: string;
  type: "card" | "wallet";
  label: string;
  cardBrand: string | null;
  cardLastFour: string | null;
  isDefault: boolean;
  lastUsedAt: string | null;
  /** Why the gateway refuses it; null: it pays. */
  refusal: string | null;
}

/** The programme's own facts of a service, beside the world's record. */
export interface Resold {
  externalServiceId: string | null;
  customer: string | null;
  orderId: string | null;
  externalOrderId: string | null;
  /** Withheld by the supplier; the API shows `fraud`. */
  withheld: boolean;
}

/** An add-on as it was ordered; money in cents. */
export interface OrderedOption {
  optionId: string;
  name: string;
  quantity: number;
  unitPrice: number;
  setupFee: number;
}

/** An order that came through the programme; money in cents of the partner's currency. */
export interface WholesaleOrder {
  id: string;
  number: string;
  kind: "services" | "options";
  externalOrderId: string | null;
  /** Of a change of add-ons: its idempotency key, in a namespace of its own. */
  externalReference: string | null;
  status: "paid" | "invoiced" | "payment_failed" | "provisioning_failed";
  paymentStatus: "pending" | "processing" | "paid" | "failed" | "refunded";
  mode: Mode;
  product: { id: string; name: string };
  cycle: Cycle;
  quantity: number;
  /** Without VAT, in the base currency. */
  base: number;
  amount: number;
  vat: number;
  currency: string;
  options: OrderedOption[];
  customer: { id: string; email: string | null; name: string | null } | null;
  documentId: string | null;
  serviceIds: string[];
  paymentError: string | null;
  provisioningError: string | null;
  /** Another attempt at charging it is in flight. */
  charging: boolean;
  created_at: string;
  /** The work that begins once it is paid; null after that. */
  fulfil: (() => unknown) | null;
}

export interface Partner {
  /** The account, or the user without one, that holds what is bought. */
  holder: string;
  /** The name of the user whose credit pays. */
  owner: string;
  status: "pending" | "active" | "suspended" | "closed";
  /** 64 hex characters; null: none is configured. */
  signingSecret: string | null;
  webhookUrl: string | null;
  customers: Map<string, CustomerRecord>;
  paymentMethods: PaymentMethod[];
  orders: Map<string, WholesaleOrder>;
  /** By the id of the service. */
  resold: Map<string, Resold>;
  /** By the id of the service. */
  panels: Map<string, Panel>;
  /** By the id of the service. */
  games: Map<string, GameServer>;
  /** By the id of the change. */
  waitingChanges: Map<string, WaitingChange>;
}

export function createPartner(holder: string, owner: string): Partner {
  return {
    holder,
    owner,
    status: "active",
    signingSecret: newSigningSecret(),
    webhookUrl: null,
    customers: new Map(),
    paymentMethods: [],
    orders: new Map(),
    resold: new Map(),
    panels: new Map(),
    games: new Map(),
    waitingChanges: new Map(),
  };
}

export function newSigningSecret(): string {
  return randomBytes(32).toString("hex");
}

export function resoldOf(partner: Partner, serviceId: string): Resold {
  const known = partner.resold.get(serviceId);
  if (known !== undefined) return known;
  const fresh: Resold = {
    externalServiceId: null,
    customer: null,
    orderId: null,
    externalOrderId: null,
    withheld: false,
  };
  partner.resold.set(serviceId, fresh);
  return fresh;
}

export function customerByExternalId(partner: Partner, externalId: string): CustomerRecord | undefined {
  return [...partner.customers.values()].find((one) => one.externalId === externalId);
}

/** The record of an external id, made where there is none. */
export function customerFor(
  partner: Partner,
  facts: Pick<CustomerRecord, "externalId" | "email" | "name" | "created_at">,
): CustomerRecord {
  const known = customerByExternalId(partner, facts.externalId);
  if (known !== undefined) return known;
  const record: CustomerRecord = { id: randomUUID(), metadata: {}, ...facts };
  partner.customers.set(record.id, record);
  return record;
}

/** A change of package that is paid and waits for the supplier. */
export interface WaitingChange {
  serviceId: string;
  approve(): void;
  deny(): void;
}
