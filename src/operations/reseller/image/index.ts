import { remove } from "./delete.ts";
import { list } from "./list.ts";

/** What a partner can do with captured images; capturing one is `/reseller service capture`. */
export const imageOperations = [list, remove];
