// platform/customer/: the customer API: its client, its envelope, and an endpoint for each route, in a file per resource.

import type * as z from "zod";
import { secretsOf } from "../http/conceal.ts";
import { methodOf } from "../http/endpoint.ts";
import { readEnvelope, type Success } from "../http/envelope.ts";
import type { Path, Query } from "../http/path.ts";
import type { ReadObserver } from "../http/read-observer.ts";
import { createReadingClient, type ReadingClient, type ReadingOptions } from "../http/reading-client.ts";
import { type ApiRequest, checkKey, pathOf, type Transport } from "../http/transport.ts";
import type { UnreadRow } from "../http/unread.ts";
import { readCustomerRefusal } from "./envelope.ts";

/** The scopes that a customer key can have. Spec section 5. */
export const customerScopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type CustomerScope = (typeof customerScopes)[number];

/** Calls the customer API with one key, optionally narrowed to one project. `Writes`: the routes by which it may write. */
export interface CustomerClient<Writes extends string = never> extends ReadingClient {
  readonly api: "customer";
  /**
   * Writes by a route, with its path filled in. The request is sent at most once. After a failure, `mayHaveRun` says if it may have run.
   */
  send: <T>(
    route: Writes,
    path: string | Path,
    schema: z.ZodType<T>,
    body?: unknown,
    headers?: { "Idempotency-Key"?: string },
  ) => Promise<Success<T>>;
  /** See `skippingClient` of platform.ts. */
  skipping(skip: (row: UnreadRow) => void): CustomerClient<Writes>;
  /** See `observedClient` of platform.ts. */
  observed(observer: ReadObserver): CustomerClient<Writes>;
  /** A client of the same key, narrowed to a project (id or slug), or to none. */
  in(project: string | null): CustomerClient<Writes>;
}

export interface CustomerClientOptions extends ReadingOptions {
  project?: string | null;
}

/** A client of the customer API. Spec sections 2.1, 4.7, 5 and 8. */
export function createCustomerClient(transport: Transport, options: CustomerClientOptions): CustomerClient<string> {
  const { key, project = null } = options;
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

  return {
    api: "customer",
    ...createReadingClient(transport, options, {
      request: (path, query) => request("GET", path, { query }),
      refusal: readCustomerRefusal,
    }),
    send: (route, path, schema, body, extra) =>
      transport.write(
        request(methodOf(route), path, { body, ...(extra ? { headers: extra } : {}) }),
        (response, call) => readEnvelope(response, call, { schema, refusal: readCustomerRefusal }),
      ),
    skipping: (skip) => createCustomerClient(transport, { ...options, skip }),
    observed: (observer) => createCustomerClient(transport, { ...options, observer }),
    in: (project) => createCustomerClient(transport, { ...options, project }),
  };
}
