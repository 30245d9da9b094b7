import type { Effect } from "../../operation/effects.ts";

/** An order in both wings makes its document and its services, which the platform builds once it is paid. */
export const orderEffects: readonly Effect[] = [
  { aspect: "payment", on: "made", to: ["new"], later: true },
  { aspect: "building", on: "made", to: ["completed"], failing: ["failed"], later: true },
  { aspect: "billing", on: "made", to: ["active"], failing: ["provisioning_failed"], later: true },
];
