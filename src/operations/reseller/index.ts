import { customerOperations } from "./customer/index.ts";

/** What a partner can do with what it sells on, by sub-noun. */
export const resellerOperations = [...customerOperations];
