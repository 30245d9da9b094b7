// customer/: the customer API: its dispatcher, its list of routes, what it says of itself and of the account that
// asks. The reseller API comes to stand beside it with an Api of its own; the two share what is below them.

import { type Api, type ApiRequest, responding } from "../http/api.ts";
import { documentation } from "../http/documentation.ts";
import { createRateWindow, rateHeaders, rateLimited } from "../http/rate-window.ts";
import { notFound } from "../http/refusal.ts";
import type { ApiResponse } from "../http/response.ts";
import type { Match } from "../http/router.ts";
import { endWhatIsDue } from "../provisioning/termination.ts";
import type { World } from "../world/world.ts";
import type { Route } from "./request/call.ts";
import {
  authenticate,
  narrowToProject,
  ownerOf,
  refuseForeignAddress,
  refuseMalformedIds,
  refuseMissingScope,
  refuseWhileApiIsOff,
  refuseWithoutModule,
  refuseWithoutPermission,
} from "./request/checks.ts";
import { createCooldowns } from "./request/cooldowns.ts";
import { refused } from "./request/envelope.ts";
import { type Keys, presentedKey } from "./request/keys.ts";
import { matchRoute, routes } from "./routes.ts";

/** The customer API over a world: the shared checks in the spec's order, then the route. */
export function createCustomerApi(world: World, keys: Keys, options: { cooldownPace: number }): Api {
  const count = createRateWindow(world.clock, () => world.settings.hourlyLimit);
  const cooldowns = createCooldowns(world.clock, options.cooldownPace, world.settings.shapes);

  /** Every answer to a known key shows its hourly window: `headers` is filled in once the key is known. */
  function answer(request: ApiRequest, headers: Record<string, string>): ApiResponse {
    endWhatIsDue(world);
    refuseWhileApiIsOff(world);
    const page = request.method === "GET" ? documentation(request.path, documented(world)) : undefined;
    if (page !== undefined) return page;
    const key = authenticate(world, keys, request.header("authorization"));
    const { exhausted, ...rate } = count(key.key);
    Object.assign(headers, rateHeaders(rate));
    refuseForeignAddress(key, request.address);
    if (exhausted) throw rateLimited(world.clock.now(), rate);

    const user = ownerOf(world, key);
    const project = narrowToProject(world, key, user, projectNamed(request));
    const { route, params } = routeOf(world, request);
    refuseMalformedIds(world, route, params);
    refuseWithoutModule(world, route);
    refuseMissingScope(route, key);
    refuseWithoutPermission(route, user);

    const { query, header, body } = request;
    return route.handle({ world, cooldowns, key, user, project, rate, params, query, header, text: body.toString() });
  }

  return {
    prefix: "",
    refuse: refused,
    caller: (request) => ({
      key: presentedKey(keys, request.header("authorization"))?.label ?? null,
      project: projectNamed(request),
    }),
    respond: responding(answer, refused),
  };
}

function documented(world: World) {
  const served = routes.filter(({ method, path }) => !world.settings.dropped.includes(`${method} ${path}`));
  return { title: "Customer API", name: "Practice platform", url: world.url, routes: served };
}

function projectNamed(request: ApiRequest): string | null {
  return request.header("x-project-id") ?? request.query.get("project");
}

function routeOf(world: World, { method, path }: ApiRequest): Match<Route> {
  const match = matchRoute(method, path);
  if (match === undefined) throw notFound("Route");
  if (world.settings.dropped.includes(`${method} ${match.route.path}`)) throw notFound("Route");
  return match;
}
