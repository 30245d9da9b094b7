// platform/: the hosting platform's two APIs over HTTP, and nothing of Slack; the clients are made here, http/ is what both share.

import { type CustomerClient, type CustomerClientOptions, customerApi } from "./customer/client.ts";
import type { KeyBudget } from "./http/budget.ts";
import { type ApiClient, createClient } from "./http/client.ts";
import type { ApiName } from "./http/errors.ts";
import { createTransport } from "./http/transport.ts";
import { type ResellerClient, type ResellerClientOptions, resellerApi } from "./reseller/client.ts";

/** One platform with its two APIs. */
export interface Platform {
  url: string;
  customer(options: CustomerClientOptions): CustomerClient<string>;
  reseller(options: ResellerClientOptions): ResellerClient<string>;
  /** Clients without a key, for the public documents only. */
  anonymous<A extends ApiName>(api: A): ApiClient<A>;
  /** The calls left this hour of each key, as far as answers showed it. Customer spec section 8. */
  budgets(): KeyBudget[];
  /** Waits for calls under way, each until its time limit at most, then closes the connections. */
  close(): Promise<void>;
}

/** Opens the platform under `url` (the root, ending in /api/v1). */
export function createPlatform(options: Parameters<typeof createTransport>[0]): Platform {
  const transport = createTransport(options);
  const anonymous: { [A in ApiName]: ApiClient<A> } = {
    customer: createClient(transport, customerApi, { key: null }),
    reseller: createClient(transport, resellerApi, { key: null }),
  };
  return {
    url: options.url,
    customer: (client) => createClient(transport, customerApi, client),
    reseller: (client) => createClient(transport, resellerApi, client),
    anonymous: (api) => anonymous[api],
    budgets: transport.budgets,
    close: transport.close,
  };
}
