import { list } from "./list.ts";

/** Operations on the supplier's events. */
export const eventOperations = [list];
