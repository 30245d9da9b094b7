import { expect, test } from "vitest";
import { productId } from "../../../../../src/sandbox/platform/world/catalogue.ts";
import { images } from "../../../../../src/sandbox/platform/world/os-images.ts";
import { at, createPractice, listAt, refusal, success, textAt } from "../../client.ts";

const vpsM = { productId: productId("VPS M"), billingCycle: "monthly", location: "es-mad" };
const GiB = 1024 ** 3;

test("an order waits for its money, then is built to the address of its server", async () => {
  const { ask, clock, platform } = await createPractice();
  const answer = await ask("POST /orders", { body: { ...vpsM, hostname: "shop.example.test" } });
  expect(answer).toMatchObject(
    success(
      {
        order: { hostname: "shop.example.test", order_type: "new" },
        services: [{ name: "shop", status: "pending_payment" }],
        invoice: { status: "unpaid", total: "12.10" },
        proforma: null,
        document: { type: "invoice", status: "unpaid", total: "12.10", settled: false },
        settled: false,
        credit_balance: 250,
      },
      201,
    ),
  );
  const pay = `POST /invoices/${textAt(answer, "data.document.id")}/pay`;
  expect(await ask(pay)).toMatchObject(success({ newBalance: 237.9, remainingAmount: 0, invoicePaid: true }));
  expect(platform.find("shop").status).toBe("pending");
  clock.skip(60_001);
  expect(platform.findVps("shop")).toMatchObject({ status: "installing", instance: { state: "creating" } });
  clock.skip(180_001);
  const vps = await ask(`GET /vps/${platform.find("shop").id}`);
  expect(vps).toMatchObject(
    success({
      status: "active",
      primary_ip: expect.any(String),
      instance: { state: "running", os: "Debian 13" },
      billing: { amount: "10.0000", next_due_date: expect.any(String) },
    }),
  );
  const order = `GET /orders/${textAt(answer, "data.order.id")}`;
  expect(await ask(order)).toMatchObject(
    success({ order: { status: "completed", items: [{ quantity: 1 }], services: [{ status: "active" }] } }),
  );
});

test("one key makes one order, whatever the body, and also for two requests at once", async () => {
  const { ask, platform } = await createPractice();
  const headers = { "idempotency-key": "request-1" };
  const both = await Promise.all([
    ask("POST /orders", { headers, body: { ...vpsM, idempotencyKey: "the header wins" } }),
    ask("POST /orders", { headers, body: vpsM }),
  ]);
  expect(both.map((one) => one.status).sort()).toEqual([200, 201]);
  const [first, second] = both.map((one) => textAt(one, "data.order.id"));
  expect(first).toBe(second);

  const id = textAt(both[0], "data.document.id");
  await ask(`POST /invoices/${id}/pay`);
  expect(await ask("POST /orders", { body: { idempotencyKey: "request-1", other: "body" } })).toMatchObject(
    success({
      order: { id: first, idempotency_key: "request-1" },
      idempotent: true,
      settled: true,
      document: { status: "paid" },
    }),
  );
  expect(platform.orders().filter((order) => order.idempotency_key === "request-1")).toHaveLength(1);
  expect(listAt(await ask("GET /orders?idempotencyKey=request-1"), "data.orders")).toHaveLength(1);
});

test("with auto-credit the document is settled while the nested rows still read as before", async () => {
  const { ask, platform } = await createPractice();
  platform.settings.autoCredit = true;
  platform.settings.document = "proforma";
  expect(await ask("POST /orders", { body: vpsM })).toMatchObject(
    success(
      {
        services: [{ status: "pending_payment" }],
        invoice: null,
        proforma: {
          status: "unpaid",
          autoCreditApplied: {
            creditApplied: 12.1,
            remainingAmount: 0,
            proformaPaid: true,
            invoice: { status: "paid" },
          },
        },
        document: { type: "proforma", status: "converted", settled: true },
        settled: true,
        credit_balance: 237.9,
      },
      201,
    ),
  );
});

test("auto-credit that does not reach leaves the rest owed", async () => {
  const { ask, platform } = await createPractice();
  platform.settings.autoCredit = true;
  platform.changeUser("ben", { balance: 500 });
  expect(await ask("POST /orders", { as: "ben", body: vpsM })).toMatchObject(
    success({ settled: false, invoice: { autoCreditApplied: { remainingAmount: 7.1 } }, credit_balance: 0 }, 201),
  );
});

test("the price has the surcharge of the place, the months of the cycle, the discount and the tax", async () => {
  const { ask, platform } = await createPractice();
  const body = {
    ...vpsM,
    location: "de-fra",
    billingCycle: "quarterly",
    discountCode: "practice10",
    hostname: "far.example.test",
  };
  const answer = await ask("POST /orders", { body });
  // (10 + 2) * 3 + 5 = 41; less 10 %: 36.90; and 21 %: 44.65
  expect(at(answer, "data.document.total")).toBe("44.65");
  expect(platform.find("far").billing.amount).toBe("36.0000");
});

test("several items, quantities and options become one document", async () => {
  const { ask } = await createPractice();
  const option = { optionId: textAt(await ask(`GET /products/${vpsM.productId}`), "data.options.0.id"), quantity: 2 };
  const { location, ...item } = vpsM;
  const answer = await ask("POST /orders", {
    body: {
      location,
      items: [
        { ...item, quantity: 2, options: [option] },
        { ...item, billingCycle: "hourly" },
      ],
    },
  });
  // Two at 10 + 2 × 3, and one by the hour that costs nothing yet.
  expect(at(answer, "data.document.total")).toBe("38.72");
  expect(listAt(answer, "data.services")).toHaveLength(3);
});

test("an hourly product has no document and wants a balance", async () => {
  const { ask, platform } = await createPractice();
  const body = { ...vpsM, billingCycle: "hourly", hostname: "brief.example.test" };
  expect(await ask("POST /orders", { as: "caro", body })).toMatchObject(refusal(400, "BAD_REQUEST"));
  expect(await ask("POST /orders", { body })).toMatchObject(
    success({ document: null, invoice: null, proforma: null, settled: true }, 201),
  );
  expect(platform.find("brief")).toMatchObject({ status: "pending", billing: { cycle: "hourly", amount: "0.0150" } });
});

test("an order without a location of a product that is sold out everywhere is refused with SOLD_OUT", async () => {
  const { ask, platform } = await createPractice();
  platform.changeProduct("VPS Basic", { forced: "sold_out" });
  const body = { productId: productId("VPS Basic"), billingCycle: "monthly" };
  expect(await ask("POST /orders", { body })).toMatchObject(refusal(409, "SOLD_OUT"));
  expect(await ask(`GET /products/${body.productId}/availability`)).toMatchObject(
    success({ available: false, code: "sold_out" }),
  );
});

test("a check that could not be made refuses no order", async () => {
  const { ask } = await createPractice();
  const body = { ...vpsM, productId: productId("VPS unchecked") };
  expect(await ask(`GET /products/${body.productId}/availability`)).toMatchObject(success({ code: "unknown" }));
  expect(await ask("POST /orders", { body })).toMatchObject({ status: 201 });
});

test("user data, pasted and stored keys are accepted", async () => {
  const { ask } = await createPractice();
  const stored = textAt(await ask("GET /ssh-keys"), "data.0.id");
  const pasted = `ssh-ed25519 ${"A".repeat(68)} me@laptop`;
  const configOptions = { user_data: "#cloud-config\npackages: [git]", ssh_keys: [pasted], ssh_key_ids: [stored] };
  expect(await ask("POST /orders", { body: { ...vpsM, configOptions } })).toMatchObject({ status: 201 });
});

test("a custom image must be there, available, small enough, and on a node with room", async () => {
  const { ask, platform } = await createPractice();
  const all = listAt(await ask("GET /custom-images"), "data").map((row) => Object(row));
  const order = (name: string) => {
    const custom_image_id = all.find((image) => image.name === name)?.id;
    return ask("POST /orders", {
      body: { ...vpsM, hostname: "copy.example.test", configOptions: { custom_image_id } },
    });
  };
  expect(await order("golden-web")).toMatchObject({ status: 201 });
  expect(await order("huge-disk")).toMatchObject(refusal(409, "CONFLICT"));
  expect(await order("crowded-node")).toMatchObject(refusal(409, "NO_CAPACITY"));
  platform.changeImage("golden-web", { status: "capturing" });
  expect(await order("golden-web")).toMatchObject(refusal(409, "CONFLICT"));
  platform.changeImage("golden-web", { status: "available", virtual_size_bytes: 50 * GiB });
  expect(await order("golden-web")).toMatchObject({ status: 201 });
});

test("a build that fails says with which code", async () => {
  const { ask, clock, platform } = await createPractice();
  platform.settings.buildFailure = "capacity";
  const answer = await ask("POST /orders", { body: { ...vpsM, hostname: "doomed.example.test" } });
  platform.payByOperator(textAt(answer, "data.document.id"));
  clock.skip(60_001);
  expect(await ask(`GET /vps/${platform.find("doomed").id}`)).toMatchObject(
    success({ status: "provisioning_failed", failure: { code: "capacity" }, instance: null }),
  );
});

test("cancelling a failed build drops what was still owed for it", async () => {
  const { ask, platform } = await createPractice();
  const answer = await ask("POST /orders", { body: { ...vpsM, hostname: "doomed.example.test" } });
  platform.change("doomed", { status: "provisioning_failed" });
  await ask("POST /services/{doomed}/cancel");
  const document = textAt(answer, "data.document.id");
  expect(await ask(`GET /invoices/${document}`)).toMatchObject(
    success({ invoice: { status: "cancelled" }, remaining_amount: 0, settled: false }),
  );
  expect(await ask(`POST /invoices/${document}/pay`)).toMatchObject(refusal(400, "BAD_REQUEST"));
});

test("metal whose build fails stays pending", async () => {
  const { ask, clock, platform } = await createPractice();
  platform.settings.buildFailure = "capacity";
  const body = { productId: productId("Metal 1"), billingCycle: "monthly", hostname: "iron.example.test" };
  platform.payByOperator(textAt(await ask("POST /orders", { body }), "data.document.id"));
  clock.skip(60_001);
  const shown = await ask(`GET /dedicated/${platform.find("iron").id}`);
  expect([at(shown, "data.status"), at(shown, "data.failure")]).toEqual(["pending", null]);
});

test("an order goes to the project it names, or that the key is bound to", async () => {
  const { ask, platform } = await createPractice();
  const named = await ask("POST /orders", { body: { ...vpsM, projectId: "staging" } });
  expect(at(named, "data.order.project_id")).toBe(platform.projectId("staging"));
  const bound = await ask("POST /orders", { as: "bound", body: vpsM });
  expect(at(bound, "data.order.project_id")).toBe(platform.projectId("production"));
  expect(await ask("POST /orders", { as: "bound", body: { ...vpsM, projectId: "staging" } })).toMatchObject(
    refusal(403, "PROJECT_SCOPE_MISMATCH"),
  );
});

test("orders are found by host name in any case, and their pages do not say how many there are", async () => {
  const { ask } = await createPractice();
  await ask("POST /orders", { body: { ...vpsM, hostname: "Shop.Example.Test" } });
  const found = await ask("GET /orders?hostname=shop.example.TEST");
  expect(found).toMatchObject(success({ pagination: { page: 1, limit: 20, total: 1 } }));
  expect(at(found, "data.pagination.pages")).toBeUndefined();
  expect(listAt(await ask("GET /orders?hostname=web-1.example.test"), "data.orders")).toHaveLength(1);
});

test("the thirty-first order in a quarter of an hour waits", async () => {
  const { ask } = await createPractice();
  const body = { productId: productId("Mail hosting"), billingCycle: "monthly" };
  for (let time = 0; time < 30; time += 1) expect((await ask("POST /orders", { body })).status).toBe(201);
  expect(await ask("POST /orders", { body })).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("a product whose module is off cannot be seen or ordered", async () => {
  const { ask, platform } = await createPractice();
  platform.settings.modules.inventory = false;
  const metal = productId("Metal 1");
  expect(JSON.stringify((await ask("GET /products")).body)).not.toContain(metal);
  expect(await ask(`GET /products/${metal}`)).toMatchObject(refusal(404, "NOT_FOUND"));
  expect(await ask(`GET /products/${metal}/availability`)).toMatchObject(refusal(404, "NOT_FOUND"));
  expect(await ask("POST /orders", { body: { productId: metal, billingCycle: "monthly" } })).toMatchObject(
    refusal(403, "FEATURE_DISABLED"),
  );
});

test("locations say who sells there, and sold out only when it is so for all of them", async () => {
  const { ask, platform } = await createPractice();
  const find = async (query = "") =>
    listAt(await ask(`GET /locations${query}`), "data.locations").map((row) => Object(row));
  expect((await find()).find((row) => row.value === "fi-hel")).toMatchObject({ sold_out: true });
  platform.changeProduct("VPS L", { locations: [{ value: "fi-hel", sold_out: false, surcharge: null }] });
  expect((await find()).find((row) => row.value === "fi-hel")).toMatchObject({ sold_out: false });
  expect((await find(`?productId=${productId("VPS L")}`)).map((row) => row.value)).toEqual(["fi-hel"]);
  expect(await ask("GET /locations?productId=VPS")).toMatchObject(refusal(400, "BAD_REQUEST"));
});

test("a product shows what can be ordered and what only once could", async () => {
  const { ask } = await createPractice();
  expect(await ask(`GET /products/${vpsM.productId}`)).toMatchObject(
    success({
      default_os_image_id: images.debian.id,
      location_required: true,
      os_images: [{ orderable: true }, { orderable: true }, { orderable: true }],
      locations: [
        { available: true, surcharge: null },
        { surcharge: { monthly: 2, setup: 5 } },
        { sold_out: true },
        { shared: true },
      ],
    }),
  );
});
