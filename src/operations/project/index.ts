import { change, create, remove } from "./change.ts";
import { move } from "./move.ts";
import { list, show, use } from "./show.ts";

/** In the order of the help. */
export const projectOperations = [list, show, use, create, change, move, remove];
