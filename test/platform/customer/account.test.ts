import { expect, test } from "vitest";
import * as account from "../../../src/platform/customer/account.ts";
import { readIdentity } from "../../../src/platform/customer/identity.ts";
import { readCustomImage } from "../../../src/platform/customer/images.ts";
import { listProjects } from "../../../src/platform/customer/projects.ts";
import { connect, failure, ok, startServer } from "../server.ts";
import { identity, imageRow, projectRow } from "./rows.ts";

test("a key tells whose it is, what it may do and what it is confined to", async () => {
  const project = { id: "p1", slug: "web", name: "Web" };
  const server = await startServer(
    ok(
      identity({
        user: { id: 7, email: "ada@example.net", name: null },
        account: { id: 3, name: "Team", owner: false },
        key: { id: 9, label: null, scopes: ["read"], project },
        project: { ...project, bound: true },
      }),
    ),
  );

  expect(await readIdentity(connect(server.url).client)).toMatchObject({
    user: { id: "7", email: "ada@example.net" },
    account: { id: "3", owner: false },
    key: { id: "9", scopes: ["read"], project },
    project: { bound: true },
    scopes: [{ scope: "read", description: "Every read" }],
  });
  expect(server.seen[0]?.url).toBe("/api/v1/");
});

test("an identity without scopes is off contract: nothing may be guessed about what a key can do", async () => {
  const server = await startServer(ok(identity({ key: { id: "k1", label: "x", project: null } })));

  expect(await failure(readIdentity(connect(server.url).client))).toMatchObject({
    problem: expect.stringContaining("data.key.scopes"),
  });
});

test("the account keeps what the spec does not name beside its balance", async () => {
  const server = await startServer(ok({ company: "Ada Ltd", credit_balance: 12.5, anything: { else: 1 } }));

  expect(await account.readAccount(connect(server.url).client)).toEqual({
    company: "Ada Ltd",
    credit_balance: "12.5",
    anything: { else: 1 },
  });
});

test.each([["12 EUR"], [null], [undefined], [{ amount: 1 }]])("a balance of %j is off contract", async (balance) => {
  const server = await startServer(ok({ balance, currency: "EUR" }));

  expect(await failure(account.readBalance(connect(server.url).client))).toMatchObject({
    problem: expect.stringContaining("data.balance"),
  });
});

test("the balance reads with its currency", async () => {
  const server = await startServer(ok({ balance: 0.1 + 0.2, currency: "EUR" }));

  expect(await account.readBalance(connect(server.url).client)).toEqual({ balance: "0.3", currency: "EUR" });
});

test("the usage of the month reads", async () => {
  const server = await startServer(
    ok({
      services: { total: 3, by_status: { active: 2, suspended: 1 }, active_recurring_amount: 25 },
      invoices: { unpaid_count: 1, unpaid_total: "10.0000", paid_this_month: 5 },
      hourly: { charged_this_month: 0.5, charges: [] },
      credit_balance: 100,
      period: { month: "2026-11" },
    }),
  );

  expect(await account.readUsage(connect(server.url).client)).toMatchObject({
    services: { total: 3, by_status: { active: 2 }, active_recurring_amount: "25" },
    invoices: { unpaid_total: "10.0000" },
    period: { month: "2026-11" },
  });
});

test("the credit ledger is paged, and its pages may be called totalPages", async () => {
  const server = await startServer(
    ok({ transactions: [{ any: "row" }], pagination: { page: 2, limit: 1, total: 3, totalPages: 3 } }),
  );

  expect(await account.listTransactions(connect(server.url).client, { page: 2, limit: 1 })).toEqual({
    rows: [{ any: "row" }],
    pagination: { page: 2, limit: 1, total: 3, pages: 3 },
  });
  expect(server.seen[0]?.url).toBe("/api/v1/account/transactions?page=2&limit=1");
});

test.each([{ answer: ok([projectRow()]) }, { answer: ok({ projects: [projectRow()] }) }])(
  "projects read with what they hold",
  async ({ answer }) => {
    const server = await startServer(answer);

    expect(await listProjects(connect(server.url).client)).toMatchObject([{ slug: "web", resources: { services: 2 } }]);
  },
);

test("a custom image reads; a status that the contract does not allow is a clear failure", async () => {
  const server = await startServer((response, { url }) =>
    ok(imageRow(url.endsWith("/odd") ? { status: "frozen" } : { status: "error", error: "Disk full" }))(response),
  );
  const { client } = connect(server.url);

  expect(await readCustomImage(client, "i1")).toMatchObject({ status: "error", error: "Disk full" });
  expect(await failure(readCustomImage(client, "odd"))).toMatchObject({
    problem: expect.stringContaining("data.status"),
  });
});
