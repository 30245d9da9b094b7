import { makeDefault } from "./default.ts";
import { list } from "./list.ts";

/** What a partner's orders are charged to; methods are added in the supplier's panel alone. */
export const paymentOperations = [list, makeDefault];
