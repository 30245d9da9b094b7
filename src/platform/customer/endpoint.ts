import {
  type Charging,
  type ChargingNothing,
  callOf,
  type Endpoint,
  type RouteCall,
  type WriteOf,
} from "../http/endpoint.ts";
import type { CustomerClient } from "./client.ts";
import { anyRoute } from "./refusals.ts";
import { type CustomerRoute, customerRoutes, type RemovesOf, removingRoutes, type ScopeOfRoute } from "./routes.ts";

export type CustomerEndpoint<Route extends CustomerRoute = CustomerRoute, Charges extends boolean = boolean> = Endpoint<
  "customer",
  ScopeOfRoute<Route>,
  Route,
  Charges,
  RemovesOf<Route>
>;

type Run<Route extends CustomerRoute, Args extends unknown[], Result> = (
  call: RouteCall<NoInfer<Route>, "customer">,
  ...args: Args
) => Result;
type Called<Route extends CustomerRoute, Args extends unknown[], Result, Charges extends boolean> = ((
  client: CustomerClient<WriteOf<Route>>,
  ...args: Args
) => Result) &
  CustomerEndpoint<Route, Charges>;

/**
 * Declares the call of one customer API route. Gives a function that calls it with a client. An operation names this function as its act
 * or as one of its reads; its routes and scope follow from that.
 */
export function endpoint<const Route extends CustomerRoute, Args extends unknown[], Result>(
  route: Route,
  run: Run<Route, Args, Result>,
  declared?: ChargingNothing,
): Called<Route, Args, Result, false>;
export function endpoint<const Route extends CustomerRoute, Args extends unknown[], Result>(
  route: Route,
  run: Run<Route, Args, Result>,
  declared: Charging,
): Called<Route, Args, Result, true>;
export function endpoint<const Route extends CustomerRoute, Args extends unknown[], Result>(
  route: Route,
  run: Run<Route, Args, Result>,
  { charges = false, refusals = [] }: Charging | ChargingNothing = {},
): ((client: CustomerClient<WriteOf<Route>>, ...args: Args) => Result) &
  Endpoint<"customer", ScopeOfRoute<Route>, Route> {
  const facts = { charges, refusals: [...refusals, ...anyRoute] };
  const removes = removingRoutes.some((one) => one === route);
  return Object.assign(
    (client: CustomerClient<WriteOf<Route>>, ...args: Args) => run(callOf(client, route, facts), ...args),
    { api: "customer" as const, route, scope: customerRoutes[route], removes, ...facts },
  );
}
