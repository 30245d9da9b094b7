import { list } from "./list.ts";

/** What the supplier has told of, and what was missed of it. */
export const eventOperations = [list];
