// platform/customer/: the customer API: its client, its envelope, and an endpoint for each route, in a file per resource.
// May import: platform/, platform/http/.

import type * as z from "zod";
import { secretsOf } from "../http/conceal.ts";
import { methodOf } from "../http/endpoint.ts";
import { type Download, readDownload, readEnvelope, type Success } from "../http/envelope.ts";
import type { Path, Query } from "../http/path.ts";
import type { ReadObserver } from "../http/read-observer.ts";
import { type ApiRequest, type Budget, checkKey, pathOf, type Transport } from "../http/transport.ts";
import type { UnreadRow } from "../http/unread.ts";
import { readCustomerRefusal } from "./envelope.ts";

/** The scopes that a customer key can have. Spec section 5. */
export const customerScopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type CustomerScope = (typeof customerScopes)[number];

/** Calls the customer API with one key, optionally narrowed to one project. `Writes`: the routes by which it may write. */
export interface CustomerClient<Writes extends string = never> {
  readonly api: "customer";
  /** Reads, and parses the whole envelope with `schema`. Rejects with one of the four kinds of `errors.ts`. */
  get<T>(path: string | Path, schema: z.ZodType<T>, query?: Query): Promise<T>;
  /**
   * Writes by a route, with its path filled in. The request is sent at most once. After a failure, `applied(error)` says whether it may
   * have run.
   */
  send: <T>(
    route: Writes,
    path: string | Path,
    schema: z.ZodType<T>,
    body?: unknown,
    headers?: { "Idempotency-Key"?: string },
  ) => Promise<Success<T>>;
  /** Reads a document that is not JSON. */
  download(path: string | Path, query?: Query): Promise<Download>;
  /** The key's hourly rate limit in the latest answer; undefined where it is not known or that hour has passed. */
  budget(): Budget | undefined;
  /** See `skippingClient` of platform.ts. */
  skipping(skip: (row: UnreadRow) => void): CustomerClient<Writes>;
  /** See `observedClient` of platform.ts. */
  observed(observer: ReadObserver): CustomerClient<Writes>;
  /** A client of the same key, narrowed to a project (id or slug), or to none. */
  in(project: string | null): CustomerClient<Writes>;
}

export interface CustomerClientOptions {
  /** Null sends no key; only the public documents can be read so. */
  key: string | null;
  project?: string | null;
  /** `false` for calls that must not wait (typeahead) or that are paced elsewhere (background): a refused read is not retried. */
  patient?: boolean;
  skip?: (row: UnreadRow) => void;
  observer?: ReadObserver;
}

/** A client of the customer API. Spec sections 2.1, 4.7, 5 and 8. */
export function createCustomerClient(transport: Transport, options: CustomerClientOptions): CustomerClient<string> {
  const { key, project = null, patient = true, skip, observer } = options;
  const headers: Record<string, string> = { accept: "application/json", "user-agent": "rackbell" };
  if (key !== null) headers.authorization = `Bearer ${checkKey(key)}`;
  if (project !== null) headers["x-project-id"] = project;

  function request(
    method: string,
    path: string | Path,
    more: { query?: Query; body?: unknown; headers?: object },
  ): ApiRequest {
    const { query = {}, body } = more;
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return {
      api: "customer",
      key: key ?? "",
      method,
      path: pathOf(path),
      query,
      headers: { ...headers, ...type, ...more.headers },
      body: body === undefined ? undefined : JSON.stringify(body),
      secrets: secretsOf(key ?? "", body),
    };
  }

  /** A route that ends in an id reads one resource, and none of its parts may be missing unnoticed. */
  function skipIn(path: string | Path): typeof skip {
    return pathOf(path).route.endsWith("}") ? undefined : skip;
  }

  const client: CustomerClient<string> = {
    api: "customer",
    async get(path, schema, query = {}) {
      await observer?.before();
      const { bare } = pathOf(path);
      const read = transport.read(
        request("GET", path, { query }),
        (response, call) =>
          readEnvelope(response, call, { schema, bare, refusal: readCustomerRefusal, skip: skipIn(path) }),
        { patient },
      );
      const { value } = await read;
      observer?.after(pathOf(path).route, value);
      return value;
    },
    send: (route, path, schema, body, extra) =>
      transport.write(
        request(methodOf(route), path, { body, ...(extra ? { headers: extra } : {}) }),
        (response, call) => readEnvelope(response, call, { schema, refusal: readCustomerRefusal }),
      ),
    download: (path, query = {}) =>
      transport.read(
        request("GET", path, { query, headers: { accept: "*/*" } }),
        (response, call) => readDownload(response, call, readCustomerRefusal),
        { patient },
      ),
    budget: () => (key === null ? undefined : transport.budget(key)),
    skipping: (each) => createCustomerClient(transport, { ...options, skip: each }),
    observed: (observer) => createCustomerClient(transport, { ...options, observer }),
    in: (narrowed) => createCustomerClient(transport, { ...options, project: narrowed }),
  };
  return client;
}
