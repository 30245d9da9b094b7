import { change } from "./change.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { show } from "./show.ts";

/** What a partner can do with the records of its own customers, in the order of the help. */
export const customerOperations = [list, show, create, change, remove];
