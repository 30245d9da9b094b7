import * as z from "zod";
import { DateTime } from "../dates.ts";
import { orMissing } from "../missing.ts";
import { Amount } from "../money.ts";
import { DocumentState } from "./documents.ts";
import { endpoint } from "./endpoint.ts";
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
  z.object({ data: UpgradeResult }),
);

/** GET /services/{id}/upgrades: the plans that the service can change to. Spec section 2.12. */
export const previewUpgrades = endpoint(
  "GET /services/{id}/upgrades",
  (call, id: string): Promise<UpgradePreview> => call.data({ id }, UpgradePreview),
);

/**
 * POST /services/{id}/upgrades. Credit is not applied automatically. After an unknown outcome read the preview's `pendingUpgrade`. Spec
 * sections 2.12 and 4.5.
 */
export const requestUpgrade = endpoint(
  "POST /services/{id}/upgrades",
  async (call, id: string, body: { toProductId: string }): Promise<UpgradeResult> =>
    (await call.envelope({ id }, requested, { body })).data,
  { charges: true, refusals: [] },
);

/** POST /services/{id}/upgrades/options: adds and removes add-ons in one prorated change. Spec sections 2.8 and 4.5. */
export const changeOptions = endpoint(
  "POST /services/{id}/upgrades/options",
  async (call, id: string, body: { addOptions: string[]; removeOptions: string[] }): Promise<UpgradeResult> =>
    (await call.envelope({ id }, requested, { body })).data,
  { charges: true, refusals: [] },
);

/** GET /upgrades/{upgradeId}, with its order. Spec sections 2.12 and 4.5. */
export const readUpgrade = endpoint(
  "GET /upgrades/{upgradeId}",
  (call, upgradeId: string): Promise<{ upgrade: Upgrade; order: Order | null }> =>
    call.data({ upgradeId }, z.object({ upgrade: Upgrade, order: Order.nullable() })),
);

/** POST /upgrades/{upgradeId}/cancel: only while it is pending. Spec sections 3.3 and 4.5. */
export const cancelUpgrade = endpoint(
  "POST /upgrades/{upgradeId}/cancel",
  (call, upgradeId: string): Promise<void> => call.done({ upgradeId }),
);
