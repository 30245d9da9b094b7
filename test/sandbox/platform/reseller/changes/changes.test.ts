import { expect, test } from "vitest";
import { productId } from "../../../../../src/sandbox/platform/world/catalogue.ts";
import { seededId } from "../../../../../src/sandbox/platform/world/ids.ts";
import {
  at,
  createPractice,
  createPracticeWithEvents,
  listAt,
  type Practice,
  resellerRefusal,
  success,
  textAt,
} from "../../client.ts";

const backup = seededId("option", "backup");
const ipv4 = seededId("option", "ipv4");
const monitoring = seededId("option", "monitoring");

function put({ resell }: Practice, options: object[], more: object = {}, name = "web-1") {
  return resell(`PUT /services/{${name}}/options`, { body: { options, ...more } });
}

test("add-ons are an absolute set: what is more is charged once, what is less goes at once", async () => {
  const practice = await createPractice();
  practice.platform.settings.shapes.payload = 0;
  // web-1 holds one daily backup from the start.
  const changed = await put(practice, [{ optionId: ipv4, quantity: 2 }, { optionId: monitoring }], {
    externalReference: "set-1",
  });
  expect(changed).toMatchObject(
    success({
      added: [
        { optionId: ipv4, quantity: 2 },
        { optionId: monitoring, quantity: 1 },
      ],
      increased: [],
      decreased: [],
      removed: [{ optionId: backup }],
      // Two addresses at 2.00 and 0.80 of setup, and the monitoring at 0.80.
      charge: { status: "paid", paymentMode: "saved_method", amount: 6.4, total: 7.74 },
    }),
  );
  expect(listAt(changed, "data.options")).toMatchObject([{ optionId: ipv4, quantity: 2 }, { optionId: monitoring }]);
  const again = await put(practice, [], { externalReference: "set-1" });
  expect(again).toMatchObject(success({ idempotent: true, charge: { amount: 6.4 } }));
  const less = await put(practice, [{ optionId: ipv4, quantity: 1 }], { externalReference: "set-2" });
  expect(less).toMatchObject(
    success({ decreased: [{ optionId: ipv4, quantity: 1 }], removed: [{ optionId: monitoring }], charge: null }),
  );
  const more = await put(practice, [{ optionId: ipv4, quantity: 3 }], { externalReference: "set-3" });
  expect(more).toMatchObject(success({ increased: [{ optionId: ipv4, quantity: 2 }], charge: { amount: 5.6 } }));
  expect(await put(practice, [{ optionId: ipv4, quantity: 3 }])).toMatchObject(
    success({ unchanged: [{ optionId: ipv4, quantity: 3 }], charge: null }),
  );
});

test("in invoice mode additions wait for their document, and are active once it is paid", async () => {
  const practice = await createPracticeWithEvents();
  practice.platform.settings.shapes.payload = 0;
  practice.platform.reseller.settings.mode = "invoice";
  const waiting = await put(practice, [{ optionId: ipv4 }], { externalReference: "set-1" });
  expect(waiting).toMatchObject(
    success(
      { removed: [{ optionId: backup }], options: [{ status: "pending_payment" }], charge: { status: "invoiced" } },
      202,
    ),
  );
  practice.platform.payByOperator(textAt(waiting, "data.charge.invoiceId"));
  expect(listAt(await practice.resell("GET /services/{web-1}/options"), "data.active")).toMatchObject([
    { optionId: ipv4, status: "active" },
  ]);
  expect(practice.events()).toEqual(["order.invoiced", "order.paid"]);
});

test.each([0, 1])(
  "a charge for add-ons that fails changes nothing, and its order can be retried (shape %i)",
  async (payload) => {
    const practice = await createPractice();
    practice.platform.settings.shapes.payload = payload;
    practice.platform.reseller.changePaymentMethod("Company card", { refusal: "Insufficient funds" });
    const refused = await put(practice, [{ optionId: ipv4 }], { externalReference: "set-1" });
    expect(refused.status).toBe(402);
    const order = textAt(refused, payload === 0 ? "data.charge.orderId" : "orderId");
    const path = "GET /services/{web-1}/options";
    expect(JSON.stringify((await practice.resell(path)).body)).not.toContain("pending_payment");
    expect(listAt(await practice.resell(path), "data.active")).toMatchObject([{ name: "Daily backup" }]);
    practice.platform.reseller.changePaymentMethod("Company card", { refusal: null });
    expect(await practice.resell(`POST /orders/${order}/retry`)).toMatchObject(success({ status: "paid" }));
    expect(listAt(await practice.resell(path), "data.active")).toMatchObject([{ name: "Extra IPv4 address" }]);
  },
);

test("a short balance names both figures, and takes nothing off either", async () => {
  const practice = await createPractice();
  practice.platform.reseller.settings.mode = "credit";
  practice.platform.changeUser("ana", { balance: 10 });
  expect(await put(practice, [{ optionId: ipv4 }])).toMatchObject(
    resellerRefusal(400, "Insufficient credit balance: 3.39 needed, 0.10 available"),
  );
  expect(practice.platform.reseller.orders()).toEqual([]);
  expect(listAt(await practice.resell("GET /services/{web-1}/options"), "data.active")).toHaveLength(1);
});

test("one add-on is taken off by the id of its row, for nothing", async () => {
  const { resell } = await createPractice();
  const path = "/services/{web-1}/options";
  const row = textAt(await resell(`GET ${path}`), "data.active.0.id");
  expect(await resell(`DELETE ${path}/${row}`)).toMatchObject(success({ removed: row }));
  expect(await resell(`DELETE ${path}/${row}`)).toMatchObject(resellerRefusal(404, "Option not found"));
});

test("rows of add-ons come in two shapes, and are priced at wholesale in both", async () => {
  const { resell, platform } = await createPractice();
  const path = "GET /services/{web-1}/options";
  platform.settings.shapes.payload = 0;
  expect(listAt(await resell(path), "data.available")).toContainEqual(
    expect.objectContaining({ id: ipv4, price: 2, setupFee: 0.8 }),
  );
  platform.settings.shapes.payload = 1;
  expect(listAt(await resell(path), "data.available")).toContainEqual(
    expect.objectContaining({ optionId: ipv4, pricing: { price: 2, setupFee: 0.8 } }),
  );
  expect(listAt(await resell(path), "data.active")).toMatchObject([{ option_id: backup, billing_cycle: "monthly" }]);
});

function change({ resell }: Practice, to: string, name = "web-2") {
  return resell(`POST /services/{${name}}/change-package`, { body: { productId: productId(to) } });
}

async function productName({ resell }: Practice) {
  return textAt(await resell("GET /services/{web-2}"), "data.productName");
}

test("a package changes once its document is paid, and the product's name follows late", async () => {
  const practice = await createPractice();
  const changed = await change(practice, "VPS L");
  expect(changed).toMatchObject(
    success({ serviceId: practice.id("web-2"), status: "executing", billingDocumentType: "invoice" }, 202),
  );
  expect(await productName(practice)).toBe("VPS M");
  expect(await change(practice, "VPS S")).toMatchObject(resellerRefusal(409, "An upgrade is already in progress"));
  practice.clock.skip(30_000);
  expect(await productName(practice)).toBe("VPS L");
  expect(at(await practice.resell("GET /services/{web-2}"), "data.wholesaleAmount")).toBe("16.0000");
});

test("in invoice mode the change waits for its document", async () => {
  const practice = await createPractice();
  practice.platform.reseller.settings.mode = "invoice";
  const changed = await change(practice, "VPS L");
  expect(changed).toMatchObject(success({ status: "awaiting_payment" }, 202));
  practice.clock.skip(60_000);
  expect(await productName(practice)).toBe("VPS M");
  expect(await practice.resell("GET /services/{web-2}/upgrades")).toMatchObject(
    success({ pendingUpgrade: { status: "awaiting_payment" } }),
  );
  practice.platform.payByOperator(textAt(changed, "data.billingDocumentId"));
  practice.clock.skip(30_000);
  expect(await productName(practice)).toBe("VPS L");
});

test("a change that costs nothing has no document", async () => {
  const practice = await createPractice();
  const changed = await change(practice, "VPS S");
  expect(changed).toMatchObject(success({ billingDocumentType: null, billingDocumentId: null }, 202));
  practice.clock.skip(30_000);
  expect(await productName(practice)).toBe("VPS S");
});

test.each([true, false])("a change that waits for the supplier ends as that decides: %s", async (agreed) => {
  const practice = await createPractice();
  practice.platform.reseller.settings.approvesChanges = true;
  expect(await change(practice, "VPS L")).toMatchObject(success({ status: "awaiting_admin" }, 202));
  practice.clock.skip(3_600_000);
  expect(await productName(practice)).toBe("VPS M");
  practice.platform.reseller.decideChange(practice.id("web-2"), agreed);
  practice.clock.skip(30_000);
  expect(await productName(practice)).toBe(agreed ? "VPS L" : "VPS M");
  expect(at(await practice.resell("GET /services/{web-2}/upgrades"), "data.pendingUpgrade")).toBeNull();
});

test.each([
  ["web-1", "vps", "vps", { snapshots: true, backups: false, traffic: true, rescue: false }],
  ["metal-1", "dedicated", "dedicated", { hardware_health: true, rdns: true, rescue: true, ssh_keys: true }],
  ["metal-2", "dedicated", "dedicated", { hardware_health: false, rdns: true }],
  ["arena-1", "game", "game", { power: false, stats: false }],
  ["plugin-1", "plugin", "plugin", { backups: true, snapshots: false }],
  ["mailboxes", "plugin", "plugin", { power: true }],
  ["transit-1", "ip-transit", "ipTransit", { traffic: true, power: false }],
  ["rack-1", "colocation", "colocation", { power: false }],
  ["leased-1", "generic", null, { power: true, console: true }],
])(
  "the document of %s is of its kind, with its section and its panels alone",
  async (name, kind, section, features) => {
    const { resell, id } = await createPractice();
    const document = await resell(`GET /services/{${name}}/document`);
    expect(document).toMatchObject(success({ kind, serviceId: id(name), features }));
    expect(at(document, "data.options.priceBasis")).toBe("wholesale");
    const sections = ["dedicated", "vps", "ipTransit", "colocation", "game", "plugin"];
    const shown = sections.filter((one) => at(document, `data.${one}`) !== undefined);
    expect(shown).toEqual(section === null ? [] : [section]);
  },
);

test("the document of what is terminated has no panels", async () => {
  const { resell } = await createPractice();
  const features = Object(at(await resell("GET /services/{gone-1}/document"), "data.features"));
  expect([features.power, features.console, features.reinstall, features.snapshots]).toEqual([
    false,
    false,
    false,
    false,
  ]);
});
