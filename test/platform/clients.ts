import type * as z from "zod";
import type { CustomerClient } from "../../src/platform/customer/client.ts";
import type { ApiClient } from "../../src/platform/http/client.ts";
import type { ApiName } from "../../src/platform/http/errors.ts";
import type { ResellerClient } from "../../src/platform/reseller/client.ts";

const refuse = () => Promise.reject(new Error("Nothing is asked of this client"));

/** Parses an answer as an endpoint does; throws the fault of its shape. */
export function readWith<T>(parser: z.ZodType<T>, sent: unknown): T {
  const parsed = parser.safeParse(sent);
  if (!parsed.success) throw parsed.error;
  return parsed.data;
}

function refusingClient<A extends ApiName>(api: A, given: Partial<ApiClient<A, string>>): ApiClient<A, string> {
  const made: ApiClient<A, string> = {
    api,
    signs: false,
    get: refuse,
    send: refuse,
    sendUnsigned: refuse,
    download: refuse,
    budget: () => undefined,
    in: () => made,
    skipping: () => made,
    observed: () => made,
    ...given,
  };
  return made;
}

/** A client whose methods reject, except those in `given`: the test must not call others. */
export function customerClient(given: Partial<CustomerClient<string>> = {}): CustomerClient<string> {
  return refusingClient("customer", given);
}

/** The same for the reseller API. */
export function resellerClient(given: Partial<ResellerClient<string>> = {}): ResellerClient<string> {
  return refusingClient("reseller", given);
}
