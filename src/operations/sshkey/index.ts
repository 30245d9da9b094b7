import { add, list, remove, show } from "./sshkey.ts";

/** In the order of the help. */
export const sshKeyOperations = [list, show, add, remove];
