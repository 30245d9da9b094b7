import { describe, expect, test } from "vitest";
import { type Effect, storedEffect } from "../../src/operation/effects.ts";
import {
  collectedLater,
  orderEffects,
  resoldOrderEffects,
  retryEffects,
} from "../../src/operations/kits/order-effects.ts";
import { upgradeEffects } from "../../src/operations/kits/plan-change.ts";
import { expectedEvents } from "../../src/requests/facets/events/record.ts";

function expected(effects: readonly Effect[]) {
  const { first, later, failing } = expectedEvents({ api: "reseller" }, effects.map(storedEffect)) ?? {};
  return { first, later, failing };
}

const chargeFailed = "order.payment_failed";
const buildFailed = "service.provisioning_failed";
/** The events that the supplier sends about each act. Reseller spec section 6. */
const acts: Record<string, [readonly Effect[], ReturnType<typeof expected>]> = {
  "an order": [
    resoldOrderEffects,
    {
      first: ["order.paid", "order.invoiced"],
      later: ["service.provisioned", "order.paid", "order.invoiced"],
      failing: [buildFailed, chargeFailed],
    },
  ],
  "another charge of an order": [
    retryEffects,
    {
      first: ["order.paid"],
      later: ["service.provisioned", "order.paid", "order.invoiced"],
      failing: [buildFailed, chargeFailed],
    },
  ],
  "other add-ons": [[collectedLater], { first: [], later: ["order.paid", "order.invoiced"], failing: [chargeFailed] }],
  "another package": [
    [...upgradeEffects, collectedLater],
    { first: [], later: ["order.paid", "order.invoiced"], failing: [chargeFailed] },
  ],
  "a suspension": [
    [{ aspect: "billing", to: ["suspended"] }],
    { first: ["service.suspended"], later: [], failing: [] },
  ],
  "the end of a suspension": [
    [{ aspect: "billing", to: ["active"] }],
    { first: ["service.unsuspended"], later: [], failing: [] },
  ],
  "a termination": [
    [{ aspect: "billing", to: ["terminated"] }],
    { first: ["service.terminated"], later: [], failing: [] },
  ],
};

describe.each(Object.entries(acts))("%s", (_, [effects, events]) => {
  test("expects the supplier's events about its effects", () => {
    expect(expected(effects)).toEqual(events);
  });

  test("expects none in one's own account, for which there are no webhooks", () => {
    expect(expectedEvents({ api: "customer" }, effects.map(storedEffect))).toBeNull();
  });
});

test("an act whose effects the supplier reports by no event expects none", () => {
  expect(expectedEvents({ api: "reseller" }, upgradeEffects.map(storedEffect))).toBeNull();
  expect(expectedEvents({ api: "customer" }, orderEffects.map(storedEffect))).toBeNull();
});
