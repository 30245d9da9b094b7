import { expect, test } from "vitest";
import type { CustomerClient } from "../../src/platform/customer/client.ts";
import type { ApiName } from "../../src/platform/http/errors.ts";
import type { UnreadRow } from "../../src/platform/http/unread.ts";
import type { ResellerClient } from "../../src/platform/reseller/client.ts";
import { type Call, type CallFacts, replyOf, singles } from "./calls.ts";
import { customerCalls } from "./customer/calls.ts";
import { endpoints } from "./endpoints.ts";
import { resellerCalls } from "./reseller/calls/index.ts";
import { connect, failure, makeResellerKey, type Reply, startServer } from "./server.ts";

// One row that is off the contract must hide no other, and must not be hidden itself: over every list, and every field of its rows.

interface List<Client> {
  route: string;
  read: (client: Client) => Promise<unknown>;
  row: object;
  /** The answer with these rows. */
  reply: (rows: unknown[]) => Reply;
}

/** The rows in an answer's data, or in what an endpoint gives: all of it, or its first list. */
function rowsIn(value: unknown): unknown[] | undefined {
  return [value, ...Object.values(Object(value))].find((one) => Array.isArray(one));
}

/** The same with other rows. */
function withRows(value: unknown, rows: unknown[]): unknown {
  const own = rowsIn(value);
  if (own === value) return rows;
  return Object.fromEntries(Object.entries(Object(value)).map(([name, one]) => [name, one === own ? rows : one]));
}

/** Reads of one resource, of figures and of files; what the specs do not show is shown as it comes. */
const noLists =
  /^GET (\/|\/openapi.json|\/docs|\/guide.md|\/account(\/balance|\/usage)?|\S+\/\{\w+\}|\S+\/(actions|stats|game(\/.*)?|traffic|power-status|provision-status|schema|capabilities|console|document|health|network|provider|ui-schema)|\/dedicated\/\{id\}\/(ips|os-images)|\/services\/\{serviceId\}\/upgrades)$/;

/** Of each route that gives a list, the first call that is answered with a row. */
function listsOf<Client>(api: ApiName, calls: Call<Client>[]): List<Client>[] {
  return [...new Set(endpoints[api].map(({ route }) => route))]
    .filter((route) => route.startsWith("GET ") && !noLists.test(route))
    .map((route) => {
      const form = new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?|$)`);
      const data = ({ answer, passes }: CallFacts) => answer ?? passes;
      const found = singles(calls).find(([sends, , facts]) => form.test(sends) && rowsIn(data(facts))?.[0]);
      if (found === undefined) throw new Error(`No call of ${route} is answered with a row`);
      const [, read, facts] = found;
      const reply = (rows: unknown[]) => replyOf({ ...facts, answer: withRows(data(facts), rows) });
      return { route, read, row: Object(rowsIn(data(facts))?.[0]), reply };
    });
}

interface Breaking {
  field: string;
  row: object;
}

/** The row with each of its fields in turn of another type, and each text in turn an unknown word. */
function broken(row: object, at: string[] = []): Breaking[] {
  return Object.entries(row).flatMap(([name, value]: [string, unknown]): Breaking[] => {
    const field = [...at, name].join(".");
    const put = (other: unknown): Breaking => ({ field, row: { ...row, [name]: other } });
    const inner =
      typeof value === "object" && value !== null
        ? broken(value, [...at, name]).map((one) => ({
            ...one,
            row: { ...row, [name]: Array.isArray(value) ? Object.values(one.row) : one.row },
          }))
        : [];
    const other = typeof value === "object" && value !== null ? 7 : { off: "contract" };
    return [put(other), ...(typeof value === "string" ? [put("a word of tomorrow")] : []), ...inner];
  });
}

async function expectNoneHidden<Client extends { skipping(note: (row: UnreadRow) => void): Client }>(
  { route, read, row, reply }: List<Client>,
  strict: Client,
  answer: (reply: Reply) => void,
): Promise<void> {
  const unread: UnreadRow[] = [];
  const skipping = strict.skipping((one) => unread.push(one));
  let found = 0;
  for (const { field, row: other } of broken(row)) {
    unread.length = 0;
    answer(reply([row, other]));
    const given = rowsIn(await read(skipping));
    expect(given, field).toHaveLength(2 - unread.length);
    if (unread.length === 0) {
      // A field that the app does not need, or takes in any form.
      expect(rowsIn(await read(strict)), field).toHaveLength(2);
      continue;
    }
    found += 1;
    expect(await failure(read(strict)), field).toMatchObject({ name: "PlatformOffContract" });
    const [only] = unread;
    expect(only, field).toMatchObject({ others: 1, error: { name: "PlatformOffContract" } });
    expect(field, field).toContain(only?.fields[0]?.split(".")[0]);
    expect(only?.place, field).toBe(2);
  }
  // The spec shows no field of a ledger's row, so that none can be off the contract.
  expect(found > 0).toBe(route !== "GET /account/transactions");
}

/** Both clients of a platform whose answer each test sets. */
async function open() {
  let current: Reply = () => {};
  const { url } = await startServer((response, seen) => current(response, seen));
  const practice = connect(url);
  const answer = (reply: Reply) => {
    current = reply;
  };
  return { answer, ...practice };
}

test.each(listsOf<CustomerClient<string>>("customer", customerCalls))(
  "one broken row of the customer API's $route hides no other, and is named",
  async (list) => {
    const { client, answer } = await open();
    await expectNoneHidden(list, client, answer);
  },
);

test.each(listsOf<ResellerClient<string>>("reseller", resellerCalls))(
  "one broken row of the reseller API's $route hides no other, and is named",
  async (list) => {
    const { reseller, answer } = await open();
    await expectNoneHidden(list, reseller({ key: makeResellerKey(), signingSecret: null }), answer);
  },
);
