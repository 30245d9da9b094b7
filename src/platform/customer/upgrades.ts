import * as z from "zod";
import { DateTime } from "../dates.ts";
import { data, done } from "../http/data.ts";
import { path } from "../http/path.ts";
import { Amount } from "../money.ts";
import type { CustomerClient } from "./client.ts";
import { DocumentState } from "./documents.ts";
import { Order } from "./orders.ts";

/** Section 3.3 names three; a pending one can be cancelled, by the same section. */
const UpgradeStatus = z.enum(["pending", "awaiting_payment", "executing", "completed", "cancelled"]);

export const Upgrade = z.looseObject({
  id: z.string().min(1),
  status: UpgradeStatus,
  executed_at: DateTime.nullish(),
});
export type Upgrade = z.infer<typeof Upgrade>;

/** One plan that a service can go to, with what it costs today and each cycle. `vatRate` as the platform sends it. */
export const UpgradeOffer = z.object({
  toProductId: z.string().min(1),
  toProductName: z.string(),
  toSpecs: z.unknown().optional(),
  newCyclePrice: Amount,
  upgradeFee: Amount,
  creditAmount: Amount,
  chargeAmount: Amount,
  netAmount: Amount,
  vatRate: Amount,
  vatAmount: Amount,
  totalWithVat: Amount,
  daysRemaining: z.number(),
  daysInCycle: z.number(),
  billingCycle: z.string(),
});
export type UpgradeOffer = z.infer<typeof UpgradeOffer>;

export const UpgradePreview = z.object({
  service: z.object({
    id: z.string(),
    productName: z.string(),
    amount: Amount,
    billingCycle: z.string(),
    nextDueDate: DateTime.nullable(),
  }),
  upgrades: z.array(UpgradeOffer),
  pendingUpgrade: Upgrade.nullable(),
});
export type UpgradePreview = z.infer<typeof UpgradePreview>;

/** What a requested change made. No document when it nets to nothing or to a credit: then it is settled and done. Spec section 2.12. */
export const UpgradeResult = z.object({
  upgrade: Upgrade,
  orderId: z.string().nullish(),
  billingDocumentType: z.enum(["invoice", "proforma"]).nullish(),
  lineItems: z.array(z.unknown()).nullish(),
  document: DocumentState.nullish(),
  settled: z.boolean(),
  next_step: z.string().nullish(),
  credit_balance: Amount.nullish(),
});
export type UpgradeResult = z.infer<typeof UpgradeResult>;

/** The summary is said to be on the top level, of which object is not. */
const requested = z.preprocess(
  (envelope) =>
    typeof envelope === "object" && envelope !== null && "data" in envelope && typeof envelope.data === "object"
      ? { data: { ...envelope, ...envelope.data } }
      : envelope,
  z.object({ data: UpgradeResult }),
);

/** GET /services/{id}/upgrades: what it could be upgraded to. Spec section 2.12. */
export async function previewUpgrades(client: CustomerClient, id: string): Promise<UpgradePreview> {
  return (await client.get(path("/services/{id}/upgrades", { id }), data(UpgradePreview))).data;
}

/** POST /services/{id}/upgrades: credit is never applied by itself. After an unknown outcome read the preview's `pendingUpgrade`. Spec sections 2.12 and 4.5. */
export async function requestUpgrade(
  client: CustomerClient,
  id: string,
  body: { toProductId: string },
): Promise<UpgradeResult> {
  return (await client.send("POST", path("/services/{id}/upgrades", { id }), requested, body)).data;
}

/** POST /services/{id}/upgrades/options: adds and removes add-ons in one prorated change. Spec sections 2.8 and 4.5. */
export async function changeOptions(
  client: CustomerClient,
  id: string,
  body: { addOptions: string[]; removeOptions: string[] },
): Promise<UpgradeResult> {
  return (await client.send("POST", path("/services/{id}/upgrades/options", { id }), requested, body)).data;
}

/** GET /upgrades/{upgradeId}, and the order that it also is. Spec sections 2.12 and 4.5. */
export async function readUpgrade(
  client: CustomerClient,
  upgradeId: string,
): Promise<{ upgrade: Upgrade; order: Order | null }> {
  const shape = z.object({ upgrade: Upgrade, order: Order.nullable() });
  return (await client.get(path("/upgrades/{upgradeId}", { upgradeId }), data(shape))).data;
}

/** POST /upgrades/{upgradeId}/cancel: a pending one only. Spec sections 3.3 and 4.5. */
export async function cancelUpgrade(client: CustomerClient, upgradeId: string): Promise<void> {
  await client.send("POST", path("/upgrades/{upgradeId}/cancel", { upgradeId }), done);
}
