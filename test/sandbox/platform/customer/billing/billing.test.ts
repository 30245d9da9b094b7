import fc from "fast-check";
import { expect, test } from "vitest";
import { productId } from "../../../../../src/sandbox/platform/world/catalogue.ts";
import { at, createPractice, listAt, refusal, success, textAt, unpaidDocument } from "../../client.ts";

test("a part is paid, then by default the rest", async () => {
  const platform = await createPractice();
  const pay = `POST /invoices/${await unpaidDocument(platform)}/pay`;
  expect(await platform.ask(pay, { body: { amount: 5.05 } })).toMatchObject(
    success({ newBalance: 244.95, remainingAmount: 7.05, invoicePaid: false, payment: { amount: 5.05 } }),
  );
  expect(await platform.ask(pay)).toMatchObject(success({ remainingAmount: 0, invoicePaid: true }));
  expect(await platform.ask(pay)).toMatchObject(refusal(400, "BAD_REQUEST"));
});

test("by default no more is paid than the caller's own balance holds", async () => {
  const platform = await createPractice();
  const pay = `POST /invoices/${await unpaidDocument(platform)}/pay`;
  expect(await platform.ask(pay, { as: "caro" })).toMatchObject(refusal(400, "BAD_REQUEST"));
  platform.platform.changeUser("caro", { balance: 210 });
  expect(await platform.ask(pay, { as: "caro" })).toMatchObject(success({ newBalance: 0, remainingAmount: 10 }));
  expect(platform.platform.user("ana").balance).toBe(25_000);
});

test("more than is owed, more than there is, and no amount at all are refused", async () => {
  const platform = await createPractice();
  const pay = `POST /invoices/${await unpaidDocument(platform)}/pay`;
  expect(await platform.ask(pay, { body: { amount: 12.11 } })).toMatchObject(refusal(400, "BAD_REQUEST"));
  platform.platform.changeUser("ben", { balance: 100 });
  expect(await platform.ask(pay, { as: "ben", body: { amount: 2 } })).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await platform.ask(pay, { body: { amount: -1 } })).toMatchObject(
    refusal(400, "BAD_REQUEST", { details: [{ field: "amount" }] }),
  );
  expect(await platform.ask(pay, { body: { amount: "12" } })).toMatchObject(refusal(400, "BAD_REQUEST"));
});

test("the sum that was spent equals the sum that was paid, for any amounts", async () => {
  const platform = await createPractice({ hourlyLimit: 100_000, cooldownPace: 1e9 });
  const document = await unpaidDocument(platform);
  await fc.assert(
    fc.asyncProperty(fc.double({ min: -5, max: 15, noNaN: true }), async (amount) => {
      await platform.ask(`POST /invoices/${document}/pay`, { body: { amount } });
      const state = await platform.ask(`GET /invoices/${document}`);
      const spent = (25_000 - platform.platform.user("ana").balance) / 100;
      expect(at(state, "data.paid_amount")).toBe(spent);
      expect(spent).toBeLessThanOrEqual(12.1);
    }),
    { numRuns: 60 },
  );
});

test.each([true, false])("a paid proforma is converted; its invoice is recorded: %s", async (recorded) => {
  const platform = await createPractice();
  platform.platform.settings.document = "proforma";
  platform.platform.settings.recordsConversion = recorded;
  const id = await unpaidDocument(platform);
  const paid = await platform.ask(`POST /proformas/${id}/pay`);
  expect(paid).toMatchObject(
    success({ creditApplied: 12.1, proformaPaid: true, remainingAmount: 0, invoice: { status: "paid" } }),
  );
  const invoice = textAt(paid, "data.invoice.id");
  expect(await platform.ask(`GET /proformas/${id}`)).toMatchObject(
    success({
      proforma: { status: "converted", invoice_id: recorded ? invoice : null, payments: [{ amount: 12.1 }] },
      paid_amount: 12.1,
      remaining_amount: 0,
      settled: true,
    }),
  );
  expect(await platform.ask(`GET /invoices/${invoice}`)).toMatchObject(success({ settled: true }));
  expect(await platform.ask(`POST /proformas/${id}/pay`)).toMatchObject(refusal(400, "BAD_REQUEST"));
});

test("documents are listed by state, belong to the account, and are seen with the permission only", async () => {
  const { ask, platform } = await createPractice();
  const unpaid = await ask("GET /invoices?status=unpaid");
  expect(unpaid).toMatchObject(success({ pagination: { limit: 20 }, stats: { unpaid: { count: 2 } } }));
  expect(listAt(unpaid, "data.invoices")).toHaveLength(2);
  expect(listAt(await ask("GET /invoices", { as: "zoe" }), "data.invoices")).toEqual([]);
  expect(listAt(await ask("GET /invoices?project=empty&status=unpaid"), "data.invoices")).toHaveLength(2);
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  expect(await ask("GET /invoices", { as: "ben" })).toMatchObject(refusal(403, "FORBIDDEN"));
  const id = textAt(unpaid, "data.invoices.0.id");
  expect(await ask(`GET /proformas/${id}`)).toMatchObject(refusal(404, "NOT_FOUND"));
});

test("proformas have a list of their own, without figures", async () => {
  const { ask } = await createPractice();
  const answer = await ask("GET /proformas?status=converted");
  expect(answer).toMatchObject(success({ pagination: { page: 1, limit: 20, total: 2 } }));
  expect(listAt(answer, "data.proformas").map((row) => Object(row).status)).toEqual(["converted", "converted"]);
  expect(at(answer, "data.stats")).toBeUndefined();
});

test("the ledger tells each movement of one's own credit", async () => {
  const platform = await createPractice();
  await platform.ask(`POST /invoices/${await unpaidDocument(platform)}/pay`);
  expect(await platform.ask("GET /account/transactions")).toMatchObject(
    success({
      transactions: [{ type: "payment", amount: -12.1, balance_after: 237.9 }, { type: "deposit" }],
      pagination: { total: 2, totalPages: 1 },
    }),
  );
});

test("the usage counts what is owed and what was paid", async () => {
  const platform = await createPractice();
  const before = Number(at(await platform.ask("GET /account/usage"), "data.invoices.paid_this_month"));
  await platform.ask(`POST /invoices/${await unpaidDocument(platform)}/pay`);
  const after = await platform.ask("GET /account/usage");
  expect(Number(at(after, "data.invoices.paid_this_month")) - before).toBeCloseTo(12.1);
  expect(at(after, "data.invoices.unpaid_count")).toBe(2);
});

test("the eleventh payment of a document in a minute waits", async () => {
  const platform = await createPractice();
  const pay = `POST /invoices/${await unpaidDocument(platform)}/pay`;
  for (let time = 0; time < 10; time += 1) await platform.ask(pay, { body: { amount: 0.5 } });
  expect(await platform.ask(pay, { body: { amount: 0.5 } })).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("a renewal issues a document, one at a time, and its payment moves the due date", async () => {
  const { ask, platform, clock } = await createPractice();
  const renew = "POST /services/{web-1}/renew";
  const answer = await ask(renew);
  expect(answer).toMatchObject(success({ document: { status: "unpaid", total: "24.20" } }));
  expect(await ask(renew)).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
  clock.skip(600_000);
  expect(await ask(renew)).toMatchObject(refusal(409, "RENEWAL_PENDING"));
  const before = platform.find("web-1").billing.next_due_date ?? "";
  await ask(`POST /invoices/${textAt(answer, "data.document.id")}/pay`);
  expect(Date.parse(platform.find("web-1").billing.next_due_date ?? "")).toBeGreaterThan(
    Date.parse(before) + 27 * 86_400_000,
  );
  expect(await ask("POST /services/{cache-1}/renew")).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await ask("POST /services/{build-1}/renew")).toMatchObject(refusal(400, "BAD_REQUEST"));
});

test("an add-on is bought, paid, live, and dropped by its option's id", async () => {
  const { ask } = await createPractice();
  const path = "/services/{web-2}/options";
  const option = textAt(await ask(`GET ${path}/available`), "data.options.1.id");
  const bought = await ask(`POST ${path}`, {
    body: { optionId: option, billingType: "recurring", billingCycle: "monthly", quantity: 2 },
  });
  expect(bought).toMatchObject(
    success(
      {
        order: { order_type: "addon" },
        serviceOption: { status: "pending_payment", option_id: option },
        document: { total: "6.05" },
        settled: false,
      },
      201,
    ),
  );
  expect(listAt(await ask(`GET ${path}`), "data.options")).toEqual([]);
  expect(await ask(`POST ${path}`, { body: { optionId: option } })).toMatchObject(refusal(409, "CONFLICT"));
  await ask(`POST /invoices/${textAt(bought, "data.document.id")}/pay`);
  expect(await ask(`GET ${path}`)).toMatchObject(success({ options: [{ option_id: option, status: "active" }] }));
  expect(at(await ask(`GET ${path}/available`), "data.options.1.held")).toBe(true);
  expect(await ask(`DELETE ${path}/${textAt(bought, "data.serviceOption.id")}`)).toMatchObject(
    refusal(404, "NOT_FOUND"),
  );
  expect(await ask(`DELETE ${path}/${option}`)).toMatchObject(
    success({ serviceOption: { status: "cancelled", termination_date: expect.any(String) } }),
  );
  expect(listAt(await ask(`GET ${path}`), "data.options")).toEqual([]);
});

test("an upgrade shows its price, waits for its money even with auto-credit, runs, and changes the server", async () => {
  const { ask, platform, clock } = await createPractice();
  platform.settings.autoCredit = true;
  const path = "/services/{web-2}/upgrades";
  const preview = await ask(`GET ${path}`);
  const rows = listAt(preview, "data.upgrades").map((row) => Object(row));
  const large = rows.find((row) => row.toProductName === "VPS L");
  expect(large).toMatchObject({ newCyclePrice: 20, upgradeFee: 2, vatRate: 21, billingCycle: "monthly" });
  expect(large.netAmount).toBeCloseTo(large.chargeAmount - large.creditAmount + large.upgradeFee);

  const upgraded = await ask(`POST ${path}`, { body: { toProductId: productId("VPS L") } });
  expect(upgraded).toMatchObject(
    success(
      {
        upgrade: { status: "awaiting_payment" },
        billingDocumentType: "invoice",
        document: { total: large.totalWithVat.toFixed(2) },
        settled: false,
        credit_balance: 250,
      },
      201,
    ),
  );
  expect(await ask(`POST ${path}`, { body: { toProductId: productId("VPS S") } })).toMatchObject(
    refusal(409, "CONFLICT"),
  );
  await ask(`POST /invoices/${textAt(upgraded, "data.document.id")}/pay`);
  const follow = `GET /upgrades/${textAt(upgraded, "data.upgrade.id")}`;
  expect(await ask(follow)).toMatchObject(success({ upgrade: { status: "executing", executed_at: null } }));
  clock.skip(20_001);
  expect(await ask(follow)).toMatchObject(
    success({ upgrade: { status: "completed", executed_at: expect.any(String) }, order: { order_type: "upgrade" } }),
  );
  expect(platform.findVps("web-2")).toMatchObject({
    product: { name: "VPS L" },
    billing: { amount: "20.0000" },
    instance: { vcpus: 4 },
    snapshots_max: 5,
  });
  // The renewal that waited for money follows the new price.
  const open = await ask("GET /invoices?status=unpaid");
  expect(JSON.stringify(open.body)).toContain('"total":"24.20"');
});

test.each(["VPS M plus", "VPS S"])(
  "a change to %s costs nothing, is done at once and cannot be cancelled",
  async (name) => {
    const { ask, platform } = await createPractice();
    const answer = await ask("POST /services/{web-2}/upgrades", { body: { toProductId: productId(name) } });
    expect(answer).toMatchObject(
      success({ upgrade: { status: "completed" }, billingDocument: null, document: null, settled: true }, 201),
    );
    expect(platform.user("ana").balance).toBe(25_000);
    expect(await ask(`POST /upgrades/${textAt(answer, "data.upgrade.id")}/cancel`)).toMatchObject(
      refusal(400, "BAD_REQUEST"),
    );
  },
);

test("a pending upgrade is cancelled with its document", async () => {
  const { ask, platform } = await createPractice();
  const upgraded = await ask("POST /services/{web-2}/upgrades", { body: { toProductId: productId("VPS L") } });
  const cancel = `POST /upgrades/${textAt(upgraded, "data.upgrade.id")}/cancel`;
  expect(await ask(cancel)).toMatchObject(success({ upgrade: { status: "cancelled" } }));
  const document = platform.documents().find((one) => one.id === at(upgraded, "data.document.id"));
  expect(document?.status).toBe("cancelled");
  expect(await ask(cancel)).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await ask(cancel, { as: "zoe" })).toMatchObject(refusal(404, "NOT_FOUND"));
});

test("options change together: disjoint, none held twice, credit only offsets", async () => {
  const { ask } = await createPractice();
  const [backup, address] = listAt(await ask("GET /services/{web-1}/options/available"), "data.options").map(
    (row) => Object(row).id,
  );
  const change = (body: object) => ask("POST /services/{web-1}/upgrades/options", { body });
  expect(await change({ addOptions: [address], removeOptions: [address] })).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await change({ addOptions: [backup] })).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await change({ removeOptions: [address] })).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await change({})).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await change({ removeOptions: [backup] })).toMatchObject(success({ settled: true, document: null }, 201));
  expect(listAt(await ask("GET /services/{web-1}/options"), "data.options")).toEqual([]);
  expect(await change({ addOptions: [address] })).toMatchObject(
    success({ upgrade: { status: "awaiting_payment" }, document: { settled: false } }, 201),
  );
});

test("money that moved before a bad answer shows when it is read again", async () => {
  const practised = await createPractice();
  const { ask, platform } = practised;
  const id = await unpaidDocument(practised);
  platform.faults.next({ how: "reset", path: "/invoices/{id}/pay", applied: true });
  await expect(ask(`POST /invoices/${id}/pay`, { body: { amount: 12.1 } })).rejects.toThrow("fetch failed");
  expect(await ask(`GET /invoices/${id}`)).toMatchObject(success({ settled: true }));
  expect(platform.user("ana").balance).toBe(23_790);
});
