import { expect, onTestFinished, test } from "vitest";
import { customerScopes } from "../../src/platform/customer/client.ts";
import { type ApiName, PlatformRefused } from "../../src/platform/http/errors.ts";
import { resellerScopes } from "../../src/platform/reseller/client.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { createPracticePlatform, type PracticePlatform } from "../../src/sandbox/platform/practice-platform.ts";
import { contract, openBoth, type Row, replyOf } from "./contract.ts";
import { endpoints } from "./endpoints.ts";
import { secret } from "./reseller/call.ts";
import { connect, makeResellerKey, type Reply, startServer } from "./server.ts";

// Each endpoint calls the practice platform through the real clients, with the first call of its row in the contract. Both sides were
// written from the specs, and neither from the other. Their successes are proven by the examples: `npm run simulate -- --examples`.

/** A form of id that the practice platform takes, and has nowhere. */
const nowhere = "11111111-1111-4111-8111-111111111111";

/** Has the practice platform answer. The ids of the contract's rows ("s1") get the form that it takes. */
function passOn(platform: PracticePlatform): Reply {
  return async (response, { method, url, headers, text }) => {
    const path = url.slice("/api/v1".length).replaceAll(/(?<=\/)[a-z]*\d+(?=[/?]|$)/g, nowhere);
    const sent = ["authorization", "content-type", "idempotency-key", "x-reseller-timestamp", "x-reseller-signature"];
    const answer = await fetch(`${platform.url}${path}`, {
      method,
      headers: sent.flatMap((name): [string, string][] => (headers[name] ? [[name, String(headers[name])]] : [])),
      ...(text === "" ? {} : { body: text }),
    });
    const type = answer.headers.get("content-type") ?? "";
    response.writeHead(answer.status, { "content-type": type }).end(Buffer.from(await answer.arrayBuffer()));
  };
}

/** The first call of each route, by the route. */
async function firstCalls(api: ApiName): Promise<Map<string, Row>> {
  const { answer, clients, lastRoute } = await openBoth();
  const found = new Map<string, Row>();
  for (const row of contract.filter((one) => one.api === api)) {
    answer(replyOf(row));
    await row.call(clients);
    if (!found.has(lastRoute())) found.set(lastRoute(), row);
  }
  return found;
}

async function openPractice() {
  const platform = await createPracticePlatform({ clock: createSandboxClock(), hourlyLimit: 10_000 });
  platform.reseller.settings.hourlyLimit = 10_000;
  onTestFinished(() => platform.close());
  const { url } = await startServer(passOn(platform));
  const app = connect(url);
  for (const key of Object.values(platform.reseller.keys)) platform.reseller.revoke(key);
  const wrong = { signingSecret: secret };
  const right = { signingSecret: platform.reseller.signingSecret() };
  /** The clients of a key that lacks the scope alone, and of one that has it alone; of the API that has the scope. */
  const clientsOf = (api: ApiName, scope: string) => {
    const customer = (isIn: boolean) => {
      const scopes = customerScopes.filter((one) => (one === scope) === isIn);
      return api === "customer" ? app.withKey(platform.addKey({ owner: "ana", scopes }).key) : app.client;
    };
    const reseller = (isIn: boolean) => {
      const scopes = resellerScopes.filter((one) => (one === scope) === isIn);
      return api === "reseller" ? platform.reseller.addKey({ scopes }).key : makeResellerKey();
    };
    const [lacking, own] = [reseller(false), reseller(true)];
    const signedWrong = { customer: customer(true), reseller: app.reseller({ key: own, ...wrong }) };
    return {
      lacking: { customer: customer(false), reseller: app.reseller({ key: lacking, ...wrong }) },
      signedWrong,
      signed: { ...signedWrong, reseller: app.reseller({ key: own, ...right }) },
    };
  };
  /** All that a call can add or take away. */
  const possessions = () => [
    platform.charges(),
    [...platform.ids()],
    platform.reseller.orders(),
    [...platform.reseller.ids()],
  ];
  return { clientsOf, possessions };
}

/** How the platform refused the scope or the signature of a call: a word for each, or null. */
async function refusalOf(call: Promise<unknown>): Promise<string | null> {
  const error: unknown = await call.then(
    () => null,
    (thrown: unknown) => thrown,
  );
  if (error === null) return null;
  if (!(error instanceof PlatformRefused)) throw error;
  return error.auth ?? (error.scope === undefined ? null : `without ${error.scope}`);
}

test.each(["customer", "reseller"] as const)(
  "each endpoint of the %s API is refused for its own scope alone, before a signature is looked at, and then for a wrong signature if it writes",
  async (api) => {
    const { clientsOf, possessions } = await openPractice();
    const before = possessions();
    const calls = await firstCalls(api);
    const clients = new Map(
      [...new Set(endpoints[api].map(({ scope }) => scope))].map((scope) => [scope, clientsOf(api, scope)]),
    );
    const tried = async (which: "lacking" | "signedWrong" | "signed") => {
      const found: [string, string | null | undefined][] = [];
      for (const { route, scope } of endpoints[api]) {
        const of = clients.get(scope);
        const row = calls.get(route);
        found.push([route, row && of && (await refusalOf(row.call(of[which])))]);
      }
      return found;
    };
    const isSigned = (route: string) => api === "reseller" && !route.startsWith("GET ");

    // Each key of the customer API has the scope that reads: customer spec section 5.
    const hasScope = (scope: string) => api === "customer" && scope === "read";
    expect(await tried("lacking")).toEqual(
      endpoints[api].map(({ route, scope }) => [route, hasScope(scope) ? null : `without ${scope}`]),
    );
    if (api === "reseller")
      expect(await tried("signedWrong")).toEqual(
        endpoints[api].map(({ route }) => [route, isSigned(route) ? "signature wrong" : null]),
      );
    expect(possessions(), "nothing of it was carried out").toEqual(before);
    expect(await tried("signed")).toEqual(endpoints[api].map(({ route }) => [route, null]));
  },
);
