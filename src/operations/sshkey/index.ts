import { add } from "./add.ts";
import { remove } from "./delete.ts";
import { list } from "./list.ts";

/** What a member can do with the SSH keys of the account. */
export const sshKeyOperations = [list, add, remove];
