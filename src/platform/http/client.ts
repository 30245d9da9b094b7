// platform/http/: what both APIs go through: client, connections, time limits, retries of reads, envelopes, pages, and the four kinds of error.

import type * as z from "#zod";
import type { Budget } from "./budget.ts";
import { secretsOf } from "./conceal.ts";
import { done } from "./data.ts";
import { type Download, type ReadRefusal, readDownload, readEnvelope, type Success } from "./envelope.ts";
import { type ApiName, PlatformRefused } from "./errors.ts";
import { methodOf, type Path, pathOf, type Query, type WriteMethod } from "./path.ts";
import type { DeclaredRefusal } from "./refusals.ts";
import type { ApiRequest, Transport } from "./transport.ts";
import type { UnreadRow } from "./unread.ts";

/** Watches the reads of a client: for a caller that must count them, and that needs the values themselves beside their words. */
export interface ReadObserver {
  /** Called before each read, a download too. If it rejects, nothing is sent. */
  before(): Promise<void>;
  /** Called after each read but a download. `route` in the spec's form, without its method; `value` as its schema parsed it. */
  after(route: string, value: unknown): void;
}

/** One of the platform's two APIs: everything in which it differs from the other. */
export interface Api<A extends ApiName = ApiName, Scope extends string = string> {
  readonly name: A;
  /** Its path below the platform's root. */
  readonly root: string;
  /** The scopes that a key of it can have. */
  readonly scopes: readonly Scope[];
  readonly readRefusal: ReadRefusal;
  /** The refusals that any of its routes may answer with. */
  readonly anyRoute: readonly DeclaredRefusal[];
  /** The headers that sign a write; absent where writes are not signed. `at` in milliseconds. */
  readonly sign?: (secret: string, body: string | undefined, at: number) => Record<string, string>;
}

export interface IdempotencyKey {
  "Idempotency-Key"?: string;
}

/**
 * Calls one API with one key. Paths are below the API's root. `Writes`: the routes by which it may write; `never` for a client that only
 * reads, `string` for all. Each call rejects with one of the four kinds of `errors.ts`.
 */
export interface ApiClient<A extends ApiName, Writes extends string = never> {
  readonly api: A;
  /** False where the API wants a signature and the client has no signing secret: it refuses to write. */
  readonly signs: boolean;
  /** Reads, and parses the whole envelope with `schema`. */
  get<T>(path: string | Path, schema: z.ZodType<T>, query?: Query): Promise<T>;
  /** Reads a document that is not JSON. */
  download(path: string | Path, query?: Query): Promise<Download>;
  /**
   * Writes by a route, with its path filled in. The request is sent at most once. After a failure, `mayHaveRun` says if it may have run. If
   * the platform refuses the timestamp of a signature, it has run nothing; the write is signed again with the platform's time. Throws
   * SigningSecretMissing without a signing secret.
   */
  send: <T>(
    route: Writes,
    path: string | Path,
    schema: z.ZodType<T>,
    body?: unknown,
    headers?: IdempotencyKey,
  ) => Promise<Success<T>>;
  /** A write without a signature. The platform never runs it; its refusal shows whether the key has the scope. Reseller spec section 5. */
  sendUnsigned(this: { readonly api: "reseller" }, method: WriteMethod, path: Path): Promise<void>;
  /** The key's hourly rate limit in the latest answer; undefined where it is not known or that hour has passed. */
  budget(): Budget | undefined;
  /**
   * A client of the same key that reads a list without the rows that are off the contract, and hands each to `skip`. It is for showing and
   * for choosing alone: a missing row proves nothing, and a sum without it is wrong.
   */
  skipping(skip: (row: UnreadRow) => void): ApiClient<A, Writes>;
  /** A client of the same key that tells `observer` of each of its reads. */
  observed(observer: ReadObserver): ApiClient<A, Writes>;
  /** A client of the same key, narrowed to a project (id or slug), or to none. */
  in(this: { readonly api: "customer" }, project: string | null): ApiClient<A, Writes>;
}

export interface ClientOptions {
  /** Null sends no key; only the public documents can be read so. */
  key: string | null;
  /** `false` for calls that must not wait (typeahead) or that are paced elsewhere (background): a refused read is not retried. */
  patient?: boolean;
  skip?: (row: UnreadRow) => void;
  observer?: ReadObserver;
}

/** Those of both APIs; each takes its own. */
interface AnyOptions extends ClientOptions {
  project?: string | null;
  signingSecret?: string | null;
}

/** A write was not sent: it needs a signature, and this workspace has no signing secret yet. */
export class SigningSecretMissing extends Error {
  override readonly name = "SigningSecretMissing";
  constructor() {
    super("There is no signing secret to sign a write with. Nothing was sent.");
  }
}

/** A client of one API. Spec sections 2.1, 4.7, 5 and 8 of the customer API, 2.1, 5 and 8 of the reseller API. */
export function createClient<A extends ApiName>(
  transport: Transport,
  api: Api<A>,
  options: AnyOptions,
): ApiClient<A, string> {
  const { key, patient = true, skip, observer, project = null, signingSecret = null } = options;
  const { root, readRefusal: refusal, sign } = api;
  const base: Record<string, string> = {
    accept: "application/json",
    "accept-encoding": "identity",
    "user-agent": "rackbell",
  };
  if (key !== null) base.authorization = `Bearer ${checkKey(key)}`;
  if (project !== null) base["x-project-id"] = project;

  function request(method: string, path: Path, more: { query?: Query; body?: unknown; headers?: object }): ApiRequest {
    const { query = {}, body, headers } = more;
    const type = body === undefined ? {} : { "content-type": "application/json" };
    return {
      api: api.name,
      key: key ?? "",
      method,
      path: { ...path, path: root + path.path, route: root + path.route },
      query,
      headers: { ...base, ...type, ...headers },
      // Serialised once: the bytes that are signed are the bytes that are sent.
      body: body === undefined ? undefined : JSON.stringify(body),
      secrets: [...secretsOf(key ?? "", body), ...(signingSecret === null ? [] : [signingSecret])],
    };
  }

  function write<T>(one: ApiRequest, schema: z.ZodType<T>, at?: number): Promise<Success<T>> {
    const signature = at !== undefined && sign && signingSecret !== null ? sign(signingSecret, one.body, at) : {};
    return transport.write({ ...one, headers: { ...one.headers, ...signature } }, (response, call) =>
      readEnvelope(response, call, { schema, refusal }),
    );
  }

  return {
    api: api.name,
    signs: !sign || signingSecret !== null,
    async get(path, schema, query = {}) {
      const { outsideEnvelope, ...known } = pathOf(path);
      await observer?.before();
      const { value } = await transport.read(
        request("GET", known, { query }),
        (response, call) => {
          // A route that ends in an id reads one resource, and none of its parts may be missing unnoticed.
          const skipped = known.route.endsWith("}") ? undefined : skip;
          return readEnvelope(response, call, { schema, outsideEnvelope, refusal, skip: skipped });
        },
        { patient },
      );
      observer?.after(known.route, value);
      return value;
    },
    async download(path, query = {}) {
      const read = request("GET", pathOf(path), { query, headers: { accept: "*/*" } });
      await observer?.before();
      return transport.read(read, (response, call) => readDownload(response, call, refusal), { patient });
    },
    async send(route, path, schema, body, headers = {}) {
      if (sign && signingSecret === null) throw new SigningSecretMissing();
      const made = request(methodOf(route), pathOf(path), { body, headers });
      try {
        return await write(made, schema, transport.now());
      } catch (error) {
        const theirs = error instanceof PlatformRefused && error.auth === "clock off" ? error.answeredAt : undefined;
        if (theirs === undefined) throw error;
        return write(made, schema, theirs);
      }
    },
    async sendUnsigned(method, path) {
      await write(request(method, path, {}), done);
    },
    budget: () => (key === null ? undefined : transport.budget(key)),
    skipping: (rowSkipped) => createClient(transport, api, { ...options, skip: rowSkipped }),
    observed: (by) => createClient(transport, api, { ...options, observer: by }),
    in: (narrowed) => createClient(transport, api, { ...options, project: narrowed }),
  };
}

/** Throws a TypeError on a key with characters that could break out of its header. */
function checkKey(key: string): string {
  if (!/^[\x21-\x7e]+$/.test(key)) throw new TypeError("The key has characters that no key has");
  return key;
}
