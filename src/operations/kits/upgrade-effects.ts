import type { Effect } from "../../operation/effects.ts";

/** Another plan in both wings: the platform may restart the machine with its new size. */
export const upgradeEffects: readonly Effect[] = [
  { aspect: "plan", to: ["changed"], later: true },
  { aspect: "power", through: ["stopped"], to: [] },
];
