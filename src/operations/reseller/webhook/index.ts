import { address } from "./address.ts";
import { test } from "./test.ts";

/** Where the supplier sends events of the reseller account. */
export const webhookOperations = [address, test];
