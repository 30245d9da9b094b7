import { list } from "./list.ts";
import { newOrder } from "./new.ts";
import { retry } from "./retry.ts";
import { show } from "./show.ts";

/** Operations on wholesale orders: making them, showing them, and retrying a failed charge. */
export const orderOperations = [newOrder, list, show, retry];
