import type * as z from "zod";
import { data, done } from "./data.ts";
import type { Download, Success } from "./envelope.ts";
import type { ApiName } from "./errors.ts";
import { type Path, path, type Query, type Values } from "./path.ts";
import type { DeclaredRefusal, RouteFacts } from "./refusals.ts";
import type { WriteMethod } from "./transport.ts";

/** A route of one of the two APIs as a value. An operation names these; its routes, scope and signature follow from them. */
export interface Endpoint<
  A extends ApiName = ApiName,
  Scope extends string | null = string | null,
  Route extends string = string,
  Charges extends boolean = boolean,
  Removes extends boolean = boolean,
> {
  readonly api: A;
  /** The route in the spec's form, without the base path: "POST /vps/{id}/start". */
  readonly route: Route;
  /** The scope that a key needs for it; null for a route without a key. Section 5 of both specs. */
  readonly scope: Scope;
  /** True for a route that charges, or begins to. The risk `change` does not compile with one. */
  readonly charges: Charges;
  /** True for a route that can take something away. No risk that is never `destroy` compiles with one. */
  readonly removes: Removes;
  /** The refusals of the route that prove that it charged nothing, or that have a sentence. */
  readonly refusals: readonly DeclaredRefusal[];
}

/** The declarations of an endpoint beside a route that charges nothing. */
export interface ChargingNothing {
  charges?: false;
  refusals?: readonly DeclaredRefusal[];
}

/** The declarations beside a route that charges: only a declared refusal proves that it charged nothing. */
export interface Charging {
  charges: true;
  refusals: readonly DeclaredRefusal[];
}

interface IdempotencyKey {
  "Idempotency-Key"?: string;
}

interface RequestParts {
  query?: Query | undefined;
  body?: unknown;
  headers?: IdempotencyKey;
}

/** The query, body and headers of a call. A route that only reads has no body, and no write of the reseller API an idempotency key. */
type PartsOf<Route extends string, A extends ApiName> = Route extends `GET ${string}`
  ? Pick<RequestParts, "query">
  : A extends "customer"
    ? RequestParts
    : Omit<RequestParts, "headers">;

/** One call of a route, with the method and path filled in. Each method rejects with one of the four kinds of `errors.ts`. */
export interface RouteCall<Route extends string, A extends ApiName = ApiName> {
  /** Parses the envelope's `data` with `schema`. */
  data<T>(values: Values<Route>, schema: z.ZodType<T>, parts?: PartsOf<Route, A>): Promise<T>;
  /** Parses the whole envelope with `schema`. */
  envelope<T>(values: Values<Route>, schema: z.ZodType<T>, parts?: PartsOf<Route, A>): Promise<T>;
  /** Like `envelope`, with the HTTP status for callers to which it matters. Only for a route that writes. */
  withStatus<T>(values: Values<Route>, schema: z.ZodType<T>, parts?: PartsOf<Route, A>): Promise<Success<T>>;
  /** For an answer of which the caller uses nothing. */
  done(values: Values<Route>, parts?: PartsOf<Route, A>): Promise<void>;
  /** Reads a document that is not JSON. */
  download(values: Values<Route>, parts?: PartsOf<Route, A>): Promise<Download>;
}

/** The methods of both clients that a call needs. */
interface Client<Route extends string, A extends ApiName> {
  readonly api: A;
  get<T>(path: Path, schema: z.ZodType<T>, query?: Query): Promise<T>;
  send: <T>(
    route: WriteOf<Route>,
    path: Path,
    schema: z.ZodType<T>,
    body?: unknown,
    headers?: IdempotencyKey,
  ) => Promise<Success<T>>;
  download(path: Path, query?: Query): Promise<Download>;
}

/** The route of an endpoint that changes something. */
export type WriteRoute = `${WriteMethod} ${string}`;
/** Those of some routes that change something. */
export type WriteOf<Route extends string> = Extract<Route, WriteRoute>;

function isWrite<Route extends string>(route: Route): route is WriteOf<Route> {
  return !route.startsWith("GET ");
}

/** The method of a route in the spec's form. */
export function methodOf(route: string): string {
  return route.slice(0, route.indexOf(" "));
}

/** The calls of a route with one client. `withStatus` throws on a route that only reads: its author made a mistake. */
export function callOf<const Route extends string, A extends ApiName>(
  client: Client<Route, A>,
  route: Route,
  facts: RouteFacts,
): RouteCall<Route, A> {
  const [, template = ""] = route.split(" ");
  const fill = (values: Values<Route>): Path => ({ ...path(template, values), facts });

  async function withStatus<T>(
    values: Values<Route>,
    schema: z.ZodType<T>,
    parts: RequestParts = {},
  ): Promise<Success<T>> {
    if (!isWrite(route)) throw new Error(`${route} writes nothing`);
    const filled = fill(values);
    const { query, body, headers } = parts;
    return client.send(route, query ? { ...filled, query } : filled, schema, body, headers);
  }

  async function envelope<T>(values: Values<Route>, schema: z.ZodType<T>, parts: RequestParts = {}): Promise<T> {
    if (isWrite(route)) return (await withStatus(values, schema, parts)).value;
    return client.get(fill(values), schema, parts.query);
  }

  return {
    envelope,
    withStatus,
    data: async (values, schema, parts) => (await envelope(values, data(schema), parts)).data,
    async done(values, parts) {
      await envelope(values, done, parts);
    },
    download: (values, parts: RequestParts = {}) => client.download(fill(values), parts.query),
  };
}
