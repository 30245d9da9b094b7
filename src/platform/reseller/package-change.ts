import * as z from "#zod";
import { Id } from "../fields.ts";
import { inData, objectOrField } from "../http/data.ts";
import { endpoint } from "./client.ts";
import { creditTooLow, cycleNotSold, notInCatalogue } from "./refusals.ts";

/** Reseller spec section 3.4. */
const PackageChangeStatus = z.enum(["pending", "awaiting_payment", "executing", "awaiting_admin"]);

/**
 * An accepted change of a service's product. It applies once its document is settled; a change without cost has no document. Reseller
 * spec sections 3.4 and 4.
 */
export const PackageChange = z.object({
  status: PackageChangeStatus,
  /** Null for a change without a document; undefined where the platform does not say. */
  billingDocumentType: z.enum(["invoice", "proforma"]).nullish(),
  billingDocumentId: z.string().nullish(),
  billingDocumentNumber: Id.nullish(),
  orderId: z.string().nullish(),
  message: z.string().nullish(),
});
export type PackageChange = z.infer<typeof PackageChange>;

/** The products that a service can change to, at the partner's prices, in the platform's layout. Reseller spec section 2.4. */
export const Upgrades = z.looseObject({
  available: z.unknown(),
  addons: z.unknown().optional(),
  pendingUpgrade: z.unknown().optional(),
});
export type Upgrades = z.infer<typeof Upgrades>;

/** 202. No route shows its progress; compare the service's product name. 409 without an upgrade path. */
export const changePackage = endpoint(
  "POST /services/{serviceId}/change-package",
  "services",
  "3.4, 4, 4.3",
  inData(objectOrField("upgrade", PackageChange)),
  {
    sends: (productId: string) => ({ body: { productId } }),
    charges: true,
    removes: true,
    refusals: [
      notInCatalogue,
      cycleNotSold,
      creditTooLow,
      { status: 409, says: /active|suspend|terminat/i, means: "The service must be active.", spec: "4.3" },
      {
        status: 409,
        says: /progress|under way|pending/i,
        means: "Another change is under way. Wait until it has ended.",
        spec: "7",
      },
      {
        status: 409,
        says: /path|way to/i,
        means:
          "The platform offers no change from the present product to that one. Choose another, or ask the platform's operator.",
        spec: "4.3",
      },
    ],
  },
);

/** The same section as in the document. */
export const readUpgrades = endpoint(
  "GET /services/{serviceId}/upgrades",
  "read",
  "2.4, 4",
  inData(objectOrField("upgrades", Upgrades)),
);
