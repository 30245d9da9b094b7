// reseller/: the reseller API: its dispatcher, its list of routes and what it says of itself.

import { type Api, type ApiRequest, responding } from "../http/api.ts";
import { documentation } from "../http/documentation.ts";
import { notFound } from "../http/refusal.ts";
import type { ApiResponse } from "../http/response.ts";
import type { Programme } from "../programme/programme.ts";
import { endWhatIsDue } from "../provisioning/termination.ts";
import type { World } from "../world/world.ts";
import { authenticate, refuseMalformedIds, refuseMissingScope, refuseWithoutFeature } from "./request/checks.ts";
import { refused } from "./request/envelope.ts";
import { presentedKey, type ResellerKeys } from "./request/keys.ts";
import { isJson, refuseUnlessSigned } from "./request/signature.ts";
import { createSlidingWindow, refuseWhenUsedUp, windowHeaders } from "./request/window.ts";
import { matchRoute, routes } from "./routes.ts";

const prefix = "/reseller";

/** The reseller API over a world: the shared checks in the spec's order, then the route. */
export function createResellerApi(world: World, programme: Programme, keys: ResellerKeys): Api {
  const count = createSlidingWindow(world.clock, programme);

  /** Every answer to a known key shows its window: `headers` is filled in once the key is known. */
  function answer(request: ApiRequest, headers: Record<string, string>): ApiResponse {
    endWhatIsDue(world);
    const page = request.method === "GET" ? documentation(request.path, documented(world)) : undefined;
    if (page !== undefined) return page;
    refuseWithoutFeature(programme);
    const key = authenticate(world, keys, request);
    const used = count(key);
    Object.assign(headers, windowHeaders(world.clock, used));
    refuseWhenUsedUp(used);

    const match = matchRoute(request.method, request.path);
    if (match === undefined || isDropped(world, request.method, match.route.path)) throw notFound("Route");
    const { route, params } = match;
    refuseMissingScope(route, key);
    refuseUnlessSigned(request, key.partner, world.clock.now() + world.settings.clockAhead);
    refuseMalformedIds(params);

    const text = isJson(request.header("content-type")) ? request.body.toString("utf8") : "";
    return route.handle({ world, programme, keys, partner: key.partner, key, params, query: request.query, text });
  }

  return {
    prefix,
    // An upload of 4 MiB comes as base64.
    mostBytes: (path) => (path.endsWith("/upload") ? 6_291_456 : 1_048_576),
    refuse: refused,
    caller: (request) => ({ key: presentedKey(keys, request.header("authorization"))?.label ?? null, project: null }),
    respond: responding(answer, refused),
  };
}

function documented(world: World) {
  const served = routes.filter(({ method, path }) => !isDropped(world, method, path));
  return { title: "Reseller API", name: "Practice reseller programme", url: `${world.url}${prefix}`, routes: served };
}

function isDropped(world: World, method: string, path: string): boolean {
  return world.settings.dropped.includes(`${method} ${prefix}${path}`);
}
