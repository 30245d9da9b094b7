import { availability, locations } from "./places.ts";
import { products, show } from "./show.ts";

/** Products, and where they can be ordered. */
export const catalogOperations = [products, show, locations, availability];
