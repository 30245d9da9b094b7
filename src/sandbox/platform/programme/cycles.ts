import type { Cycle } from "../world/service.ts";

/** In the words that an order takes. */
export type WholesaleCycle = Cycle;

/** In the order and under the words of the catalogue (spec 2.2): two of them are called otherwise there. */
export const catalogueNames = {
  monthly: "monthly",
  quarterly: "quarterly",
  "semi-annually": "semiAnnual",
  annually: "annual",
  hourly: "hourly",
} as const satisfies Record<WholesaleCycle, string>;

export const wholesaleCycles = ["monthly", "quarterly", "semi-annually", "annually", "hourly"] as const;
