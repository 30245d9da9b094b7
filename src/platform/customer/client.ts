// platform/customer/: the customer API: its client, its refusals, and an endpoint for each route, in a file per resource.

import type { Api, ApiClient, ClientOptions } from "../http/client.ts";
import { anyRoute, readCustomerRefusal } from "./refusals.ts";

/** The scopes that a customer key can have. Spec section 5. */
export const customerScopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type CustomerScope = (typeof customerScopes)[number];

export const customerApi: Api<"customer", CustomerScope> = {
  name: "customer",
  root: "",
  scopes: customerScopes,
  readRefusal: readCustomerRefusal,
  anyRoute,
};

/** Calls the customer API with one key, optionally narrowed to one project. */
export type CustomerClient<Writes extends string = never> = ApiClient<"customer", Writes>;

export interface CustomerClientOptions extends ClientOptions {
  project?: string | null;
}
