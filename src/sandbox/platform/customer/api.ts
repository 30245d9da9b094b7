import { type RateWindow, rateHeaders, rateLimited } from "../http/rate-window.ts";
import { notFound, Refusal } from "../http/refusal.ts";
import { type Answer, refused } from "../http/response.ts";
import { endWhatIsDue, type World } from "../world/world.ts";
import { documentation } from "./documentation.ts";
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
import { matchRoute } from "./routes.ts";

/** A request off the wire. */
export interface Incoming {
  method: string;
  /** Below /api/v1. */
  path: string;
  query: URLSearchParams;
  header(name: string): string | undefined;
  address: string;
  text: string;
}

/** Answers one request: the shared checks in the spec's order, then the route. Every answer to a known key tells its hourly window. */
export function dispatch(world: World, window: RateWindow, incoming: Incoming): Answer {
  let headers: Record<string, string> = {};
  try {
    endWhatIsDue(world);
    refuseWhileApiIsOff(world);
    const page = incoming.method === "GET" ? documentation(world, incoming.path) : undefined;
    if (page !== undefined) return page;
    const key = authenticate(world, incoming.header("authorization"));
    const rate = window.count(key);
    headers = rateHeaders(rate);
    refuseForeignAddress(key, incoming.address);
    if (rate.exhausted) throw rateLimited(world, rate);

    const user = ownerOf(world, key);
    const named = incoming.header("x-project-id") ?? incoming.query.get("project");
    const project = narrowToProject(world, key, user, named);
    const { route, params } = routeOf(world, incoming);
    refuseMalformedIds(params);
    refuseWithoutModule(world, route);
    refuseMissingScope(route, key);
    refuseWithoutPermission(route, user);

    const { query, header, text } = incoming;
    const { exhausted, ...left } = rate;
    const answer = route.handle({ world, key, user, project, rate: left, params, query, header, text });
    return { ...answer, headers: { ...answer.headers, ...headers } };
  } catch (error) {
    if (!(error instanceof Refusal)) throw error;
    const answer = refused(error);
    return { ...answer, headers: { ...answer.headers, ...headers } };
  }
}

function routeOf(world: World, { method, path }: Incoming): { route: Route; params: Record<string, string> } {
  const match = matchRoute(method, path);
  if (match === undefined) throw notFound("Route");
  if (world.settings.dropped.includes(`${method} ${match.route.path}`)) throw notFound("Route");
  return match;
}
