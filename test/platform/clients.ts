import type { CustomerClient } from "../../src/platform/customer/client.ts";

const refuse = () => Promise.reject(new Error("Nothing is asked of this client"));

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
