// platform/reseller/: the reseller API: its client, its signatures, and an endpoint for each route, in a file per resource.

import type * as z from "zod";
import { secretsOf } from "../http/conceal.ts";
import { done } from "../http/data.ts";
import { methodOf } from "../http/endpoint.ts";
import { readEnvelope, type Success } from "../http/envelope.ts";
import { PlatformRefused } from "../http/errors.ts";
import type { Path, Query } from "../http/path.ts";
import type { ReadObserver } from "../http/read-observer.ts";
import { createReadingClient, type ReadingClient, type ReadingOptions } from "../http/reading-client.ts";
import { type ApiRequest, checkKey, pathOf, type Transport, type WriteMethod } from "../http/transport.ts";
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
export interface ResellerClient<Writes extends string = never> extends ReadingClient {
  readonly api: "reseller";
  /** True where the client has a signing secret; without one it refuses to write. */
  readonly signs: boolean;
  /**
   * Writes by a route, with its path filled in, signed, once. If the platform refuses the timestamp, it has run nothing; the write is signed
   * again with the platform's time. Throws SigningSecretMissing without a signing secret.
   */
  send: <T>(route: Writes, path: string | Path, schema: z.ZodType<T>, body?: unknown) => Promise<Success<T>>;
  /** A write without a signature. The platform never runs it; its refusal shows whether the key has the scope. Spec section 5. */
  sendUnsigned(method: WriteMethod, path: string | Path): Promise<void>;
  /** See `skippingClient` of platform.ts. */
  skipping(skip: (row: UnreadRow) => void): ResellerClient<Writes>;
  /** See `observedClient` of platform.ts. */
  observed(observer: ReadObserver): ResellerClient<Writes>;
}

export interface ResellerClientOptions extends ReadingOptions {
  /** The workspace's signing secret; null until an admin connects the account. */
  signingSecret: string | null;
}

/** A client of the reseller API. Spec sections 2.1, 5 and 8. */
export function createResellerClient(transport: Transport, options: ResellerClientOptions): ResellerClient<string> {
  const { key, signingSecret } = options;
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

  return {
    api: "reseller",
    ...createReadingClient(transport, options, {
      request: (path, query) => request("GET", path, query, undefined),
      refusal: readResellerRefusal,
    }),
    signs: signingSecret !== null,
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
    skipping: (skip) => createResellerClient(transport, { ...options, skip }),
    observed: (observer) => createResellerClient(transport, { ...options, observer }),
  };
}
