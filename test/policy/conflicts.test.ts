import fc from "fast-check";
import { expect, test } from "vitest";
import { canBothFit, conflictWords } from "../../src/policy/conflicts.ts";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import { approvalLevels, type Rule } from "../../src/policy/rule.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

const people = fc
  .record({ users: fc.subarray(["U1", "U2", "U3"]), agents: fc.boolean() })
  .map(({ users, agents }) => peopleOf(users, { agents }));
const someRule: fc.Arbitrary<Rule> = fc
  .record({
    demand: fc.constantFrom(...approvalLevels),
    when: fc.record({
      risk: fc.constantFrom(null, "destroy" as const, "change" as const),
      command: fc.constantFrom(null, "vps", "vps cancel"),
      project: fc.constantFrom(null, production, staging),
      channels: fc.option(
        fc.record({
          are: fc.constantFrom("in" as const, "outside" as const),
          ids: fc.subarray(["C1", "C2"], { minLength: 1 }),
        }),
      ),
    }),
    people: fc.record({ who: people, notWho: people }, { requiredKeys: [] }),
    id: fc.uuid(),
  })
  .map(({ id, demand, when, people: named }) => ({ ...rule({ ...when, ...named }, demand), id }));
const act: fc.Arbitrary<RuledAct> = fc.record({
  ...{ risk: fc.constantFrom("change", "destroy"), command: fc.constantFrom("vps cancel", "vps reboot") },
  ...{
    project: fc.option(fc.constantFrom(production, staging)),
    channel: fc.option(fc.constantFrom("C1", "C2", "C9")),
  },
  ...{ agent: fc.constantFrom(null, {}), price: fc.constant(null), spent: fc.constant({ sums: [], unknown: false }) },
  by: fc.record({ slackUser: fc.constantFrom("U1", "U2", "U9"), mayBe: fc.constant([]) }),
});
const self = ruleDefaults("self");

test("a rule that is said never to apply changes the approval of no act", () => {
  let said = 0;
  fc.assert(
    fc.property(
      someRule,
      fc.array(someRule, { maxLength: 3 }),
      fc.array(act, { minLength: 20, maxLength: 20 }),
      (one, others, acts) => {
        if (!/never applies/.test(conflictWords(one, others))) return;
        said += 1;
        for (const subject of acts) {
          const [without, withIt] = [others, [...others, one]].map((rules) => evaluate(rules, subject, self).demand);
          expect(withIt).toBe(without);
        }
      },
    ),
    { numRuns: 3_000 },
  );
  expect(said).toBeGreaterThan(100);
});

test("two rules that are said not to meet fit no act together", () => {
  let said = 0;
  fc.assert(
    fc.property(someRule, someRule, fc.array(act, { minLength: 20, maxLength: 20 }), (one, other, acts) => {
      if (canBothFit(one.when, other.when)) return;
      said += 1;
      const [lax, strict] = [
        { ...one, demand: "one-approval" as const },
        { ...other, demand: "two-approvals" as const },
      ];
      for (const subject of acts) {
        const fits = (rules: Rule[]) => evaluate(rules, subject, self).rule !== null;
        expect(
          fits([lax]) && fits([strict]) && (subject.project !== null || one.when.project === other.when.project),
        ).toBe(false);
      }
    }),
    { numRuns: 2_000 },
  );
  expect(said).toBeGreaterThan(100);
});
