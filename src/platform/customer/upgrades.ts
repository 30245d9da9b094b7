import * as z from "#zod";
import { Amount } from "../amounts.ts";
import { DateTime, orMissing } from "../fields.ts";
import { done, inData } from "../http/data.ts";
import { endpoint } from "./client.ts";
import { DocumentState } from "./documents.ts";
import { Order } from "./orders.ts";

/**
 * Spec section 3.3 has awaiting_payment, executing and completed. A pending upgrade can be cancelled: hence two more. A partner's change of
 * package is one of the same platform, and may await its supplier: reseller spec section 3.4.
 */
const UpgradeStatus = z.enum(["pending", "awaiting_payment", "awaiting_admin", "executing", "completed", "cancelled"]);

export const Upgrade = z.looseObject({
  id: z.string().min(1),
  status: UpgradeStatus,
  executed_at: DateTime.nullish(),
});
export type Upgrade = z.infer<typeof Upgrade>;

/** One plan that a service can change to, with its cost today and in each cycle. `vatRate` has the platform's own unit. */
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
    productName: z.string(),
    amount: Amount,
    billingCycle: z.string(),
    nextDueDate: DateTime.nullable(),
  }),
  upgrades: z.array(UpgradeOffer),
  pendingUpgrade: Upgrade.nullable(),
});
export type UpgradePreview = z.infer<typeof UpgradePreview>;

/** The result of a requested change. `document` is null where the net price is zero or a credit; the change is then settled. Spec section 2.12. */
export const UpgradeResult = z.object({
  upgrade: Upgrade.pick({ id: true, status: true }),
  document: DocumentState.nullish(),
  settled: orMissing(z.boolean()),
});
export type UpgradeResult = z.infer<typeof UpgradeResult>;

/** The spec puts the summary on the top level, without saying of which object: `data` or the envelope. */
const requested = z.preprocess(
  (envelope) =>
    typeof envelope === "object" && envelope !== null && "data" in envelope && typeof envelope.data === "object"
      ? { data: { ...envelope, ...envelope.data } }
      : envelope,
  inData(UpgradeResult),
);

/** The plans that the service can change to. */
export const previewUpgrades = endpoint("GET /services/{id}/upgrades", "read", "2.12", inData(UpgradePreview));

/** Credit is not applied automatically. After an unknown outcome read the preview's `pendingUpgrade`. */
export const requestUpgrade = endpoint("POST /services/{id}/upgrades", "orders", "2.12, 4.5", requested, {
  sends: (body: { toProductId: string }) => ({ body }),
  charges: true,
  removes: true,
  refusals: [],
});

/** Adds and removes add-ons in one prorated change. */
export const changeOptions = endpoint("POST /services/{id}/upgrades/options", "orders", "2.8, 4.5", requested, {
  sends: (body: { addOptions: string[]; removeOptions: string[] }) => ({ body }),
  charges: true,
  removes: true,
  refusals: [],
});

/** With its order. */
export const readUpgrade = endpoint(
  "GET /upgrades/{upgradeId}",
  "read",
  "2.12, 4.5",
  inData(z.object({ upgrade: Upgrade, order: Order.nullable() })),
);

/** Only while it is pending (section 3.3). */
export const cancelUpgrade = endpoint("POST /upgrades/{upgradeId}/cancel", "orders", "3.3, 4.5", done);
