import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { register } from "./register.ts";
import { show } from "./show.ts";

/** In the order of the help. `/vps capture` captures an image. */
export const imageOperations = [list, show, register, remove];
