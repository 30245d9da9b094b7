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

/** The same in the reseller programme, which charges the partner at once and raises a paid document. */
export const resoldOrderEffects: readonly Effect[] = [
  ...services,
  { aspect: "payment", on: "made", to: ["new", "paid"], later: true },
];

/** A new charge of an order that was kept. */
export const retryEffects: readonly Effect[] = [
  ...resoldOrderEffects,
  { aspect: "payment", to: ["paid"] },
  { aspect: "building", to: ["completed"], failing: ["failed"], later: true },
  { aspect: "billing", to: ["active"], failing: ["provisioning_failed"], later: true },
];
