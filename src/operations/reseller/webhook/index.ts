import { address } from "./address.ts";
import { test } from "./test.ts";

/** Operations on the webhook address of the reseller account. */
export const webhookOperations = [address, test];
