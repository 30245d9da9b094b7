import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { loosens } from "../../src/policy/loosens.ts";
import { lostByMove } from "../../src/policy/moves.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import { approvalLevels, type Rule, strictness } from "../../src/policy/rule.ts";
import { production, staging } from "./rules.ts";

const on = ruleDefaults("self", "on");
const project = fc.constantFrom(production, staging);
const limit = fc.record({ amount: fc.constantFrom("0", "50"), currency: fc.constantFrom("EUR", "USD") });
const channels = fc.record({
  are: fc.constantFrom("in" as const, "outside" as const),
  ids: fc.subarray(["C1", "C2"], { minLength: 1 }),
});
const risk = fc.constantFrom("change" as const, "spend" as const, "destroy" as const);
const when: fc.Arbitrary<Rule["when"]> = fc.record(
  {
    risk: fc.option(risk),
    command: fc.option(fc.constantFrom("vps", "vps cancel")),
    project: fc.option(project),
    channels: fc.option(channels),
    over: fc.option(limit),
    overInDay: fc.option(limit),
    outsideWindows: fc.constant(true as const),
  },
  { requiredKeys: ["risk", "command", "project", "channels", "over", "overInDay"] },
);
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    id: fc.constant("r"),
    when,
    demand: fc.constantFrom(...approvalLevels),
    overridable: fc.boolean(),
    passkey: fc.constant(true as const),
  },
  { requiredKeys: ["id", "when", "demand", "overridable"] },
);
const subject: fc.Arbitrary<RuledAct> = fc.record({
  risk,
  command: fc.constantFrom("vps cancel", "vps reboot"),
  project: fc.option(project),
  channel: fc.option(fc.constantFrom("C1", "C9")),
  inWindow: fc.boolean(),
  price: fc.oneof(limit, fc.constantFrom("unknown" as const, null)),
  spent: fc.constant({ sums: [], unknown: false }),
});
const subjects = fc.array(subject, { minLength: 20, maxLength: 20 });

function without({ passkey: _, ...rule }: Rule): Rule {
  return rule;
}

/** The old rule with one of its fields, or of its condition's fields, from another rule. */
const changed = fc.tuple(rule, rule, fc.nat(9)).map(([old, other, at]): [Rule, Rule] => {
  const { passkey } = other;
  const plain = [
    passkey ? { ...old, passkey } : without(old),
    { ...old, demand: other.demand },
    { ...old, overridable: other.overridable },
  ];
  const names = ["risk", "command", "project", "channels", "over", "overInDay", "outsideWindows"] as const;
  const conditions = names.map((name) => ({ ...old, when: { ...old.when, [name]: other.when[name] } }));
  return [old, [...plain, ...conditions][at] ?? old];
});

test("a rule that takes no passkey any more is looser, whatever else it says", () => {
  fc.assert(fc.property(rule, (one) => loosens([{ ...one, passkey: true }], [without(one)], on)));
});

test("a change of one field that is not said to loosen anything takes no act's passkey away", () => {
  let withPasskey = 0;
  fc.assert(
    fc.property(changed, fc.array(rule, { maxLength: 2 }), subjects, ([old, now], others, acts) => {
      const [before, after] = [
        [old, ...others],
        [now, ...others],
      ];
      if (loosens(before, after, on)) return;
      for (const act of acts) {
        const [was, is] = [evaluate(before, act, on), evaluate(after, act, on)];
        if (was.passkey) withPasskey += 1;
        if (was.passkey) expect(is.passkey).not.toBeNull();
        expect(strictness(is.demand)).toBeGreaterThanOrEqual(strictness(was.demand));
      }
    }),
    { numRuns: 2_000 },
  );
  expect(withPasskey).toBeGreaterThan(200);
});

/** A limit looks at the currencies of all rules: alone, such a rule would fit more. */
const unlimited = rule.map((one): Rule => ({ ...one, when: { ...one.when, over: null, overInDay: null } }));

test("one fitting rule with a passkey is enough, and none is asked for where passkeys are off", () => {
  fc.assert(
    fc.property(fc.array(unlimited, { maxLength: 3 }), subject, (rules, act) => {
      const fits = (one: Rule) => evaluate([one], act, on).rule !== null;
      const { passkey, demand } = evaluate(rules, act, on);
      expect(passkey !== null).toBe(rules.some((one) => one.passkey === true && fits(one)));
      if (passkey) expect(demand).not.toBe("allowed");
      expect(evaluate(rules, act, ruleDefaults("self", "off")).passkey).toBeNull();
      expect(evaluate(rules, { ...act, risk: "destroy" }, ruleDefaults("self", "required")).passkey).not.toBeNull();
    }),
    { numRuns: 5_000 },
  );
});

test("a move that takes any act out of a rule with a passkey takes one itself", () => {
  const acts = [{ command: "vps cancel", risks: ["change", "spend", "destroy"] }] as const;
  let lost = 0;
  fc.assert(
    fc.property(fc.array(rule, { maxLength: 4 }), fc.option(project), project, subjects, (rules, from, to, all) => {
      const loss = lostByMove(rules, on, { from, to, acts });
      for (const each of all) {
        const act = { ...each, command: "vps cancel", price: each.risk === "spend" ? each.price : null };
        const [before, after] = [from, to].map((project) => evaluate(rules, { ...act, project }, on));
        if (!before?.passkey || after?.passkey) continue;
        lost += 1;
        expect(loss?.passkey).toBeTruthy();
      }
    }),
    { numRuns: 1_000 },
  );
  expect(lost).toBeGreaterThan(40);
});
