import type { CustomerClient } from "../../src/platform/customer/client.ts";
import type { Parser } from "../../src/platform/http/parser.ts";
import type { ResellerClient } from "../../src/platform/reseller/client.ts";

const refuse = () => Promise.reject(new Error("Nothing is asked of this client"));

/** What an endpoint makes of an answer, or the fault of its shape, thrown. */
export function readWith<T>(parser: Parser<T>, sent: unknown): T {
  const parsed = parser.safeParse(sent);
  if (!parsed.success) throw parsed.error;
  return parsed.data;
}

/** A client that nothing is to be asked of, but for what is given. */
export function customerClient(given: Partial<CustomerClient> = {}): CustomerClient {
  const made: CustomerClient = {
    api: "customer",
    get: refuse,
    send: refuse,
    sendWithStatus: refuse,
    download: refuse,
    budget: () => undefined,
    in: () => made,
    ...given,
  };
  return made;
}

/** The same of the other API. */
export function resellerClient(given: Partial<ResellerClient> = {}): ResellerClient {
  return {
    api: "reseller",
    signs: false,
    get: refuse,
    send: refuse,
    sendWithStatus: refuse,
    sendUnsigned: refuse,
    download: refuse,
    budget: () => undefined,
    ...given,
  };
}
