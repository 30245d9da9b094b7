import { list } from "./list.ts";
import { schema } from "./schema.ts";
import { show } from "./show.ts";

/** What a partner can sell on, at wholesale. */
export const productOperations = [list, show, schema];
