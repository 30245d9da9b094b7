import { makeDefault } from "./default.ts";
import { list } from "./list.ts";

/** Operations on saved payment methods; methods are added in the supplier's panel only. */
export const paymentOperations = [list, makeDefault];
