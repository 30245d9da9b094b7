// platform/customer/: the customer API: its client, its envelope, and a function for each route, in a file per resource.
// May import: platform/, platform/http/.

import { secretsOf } from "../http/conceal.ts";
import { type Download, readDownload, readEnvelope, type Success } from "../http/envelope.ts";
import type { Parser } from "../http/parser.ts";
import type { Path, Query } from "../http/path.ts";
import { type ApiRequest, type Budget, checkKey, pathOf, type Transport, type WriteMethod } from "../http/transport.ts";
import { readCustomerRefusal } from "./envelope.ts";

/** What a customer key can be used for. Spec section 5. */
export const customerScopes = ["read", "services", "orders", "billing", "destructive"] as const;
export type CustomerScope = (typeof customerScopes)[number];

/** Calls the customer API with one key, perhaps narrowed to a project. */
export interface CustomerClient {
  readonly api: "customer";
  /** Reads, and gives what `schema` makes of the whole envelope. Rejects with one of the four kinds of `errors.ts`. */
  get<T>(path: string | Path, schema: Parser<T>, query?: Query): Promise<T>;
  /** Writes, once: whatever happens, the request is sent at most one time. `applied(error)` says what a failure leaves. */
  send<T>(
    method: WriteMethod,
    path: string | Path,
    schema: Parser<T>,
    body?: unknown,
    headers?: { "Idempotency-Key"?: string },
  ): Promise<T>;
  /** The same with the status, where that means something. */
  sendWithStatus<T>(
    method: WriteMethod,
    path: string | Path,
    schema: Parser<T>,
    body?: unknown,
    headers?: { "Idempotency-Key"?: string },
  ): Promise<Success<T>>;
  /** Reads a document that is no JSON. */
  download(path: string | Path, query?: Query): Promise<Download>;
  /** The key's hourly window as last told; undefined when nothing is known of the present one. */
  budget(): Budget | undefined;
  /** The same key narrowed to a project (id or slug), or to none. */
  in(project: string | null): CustomerClient;
}

export interface CustomerClientOptions {
  /** Null sends none: for the public documents alone. */
  key: string | null;
  project?: string | null;
  /** `false` for what must not wait (typeahead) or has a pace of its own (background): a read is then not tried again after a refusal. */
  patient?: boolean;
}

/** A client of the customer API. Spec sections 2.1, 4.7, 5 and 8. */
export function createCustomerClient(transport: Transport, options: CustomerClientOptions): CustomerClient {
  const { key, project = null, patient = true } = options;
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

  const client: CustomerClient = {
    api: "customer",
    async get(path, schema, query = {}) {
      const { bare } = pathOf(path);
      const read = transport.read(
        request("GET", path, { query }),
        (response, about) => readEnvelope(response, about, { schema, bare, refusal: readCustomerRefusal }),
        { patient },
      );
      return (await read).value;
    },
    async send(method, path, schema, body, extra) {
      return (await client.sendWithStatus(method, path, schema, body, extra)).value;
    },
    sendWithStatus: (method, path, schema, body, extra) =>
      transport.write(request(method, path, { body, ...(extra ? { headers: extra } : {}) }), (response, about) =>
        readEnvelope(response, about, { schema, refusal: readCustomerRefusal }),
      ),
    download: (path, query = {}) =>
      transport.read(
        request("GET", path, { query, headers: { accept: "*/*" } }),
        (response, about) => readDownload(response, about, readCustomerRefusal),
        { patient },
      ),
    budget: () => (key === null ? undefined : transport.budget(key)),
    in: (narrowed) => createCustomerClient(transport, { ...options, project: narrowed }),
  };
  return client;
}
