import { add } from "./add.ts";
import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { show } from "./show.ts";

/** In the order of the help. */
export const sshKeyOperations = [list, show, add, remove];
