import { describe, expect, test } from "vitest";
import { readBoundCustomer } from "../../../src/platform/reseller/customers.ts";
import { readScopes } from "../../../src/platform/reseller/scopes.ts";
import { connect, failure, json, makeResellerKey, type Seen, startServer } from "../server.ts";

/** The scope that a route of the reseller API needs. Reseller spec section 4. */
function scopeOf({ method, url }: Seen): string {
  if (method === "GET") return url.includes("/payment-methods") ? "account" : "read";
  if (url.includes("/retry")) return "orders";
  if (url.includes("/customers/")) return "customers";
  return method === "DELETE" ? "destructive" : "services";
}

/** The refusal of a write that the key's scopes allow. */
interface Refused {
  status: number;
  error: string;
}
const unsigned: Refused = {
  status: 401,
  error: "Request signature required for this operation. Include X-Reseller-Signature header.",
};
const unknown: Refused = { status: 404, error: "Service not found" };

/** A platform that checks scopes first, as the spec says, and refuses a write as `next` does. */
async function platformWith(scopes: string[], next: Refused = unsigned) {
  const server = await startServer((response, seen) => {
    const scope = scopeOf(seen);
    if (!scopes.includes(scope))
      return json(response, 403, { success: false, error: `API key is missing the required scope: ${scope}` });
    if (seen.method === "GET") return json(response, 200, { success: true, data: [] });
    json(response, next.status, { success: false, error: next.error });
  });
  return { server, client: connect(server.url).reseller({ key: makeResellerKey(), signingSecret: null }) };
}

describe("the scopes of a reseller key", () => {
  const keys = [
    ["read"],
    ["read", "services"],
    ["read", "orders", "destructive", "account"],
    ["read", "orders", "services", "destructive", "customers", "account"],
  ];
  test.each(keys.flatMap((scopes) => [unsigned, unknown].map((next) => ({ scopes, next }))))(
    "$scopes are learnt without a signature, so that nothing can run ($next.status)",
    async ({ scopes, next }) => {
      const { server, client } = await platformWith(scopes, next);
      expect(await readScopes(client)).toEqual(scopes);
      expect(server.seen.some(({ headers }) => headers["x-reseller-signature"])).toBe(false);
    },
  );

  test("are never guessed: an answer that tells neither is an error", async () => {
    const server = await startServer((response, seen) =>
      seen.method === "GET"
        ? json(response, 200, { success: true, data: [] })
        : json(response, 409, { success: false, error: "Not now" }),
    );
    const client = connect(server.url).reseller({ key: makeResellerKey(), signingSecret: null });
    expect(await failure(readScopes(client))).toMatchObject({ name: "PlatformRefused", status: 409 });
  });

  test("are no secret that an accepted write gives away: a platform that runs one unsigned is off the contract", async () => {
    const server = await startServer((response) => json(response, 200, { success: true, data: [] }));
    const client = connect(server.url).reseller({ key: makeResellerKey(), signingSecret: null });
    expect(await failure(readScopes(client))).toMatchObject({ name: "PlatformOffContract" });
  });
});

describe("the customer that a key is bound to", () => {
  const row = { id: "c1", external_customer_id: "acme", external_customer_name: "Acme" };
  const pagination = { page: 1, limit: 2, total: 1, totalPages: 1 };
  test.each([
    ["one row without a count", { data: { customers: [row], pagination } }, "c1"],
    ["one row without a count, the pagination beside it", { data: [row], pagination }, "c1"],
    ["one row beside one that cannot be read", { data: [row, { id: 1 }], pagination }, null],
    ["one row with a count", { data: { customers: [{ ...row, service_count: 0 }], pagination } }, null],
    ["none", { data: { customers: [], pagination: { ...pagination, total: 0 } } }, null],
    ["many", { data: { customers: [row], pagination: { ...pagination, total: 9 } } }, null],
    ["rows paged by offset", { data: { customers: [row], total: 9, limit: 1, offset: 0, hasMore: true } }, null],
  ])("is claimed only where it can be seen: %s", async (_, answer, bound) => {
    const server = await startServer((response) => json(response, 200, { success: true, ...answer }));
    const client = connect(server.url).reseller({ key: makeResellerKey(), signingSecret: null });
    expect((await readBoundCustomer(client))?.id ?? null).toBe(bound);
  });
});
