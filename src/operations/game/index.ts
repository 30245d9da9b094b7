import { list } from "./list.ts";
import { kill, restart, start, stop } from "./power.ts";
import { show } from "./show.ts";

/** What a member can do with a game server. */
export const gameOperations = [list, show, start, stop, restart, kill];
