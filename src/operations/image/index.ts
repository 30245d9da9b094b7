import { list, remove, show } from "./image.ts";
import { register } from "./register.ts";

/** In the order of the help. `/vps capture` captures an image. */
export const imageOperations = [list, show, register, remove];
