import { randomUUID } from "node:crypto";
import * as z from "zod";
import { PlatformOffContract, PlatformRefused } from "../http/errors.ts";
import { path } from "../http/path.ts";
import type { WriteMethod } from "../http/transport.ts";
import { type ResellerClient, type ResellerScope, resellerScopes } from "./client.ts";

/** A write of each scope on something that does not exist. It is sent unsigned, so that nothing can run. */
const probes: Record<
  Exclude<ResellerScope, "read" | "account">,
  (id: string) => [WriteMethod, ReturnType<typeof path>]
> = {
  orders: (id) => ["POST", path("/orders/{orderId}/retry", { orderId: id })],
  services: (id) => ["POST", path("/services/{serviceId}/unsuspend", { serviceId: id })],
  destructive: (id) => ["DELETE", path("/services/{serviceId}", { serviceId: id })],
  customers: (id) => ["DELETE", path("/customers/{customerId}", { customerId: id })],
};

/**
 * Whether a key has a scope. No route tells it, but a scope is checked before the signature: an unsigned write is refused with the
 * scope's name where that is missing, and for its signature where it is held. Anything else tells nothing, and is thrown: a scope is
 * never guessed. Reseller spec sections 5 and 5.1.
 */
async function holdsScope(client: ResellerClient, scope: ResellerScope): Promise<boolean> {
  if (scope === "account") return succeeds(scope, () => client.get("/payment-methods", z.object({})));
  if (scope === "read") return succeeds(scope, () => client.get("/customers", z.object({}), { limit: 1 }));
  const [method, route] = probes[scope](randomUUID());
  try {
    await client.sendUnsigned(method, route);
  } catch (error) {
    if (!(error instanceof PlatformRefused)) throw error;
    if (error.auth === "signature missing") return true;
    if (error.status === 403 && error.scope === scope) return false;
    throw error;
  }
  const call = { api: "reseller", method, path: route.path } as const;
  throw new PlatformOffContract(call, { problem: "A write without a signature was accepted." });
}

async function succeeds(scope: ResellerScope, read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof PlatformRefused && error.status === 403 && error.scope === scope) return false;
    throw error;
  }
}

/** All that a key may do, in the order of the spec; six calls. */
export async function learnScopes(client: ResellerClient): Promise<ResellerScope[]> {
  const held = await Promise.all(resellerScopes.map((scope) => holdsScope(client, scope)));
  return resellerScopes.filter((_, at) => held[at]);
}
