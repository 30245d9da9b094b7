import { change } from "./change.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { show } from "./show.ts";

/** Operations on the records of the partner's customers, in the order of the guide. */
export const customerOperations = [list, show, create, change, remove];
