import type { RouteFacts } from "./refusals.ts";

/** A path to call, and its route in the spec's form; metrics use the route, so that they have no ids. */
export interface Path {
  path: string;
  route: string;
  /** For the few writes that have a query. */
  query?: Query;
  /** The answer is a document without the envelope of all others. */
  outsideEnvelope?: boolean;
  /** The declarations of its endpoint, for the error of a failed call. */
  facts?: RouteFacts;
}

export type WriteMethod = "POST" | "PUT" | "PATCH" | "DELETE";

export type Query = Record<string, string | number | boolean | undefined>;

type Names<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;
/** A value for each `{…}` of a route. */
export type Values<Route extends string> = Record<Names<Route>, string>;

/** Fills a route of the spec: `path("/vps/{id}", { id })`. Each value becomes exactly one path segment; throws a RangeError where it cannot. */
export function path<const Route extends string>(route: Route, values: Values<Route>): Path {
  const known = new Map(Object.entries<string>(values));
  return { route, path: route.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, known.get(name) ?? "")) };
}

function segment(name: string, value: string): string {
  // Proxies and URL parsers drop empty and dotted segments, so the call would reach another route.
  if (value === "" || value === "." || value === "..")
    throw new RangeError(`"${value}" does not fit {${name}} in a path`);
  return encodeURIComponent(value.toWellFormed());
}

/** `?name=value&…` of the values that are set, or an empty string. */
export function queryText(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size > 0 ? `?${given}` : "";
}

/** A path that has no values to fill in is its own route. */
export function pathOf(path: string | Path): Path {
  return typeof path === "string" ? { path, route: path } : path;
}

/** The method of a route in the spec's form. */
export function methodOf(route: string): string {
  return route.slice(0, route.indexOf(" "));
}
