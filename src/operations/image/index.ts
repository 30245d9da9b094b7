import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { register } from "./register.ts";
import { show } from "./show.ts";

/** What a member can do with custom images; capturing one is `/vps capture`. */
export const imageOperations = [list, show, register, remove];
