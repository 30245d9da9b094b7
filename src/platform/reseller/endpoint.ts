import {
  type Charging,
  type ChargingNothing,
  callOf,
  type Endpoint,
  type RouteCall,
  type WriteOf,
} from "../http/endpoint.ts";
import type { ResellerClient } from "./client.ts";
import { anyRoute } from "./refusals.ts";
import { type RemovesOf, type ResellerRoute, removingRoutes, resellerRoutes, type ScopeOfRoute } from "./routes.ts";

export type ResellerEndpoint<Route extends ResellerRoute = ResellerRoute, Charges extends boolean = boolean> = Endpoint<
  "reseller",
  ScopeOfRoute<Route>,
  Route,
  Charges,
  RemovesOf<Route>
>;

type Run<Route extends ResellerRoute, Args extends unknown[], Result> = (
  call: RouteCall<NoInfer<Route>, "reseller">,
  ...args: Args
) => Result;
type Called<Route extends ResellerRoute, Args extends unknown[], Result, Charges extends boolean> = ((
  client: ResellerClient<WriteOf<Route>>,
  ...args: Args
) => Result) &
  ResellerEndpoint<Route, Charges>;

/** Declares the call of one reseller API route, as the customer API's `endpoint` does. The client signs each route that writes. */
export function endpoint<const Route extends ResellerRoute, Args extends unknown[], Result>(
  route: Route,
  run: Run<Route, Args, Result>,
  declared?: ChargingNothing,
): Called<Route, Args, Result, false>;
export function endpoint<const Route extends ResellerRoute, Args extends unknown[], Result>(
  route: Route,
  run: Run<Route, Args, Result>,
  declared: Charging,
): Called<Route, Args, Result, true>;
export function endpoint<const Route extends ResellerRoute, Args extends unknown[], Result>(
  route: Route,
  run: Run<Route, Args, Result>,
  { charges = false, refusals = [] }: Charging | ChargingNothing = {},
): ((client: ResellerClient<WriteOf<Route>>, ...args: Args) => Result) &
  Endpoint<"reseller", ScopeOfRoute<Route>, Route> {
  const facts = { charges, refusals: [...refusals, ...anyRoute] };
  const removes = removingRoutes.some((one) => one === route);
  return Object.assign(
    (client: ResellerClient<WriteOf<Route>>, ...args: Args) => run(callOf(client, route, facts), ...args),
    { api: "reseller" as const, route, scope: resellerRoutes[route], removes, ...facts },
  );
}
