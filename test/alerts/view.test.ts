import { expect, test } from "vitest";
import { alertEventNames, EventFacts, type LoggedEvent, lastingFacts } from "../../src/alerts/events.ts";
import {
  alertMessage,
  alertSteps,
  eventLine,
  lateMessage,
  loudMessage,
  resourceName,
  stepMessage,
} from "../../src/alerts/view.ts";
import { eventNames } from "../../src/platform/reseller/events.ts";
import { nobody } from "../../src/policy/responsibility/steps.ts";
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

/** The messages in which an event reaches people, as Slack shows them. */
function formsOf(event: LoggedEvent): [form: string, text: string][] {
  const made = { ...nobody, kind: "reminded" as const, to: "", at: 0, about: event.id, name: event.id };
  const one = displayed(event);
  return [
    ["the first post", JSON.stringify(alertMessage([one], []).blocks)],
    ["the loud reply", loudMessage(one).text],
    ["the late mention", lateMessage([event], { mention: "@ana", others: 0 }).text],
    ["the step", stepMessage(event, made, { alone: true }).text],
    ["a line of a digest, of a burst and of the event list", eventLine(event)],
  ];
}

const shared = { orderId: "o-1", externalOrderId: "PO-7", externalCustomerId: "acme-bakery" };
const ofOrder = { ...shared, orderNumber: "RES-9000", paymentMode: "saved_method", total: "29.04", currency: "EUR" };
const ofService = { ...shared, serviceId: "s-1", hostname: "web-1", serverIp: "192.0.2.7", reason: "By hand" };
const orderWords = ["`RES-9000`", "`acme-bakery`", "29.04 EUR, tax included", "payment by saved method"];
const serviceWords = ["`web-1`", "`acme-bakery`", "address `192.0.2.7`", ": By hand"];
const failedBuild = { ...ofOrder, serviceId: "s-1", stage: "install", provisioningError: "No room" };

const facts = [
  ["order.paid", ofOrder, orderWords],
  ["order.invoiced", ofOrder, orderWords],
  ["order.payment_failed", { ...ofOrder, paymentError: "Card declined" }, [...orderWords, ": Card declined"]],
  ["service.provisioning_failed", failedBuild, [...orderWords, "`s-1` of order", "stage `install`: No room"]],
  ["service.provisioned", { ...ofService, status: "active" }, serviceWords],
  ["service.suspended", { ...ofService, status: "suspended" }, serviceWords],
  ["service.unsuspended", { ...ofService, status: "active" }, serviceWords],
  ["service.terminated", { ...ofService, status: "terminated" }, serviceWords],
  ["service.moved", { ...ofService, status: "pending" }, [...serviceWords, "the event names the state `pending`"]],
] as const;

test.each(facts)("each message about %s names the customer and all by which people decide", (name, data, words) => {
  for (const [form, text] of formsOf(eventOf(name, data, 0))) {
    for (const word of words) expect(text, form).toContain(word);
    if (name !== "service.moved") expect(text, form).not.toContain("names the state");
  }
});

test("the list of facts above has all of the supplier's events that report something", () => {
  const names = facts.map(([name]) => String(name));
  expect(eventNames.filter((name) => !names.includes(name))).toEqual(["webhook.test"]);
});

const five = ["a", "b", "c", "d", "e"].map((id, at) => ({
  ...{ serviceId: id, hostname: `${id}.example.test` },
  status: at < 2 ? "provisioning_failed" : at === 2 ? "active" : "pending",
}));
const ready = (id: string, at: number) =>
  displayed(eventOf("service.provisioned", { orderId: "o-1", serviceId: id, hostname: `${id}.example.test` }, at));

/** A failure to build, of an order of these services. */
function failureOf(name: string, services: unknown[] | null) {
  return displayed(
    eventOf(name, { orderId: "o-1", orderNumber: "RES-9000", provisioningError: "No room", services }, 0),
  );
}

const lists: [about: string, services: unknown[] | null, words: string][] = [
  ["those that failed, of five", five, "`a.example.test` and `b.example.test` of order `RES-9000`"],
  ["its only service", five.slice(0, 1), "`a.example.test` of order `RES-9000`"],
  ["hardware that stays pending", five.slice(2), "`d.example.test` and `e.example.test` of order `RES-9000`"],
  ["services without a name", [{ serviceId: "s-1" }, { serviceId: "s-2" }], "`s-1` and `s-2` of order `RES-9000`"],
  [
    "two services of one name",
    [
      { serviceId: "s-1", hostname: "web" },
      { serviceId: "s-2", hostname: "web" },
    ],
    "`web` (`s-1`) and `web` (`s-2`) of order `RES-9000`",
  ],
  ["services that cannot be read", [7, { serviceId: "s-1" }], "`(not named)` and `s-1` of order `RES-9000`"],
  ["a hundred", Array.from({ length: 100 }, (_, at) => ({ serviceId: `s-${at}` })), "`s-9` and 90 more of order"],
  ["services of which none can be read", [7, null], "Order `RES-9000`"],
  ["none", [], "Order `RES-9000`"],
  ["nothing", null, "Order `RES-9000`"],
  ["services that all run", five.slice(2, 3), "Order `RES-9000`"],
];

test.each(lists)("each message about a failed build names the services that failed: %s", (_, services, words) => {
  for (const name of ["service.provisioning_failed", "order.failed"])
    for (const [form, text] of formsOf(failureOf(name, services).event)) {
      expect(text, form).toContain(`${words}${words.endsWith("order") ? "" : " could not be built: No room"}`);
      for (const { hostname } of five) if (!words.includes(hostname)) expect(text, form).not.toContain(hostname);
    }
});

test("the alert of a failed build no longer names a service that is built since, and offers the only one that failed", () => {
  const failure = failureOf("service.provisioning_failed", five);
  const text = (shown: ReturnType<typeof displayed>[]) => JSON.stringify(alertMessage(shown, []).blocks);
  const later = text([failure, ready("c", 1), ready("b", 2)]);
  expect(later).toContain("`a.example.test` of order `RES-9000` could not be built");
  expect(later).toContain("`b.example.test` is ready");
  expect(text([failure, ready("b", 1), ready("a", 2)])).not.toContain("could not be built");
  const only = failureOf("service.provisioning_failed", five.slice(0, 1));
  const order = { label: "Show order", command: "reseller order show", target: "o-1" };
  expect(alertSteps([only])).toEqual([{ label: "Show service", command: "reseller service show", target: "a" }, order]);
  expect(alertSteps([failure])).toEqual([order]);
  expect(resourceName(only.event.event, only.event.data)).toBe("a.example.test");
  expect(resourceName(failure.event.event, failure.event.data)).toBe("order RES-9000");
});

test("an error of an earlier step is not the reason of an event, and is shown under its own name", () => {
  const data = { orderId: "o-1", paymentError: "Card declined", provisioningError: "No room" };
  const failed = eventLine(eventOf("service.provisioning_failed", data, 0));
  expect(failed).toContain("could not be built: No room · the event names a payment error: Card declined");
  const paid = eventLine(eventOf("order.paid", { ...data, provisioningError: null }, 0));
  expect(paid).toContain("is paid · the event names a payment error: Card declined");
});

test("the end of a service that could not be built does not repeat the stage and the state of that failure", () => {
  const failure = eventOf("service.provisioning_failed", { ...failedBuild, status: "provisioning_failed" }, 0);
  const line = eventLine(eventOf("service.terminated", lastingFacts(failure), 1));
  expect(line).toMatch(/`s-1` was terminated · customer/);
});

test("a state that an event names is shown where it contradicts the event", () => {
  const line = (name: string, status: string) => eventLine(eventOf(name, { ...ofService, status }, 0));
  expect(line("service.unsuspended", "fraud")).toContain("the event names the state `withheld`");
  expect(line("service.unsuspended", "active")).not.toContain("names the state");
  const polled = { ...eventOf("service.unsuspended", { ...ofService, status: "fraud" }, 0), source: "missed" } as const;
  expect(eventLine(polled)).not.toContain("names the state");
});

const billed = "The service is still billed to you until you terminate it";

test.each([
  ["webhook", true],
  ["missed", true],
  ["polling", false],
] as const)("each message about a suspension found by %s says if the service is still billed", (source, isSold) => {
  const event = { ...eventOf("service.suspended", ofService, 0), source };
  for (const [form, text] of formsOf(event))
    expect(text.includes(`is suspended: By hand. ${billed}`), form).toBe(isSold);
  expect(eventLine(eventOf("service.unsuspended", ofService, 0))).not.toContain(billed);
});

test("an alert of renewals of several customers names the customer of each, and of one customer once", () => {
  const due = (id: string, externalCustomerId: string | null, at: number) =>
    displayed(eventOf("service.due_soon", { serviceId: id, externalCustomerId, dueAt: "2026-12-01" }, at));
  const text = (shown: ReturnType<typeof displayed>[]) => JSON.stringify(alertMessage(shown, []).blocks);
  const mixed = text([due("s-3", null, 0), due("s-1", "acme", 1), due("s-2", "borealis", 2)]);
  expect(mixed).toMatch(/`s-1` falls due[^*]*\* · customer `acme`/);
  expect(mixed).toMatch(/`s-2` falls due[^*]*\* · customer `borealis`/);
  expect(mixed.split("customer")).toHaveLength(3);
  expect(text([due("s-1", "acme", 0), due("s-2", "acme", 1)]).split("customer `acme`")).toHaveLength(2);
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
