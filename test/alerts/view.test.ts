import { expect, test } from "vitest";
import { alertEventNames, EventFacts } from "../../src/alerts/events.ts";
import { alertMessage, alertSteps, eventLine, lateMessage } from "../../src/alerts/view.ts";
import { refusedBlocks } from "../../src/sandbox/slack/blocks/blocks.ts";
import { fitted } from "../../src/views/fit.ts";
import { displayed, eventOf } from "./events.ts";

function shown(events: [event: string, service: number][]) {
  return events.map(([event, service], at) => {
    const data = { orderId: "o", serviceId: `s-${service}`, hostname: `host-${service}` };
    return displayed(eventOf(event, data, at));
  });
}

function lines(events: [string, number][]): string[] {
  return JSON.stringify(alertMessage(shown(events), []).blocks).match(/`host-[^*.]*|\d+ more[^"\\]*/g) ?? [];
}

const built = Array.from({ length: 100 }, (_, at): [string, number] => ["service.provisioned", at]);

test("of a hundred services of one order, those that are suspended or failed stand first on its card, however old", () => {
  const failed: [string, number] = ["service.provisioning_failed", 100];
  const texts = lines([failed, ...built, ["service.suspended", 3], ["service.terminated", 4]]);
  expect(texts).toHaveLength(31);
  expect(texts.slice(0, 2)).toEqual(["`host-100` could not be built", "`host-3` is suspended"]);
});

test("of a suspension and a release that came close together, the card says that their order is not sure, until a read settles it", () => {
  const events = (pairs: [string, number][]) => JSON.stringify(alertMessage(shown(pairs), []).blocks);
  const both: [string, number][] = [
    ["service.suspended", 1],
    ["service.unsuspended", 1],
  ];
  expect(events(both)).toContain("perhaps in the wrong order");
  expect(events([...both].reverse())).toContain("perhaps in the wrong order");
  expect(events([...both, ["service.terminated", 1]])).not.toContain("wrong order");
  expect(events([["service.provisioned", 1], ...both.slice(0, 1)])).not.toContain("wrong order");
  const read = shown(both).map((one) => ({ ...one, crossCheck: " The platform says so, too" }));
  expect(JSON.stringify(alertMessage(read, []).blocks)).not.toContain("wrong order");
  const apart = shown(both).map((one, at) => ({ ...one, event: { ...one.event, at: at * 3_600_000 } }));
  expect(JSON.stringify(alertMessage(apart, []).blocks)).not.toContain("wrong order");
  const requested = shown(both).map((one) => ({ ...one, askedBy: "<@U1>" }));
  expect(JSON.stringify(alertMessage(requested, []).blocks)).not.toContain("wrong order");
});

test("an alert of services that are all suspended lists as many as fit, and counts the others", () => {
  const texts = lines(built.map(([, at]) => ["service.suspended", at]));
  expect(texts).toHaveLength(31);
  expect(texts.at(-1)).toBe("70 more beside these.");
});

test("of an order that fits on its card, all stand in the order in which they came up", () => {
  const texts = lines([...built.slice(0, 3), ["service.suspended", 1]]);
  expect(texts).toEqual(["`host-0` is ready", "`host-1` is suspended", "`host-2` is ready"]);
});

test.each(["service.provisioned", "service.suspended", "service.provisioning_failed"])(
  "of an order with a hundred services the alert names the order first, whatever became of them: %s",
  (event) => {
    const [order] = shown([["order.paid", 0]]);
    if (!order) throw new Error("No event was made");
    order.event.data = EventFacts.parse({ orderId: "o", orderNumber: "R-000223" });
    const services = shown(Array.from({ length: 100 }, (_, at) => [event, at]));
    const blocks = JSON.stringify(alertMessage([order, ...services], []).blocks);
    expect(blocks.indexOf("Order `R-000223` is paid")).toBeGreaterThan(0);
    expect(blocks.indexOf("Order `R-000223` is paid")).toBeLessThan(blocks.indexOf("`host-"));
    expect(blocks).toContain("71 more beside these.");
  },
);

test.each(alertEventNames)("the sentence of %s has no place that is left unfilled", (name) => {
  expect(eventLine(eventOf(name, { serviceId: "s", hostname: "web-1" }, 0))).not.toMatch(/[{}]/);
});

test("an empty field of an event hides no other: its alert names the resource and the reason that are there", () => {
  const data = { hostname: "", serviceId: "s-1", paymentError: "", provisioningError: "", reason: "Too much mail" };
  expect(eventLine(eventOf("service.suspended", data, 0))).toContain(":no_entry: `s-1` is suspended: Too much mail.");
});

const billed = "The service is still billed to you until you terminate it";
const ofService = { serviceId: "s-1", hostname: "web-1", reason: "By hand" };

test.each([
  ["webhook", true],
  ["missed", true],
  ["polling", false],
] as const)("an alert of a suspension found by %s says if the service is still billed", (source, isSold) => {
  const event = { ...eventOf("service.suspended", ofService, 0), source };
  expect(eventLine(event).includes(`is suspended: By hand. ${billed}`)).toBe(isSold);
  expect(eventLine(eventOf("service.unsuspended", ofService, 0))).not.toContain(billed);
});

const sums: [words: string | null, data: object][] = [
  ["29.04 EUR, tax included", { total: "29.04", amount: "24.00", currency: "EUR" }],
  ["24.00 EUR excl. VAT", { amount: "24.00", currency: "EUR" }],
  ["24.00 EUR excl. VAT", { amount: 24, currency: "EUR" }],
  ["0.00 EUR, tax included", { total: 0, amount: 0, currency: "EUR" }],
  ["24.00 (currency unknown) excl. VAT", { amount: "24.00" }],
  [null, { currency: "EUR" }],
];

test.each(sums)("an alert of each order event, and of a failed build, shows the sum %s", (words, data) => {
  for (const name of ["order.paid", "order.invoiced", "order.payment_failed", "service.provisioning_failed"]) {
    const blocks = JSON.stringify(alertMessage([displayed(eventOf(name, { orderId: "o", ...data }, 0))], []).blocks);
    if (words === null) expect(blocks).not.toMatch(/VAT|currency/);
    else expect(blocks).toContain(words);
  }
});

test("an invoiced order's alert offers to pay its document, and to show it, until the order is paid", () => {
  const invoiced = displayed(eventOf("order.invoiced", { orderId: "o-1", invoiceId: "d-1" }, 0));
  const paid = displayed(eventOf("order.paid", { orderId: "o-1", invoiceId: "d-1" }, 1));
  const show = { label: "Show order", command: "reseller order show", target: "o-1" };
  expect(alertSteps([invoiced])).toEqual([
    { label: "Pay…", command: "billing pay", target: "d-1" },
    { label: "Show document", command: "billing show", target: "d-1" },
    show,
  ]);
  expect(alertSteps([invoiced, paid])).toEqual([show]);
});

test("a mention that was owed names each failure of a burst, though their reasons are long, and counts the others", () => {
  const reason = "The storage pool has no room left for a volume of this size; the operators were informed. ".repeat(3);
  const events = Array.from({ length: 20 }, (_, at) =>
    eventOf("service.provisioning_failed", { hostname: `worker-${at}.example.com`, provisioningError: reason }, at),
  );
  const { blocks } = lateMessage(events, { mention: "<!subteam^S1>", others: 40 });
  expect(refusedBlocks(blocks)).toEqual([]);
  const shown = JSON.stringify(fitted({ text: "", blocks }).blocks);
  for (let at = 0; at < 20; at += 1) expect(shown).toContain(`worker-${at}.`);
  expect(shown).toContain("40 more alerts");
});
