import { describe, expect, test } from "vitest";
import { operations } from "../../src/operations/index.ts";
import { changeRules } from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { priceChanges } from "../../src/requests/preconditions.ts";
import type { Request } from "../../src/requests/request.ts";
import { otherSpending, readRuling, releaseRequest, reserve } from "../../src/requests/rules.ts";
import { peopleOf, rule } from "../policy/rules.ts";
import { requestOf } from "./requests.ts";
import { openRooms } from "./rooms.ts";

const euros = (amount: string) => ({ amount, currency: "EUR" });
const daily = rule({ overInDay: euros("100") }, "two-approvals");

/** Ana pays an invoice of this price, in a workspace with these rules. */
async function openPayments(rules: Rule[]) {
  const { app, personOf, clock } = await openRooms();
  const ana = personOf("ana");
  const by = {
    member: ana.member,
    slackUser: ana.slackUser,
    keyLabel: "ana",
    command: "rackbell policy",
    outcome: "Set.",
  };
  await changeRules(app, () => rules, { ...by, second: null });
  const { customer } = await app.identities.links(ana.member);
  if (!customer) throw new Error("Ana has a key");
  const requester = {
    ...{ member: ana.member, slackUser: ana.slackUser },
    ...{ platformUser: customer.user.id, keyId: customer.keyId },
  };
  const payment = (id: string, price: Request["price"], change: Partial<Parameters<typeof requestOf>[0]> = {}) =>
    requestOf({
      id,
      price,
      requester,
      command: "billing pay",
      acts: ["billing pay"],
      kinds: ["invoice"],
      risk: "spend",
      target: null,
      ...change,
    });
  const needs = async (request: Request) => (await readRuling(app, request)).demand;
  return { app, clock, personOf, requester, payment, needs };
}

const most = (demand: Rule["demand"]) => ({ demand, passkey: null });

describe("a payment", () => {
  test("counts in the sum of the day from its press on, until it was refused, and never against itself", async () => {
    const { app, payment, needs } = await openPayments([daily]);
    const [first, second] = [payment("r1", euros("60")), payment("r2", euros("60"))];
    expect([await needs(first), await needs(second)]).toEqual(["confirm", "confirm"]);
    expect(await reserve(app, first, most("confirm"))).toBe(true);
    expect([await needs(first), await needs(second)]).toEqual(["confirm", "two-approvals"]);
    expect(await otherSpending(app, second)).toEqual(["r1"]);
    expect(await otherSpending(app, first)).toEqual([]);
    await releaseRequest(app, first);
    expect(await needs(second)).toBe("confirm");
    expect(await otherSpending(app, second)).toEqual([]);
  });

  test("is not reserved, and adds nothing, where the sum demands more by then than was decided", async () => {
    const { app, payment, needs } = await openPayments([daily]);
    const [first, second, third] = [payment("r1", euros("60")), payment("r2", euros("60")), payment("r3", euros("41"))];
    await reserve(app, first, most("confirm"));
    expect(await reserve(app, second, most("confirm"))).toBe(false);
    expect(await reserve(app, second, most("one-approval"))).toBe(false);
    expect(await otherSpending(app, third)).toEqual(["r1"]);
    expect(await reserve(app, second, most("two-approvals"))).toBe(true);
    expect(await otherSpending(app, third)).toEqual(["r1", "r2"]);
    expect(await needs(payment("r4", null))).toBe("confirm");
  });

  test("is not reserved without a passkey, where a rule asks for one by the sum of then", async () => {
    const { app, payment } = await openPayments([{ ...rule({ overInDay: euros("100") }, "confirm"), passkey: true }]);
    app.approvalDefaults.passkeys = "on";
    await reserve(app, payment("r1", euros("60")), most("confirm"));
    expect(await reserve(app, payment("r2", euros("60")), most("confirm"))).toBe(false);
    expect(await reserve(app, payment("r2", euros("60")), { demand: "confirm", passkey: { rule: null } })).toBe(true);
    expect(await reserve(app, payment("r3", euros("60")), most("two-approvals"))).toBe(false);
  });

  test("of an unknown price makes the sum of the day unknown, which is over each limit", async () => {
    const { app, payment, needs } = await openPayments([daily]);
    const [unknown, next] = [payment("r1", "unknown"), payment("r2", euros("1"))];
    expect(await needs(unknown)).toBe("two-approvals");
    expect(await needs(next)).toBe("confirm");
    expect(await reserve(app, unknown, most("confirm"))).toBe(false);
    expect(await reserve(app, unknown, most("two-approvals"))).toBe(true);
    expect(await needs(next)).toBe("two-approvals");
  });

  test("counts with the highest tax that may be added, and no longer than a day", async () => {
    const { app, clock, payment, needs } = await openPayments([daily]);
    await reserve(app, payment("r1", { ...euros("60"), beforeTax: true }), most("confirm"));
    expect(await needs(payment("r2", euros("23.80")))).toBe("confirm");
    expect(await needs(payment("r2", euros("23.81")))).toBe("two-approvals");
    clock.skip(24 * 60 * 60_000);
    expect(await needs(payment("r2", euros("100")))).toBe("confirm");
  });

  test("and the backup before it count both or neither", async () => {
    const { app, payment, needs } = await openPayments([daily]);
    const [own, backup, later] = [
      payment("r1", euros("60")),
      payment("r1:backup", euros("60")),
      payment("r2", euros("40")),
    ];
    const first = { ruled: backup, ruling: most("confirm") };
    expect(await reserve(app, own, most("confirm"), { first })).toBe(false);
    expect(await otherSpending(app, later)).toEqual([]);
    expect(await reserve(app, own, most("confirm"), { first: { ...first, ruling: most("two-approvals") } })).toBe(true);
    expect(await otherSpending(app, later)).toEqual(["r1", "r1:backup"]);
    expect(await needs(later)).toBe("two-approvals");
    // Without a price there is nothing to count.
    await releaseRequest(app, own);
    expect(await reserve(app, payment("r3", null), most("allowed"), { first: null })).toBe(true);
    expect(await otherSpending(app, later)).toEqual(["r1:backup"]);
  });

  test("that was taken over for somebody counts for both, and needs what the stricter of them needs", async () => {
    const { app, personOf, payment, needs } = await openPayments([daily]);
    const ben = personOf("ben");
    const { customer } = await app.identities.links(ben.member);
    const bens = {
      ...{ member: ben.member, slackUser: ben.slackUser },
      ...{ platformUser: customer?.user.id ?? null, keyId: customer?.keyId ?? "" },
    };
    await reserve(app, payment("r1", euros("60"), { requester: bens }), most("confirm"));
    expect(await needs(payment("r2", euros("60")))).toBe("confirm");
    expect(await needs(payment("r2", euros("60"), { originator: ben.slackUser }))).toBe("two-approvals");
    const about = { originator: ben.slackUser };
    const rules = [rule({ who: peopleOf([ben.slackUser]) }, "not-allowed")];
    await changeRules(app, () => rules, {
      ...{ ...ben, keyLabel: "ben", command: "rackbell policy", outcome: "Set." },
      second: null,
    });
    expect(await needs(payment("r2", euros("60")))).toBe("confirm");
    expect(await needs(payment("r2", euros("60"), about))).toBe("not-allowed");
  });

  test("counts for the person with the key of the request, whose Slack account or key is another one now", async () => {
    const { app, payment, needs, requester } = await openPayments([daily]);
    await reserve(app, payment("r1", euros("60")), most("confirm"));
    for (const change of [
      { platformUser: null, keyId: requester.keyId },
      { platformUser: requester.platformUser, keyId: "k2" },
    ])
      expect(await needs(payment("r2", euros("60"), { requester: { ...requester, ...change, member: "T9:U9" } }))).toBe(
        "two-approvals",
      );
    const stranger = { member: "T9:U9", slackUser: "U9", platformUser: null, keyId: "k9" };
    expect(await needs(payment("r2", euros("60"), { requester: { ...requester, ...stranger } }))).toBe("confirm");
  });
});

test("the acts that pay their target, and so count once with the purchase of it, are these", () => {
  const paying = operations.filter((operation) => operation.api !== "app" && operation.pays);
  expect(paying.map(({ command }) => command).toSorted()).toEqual(["billing pay", "reseller order retry"]);
});

test("a price that is another one now voids the request, and one that nobody named does not", () => {
  const changed = ["Its price changed."];
  expect(priceChanges(null, euros("1"))).toEqual([]);
  expect(priceChanges("unknown", euros("1"))).toEqual([]);
  expect(priceChanges(euros("1"), euros("1"))).toEqual([]);
  expect(priceChanges(euros("1"), euros("1.01"))).toEqual(changed);
  expect(priceChanges(euros("1"), { amount: "1", currency: "USD" })).toEqual(changed);
  expect(priceChanges(euros("1"), null)).toEqual(changed);
  expect(priceChanges(euros("1"), "unknown")).toEqual(changed);
});
