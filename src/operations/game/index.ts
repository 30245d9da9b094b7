import { list } from "./list.ts";
import { kill, restart, start, stop } from "./power.ts";
import { show } from "./show.ts";

/** In the order of the help. */
export const gameOperations = [list, show, start, stop, restart, kill];
