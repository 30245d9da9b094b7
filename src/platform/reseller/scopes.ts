import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { PlatformOffContract, PlatformRefused } from "../http/errors.ts";
import { path, type WriteMethod } from "../http/path.ts";
import { type ResellerClient, type ResellerScope, resellerScopes } from "./client.ts";

/** For each scope a write to an object that does not exist. It is sent unsigned, so the platform can never run it. */
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
 * Says if a key has a scope. The platform checks the scope before the signature: an unsigned write fails with the scope's name, or for
 * its missing signature, or with 404 where the object is looked for between the two. Any other answer proves nothing and is thrown.
 * Reseller spec sections 4, 5 and 5.1.
 */
async function keyHasScope(client: ResellerClient, scope: ResellerScope): Promise<boolean> {
  if (scope === "account") return succeeds(scope, () => client.get("/payment-methods", z.object({})));
  if (scope === "read") return succeeds(scope, () => client.get("/customers", z.object({}), { limit: 1 }));
  const [method, route] = probes[scope](randomUUID());
  try {
    await client.sendUnsigned(method, route);
  } catch (error) {
    if (!(error instanceof PlatformRefused)) throw error;
    if (error.auth === "signature missing" || error.status === 404) return true;
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

/** Reads all scopes of a key with six calls, in the order of the spec. */
export async function readScopes(client: ResellerClient): Promise<ResellerScope[]> {
  const granted = await Promise.all(resellerScopes.map((scope) => keyHasScope(client, scope)));
  return resellerScopes.filter((_, at) => granted[at]);
}
