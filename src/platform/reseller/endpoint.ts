import { type Charges, callOf, type Endpoint, type RouteCall, type WriteOf } from "../http/endpoint.ts";
import type { ResellerClient } from "./client.ts";
import { type ChargingResellerRoute, type ResellerRoute, resellerRoutes, type ScopeOfRoute } from "./routes.ts";

export type ResellerEndpoint<Route extends ResellerRoute = ResellerRoute> = Endpoint<
  "reseller",
  ScopeOfRoute<Route>,
  Route
> &
  Charges<Route extends ChargingResellerRoute ? true : false>;

/** Declares the call of one reseller API route, as the customer API's `endpoint` does. The client signs each route that writes. */
export function endpoint<const Route extends ResellerRoute, Args extends unknown[], Result>(
  route: Route,
  run: (call: RouteCall<NoInfer<Route>, "reseller">, ...args: Args) => Result,
): ((client: ResellerClient<WriteOf<Route>>, ...args: Args) => Result) & ResellerEndpoint<Route> {
  return Object.assign((client: ResellerClient<WriteOf<Route>>, ...args: Args) => run(callOf(client, route), ...args), {
    api: "reseller" as const,
    route,
    scope: resellerRoutes[route],
  });
}
