import { expect, test } from "vitest";
import { productId } from "../../../../src/sandbox/platform/world/catalogue.ts";
import { at, createPractice, layout, listAt, refusal, success, unpaidDocument } from "../client.ts";

const blob = Buffer.from("a practice key that opens nothing at all").toString("base64");

test.each([
  ["GET /vps/{web-1}/ips", 2],
  ["GET /vps/{web-1}/stats", 3],
  ["GET /services/{web-1}/stats", 3],
  ["GET /services/{arena-1}/game", 2],
  ["GET /dedicated/{metal-1}/ips", 2],
  ["GET /dedicated/{metal-1}/power-status", 2],
  ["GET /dedicated/{metal-1}/provision-status", 2],
  ["GET /dedicated/{metal-1}/os-images", 3],
  ["GET /dedicated/{metal-1}/traffic", 2],
  ["GET /dedicated/{metal-1}/stats", 3],
])("%s, which the spec does not show, comes in %i shapes", async (line, count) => {
  const { ask, id, platform } = await createPractice();
  const path = line.replace(/\{([\w-]+)\}/, (_, name: string) => id(name));
  const seen = new Set<string>();
  for (const payload of [0, 1, 2, 3, 4, 5]) {
    platform.settings.shapes.payload = payload;
    const answer = await ask(path);
    expect(answer.status).toBe(200);
    seen.add(layout(answer));
  }
  expect(seen.size).toBe(count);
});

test("cycles and options of a product are laid out in three ways, and name the same ones in each", async () => {
  const { ask, platform } = await createPractice();
  const seen = new Set<string>();
  for (const payload of [0, 1, 2]) {
    platform.settings.shapes.payload = payload;
    const answer = await ask(`GET /products/${productId("VPS S")}`);
    const cycles = at(answer, "data.billing_cycles");
    for (const cycle of ["hourly", "monthly", "annually"]) expect(JSON.stringify(cycles)).toContain(`"${cycle}"`);
    expect(listAt(answer, "data.options").map((option) => Object(option).name)).toContain("Daily backup");
    seen.add(`${typeof Object(cycles)[0]} ${layout(answer, "data.options.0")}`);
  }
  expect(seen.size).toBe(3);
});

test("a thing whose place is not said stands in data, or under its name in it", async () => {
  const { ask, platform } = await createPractice();
  platform.settings.shapes.named = true;
  expect(listAt(await ask("GET /projects"), "data.projects")).toHaveLength(4);
  expect(listAt(await ask("GET /ssh-keys"), "data.ssh_keys")).toHaveLength(2);
  expect(listAt(await ask("GET /custom-images"), "data.custom_images")).toHaveLength(5);
  expect(await ask("POST /projects", { body: { name: "new" } })).toMatchObject(
    success({ project: { slug: "new" } }, 201),
  );
  expect(await ask("POST /ssh-keys", { body: { name: "new", publicKey: `ssh-ed25519 ${blob}` } })).toMatchObject(
    success({ ssh_key: { name: "new" } }, 201),
  );
  expect(await ask("PATCH /vps/{web-1}", { body: { projectId: "staging" } })).toMatchObject(
    success({ vps: { project: { slug: "staging" } } }),
  );
});

test("a document stands under its name beside its sums, or is data itself", async () => {
  const platform = await createPractice();
  const document = await unpaidDocument(platform);
  const sums = { paid_amount: 0, remaining_amount: 12.1, settled: false };
  expect(await platform.ask(`GET /invoices/${document}`)).toMatchObject(
    success({ ...sums, invoice: { id: document, total: "12.10" } }),
  );
  platform.platform.settings.shapes.document = "flat";
  expect(await platform.ask(`GET /invoices/${document}`)).toMatchObject(
    success({ ...sums, id: document, total: "12.10", items: [{ amount: "10.00" }] }),
  );
});

test.each(["/invoices", "/proformas", "/account/transactions"])(
  "the pagination of %s is in data, or beside it",
  async (path) => {
    const { ask, platform } = await createPractice();
    const inside = await ask(`GET ${path}`);
    platform.settings.shapes.pagination = "beside";
    const beside = await ask(`GET ${path}`);
    expect(at(beside, "pagination")).toEqual(at(inside, "data.pagination"));
    expect(at(beside, "data.pagination")).toBeUndefined();
    expect(at(inside, "pagination")).toBeUndefined();
  },
);

test("the summary of an upgrade is in data, or beside it", async () => {
  const { ask, platform } = await createPractice();
  const upgrade = (name: string) =>
    ask(`POST /services/{${name}}/upgrades`, { body: { toProductId: productId("VPS L") } });
  expect(await upgrade("web-2")).toMatchObject(success({ settled: false }, 201));
  platform.settings.shapes.upgradeSummary = "beside";
  const beside = await upgrade("worker-1");
  expect(beside).toMatchObject({ status: 201, body: { settled: false, document: { settled: false } } });
  expect(layout(beside)).toBe("billingDocument,billingDocumentType,lineItems,orderId,upgrade");
});

test("the lists of section 4.7 come whole, or in pages like the others", async () => {
  const { ask, platform } = await createPractice();
  for (let index = 0; index < 20; index += 1) await ask("POST /projects", { body: { name: `p ${index}` } });
  expect(listAt(await ask("GET /projects"), "data")).toHaveLength(24);
  platform.settings.shapes.pagedLists = true;
  expect(await ask("GET /projects")).toMatchObject({ body: { pagination: { limit: 20, total: 24, pages: 2 } } });
  expect(listAt(await ask("GET /projects?page=2"), "data")).toHaveLength(4);
  platform.settings.shapes.named = true;
  expect(await ask("GET /projects?limit=30")).toMatchObject(success({ pagination: { pages: 1 } }));
});

test("a project's slug is taken for its id in a path, or is a malformed uuid", async () => {
  const { ask, platform } = await createPractice();
  expect(await ask("GET /projects/staging")).toMatchObject(success({ slug: "staging" }));
  expect(await ask("GET /projects/no-such")).toMatchObject(refusal(404, "NOT_FOUND"));
  platform.settings.shapes.projectSlugs = false;
  expect(await ask("GET /projects/staging")).toMatchObject(refusal(400, "BAD_REQUEST", { details: [{ field: "id" }] }));
});

test.each(["unpaid", "pending"] as const)(
  "a document that is paid in part reads %s, and can be paid on",
  async (reads) => {
    const platform = await createPractice();
    platform.platform.settings.shapes.paidInPart = reads;
    const document = await unpaidDocument(platform);
    const pay = `POST /invoices/${document}/pay`;
    await platform.ask(pay, { body: { amount: 2 } });
    expect(await platform.ask(`GET /invoices/${document}`)).toMatchObject(
      success({ invoice: { status: reads }, remaining_amount: 10.1, settled: false }),
    );
    expect(await platform.ask(pay)).toMatchObject(success({ invoicePaid: true }));
  },
);

test("a dedicated server is switched ten times a minute, or five", async () => {
  const { ask, platform, clock } = await createPractice();
  platform.settings.shapes.dedicatedPower = 5;
  const press = () => ask("POST /dedicated/{metal-1}/power/restart");
  for (let time = 0; time < 5; time += 1) expect(await press()).toMatchObject({ status: 200 });
  expect(await press()).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
  platform.settings.shapes.dedicatedPower = 10;
  for (let time = 0; time < 5; time += 1) expect(await press()).toMatchObject({ status: 200 });
  expect(await press()).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
  clock.skip(60_001);
  expect(await press()).toMatchObject({ status: 200 });
});

test("a move lists the resources that it skipped in all or by kind; a renewal tells its state, or its document alone", async () => {
  const { ask, platform } = await createPractice();
  const missing = "00000000-0000-4000-a000-000000000000";
  const move = () => ask(`POST /projects/${platform.projectId("empty")}/move`, { body: { services: [missing] } });
  expect(await move()).toMatchObject(success({ skipped: [missing] }));
  platform.settings.shapes.payload = 1;
  expect(await move()).toMatchObject(success({ skipped: { services: [missing], orders: [] } }));
  const renewed = await ask("POST /services/{web-1}/renew");
  expect(layout(renewed)).toBe("invoice");
});
