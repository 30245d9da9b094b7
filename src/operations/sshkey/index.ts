import { add } from "./add.ts";
import { remove } from "./delete.ts";
import { list } from "./list.ts";
import { show } from "./show.ts";

/** What a member can do with the SSH keys of the account. */
export const sshKeyOperations = [list, show, add, remove];
