import { remove } from "./delete.ts";
import { list } from "./list.ts";

/** Operations on captured images; `/reseller service capture` makes one. */
export const imageOperations = [list, remove];
