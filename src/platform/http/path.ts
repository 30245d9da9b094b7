/** A path to call, and the route it is an instance of as the spec writes it (for metrics, without ids). */
export interface Path {
  path: string;
  route: string;
  /** For the few writes that are told something in the query. */
  query?: Query;
  /** The answer is a document of its own and comes without the envelope. */
  bare?: boolean;
}

export type Query = Record<string, string | number | boolean | undefined>;

type Names<Route extends string> = Route extends `${string}{${infer Name}}${infer Rest}` ? Name | Names<Rest> : never;

/** Fills a route of the spec: `path("/vps/{id}", { id })`. A value becomes exactly one segment, whatever it contains; RangeError if it cannot. */
export function path<const Route extends string>(route: Route, values: Record<Names<Route>, string>): Path {
  const known = new Map(Object.entries<string>(values));
  return { route, path: route.replace(/\{(\w+)\}/g, (_, name: string) => segment(name, known.get(name) ?? "")) };
}

function segment(name: string, value: string): string {
  // Empty and dotted segments would be folded away on the road, and the call would reach another route.
  if (value === "" || value === "." || value === "..")
    throw new RangeError(`"${value}" cannot stand for {${name}} in a path`);
  return encodeURIComponent(value.toWellFormed());
}

/** `?name=value&…` of what is given, or nothing. */
export function queryText(query: Query): string {
  const given = new URLSearchParams();
  for (const [name, value] of Object.entries(query)) {
    if (value !== undefined) given.set(name, String(value));
  }
  return given.size > 0 ? `?${given}` : "";
}
