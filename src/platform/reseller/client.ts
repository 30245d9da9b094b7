// platform/reseller/: the reseller API: its client, its signatures, and an endpoint for each route, in a file per resource.

import type { Api, ApiClient, ClientOptions } from "../http/client.ts";
import { readResellerRefusal } from "./envelope.ts";
import { anyRoute } from "./refusals.ts";
import { signatureHeaders } from "./signing.ts";

/** The scopes that a reseller key can have. Spec section 5. */
export const resellerScopes = ["read", "orders", "services", "destructive", "customers", "account"] as const;
export type ResellerScope = (typeof resellerScopes)[number];

export const resellerApi: Api<"reseller", ResellerScope> = {
  name: "reseller",
  root: "/reseller",
  scopes: resellerScopes,
  readRefusal: readResellerRefusal,
  anyRoute,
  sign: signatureHeaders,
};

/** Calls the reseller API with one key; writes are signed. */
export type ResellerClient<Writes extends string = never> = ApiClient<"reseller", Writes>;

export interface ResellerClientOptions extends ClientOptions {
  /** The workspace's signing secret; null until an admin connects the account. */
  signingSecret: string | null;
}
