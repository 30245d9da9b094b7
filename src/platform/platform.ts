// platform/: the hosting platform's two APIs over HTTP, and nothing of Slack; the clients are made here, http/ is what both share.

import { type CustomerClient, type CustomerClientOptions, createCustomerClient } from "./customer/client.ts";
import type { KeyBudget } from "./http/budget.ts";
import type { ApiName } from "./http/errors.ts";
import type { ReadObserver } from "./http/read-observer.ts";
import { createTransport } from "./http/transport.ts";
import type { UnreadRow } from "./http/unread.ts";
import { createResellerClient, type ResellerClient, type ResellerClientOptions } from "./reseller/client.ts";

/**
 * Maps each API to its client type, so that operations, keys and scopes of one API fit together. `Writes` are the routes by which the client
 * writes: `never` for one that only reads, `string` for all.
 */
export interface ClientOf<Writes extends string = never> {
  customer: CustomerClient<Writes>;
  reseller: ResellerClient<Writes>;
}

type AnyClient = ClientOf[ApiName];

/**
 * A client of the same key that reads a list without the rows that are off the contract, and hands each to `skip`. It is for showing and
 * for choosing alone: a missing row proves nothing, and a sum without it is wrong.
 */
export function skippingClient<A extends ApiName, Writes extends string = never>(
  client: ClientOf<Writes>[A],
  skip: (row: UnreadRow) => void,
): ClientOf<Writes>[A];
export function skippingClient(client: AnyClient, skip: (row: UnreadRow) => void): AnyClient {
  return client.skipping(skip);
}

/** A client of the same key that tells `observer` of each of its reads. */
export function observedClient<A extends ApiName, Writes extends string = never>(
  client: ClientOf<Writes>[A],
  observer: ReadObserver,
): ClientOf<Writes>[A];
export function observedClient(client: AnyClient, observer: ReadObserver): AnyClient {
  return client.observed(observer);
}

/** One platform with its two APIs. */
export interface Platform {
  url: string;
  customer(options: CustomerClientOptions): CustomerClient<string>;
  reseller(options: ResellerClientOptions): ResellerClient<string>;
  /** Clients without a key, for the public documents only. */
  anonymous<A extends ApiName>(api: A): ClientOf[A];
  /** The calls left this hour of each key, as far as answers showed it. Customer spec section 8. */
  budgets(): KeyBudget[];
  /** Waits for calls under way, each until its time limit at most, then closes the connections. */
  close(): Promise<void>;
}

/** Opens the platform under `url` (the root, ending in /api/v1). */
export function createPlatform(options: Parameters<typeof createTransport>[0]): Platform {
  const transport = createTransport(options);
  const anonymous: ClientOf = {
    customer: createCustomerClient(transport, { key: null }),
    reseller: createResellerClient(transport, { key: null, signingSecret: null }),
  };
  return {
    url: options.url,
    customer: (client) => createCustomerClient(transport, client),
    reseller: (client) => createResellerClient(transport, client),
    anonymous: (api) => anonymous[api],
    budgets: transport.budgets,
    close: transport.close,
  };
}
