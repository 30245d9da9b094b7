import { list } from "./list.ts";
import { schema } from "./schema.ts";
import { show } from "./show.ts";

/** Operations on the products that a partner can resell, at wholesale. */
export const productOperations = [list, show, schema];
