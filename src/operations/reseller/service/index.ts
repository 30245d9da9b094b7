import { list } from "./list.ts";
import { show } from "./show.ts";
import { suspend, unsuspend } from "./suspend.ts";
import { terminate } from "./terminate.ts";

/** What a partner can do with the services that it sells on, in the order of the help. */
export const serviceOperations = [list, show, suspend, unsuspend, terminate];
