import { list } from "./list.ts";
import { newOrder } from "./new.ts";
import { retry } from "./retry.ts";
import { show } from "./show.ts";

/** Orders at wholesale: making them, what became of them, and charging one again. */
export const orderOperations = [newOrder, list, show, retry];
