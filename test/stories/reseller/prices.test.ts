import { expect, test } from "vitest";
import { confirmationDialog } from "../../../src/requests/dialog.ts";
import type { FieldValue } from "../../../src/sandbox/slack/server.ts";
import { requestStatus } from "../../../src/web/mcp/status.ts";
import { page } from "../ordering.ts";
import { backOut, goAhead, type Story, said } from "../story.ts";
import { fillPages, reviewOf } from "./ordering.ts";
import { startResellerStory } from "./selling.ts";

// The price that is asked is the price that is charged, and the price that approval rules count.

/** In which of its figures the catalogue puts the price of a one-time add-on, the spec does not show. */
const shapes = [null, 0, 1, 2, 3];

const total = ({ platform }: Story) => platform.reseller.orders().map(({ amount }) => amount);

test("an order with a one-time add-on asks for the sum that it charges", async () => {
  const story = await startResellerStory();
  for (const payload of shapes) {
    story.platform.settings.shapes.payload = payload;
    const review = await reviewOf(story, story.ana, '"VPS S"', { plan: { "Add-ons": ["Guided handover"] } });
    expect(said(review)).toContain("35.80 EUR excl. VAT");
    expect(said(review)).toContain("`Guided handover`: 32.00 EUR once".replaceAll("`", ""));
    await story.pressing(story.ana, review, goAhead, "35.80 EUR excl. VAT");
  }
  expect(total(story)).toEqual(shapes.map(() => 3580));
});

test.each(shapes)("a set with a one-time add-on asks for the sum that it charges (%s)", async (payload) => {
  const story = await startResellerStory();
  story.platform.settings.shapes.payload = payload;
  const command = '/reseller service options set ACME-002 options="Guided handover"';
  const request = await story.ask(story.ana, command, "will change", "Due now: 32.00 EUR");
  await story.pressing(story.ana, request, goAhead, "32.00 EUR excl. VAT");
  expect(total(story)).toEqual([3200]);
});

test("a one-time add-on with a figure for another cycle alone makes the sum unknown, to the person and to the rules", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = 3;
  const plan = { Billed: "quarterly", "Add-ons": ["Guided handover"] };
  const review = said(await reviewOf(story, ana, '"VPS S"', { plan }));
  expect(review).toContain("the sum is not known beforehand");
  expect(review).toContain("Rackbell cannot read the price of one part");
  await story.ask(ana, '/rackbell policy add demand=not-allowed over="5000 EUR"', "In effect now");
  await ana.type('/reseller order new "VPS S"');
  await fillPages(story, ana, { plan });
  await story.sees(ana, "A rule of this workspace does not allow it", "not known beforehand, so it counts as over");
});

const datacentres = [
  ["a setup by another name", { location: "es-mad", monthly: 2, setup: 5 }, "10.80 EUR excl. VAT"],
  ["no surcharge at all", { location: "es-mad", surcharge: null }, "3.80 EUR excl. VAT"],
  ["a number that is no price", { location: "es-mad", id: 7, monthly: 0 }, "3.80 EUR excl. VAT"],
  ["a fee that cannot be read", { location: "es-mad", monthly: 2, rackFee: { net: 5 } }, "is not known beforehand"],
] as const;

test("the price of a datacentre is part of the sum, or makes it unknown", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  for (const [what, row, sum] of datacentres) {
    const data = { billingCycles: ["monthly"], requiredFields: ["billingCycle", "location"], locationPricing: [row] };
    platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: /\/schema$/, times: 20 });
    const review = await reviewOf(story, ana, '"VPS S"', { details: null });
    expect(said(review), what).toContain(sum);
    await story.pressing(ana, review, backOut, "withdrawn");
    platform.faults.resume();
  }
});

test("the monthly price of a datacentre counts for each month of a longer cycle", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const rows = [{ location: "es-mad", monthly: 2, setup: 5 }];
  const data = { billingCycles: ["quarterly"], requiredFields: ["billingCycle", "location"], locationPricing: rows };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: /\/schema$/, times: 20 });
  const review = await reviewOf(story, ana, '"VPS S"', { details: null, plan: { Billed: "quarterly" } });
  expect(said(review)).toContain("23.00 EUR excl. VAT");
});

test("the form says in words what a datacentre adds in each cycle", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const row = { location: "es-mad", semiAnnual: 5, annually: 9, setup: 4 };
  const data = { billingCycles: ["monthly"], requiredFields: ["billingCycle", "location"], locationPricing: [row] };
  platform.faults.next({ how: { status: 200, body: { success: true, data } }, path: /\/schema$/, times: 20 });
  await ana.type('/reseller order new "VPS S"');
  await page(story, ana, "Order to resell");
  expect(JSON.stringify(await ana.suggest("modal", "Datacentre", ""))).toContain(
    "adds 5.00 EUR every half year, 9.00 EUR a year and 4.00 EUR once",
  );
});

test("a product whose fee for the setup is null costs none, and one that names none makes the sum unknown", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const headers = { authorization: `Bearer ${platform.reseller.keys.ana.key}` };
  const read = async (path: string) => JSON.parse(await (await fetch(`${platform.url}${path}`, { headers })).text());
  const { data: all } = await read("/reseller/products");
  const { id } = all.find(({ name }: { name: string }) => name === "VPS S");
  const { data: product } = await read(`/reseller/products/${id}`);
  for (const [fee, sum] of [
    [{ setupFee: null }, /\d\.\d\d EUR excl\. VAT/],
    [{ setupFee: undefined }, "is not known beforehand"],
  ] as const) {
    const data = { ...product, pricing: { ...product.pricing, ...fee } };
    platform.faults.next({
      how: { status: 200, body: { success: true, data } },
      path: /\/products\/[\da-f-]+$/,
      times: 20,
    });
    const review = await reviewOf(story, ana, '"VPS S"');
    expect(said(review)).toMatch(sum);
    await story.pressing(ana, review, backOut, "withdrawn");
    platform.faults.resume();
  }
});

test("of two products with one name neither's price is taken for an add-on of a service", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const listed = await fetch(`${platform.url}/reseller/products`, {
    headers: { authorization: `Bearer ${platform.reseller.keys.ana.key}` },
  });
  const body = JSON.parse(await listed.text());
  body.data.push(...body.data.map((one: { id: string }) => ({ ...one, id: one.id.replace(/^./, "0") })));
  platform.faults.next({ how: { status: 200, body }, method: "GET", path: "/reseller/products", times: 20 });
  const command = '/reseller service options set ACME-002 options="Daily backup"';
  const request = said(await story.ask(ana, command, "will change"));
  expect(request).not.toContain("Now:");
});

test.each([
  ["4 EUR", "counts as 4.83 EUR"],
  ["5 EUR", "will charge the order"],
])("a charge that is tried again counts with its own price, as a rule over %s shows", async (limit, answer) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.changePaymentMethod("Company card", { refusal: "Your card was declined" });
  await story.pressing(ana, await reviewOf(story, ana, '"VPS S"'), goAhead, "The charge failed");
  await story.ask(ana, `/rackbell policy add demand=not-allowed risk=spend over="${limit}"`, "In effect now");
  await story.ask(ana, `/reseller order retry ${platform.reseller.orders()[0]?.number}`, answer);
});

/** The words of the sentence, and the label of the button. */
const hours: [what: string, plan: Record<string, FieldValue>, words: string, button: string][] = [
  ["one server", {}, "0.006 EUR an hour, excl. VAT.", "Order for 0.006 EUR an hour, excl. VAT"],
  ["two", { "How many": "2" }, "2 × 0.006 EUR an hour, excl. VAT.", "Order for 2 × 0.006 EUR an hour, excl. VAT"],
  [
    "add-ons",
    { "Add-ons": ["Daily backup"] },
    "0.0093 EUR an hour, excl. VAT.",
    "Order for 0.0093 EUR an hour, excl. VAT",
  ],
  [
    "a datacentre with prices of a month and once",
    { Datacentre: "de-fra" },
    "at least 0.006 EUR an hour and 4.00 EUR once, excl. VAT. Rackbell cannot add up the prices of all parts.",
    "Order 1 service",
  ],
];

test.each(hours)(
  "an order by the hour with %s names the price in its sentence, its dialog, its button and its agent's answer",
  async (_, plan, words, label) => {
    const story = await startResellerStory();
    const review = await reviewOf(story, story.ana, '"VPS S"', { plan: { Billed: "hourly", ...plan } });
    const [request] = [...story.requests.values()];
    if (!request) throw new Error("There is no request");
    const dialog = confirmationDialog(request).text.text;
    for (const text of [said(review), dialog, requestStatus(request).loss]) {
      expect(text).toContain(`, hourly: ${words} The platform bills you`);
      expect(text).not.toContain("below");
    }
    expect(said(review).split("\n")).toContain(label);
  },
);
