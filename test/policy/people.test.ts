import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { loosens } from "../../src/policy/loosens.ts";
import { lostByMove } from "../../src/policy/moves.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import { approvalLevels, needsOthers, type Rule, strictness } from "../../src/policy/rule.ts";
import { ruleWords } from "../../src/policy/words.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

const self = ruleDefaults("self");
const peer = ruleDefaults("peer");
const buying: RuledAct = {
  ...{ risk: "spend", command: "order new", project: production, channel: "C1", agent: null },
  ...{ price: { amount: "120.00", currency: "EUR" }, spent: { sums: [], unknown: false } },
};
const by = (slackUser: string, ...mayBe: string[]) => ({ slackUser, mayBe });
const demandFor = (rules: Rule[], act: Partial<RuledAct>, defaults = self) =>
  evaluate(rules, { ...buying, ...act }, defaults).demand;

test("only one person may buy above a sum: all others may not, and neither may another account that could be theirs", () => {
  const over = { amount: "100", currency: "EUR" };
  const rules = [rule({ risk: "spend", notWho: peopleOf(["U1"]), over }, "not-allowed")];
  expect(demandFor(rules, { by: by("U1") })).toBe("confirm");
  expect(demandFor(rules, { by: by("U2") })).toBe("not-allowed");
  expect(demandFor(rules, { by: by("U2", "U1") })).toBe("not-allowed");
  expect(demandFor(rules, { by: by("U2"), price: { amount: "80.00", currency: "EUR" } })).toBe("confirm");
});

test("named people may not touch a project, with no account that could be theirs", () => {
  const rules = [rule({ project: production, who: peopleOf(["U1", "U2"]) }, "not-allowed")];
  expect(demandFor(rules, { by: by("U1") })).toBe("not-allowed");
  expect(demandFor(rules, { by: by("U9", "U2") })).toBe("not-allowed");
  expect(demandFor(rules, { by: by("U9") })).toBe("confirm");
  expect(demandFor(rules, { by: by("U1"), project: staging })).toBe("confirm");
  // Nobody knows who asks: it could be one of them.
  expect(demandFor(rules, {})).toBe("not-allowed");
});

test("agents never destroy, whoever their member is, and members do", () => {
  const rules = [rule({ risk: "destroy", who: peopleOf([], { agents: true }) }, "not-allowed")];
  const destroying = { risk: "destroy", price: null, by: by("U1") } as const;
  expect(demandFor(rules, { ...destroying, agent: {} })).toBe("not-allowed");
  expect(demandFor(rules, destroying)).toBe("confirm");
});

test("a rule that permits one person something permits it to no account that only may be theirs", () => {
  const rules = [rule({ risk: "destroy", who: peopleOf(["U1"]) }, "confirm")];
  const destroying = { risk: "destroy", price: null } as const;
  expect(demandFor(rules, { ...destroying, by: by("U1") }, peer)).toBe("confirm");
  expect(demandFor(rules, { ...destroying, by: by("U2", "U1") }, peer)).toBe("one-approval");
  expect(demandFor(rules, destroying, peer)).toBe("one-approval");
});

test("an approver is named by each fitting rule that names some; the strictest rule says who is notified, and for how long it waits", () => {
  const list = peopleOf(["U3"]).list;
  const lax = { ...rule({}, "one-approval"), approvers: peopleOf(["U1", "U2"]), expiresAfter: 60_000, notify: list };
  const strict = {
    ...rule({ risk: "spend" }, "two-approvals"),
    approvers: peopleOf(["U2", "U3"]),
    expiresAfter: 120_000,
  };
  const ruling = evaluate([lax, strict], { ...buying, by: by("U9") }, self);
  expect(ruling).toMatchObject({ demand: "two-approvals", approvers: ["U2"], notify: list, expiresAfter: 120_000 });
  expect(evaluate([lax, rule({}, "not-allowed")], { ...buying, by: by("U9") }, self).approvers).toBe(null);
});

test("a move out of a project in which only named people approve needs one of them", () => {
  const rules = [{ ...rule({ project: production }, "one-approval"), approvers: peopleOf(["U1"]) }];
  const acts = [{ command: "vps cancel", risks: ["destroy"] }] as const;
  expect(lostByMove(rules, peer, { from: production, to: staging, acts })).toMatchObject({ approvers: ["U1"] });
  expect(lostByMove(rules, peer, { from: staging, to: production, acts })).toBe(null);
});

const people = fc
  .record({ users: fc.subarray(["U1", "U2", "U3"]), agents: fc.boolean() })
  .map(({ users, agents }) => peopleOf(users, { agents }));
const lists = fc.record(
  { who: people, notWho: people, approvers: people, expiresAfter: fc.nat(9), notify: people.map(({ list }) => list) },
  { requiredKeys: [] },
);
const someRule: fc.Arbitrary<Rule> = fc
  .record({ demand: fc.constantFrom(...approvalLevels), risk: fc.constantFrom(null, "destroy" as const), lists })
  .map(({ demand, risk, lists: { who, notWho, approvers, ...wait } }) => ({
    ...rule({ risk, ...(who && { who }), ...(notWho && { notWho }) }, demand),
    ...(approvers && needsOthers(demand) && { approvers }),
    ...wait,
  }));
const act: fc.Arbitrary<RuledAct> = fc.record({
  ...{ risk: fc.constantFrom("change", "spend", "destroy"), command: fc.constant("vps cancel") },
  ...{ project: fc.constant(null), channel: fc.constant(null), agent: fc.constantFrom(null, {}) },
  ...{ price: fc.constant(null), spent: fc.constant({ sums: [], unknown: false }) },
  by: fc.record({ slackUser: fc.constantFrom("U1", "U2", "U9"), mayBe: fc.subarray(["U1", "U2", "U3"]) }),
});

test("a change of people that is not said to loosen anything lets nobody do, or approve, more than before", () => {
  let unchanged = 0;
  fc.assert(
    fc.property(
      someRule,
      fc.option(someRule),
      fc.array(someRule, { maxLength: 2 }),
      fc.constantFrom(self, peer),
      fc.array(act, { minLength: 15, maxLength: 15 }),
      (one, other, rest, defaults, acts) => {
        const [old, now] = [
          [one, ...rest],
          [...(other ? [other] : []), ...rest],
        ];
        if (loosens(old, now, defaults)) return;
        unchanged += 1;
        for (const subject of acts) {
          const [before, after] = [evaluate(old, subject, defaults), evaluate(now, subject, defaults)];
          expect(strictness(after.demand)).toBeGreaterThanOrEqual(strictness(before.demand));
          if (before.approvers && needsOthers(after.demand))
            expect(before.approvers).toEqual(expect.arrayContaining(after.approvers ?? ["anybody"]));
        }
      },
    ),
    { numRuns: 4_000 },
  );
  expect(unchanged).toBeGreaterThan(400);
});

test("a rule about people is one sentence, with the people who approve it, who are notified, and its time", () => {
  const list = peopleOf(["U1"]).list;
  const purchase = rule(
    { risk: "spend", notWho: peopleOf(["U1"]), over: { amount: "100", currency: "EUR" } },
    "not-allowed",
  );
  expect(ruleWords(purchase)).toBe("Spending money by anybody but <@U1> over 100.00 EUR: is not allowed.");
  const minutes = 60_000;
  const waiting = {
    ...rule({ who: peopleOf(["U2"], { agents: true }) }, "two-approvals"),
    ...{ approvers: peopleOf(["U1", "U3"]), notify: list, expiresAfter: 24 * 60 * minutes },
    steps: [
      { to: list, after: 20 * minutes },
      { to: peopleOf(["U3"]).list, after: 60 * minutes },
    ],
  };
  expect(ruleWords(waiting)).toBe(
    "Everything by <@U2> and members' agents: needs two approvals, which only <@U1> and <@U3> can give. It notifies <@U1>. Without a decision, it notifies <@U1> after 20 min, and <@U3> after 1 h. It expires after 1 d.",
  );
});

test("somebody who leaves the people of a rule that permits something, or the approvers of any rule, loosens nothing; who comes does", () => {
  const both = peopleOf(["U1", "U2"]);
  const one = peopleOf(["U1"]);
  const permits = (who: typeof both) => rule({ risk: "destroy", who }, "confirm");
  const approves = (approvers: typeof both) => ({
    ...rule({ risk: "destroy" }, "one-approval"),
    approvers,
    overridable: true,
  });
  for (const of of [permits, approves]) {
    expect(loosens([of(both)], [of(one)], peer)).toBe(false);
    expect(loosens([of(one)], [of(both)], peer)).toBe(true);
  }
  const forbids = (who: typeof both) => rule({ risk: "destroy", who }, "not-allowed");
  expect(loosens([forbids(both)], [forbids(one)], peer)).toBe(true);
});
