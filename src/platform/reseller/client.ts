// platform/reseller/: the reseller API: its client, its signatures, and an endpoint for each route, in a file per resource.
// May import: platform/, platform/*, secret-parts.ts.

import type * as z from "zod";
import { secretsOf } from "../http/conceal.ts";
import { done } from "../http/data.ts";
import { methodOf } from "../http/endpoint.ts";
import { type Download, readDownload, readEnvelope, type Success } from "../http/envelope.ts";
import { PlatformRefused } from "../http/errors.ts";
import type { Path, Query } from "../http/path.ts";
import type { ReadObserver } from "../http/read-observer.ts";
import { type ApiRequest, type Budget, checkKey, pathOf, type Transport, type WriteMethod } from "../http/transport.ts";
import type { UnreadRow } from "../http/unread.ts";
import { readResellerRefusal } from "./envelope.ts";
import { signatureHeaders } from "./signing.ts";

/** The scopes that a reseller key can have. Spec section 5. */
export const resellerScopes = ["read", "orders", "services", "destructive", "customers", "account"] as const;
export type ResellerScope = (typeof resellerScopes)[number];

/** A write was not sent: it needs a signature, and this workspace has no signing secret yet. */
export class SigningSecretMissing extends Error {
  override readonly name = "SigningSecretMissing";
  constructor() {
    super("There is no signing secret to sign a write with. Nothing was sent.");
  }
}

/**
 * Calls the reseller API with one key; writes are signed. Paths are relative to the reseller base. `Writes`: the routes by which it may
 * write.
 */
export interface ResellerClient<Writes extends string = never> {
  readonly api: "reseller";
  /** True where the client has a signing secret; without one it refuses to write. */
  readonly signs: boolean;
  /** Reads, and parses the whole envelope with `schema`. Rejects with one of the four kinds of `errors.ts`. */
  get<T>(path: string | Path, schema: z.ZodType<T>, query?: Query): Promise<T>;
  /**
   * Writes by a route, with its path filled in, signed, once. If the platform refuses the timestamp, it has run nothing; the write is signed
   * again with the platform's time. Throws SigningSecretMissing without a signing secret.
   */
  send: <T>(route: Writes, path: string | Path, schema: z.ZodType<T>, body?: unknown) => Promise<Success<T>>;
  /** A write without a signature. The platform never runs it; its refusal shows whether the key has the scope. Spec section 5. */
  sendUnsigned(method: WriteMethod, path: string | Path): Promise<void>;
  /** Reads a file. */
  download(path: string | Path, query?: Query): Promise<Download>;
  /** The key's hourly rate limit in the latest answer; undefined where it is not known or that hour has passed. */
  budget(): Budget | undefined;
  /** See `skippingClient` of platform.ts. */
  skipping(skip: (row: UnreadRow) => void): ResellerClient<Writes>;
  /** See `observedClient` of platform.ts. */
  observed(observer: ReadObserver): ResellerClient<Writes>;
}

export interface ResellerClientOptions {
  /** Null sends no key; only the public documents can be read so. */
  key: string | null;
  /** The workspace's signing secret; null until an admin connects the account. */
  signingSecret: string | null;
  patient?: boolean;
  skip?: (row: UnreadRow) => void;
  observer?: ReadObserver;
}

/** A client of the reseller API. Spec sections 2.1, 5 and 8. */
export function createResellerClient(transport: Transport, options: ResellerClientOptions): ResellerClient<string> {
  const { key, signingSecret, patient = true, skip, observer } = options;
  const base: Record<string, string> = { accept: "application/json", "user-agent": "rackbell" };
  if (key !== null) base.authorization = `Bearer ${checkKey(key)}`;

  function request(method: string, path: string | Path, query: Query, body: string | undefined): ApiRequest {
    const known = pathOf(path);
    return {
      api: "reseller",
      key: key ?? "",
      method,
      path: { ...known, path: `/reseller${known.path}`, route: `/reseller${known.route}` },
      query,
      headers: body === undefined ? base : { ...base, "content-type": "application/json" },
      body,
      secrets: [...secretsOf(key ?? "", undefined), ...(signingSecret === null ? [] : [signingSecret])],
    };
  }

  /** A route that ends in an id reads one resource, and none of its parts may be missing unnoticed. */
  function skipIn(path: string | Path): typeof skip {
    return pathOf(path).route.endsWith("}") ? undefined : skip;
  }

  const client: ResellerClient<string> = {
    api: "reseller",
    signs: signingSecret !== null,
    async get(path, schema, query = {}) {
      await observer?.before();
      const { bare } = pathOf(path);
      const read = transport.read(
        request("GET", path, query, undefined),
        (response, call) =>
          readEnvelope(response, call, { schema, bare, refusal: readResellerRefusal, skip: skipIn(path) }),
        { patient },
      );
      const { value } = await read;
      observer?.after(pathOf(path).route, value);
      return value;
    },
    async send(route, path, schema, body) {
      if (signingSecret === null) throw new SigningSecretMissing();
      // Serialised once: the bytes that are signed are the bytes that are sent.
      const text = body === undefined ? undefined : JSON.stringify(body);
      const unsigned = request(methodOf(route), path, {}, text);
      const secrets = [...unsigned.secrets, ...secretsOf("", body)];
      const sendAt = (at: number) =>
        transport.write(
          { ...unsigned, secrets, headers: { ...unsigned.headers, ...signatureHeaders(signingSecret, text, at) } },
          (response, call) => readEnvelope(response, call, { schema, refusal: readResellerRefusal }),
        );
      try {
        return await sendAt(transport.now());
      } catch (error) {
        const theirs = error instanceof PlatformRefused && error.auth === "clock off" ? error.answeredAt : undefined;
        if (theirs === undefined) throw error;
        return sendAt(theirs);
      }
    },
    async sendUnsigned(method, path) {
      await transport.write(request(method, path, {}, undefined), (response, call) =>
        readEnvelope(response, call, { schema: done, refusal: readResellerRefusal }),
      );
    },
    download: (path, query = {}) => {
      const read = request("GET", path, query, undefined);
      return transport.read(
        { ...read, headers: { ...read.headers, accept: "*/*" } },
        (response, call) => readDownload(response, call, readResellerRefusal),
        { patient },
      );
    },
    budget: () => (key === null ? undefined : transport.budget(key)),
    skipping: (each) => createResellerClient(transport, { ...options, skip: each }),
    observed: (observer) => createResellerClient(transport, { ...options, observer }),
  };
  return client;
}
