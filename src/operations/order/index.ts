import { newOrder } from "./new.ts";
import { list, show } from "./order.ts";

/** In the order of the help. */
export const orderOperations = [newOrder, list, show];
