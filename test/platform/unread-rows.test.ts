import { expect, test } from "vitest";
import { listCustomImages } from "../../src/platform/customer/images.ts";
import { listVps } from "../../src/platform/customer/vps.ts";
import type { ApiName } from "../../src/platform/http/errors.ts";
import type { UnreadRow } from "../../src/platform/http/unread.ts";
import { contract, dataOf, openBoth, type Row, replyWith } from "./contract.ts";
import { imageRow, vpsRow } from "./customer/rows.ts";
import { endpoints } from "./endpoints.ts";
import { connect, failure, ok, startServer } from "./server.ts";

// One row that is off the contract must hide no other, and must not be hidden itself: over every list, and every field of its rows.

interface List {
  api: ApiName;
  route: string;
  call: Row;
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
const lists = [...endpoints.customer, ...endpoints.reseller]
  .filter(({ route }) => route.startsWith("GET ") && !noLists.test(route))
  .map(({ api, route }): List => {
    const form = new RegExp(`^${route.replaceAll(/\{\w+\}/g, "[^/]+")}(\\?|$)`);
    const call = contract.find((row) => row.api === api && form.test(row.sends) && rowsIn(dataOf(row))?.[0]);
    if (call === undefined)
      throw new Error(
        `No call of ${route} is answered with a row: write one into its calls in test/platform/${api}/, or add a route that gives no list to \`noLists\` of test/platform/unread-rows.test.ts`,
      );
    return { api, route, call };
  });

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

test.each(lists)("one broken row of $api $route hides no other, and is named", async ({ api, route, call }) => {
  const { answer, clients } = await openBoth();
  const data = dataOf(call);
  const row = Object(rowsIn(data)?.[0]);
  const unread: UnreadRow[] = [];
  const skip = (one: UnreadRow) => unread.push(one);
  const skipping = { customer: clients.customer.skipping(skip), reseller: clients.reseller.skipping(skip) };
  let found = 0;
  for (const { field, row: other } of broken(row)) {
    unread.length = 0;
    answer(replyWith(call, withRows(data, [row, other])));
    const given = rowsIn(await call.call(skipping));
    expect(given, field).toHaveLength(2 - unread.length);
    if (unread.length === 0) {
      // A field that the app does not need, or takes in any form.
      expect(rowsIn(await call.call(clients)), field).toHaveLength(2);
      continue;
    }
    found += 1;
    expect(await failure(call.call(clients)), field).toMatchObject({ name: "PlatformOffContract", api });
    const [only] = unread;
    expect(only, field).toMatchObject({ others: 1, error: { name: "PlatformOffContract" } });
    expect(field, field).toContain(only?.fields[0]?.split(".")[0]);
    expect(only?.place, field).toBe(2);
  }
  // The spec shows no field of a ledger's row, so that none can be off the contract.
  expect(found > 0).toBe(route !== "GET /account/transactions");
});

test("a read of one resource leaves out none of its parts: the whole read fails", async () => {
  const { answer, clients } = await openBoth();
  const unread: UnreadRow[] = [];
  const skip = (one: UnreadRow) => unread.push(one);
  const skipping = { customer: clients.customer.skipping(skip), reseller: clients.reseller.skipping(skip) };
  const single = new Set(
    [...endpoints.customer, ...endpoints.reseller].flatMap(({ route }) =>
      route.startsWith("GET ") && route.endsWith("}") ? [route.replaceAll(/\{\w+\}/g, "[^/?]+")] : [],
    ),
  );
  let found = 0;
  for (const row of contract.filter(({ sends }) => [...single].some((form) => new RegExp(`^${form}$`).test(sends))))
    for (const { field, row: other } of broken(Object(dataOf(row)))) {
      answer(replyWith(row, other));
      const failed = await row.call(skipping).then(
        () => false,
        () => true,
      );
      if (failed && /\.\d+\./.test(field)) found += 1;
    }
  expect(unread).toEqual([]);
  expect(found).toBeGreaterThan(0);
});

test.each([
  ["one of two", [imageRow(), imageRow({ id: "i2", status: "<!here>" })], 1],
  ["the only one", [imageRow({ id: "i2", status: "<!here>" })], 0],
])(
  "a broken row of a list under another name is not hidden by an empty list beside it: %s",
  async (_, images, left) => {
    const { client } = connect((await startServer(ok({ quotas: [], images, warnings: ["full"] }))).url);
    const unread: UnreadRow[] = [];
    expect(await listCustomImages(client.skipping((row) => unread.push(row)))).toHaveLength(left);
    expect(unread).toMatchObject([{ id: "i2", fields: ["status"], others: left }]);
    expect(await failure(listCustomImages(client))).toMatchObject({
      problem: expect.stringContaining("data.images."),
    });
  },
);

test("a page whose rows stand under another name shows those that can be read", async () => {
  const pagination = { page: 1, limit: 50, total: 2, pages: 1 };
  const items = [vpsRow(), vpsRow({ id: "v2", status: "<!here>" })];
  const { client } = connect((await startServer(ok({ errors: [], items }, { pagination }))).url);
  const unread: UnreadRow[] = [];
  const { rows } = await listVps(client.skipping((row) => unread.push(row)));
  expect(rows).toHaveLength(1);
  expect(unread).toMatchObject([{ id: "v2", fields: ["status"] }]);
});

test.each([
  { images: [], quotas: [] },
  { images: [], warnings: ["full"] },
])("a list without rows is empty, whichever texts are beside it: %j", async (answer) => {
  const { client } = connect((await startServer(ok(answer))).url);
  expect(await listCustomImages(client)).toEqual([]);
});
