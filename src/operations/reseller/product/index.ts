import { list, schema, show } from "./product.ts";

/** Operations on the products that a partner can resell, at wholesale. */
export const productOperations = [list, show, schema];
