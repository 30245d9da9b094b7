import { newOrder } from "./new.ts";
import { list, show } from "./order.ts";
import { retry } from "./retry.ts";

/** Operations on wholesale orders: making them, showing them, and retrying a failed charge. */
export const orderOperations = [newOrder, list, show, retry];
