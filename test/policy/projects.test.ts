import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { ruleWords } from "../../src/policy/words.ts";
import { prose } from "../../src/views/text.ts";

const when = { risk: "destroy", command: null, channels: null, over: null, overInDay: null } as const;
const ending: Omit<RuledAct, "project"> = {
  risk: "destroy",
  command: "vps cancel",
  channel: "C1",
  price: null,
  spent: { sums: [], unknown: false },
};

const oddName = fc.oneof(
  fc.constantFrom("Client: Acme & Söns", "R&D", "*prod*", "two  blanks", "p".repeat(120), "<b>", "`x`", ""),
  fc.string({ unit: "grapheme", maxLength: 120 }),
);

test("a rule about a project applies in it under any name, and in no other project whose id is known", () => {
  fc.assert(
    fc.property(oddName, oddName, fc.uuid(), fc.uuid(), (name, later, id, other) => {
      fc.pre(id !== other);
      const rule: Rule = {
        id: "r",
        when: { ...when, project: { id, name } },
        demand: "two-approvals",
        overridable: false,
      };
      const rulingFor = (project: RuledAct["project"]) =>
        evaluate([rule], { ...ending, project }, ruleDefaults("self"));
      const found = rulingFor({ id, name: later });
      expect(found.demand).toBe("two-approvals");
      expect(found.rule && ruleWords(found.rule)).toContain(prose(later, 80));
      expect(rulingFor(null).demand).toBe("two-approvals");
      expect(rulingFor({ id: other, name }).demand).toBe("confirm");
    }),
  );
});
