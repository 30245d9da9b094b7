import type * as z from "#zod";
import type { Api, ApiClient, IdempotencyKey } from "./client.ts";
import type { Download, Success } from "./envelope.ts";
import type { ApiName } from "./errors.ts";
import { type Path, path, type Query, type Values, type WriteMethod } from "./path.ts";
import type { DeclaredRefusal } from "./refusals.ts";

/** The route of an endpoint that changes something. */
export type WriteRoute = `${WriteMethod} ${string}`;
/** Those of some routes that change something. */
export type WriteOf<Route extends string> = Extract<Route, WriteRoute>;

/** A route of one of the two APIs as a value. An operation names these; its routes, scope and signature follow from them. */
export interface Endpoint<
  A extends ApiName = ApiName,
  Scope extends string = string,
  Route extends string = string,
  Charges extends boolean = boolean,
  Removes extends boolean = boolean,
> {
  readonly api: A;
  /** The route in the spec's form, without the base path: "POST /vps/{id}/start". */
  readonly route: Route;
  /** The scope that a key needs for it. Section 5 of both specs. */
  readonly scope: Scope;
  /** The sections of the API's spec: "2.3, 4.3". */
  readonly spec: string;
  /** The routes of the spec that it serves: its own and its twins, or none where the spec does not write its form. */
  readonly serves: readonly string[];
  /** True for a route that charges, or begins to. The risk `change` does not compile with one. */
  readonly charges: Charges;
  /** True for a route that can take something away. No risk that is never `destroy` compiles with one. */
  readonly removes: Removes;
  /** The refusals of the route that prove that it charged nothing, or that have a sentence. */
  readonly refusals: readonly DeclaredRefusal[];
}

/** The query, body and headers of a call. A route that only reads has no body, and no write of the reseller API an idempotency key. */
interface PartsOf<Route extends string, A extends ApiName> {
  query?: Query | undefined;
  body?: Route extends `GET ${string}` ? undefined : unknown;
  headers?: Route extends `GET ${string}` ? undefined : A extends "customer" ? IdempotencyKey : undefined;
}

/** The values of a path that a call names, in the order of the route. */
type PathValues<Route extends string, At> = Route extends `${string}{${infer Name}}${infer Rest}`
  ? [
      ...(Name extends keyof At ? (At[Name] extends readonly (infer One)[] ? [One] : []) : [string]),
      ...PathValues<Rest, At>,
    ]
  : [];

/** The facts of an endpoint that only some have. */
interface Facts<Route extends string, A extends ApiName, More extends unknown[], At, Charges, Removes> {
  /** The parts of a call, from its arguments after the values of the path. */
  sends?: (...more: More) => PartsOf<Route, A>;
  /** Values of the path that a call does not choose freely: the one that it always has, or those among which it chooses. */
  at?: At & { readonly [Name in Exclude<keyof At, keyof Values<Route>>]?: never };
  charges?: Charges;
  removes?: Removes;
  refusals?: readonly DeclaredRefusal[];
  /** Routes of the spec that do the same under the same scope, and are not called. */
  twins?: readonly string[];
  /** The spec leaves this form of the route open: a change may name its object in the path or in the body. */
  assumed?: true;
}

/** Only a declared refusal proves that a route charged nothing, so a route that charges declares them all, or that it has none. */
type FactsIfCharging<Charges> = Charges extends true ? { refusals: readonly DeclaredRefusal[] } : unknown;

/** One call of a route. `values` fill its path. */
export interface RouteCall<Route extends string, A extends ApiName = ApiName> {
  /** Parses the whole envelope with `schema`. */
  envelope<T>(values: Values<Route>, schema: z.ZodType<T>, parts?: PartsOf<Route, A>): Promise<T>;
  /** The same with the HTTP status, for callers to which it matters. Only for a route that writes. */
  withStatus<T>(values: Values<Route>, schema: z.ZodType<T>, parts?: PartsOf<Route, A>): Promise<Success<T>>;
  /** Reads a document that is not JSON. */
  download(values: Values<Route>, parts?: PartsOf<Route, A>): Promise<Download>;
}

/** Makes the calls of an endpoint whose answer takes more than a schema. */
type Run<Route extends string, A extends ApiName, More extends unknown[], T> = (
  call: RouteCall<Route, A>,
  values: Values<Route>,
  ...more: More
) => Promise<T>;

type Called<A extends ApiName, Route extends string, Args extends unknown[], T> = (
  client: ApiClient<A, WriteOf<Route>>,
  ...args: Args
) => Promise<T>;

/**
 * Gives the function that declares the routes of an API, one value for each: its route, scope, sections of the spec, and the schema of the
 * answer's envelope. A function makes the calls where that does not do. The result is called with a client, the values of the path in
 * their order, and what `sends` takes.
 */
export function endpointsOf<A extends ApiName, Scope extends string>(api: Api<A, Scope>) {
  function endpoint<
    const Route extends `${"GET" | WriteMethod} /${string}`,
    S extends Scope,
    T,
    More extends unknown[] = [],
    const At extends Readonly<Record<string, string | readonly string[]>> = Record<never, never>,
    Charges extends boolean = false,
    Removes extends boolean = false,
  >(
    route: Route,
    scope: S,
    spec: string,
    answer: z.ZodType<T>,
    facts?: Facts<Route, A, More, At, Charges, Removes> & FactsIfCharging<Charges>,
  ): Called<A, Route, [...PathValues<Route, At>, ...More], T> & Endpoint<A, S, Route, Charges, Removes>;
  function endpoint<
    const Route extends `${"GET" | WriteMethod} /${string}`,
    S extends Scope,
    T,
    More extends unknown[] = [],
    const At extends Readonly<Record<string, string | readonly string[]>> = Record<never, never>,
    Charges extends boolean = false,
    Removes extends boolean = false,
  >(
    route: Route,
    scope: S,
    spec: string,
    run: Run<Route, A, More, T>,
    facts?: Omit<Facts<Route, A, [], At, Charges, Removes>, "sends"> & FactsIfCharging<Charges>,
  ): Called<A, Route, [...PathValues<Route, At>, ...More], T> & Endpoint<A, S, Route, Charges, Removes>;
  function endpoint(
    route: string,
    scope: Scope,
    spec: string,
    how: z.ZodType | Run<string, ApiName, unknown[], unknown>,
    facts: Facts<string, ApiName, unknown[], unknown, boolean, boolean> = {},
  ) {
    const { sends = () => ({}), charges = false, removes = false, twins = [], assumed = false } = facts;
    const declared = {
      ...{ api: api.name, route, scope, spec, charges, removes },
      serves: assumed ? [] : [route, ...twins],
      refusals: [...(facts.refusals ?? []), ...api.anyRoute],
    };
    const fixed = new Map(Object.entries(Object(facts.at)).filter(([, value]) => typeof value === "string"));
    const names = [...route.matchAll(/\{(\w+)\}/g)].map(([, name = ""]) => name);
    const free = names.filter((name) => !fixed.has(name));
    const run: typeof how =
      typeof how === "function" ? how : (call, values, ...more) => call.envelope(values, how, sends(...more));
    return Object.assign((client: ApiClient<A, string>, ...args: unknown[]) => {
      const given = new Map(free.map((name, at) => [name, args[at]]));
      const values = Object.fromEntries(names.map((name) => [name, String(given.get(name) ?? fixed.get(name) ?? "")]));
      return run(callOf(client, declared), values, ...args.slice(free.length));
    }, declared);
  }
  return endpoint;
}

/** The calls of an endpoint's route with one client. `withStatus` throws on a route that only reads: its author made a mistake. */
function callOf(client: ApiClient<ApiName, string>, declared: Endpoint): RouteCall<string> {
  const { route } = declared;
  const [, template = ""] = route.split(" ");
  const isRead = route.startsWith("GET ");
  const fill = (values: Record<string, string>): Path => ({ ...path(template, values), facts: declared });

  async function withStatus<T>(
    values: Record<string, string>,
    schema: z.ZodType<T>,
    { query, body, headers }: PartsOf<string, ApiName> = {},
  ): Promise<Success<T>> {
    if (isRead) throw new Error(`${route} writes nothing`);
    const filled = fill(values);
    return client.send(route, query ? { ...filled, query } : filled, schema, body, headers);
  }

  return {
    withStatus,
    async envelope(values, schema, parts = {}) {
      if (isRead) return client.get(fill(values), schema, parts.query);
      return (await withStatus(values, schema, parts)).value;
    },
    download: (values, parts = {}) => client.download(fill(values), parts.query),
  };
}
