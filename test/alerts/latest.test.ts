import fc from "fast-check";
import { expect, test } from "vitest";
import { latestByAspect } from "../../src/alerts/events.ts";
import { muteAmong, passesFilter } from "../../src/alerts/subscriptions.ts";
import { eventOf } from "./events.ts";

test("in whatever order they come, an order that was paid and a service that has ended stay so", () => {
  const events = [
    ["order.payment_failed", { orderId: "o" }],
    ["order.paid", { orderId: "o" }],
    ["service.provisioned", { orderId: "o", serviceId: "s" }],
    ["service.suspended", { orderId: "o", serviceId: "s" }],
    ["service.terminated", { orderId: "o", serviceId: "s" }],
  ] as const;
  const anyOrder = fc.shuffledSubarray([...events], { minLength: events.length });
  fc.assert(
    fc.property(anyOrder, (order) => {
      const latest = latestByAspect(order.map(([event, data], at) => eventOf(event, data, at)));
      expect(latest.map(({ event }) => event).toSorted()).toEqual(["order.paid", "service.terminated"]);
    }),
  );
});

test("a suspension and its end count as they come, and a late word of the building does not undo them", () => {
  const data = { serviceId: "s" };
  const names = ["service.suspended", "service.unsuspended", "service.suspended", "service.provisioned"];
  expect(latestByAspect(names.map((name, at) => eventOf(name, data, at))).map(({ at }) => at)).toEqual([2]);
});

test("each of a hundred services of one order has its own state", () => {
  const events = Array.from({ length: 100 }, (_, at) =>
    eventOf("service.provisioned", { orderId: "o", serviceId: `s${at}` }, at),
  );
  expect(latestByAspect(events)).toHaveLength(100);
});

const none = { events: [], notEvents: [], about: [], notAbout: [], products: [], notProducts: [] };

test.each([
  ["everything", none, true],
  ["its event", { ...none, events: ["service.suspended"] }, true],
  ["all of its kind", { ...none, events: ["service.*"] }, true],
  ["another event", { ...none, events: ["service.terminated", "order.*"] }, false],
  ["all but its event", { ...none, notEvents: ["service.sus*"] }, false],
  ["its customer, in another case", { ...none, about: ["Acme-Bakery"] }, true],
  ["another customer", { ...none, about: ["acme"] }, false],
  ["all but its service", { ...none, notAbout: ["mail.example.test"] }, false],
  ["its product, in another case", { ...none, products: ["vps m"] }, true],
  ["products that begin so", { ...none, products: ["VPS *"] }, true],
  ["another product", { ...none, products: ["VPS S"] }, false],
  ["all but its product", { ...none, notProducts: ["VPS M"] }, false],
  ["its product, but not its customer", { ...none, products: ["VPS M"], notAbout: ["acme-bakery"] }, false],
  ["its customer, but not its service", { ...none, about: ["acme-bakery"], notAbout: ["s-1"] }, false],
])("a filter on %s", (_, filter, through) => {
  const data = { serviceId: "s-1", hostname: "mail.example.test", externalCustomerId: "acme-bakery" };
  expect(passesFilter(filter, eventOf("service.suspended", data, 1), ["VPS M"])).toBe(through);
});

const only = { ...none, products: ["VPS M"] };
const but = { ...none, notProducts: ["VPS M"] };

test.each([
  ["of what nobody knows the product, whatever it names", only, null, true],
  ["of what nobody knows the product, whatever it leaves out", but, null, true],
  ["nothing that has no product, where it names one", only, [], false],
  ["what has no product, where it leaves one out", but, [], true],
  ["an order of several, one of which it names", only, ["VPS S", "VPS M"], true],
  ["an order of several, one of which it leaves out", but, ["VPS S", "VPS M"], true],
])("a filter on products lets through %s", (_, filter, products, through) => {
  expect(passesFilter(filter, eventOf("order.paid", { orderId: "o" }, 1), products)).toBe(through);
});

const failedOrder = {
  orderId: "o",
  orderNumber: "RES-1",
  externalCustomerId: "acme-bakery",
  services: [
    { serviceId: "s-1", hostname: "mail.example.test" },
    { serviceId: "s-2", hostname: "shop.example.test" },
  ],
};

test.each([
  ["one of its services", [["mail.example.test", 30]], null],
  [
    "all of its services, by name or id: for as long as each of them is",
    [
      ["Mail.example.test", 30],
      ["s-2", 20],
    ],
    20,
  ],
  [
    "one service twice",
    [
      ["mail.example.test", 30],
      ["s-1", 20],
    ],
    null,
  ],
  ["its order", [["RES-1", 30]], 30],
  [
    "its customer, and one service for longer",
    [
      ["acme-bakery", 20],
      ["s-1", 30],
    ],
    20,
  ],
  ["everything", [[null, 30]], 30],
  ["what has ended", [["RES-1", 5]], null],
] as const)(
  "a failed order is silent where a mute, a window or a filter covers the whole of it: %s",
  (_, mutes, until) => {
    const event = eventOf("service.provisioning_failed", failedOrder, 10);
    const set = mutes.map(([about, until]) => ({ channel: null, about, name: null, until, by: "U1" }));
    expect(muteAmong(set, "C1", event)?.until ?? null).toBe(until);
    const notAbout = set.flatMap((mute) => (mute.about === null || mute.until <= event.at ? [] : mute.about));
    if (notAbout.length > 0) expect(passesFilter({ ...none, notAbout }, event, null)).toBe(until === null);
  },
);

test.each([
  ["with its id alone", { services: [{ serviceId: "s-1", status: "failed" }] }, true],
  ["with its id in capitals", { services: [{ serviceId: "S-1" }] }, true],
  ["under another name", { services: [{ serviceId: "s-1", hostname: "old.example.test" }] }, true],
  ["without its own id", { serviceId: null, services: [{ serviceId: "s-1" }] }, true],
  ["by its name alone", { serviceId: null, services: [{ hostname: "mail.example.test" }] }, true],
  ["beside another service", { services: [{ serviceId: "s-1" }, { serviceId: "s-2" }] }, false],
  ["not at all, beside another", { services: [{ serviceId: "s-2", hostname: "shop.example.test" }] }, false],
])("a mute or a filter by host name covers a service that its event lists %s", (_, lists, covers) => {
  const data = { orderId: "o", serviceId: "s-1", hostname: "mail.example.test", ...lists };
  const event = eventOf("service.provisioning_failed", data, 10);
  const mute = { channel: null, about: "mail.example.test", name: null, until: 30, by: "U1" };
  expect(muteAmong([mute], "C1", event) !== null).toBe(covers);
  expect(passesFilter({ ...none, notAbout: ["mail.example.test"] }, event, null)).toBe(!covers);
});

test("a resource that the platform no longer shows has no other state, until it is shown again", () => {
  const gone = (data: object) => ["resource.gone", data] as const;
  const states = (...events: (readonly [string, object])[]) =>
    latestByAspect(events.map(([event, data], at) => eventOf(event, data, at))).map(({ event }) => event);
  const machine = { orderId: "o", serviceId: "s", services: null };
  expect(states(["service.suspended", machine], ["machine.stopped", machine], gone(machine))).toEqual([
    "resource.gone",
  ]);
  expect(states(["machine.stopped", machine], gone(machine), ["machine.error", machine])).toEqual(["machine.error"]);
  expect(states(["machine.stopped", machine], gone({ serviceId: "other" }))).toHaveLength(2);
  expect(states(["image.failed", { imageId: "i" }], gone({ imageId: "i" }))).toEqual(["resource.gone"]);
  const failed = { orderId: "o", services: [{ serviceId: "s" }] };
  expect(states(["order.failed", failed], gone(machine))).toEqual(["resource.gone"]);
});
