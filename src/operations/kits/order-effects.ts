import type { Effect } from "../../operation/effects.ts";

const services: readonly Effect[] = [
  { aspect: "building", on: "made", to: ["completed"], failing: ["failed"], later: true },
  { aspect: "billing", on: "made", to: ["active"], failing: ["provisioning_failed"], later: true },
];

/** An order makes its document and its services, which the platform builds once it is paid. */
export const orderEffects: readonly Effect[] = [
  ...services,
  { aspect: "payment", on: "made", to: ["new"], later: true },
];

/** The supplier may collect for a change of a resold service, with an order and a document of its own. Reseller spec section 4.4. */
export const collectedLater: Effect = {
  aspect: "payment",
  on: "made",
  to: ["new", "invoiced", "paid"],
  failing: ["failed"],
  later: true,
};

/** The same in the reseller programme, which charges the partner at once, or invoices, and raises a document. */
export const resoldOrderEffects: readonly Effect[] = [
  ...services,
  collectedLater,
  { aspect: "payment", on: "made", to: ["paid", "invoiced"], failing: ["failed"] },
];

/** A new charge of an order that was kept. */
export const retryEffects: readonly Effect[] = [
  ...services,
  collectedLater,
  { aspect: "payment", to: ["paid"], failing: ["failed"] },
  { aspect: "building", to: ["completed"], failing: ["failed"], later: true },
];
