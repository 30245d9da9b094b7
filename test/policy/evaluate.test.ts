import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { loosens } from "../../src/policy/loosens.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import { approvalLevels, isOverridable, needsOthers, type Rule, strictness } from "../../src/policy/rule.ts";
import { ruleWords } from "../../src/policy/words.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

const nothing = { sums: [], unknown: false };
const ending: RuledAct = {
  risk: "destroy",
  command: "vps cancel",
  channel: "C1",
  price: null,
  spent: nothing,
  project: production,
};
const paying: RuledAct = {
  risk: "spend",
  command: "billing pay",
  project: null,
  channel: "C1",
  spent: nothing,
  price: { amount: "50.00", currency: "EUR" },
};
const self = ruleDefaults("self");
const demandOf = (rules: Rule[], subject: RuledAct) => evaluate(rules, subject, self).demand;

test("of the rules that fit the strictest holds, and what destroys or costs is never done by a command alone", () => {
  expect(demandOf([], ending)).toBe("confirm");
  expect(evaluate([], ending, ruleDefaults("peer")).demand).toBe("one-approval");
  expect(
    demandOf(
      [
        rule({}, "one-approval"),
        rule({ command: "vps" }, "two-approvals"),
        rule({ command: "vps can" }, "not-allowed"),
      ],
      ending,
    ),
  ).toBe("two-approvals");
  expect(demandOf([rule({}, "allowed")], ending)).toBe("confirm");
  expect(demandOf([rule({ risk: "change" }, "not-allowed")], ending)).toBe("confirm");
});

test("a project's rule applies in it, and to an act without a project", () => {
  const rules = [rule({ project: production }, "two-approvals")];
  expect(demandOf(rules, ending)).toBe("two-approvals");
  expect(demandOf(rules, { ...ending, project: staging })).toBe("confirm");
  expect(demandOf(rules, { ...ending, project: null })).toBe("two-approvals");
});

test("commands are confined to channels, and kept out of them; Home is in none", () => {
  const inside = [rule({ channels: { are: "in", ids: ["C1"] } }, "not-allowed")];
  const outside = [rule({ channels: { are: "outside", ids: ["C1"] } }, "not-allowed")];
  expect(demandOf(inside, ending)).toBe("not-allowed");
  expect(demandOf(outside, ending)).toBe("confirm");
  expect(demandOf(outside, { ...ending, channel: null })).toBe("not-allowed");
  expect(demandOf(inside, { ...ending, channel: null })).toBe("confirm");
});

test("an amount counts as over where it is not known, or in a currency that no rule names; what costs nothing is never over", () => {
  const rules = [rule({ over: { amount: "50", currency: "EUR" } }, "one-approval")];
  expect(demandOf(rules, paying)).toBe("confirm");
  expect(demandOf(rules, { ...paying, price: { amount: "50.0001", currency: "EUR" } })).toBe("one-approval");
  expect(demandOf(rules, { ...paying, price: "unknown" })).toBe("one-approval");
  expect(demandOf(rules, { ...paying, price: { amount: "1", currency: "USD" } })).toBe("one-approval");
  expect(
    demandOf([...rules, rule({ over: { amount: "5", currency: "USD" } }, "one-approval")], {
      ...paying,
      price: { amount: "1", currency: "USD" },
    }),
  ).toBe("confirm");
  expect(demandOf(rules, ending)).toBe("confirm");
});

test("a day's sum counts what was spent before, and what is not known of it counts as over", () => {
  const rules = [rule({ overInDay: { amount: "100", currency: "EUR" } }, "one-approval")];
  expect(demandOf(rules, { ...paying, spent: { sums: [{ amount: "50", currency: "EUR" }], unknown: false } })).toBe(
    "confirm",
  );
  expect(demandOf(rules, { ...paying, spent: { sums: [{ amount: "50.01", currency: "EUR" }], unknown: false } })).toBe(
    "one-approval",
  );
  expect(demandOf(rules, { ...paying, spent: { sums: [], unknown: true } })).toBe("one-approval");
});

test("reading is only ever forbidden, and only by a rule that speaks of reading or of the command", () => {
  const reading: RuledAct = { ...ending, risk: "read", command: "billing show" };
  expect(demandOf([rule({}, "not-allowed")], reading)).toBe("allowed");
  expect(demandOf([rule({ risk: "read" }, "one-approval")], reading)).toBe("allowed");
  expect(demandOf([rule({ command: "billing" }, "not-allowed")], reading)).toBe("not-allowed");
  expect(demandOf([rule({ risk: "spend", command: "billing" }, "not-allowed")], reading)).toBe("allowed");
  expect(demandOf([rule({ risk: "read" }, "not-allowed")], reading)).toBe("not-allowed");
});

const limit = fc.record({ amount: fc.constantFrom("1", "50", "100.5"), currency: fc.constantFrom("EUR", "USD") });
const people = fc
  .record({ users: fc.subarray(["U1", "U2", "U3"]), agents: fc.boolean() })
  .map(({ users, agents }) => peopleOf(users, { agents }));
const condition = fc.record({
  risk: fc.option(fc.constantFrom("read" as const, "change" as const, "spend" as const, "destroy" as const)),
  command: fc.option(fc.constantFrom("vps", "vps cancel", "billing", "billing pay")),
  project: fc.option(fc.constantFrom(production, staging)),
  channels: fc.option(
    fc.record({
      are: fc.constantFrom("in" as const, "outside" as const),
      ids: fc.subarray(["C1", "C2", "C3"], { minLength: 1 }),
    }),
  ),
  over: fc.option(limit),
  overInDay: fc.option(limit),
});
const absent = { nil: undefined };
const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    ...{ id: fc.constant("r"), when: condition, demand: fc.constantFrom(...approvalLevels), overridable: fc.boolean() },
    ...{ who: fc.option(people, absent), notWho: fc.option(people, absent), approvers: fc.option(people, absent) },
  })
  .map(({ who, notWho, approvers, when, ...rule }) => ({
    ...rule,
    when: { ...when, ...(who && { who }), ...(notWho && { notWho }) },
    ...(approvers && needsOthers(rule.demand) && { approvers }),
  }));
const anySubject: fc.Arbitrary<RuledAct> = fc.record({
  risk: fc.constantFrom("read", "change", "spend", "destroy"),
  command: fc.constantFrom("vps cancel", "vps start", "billing pay", "billing show"),
  project: fc.option(fc.constantFrom(production, staging, { id: "p3", name: "other" })),
  channel: fc.option(fc.constantFrom("C1", "C2", "C9")),
  price: fc.oneof(limit, fc.constantFrom("unknown" as const, null)),
  spent: fc.record({ sums: fc.array(limit, { maxLength: 1 }), unknown: fc.boolean() }),
  agent: fc.constantFrom(null, {}),
  by: fc.record({ slackUser: fc.constantFrom("U1", "U2", "U9"), mayBe: fc.subarray(["U1", "U2", "U3"]) }),
});

test("a change that is not said to loosen anything lets nothing through with less than before", () => {
  let unchanged = 0;
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 3 }),
      fc.array(anyRule, { maxLength: 3 }),
      fc.constantFrom("added", "removed", "replaced"),
      fc.constantFrom(self, ruleDefaults("peer")),
      fc.array(anySubject, { minLength: 20, maxLength: 20 }),
      (some, more, are, defaults, subjects) => {
        const all = [...some, ...more];
        const old = are === "removed" ? all : some;
        const now = { added: all, removed: some, replaced: more }[are];
        if (loosens(old, now, defaults)) return;
        unchanged += 1;
        for (const subject of subjects) {
          const [before, after] = [evaluate(old, subject, defaults), evaluate(now, subject, defaults)];
          expect(strictness(after.demand)).toBeGreaterThanOrEqual(strictness(before.demand));
          if (after.rule?.overridable && isOverridable(after.demand)) expect(before.rule?.overridable).toBe(true);
          if (before.approvers && needsOthers(after.demand))
            expect(before.approvers).toEqual(expect.arrayContaining(after.approvers ?? ["anybody"]));
        }
      },
    ),
    { numRuns: 3_000 },
  );
  expect(unchanged).toBeGreaterThan(100);
});

test("adding a stricter rule loosens nothing, taking it away does, and so does a way round it", () => {
  const two = rule({ command: "vps cancel" }, "two-approvals");
  expect(loosens([], [two], self)).toBe(false);
  expect(loosens([two], [], self)).toBe(true);
  expect(loosens([two], [two, rule({ command: "vps" }, "not-allowed")], self)).toBe(false);
  expect(loosens([two], [{ ...two, overridable: true }], self)).toBe(true);
});

test("of equally strict rules all must allow an override, in whatever order they were added", () => {
  const [plain, glass] = [rule({ command: "vps" }, "one-approval"), rule({ risk: "destroy" }, "one-approval", true)];
  for (const rules of [
    [plain, glass],
    [glass, plain],
  ])
    expect(evaluate(rules, ending, self).rule?.overridable).toBe(false);
  expect(evaluate([glass, rule({ command: "vps" }, "confirm")], ending, self).rule?.overridable).toBe(true);
  expect(evaluate([glass, glass], ending, self).rule?.overridable).toBe(true);
});

test("a rule of an older version promises an override only where an approval can be left out", () => {
  const promising = approvalLevels.filter((demand) => ruleWords(rule({}, demand, true)).includes("in an emergency"));
  expect(promising).toEqual(["one-approval", "two-approvals"]);
});

test("taking away a rule that allows no override loosens, though another one is as strict", () => {
  const [plain, glass] = [rule({}, "one-approval"), rule({}, "one-approval", true)];
  expect(loosens([plain, glass], [glass], ruleDefaults("peer"))).toBe(true);
  expect(loosens([plain, glass], [plain], ruleDefaults("peer"))).toBe(false);
});

test("a rule for some channels, or outside windows alone, stands for none that holds everywhere", () => {
  const inOne = rule({ channels: { are: "in", ids: ["C1"] } }, "two-approvals");
  const inTwo = rule({ channels: { are: "in", ids: ["C1", "C2"] } }, "two-approvals");
  const outside = rule({ channels: { are: "outside", ids: ["C1"] } }, "two-approvals");
  const outsideTwo = rule({ channels: { are: "outside", ids: ["C1", "C2"] } }, "two-approvals");
  const everywhere = rule({}, "two-approvals");
  const inNoWindow = rule({ outsideWindows: true }, "two-approvals");
  for (const [old, now] of [
    [everywhere, inOne],
    [inTwo, inOne],
    [inOne, outside],
    [outside, inOne],
    [outside, outsideTwo],
    [everywhere, inNoWindow],
  ] as const)
    expect(loosens([old], [now], self)).toBe(true);
  for (const [old, now] of [
    [inOne, everywhere],
    [inOne, inTwo],
    [outsideTwo, outside],
    [inNoWindow, everywhere],
    [inNoWindow, inNoWindow],
  ] as const)
    expect(loosens([old], [now], self)).toBe(false);
});

test("an act that destroys at a price needs what its loss needs and what its price needs", () => {
  const shrinking: RuledAct = { ...paying, risk: "destroy", command: "service upgrade" };
  const [loss, price] = [rule({ risk: "destroy" }, "confirm"), rule({ risk: "spend" }, "two-approvals")];
  expect(demandOf([loss, price], shrinking)).toBe("two-approvals");
  expect(demandOf([price], { ...shrinking, price: null })).toBe("confirm");
  expect(
    demandOf([rule({ risk: "destroy" }, "two-approvals"), rule({ risk: "spend" }, "one-approval")], shrinking),
  ).toBe("two-approvals");
  // A lax rule about losses does not take away the default of what spends.
  expect(evaluate([loss], shrinking, { ...self, spend: "one-approval" }).demand).toBe("one-approval");
  const overridable = rule({ risk: "destroy" }, "one-approval", true);
  expect(evaluate([overridable, rule({ risk: "spend" }, "one-approval")], shrinking, self).rule?.overridable).toBe(
    false,
  );
  expect(evaluate([rule({}, "one-approval", true)], shrinking, self).rule?.overridable).toBe(true);
  expect(evaluate([], shrinking, { ...self, passkeys: "required" }).passkey).toEqual({ rule: null });
});
