import { change } from "./change.ts";
import { create } from "./create.ts";
import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { move } from "./move.ts";
import { show } from "./show.ts";
import { use } from "./use.ts";

/** In the order of the help. */
export const projectOperations = [list, show, use, create, change, move, remove];
