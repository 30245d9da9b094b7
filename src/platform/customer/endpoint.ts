import { type Charges, callOf, type Endpoint, type RouteCall, type WriteOf } from "../http/endpoint.ts";
import type { CustomerClient } from "./client.ts";
import { type ChargingCustomerRoute, type CustomerRoute, customerRoutes, type ScopeOfRoute } from "./routes.ts";

export type CustomerEndpoint<Route extends CustomerRoute = CustomerRoute> = Endpoint<
  "customer",
  ScopeOfRoute<Route>,
  Route
> &
  Charges<Route extends ChargingCustomerRoute ? true : false>;

/**
 * Declares the call of one customer API route. Gives a function that calls it with a client. An operation names this function as its act
 * or as one of its reads; its routes and scope follow from that.
 */
export function endpoint<const Route extends CustomerRoute, Args extends unknown[], Result>(
  route: Route,
  run: (call: RouteCall<NoInfer<Route>, "customer">, ...args: Args) => Result,
): ((client: CustomerClient<WriteOf<Route>>, ...args: Args) => Result) & CustomerEndpoint<Route> {
  return Object.assign((client: CustomerClient<WriteOf<Route>>, ...args: Args) => run(callOf(client, route), ...args), {
    api: "customer" as const,
    route,
    scope: customerRoutes[route],
  });
}
