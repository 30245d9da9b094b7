import { availability } from "./availability.ts";
import { locations } from "./locations.ts";
import { products } from "./products.ts";
import { show } from "./show.ts";

/** Products, and where they can be ordered. */
export const catalogOperations = [products, show, locations, availability];
