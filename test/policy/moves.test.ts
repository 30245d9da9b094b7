import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate } from "../../src/policy/evaluate.ts";
import { lostByMove } from "../../src/policy/moves.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import { approvalLevels, needsOthers, type Rule, strictness } from "../../src/policy/rule.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

const acts = [
  { command: "vps cancel", risks: ["destroy"] },
  { command: "vps reboot", risks: ["change"] },
  { command: "service renew", risks: ["spend"] },
] as const;
const lost = (
  rules: Rule[],
  from: typeof production | null = production,
  to = staging,
  mode: "self" | "peer" = "self",
) => lostByMove(rules, ruleDefaults(mode), { from, to, acts })?.demand ?? null;

test("out of a strict project or into a laxer one, a move loses what an act would need no longer", () => {
  expect(lost([])).toBe(null);
  expect(lost([rule({ project: production, risk: "destroy" }, "two-approvals")])).toBe("two-approvals");
  expect(lost([rule({ project: production, command: "vps cancel" }, "not-allowed")])).toBe("not-allowed");
  expect(lost([rule({ project: staging, risk: "destroy" }, "confirm")], production, staging, "peer")).toBe(
    "one-approval",
  );
  expect(lost([rule({ project: staging, risk: "destroy" }, "two-approvals")])).toBe(null);
  expect(lost([rule({ project: production, command: "dedicated" }, "not-allowed")])).toBe(null);
  expect(
    lost([rule({ project: production, risk: "destroy" }, "two-approvals"), rule({ risk: "destroy" }, "two-approvals")]),
  ).toBe(null);
});

test("an act that needs more in one channel, outside windows or above a price alone is lost all the same", () => {
  const over = { amount: "50", currency: "EUR" };
  expect(lost([rule({ project: production, channels: { are: "outside", ids: ["C1"] } }, "not-allowed")])).toBe(
    "not-allowed",
  );
  expect(lost([rule({ project: production, risk: "change", outsideWindows: true }, "one-approval")])).toBe(
    "one-approval",
  );
  expect(lost([rule({ project: production, over }, "one-approval")])).toBe("one-approval");
  expect(lost([rule({ project: production, overInDay: over }, "two-approvals")])).toBe("two-approvals");
  expect(
    lost([
      rule({ project: production, over }, "one-approval"),
      rule({ over: { ...over, amount: "40" } }, "one-approval"),
    ]),
  ).toBe(null);
});

test("an act that destroys at a price loses what its price needed", () => {
  const shrink = [{ command: "service upgrade", risks: ["spend", "destroy"] }] as const;
  const rules = [rule({ project: production, risk: "spend" }, "two-approvals")];
  expect(lostByMove(rules, ruleDefaults("self"), { from: production, to: staging, acts: shrink })?.demand).toBe(
    "two-approvals",
  );
});

test("a resource without a project counts as in every project", () => {
  expect(lost([rule({ project: production, risk: "destroy" }, "two-approvals")], null)).toBe("two-approvals");
});

const limit = fc.record({ amount: fc.constantFrom("0", "10", "50.5"), currency: fc.constantFrom("EUR", "USD") });
const project = fc.constantFrom(production, staging, { id: "p3", name: "Other" });
const condition: fc.Arbitrary<Rule["when"]> = fc.record({
  risk: fc.option(fc.constantFrom("read", "change", "spend", "destroy")),
  command: fc.option(fc.constantFrom("vps", "vps cancel", "service renew")),
  project: fc.option(project),
  channels: fc.option(
    fc.record({
      are: fc.constantFrom("in" as const, "outside" as const),
      ids: fc.subarray(["C1", "C2"], { minLength: 1 }),
    }),
  ),
  over: fc.option(limit),
  overInDay: fc.option(limit),
});
const people = fc
  .record({ users: fc.subarray(["U1", "U2"]), agents: fc.boolean() })
  .map(({ users, agents }) => peopleOf(users, { agents }));
const absent = { nil: undefined };
const anyRule: fc.Arbitrary<Rule> = fc
  .record({
    ...{ id: fc.constant("r"), when: condition, demand: fc.constantFrom(...approvalLevels) },
    ...{ who: fc.option(people, absent), notWho: fc.option(people, absent), approvers: fc.option(people, absent) },
  })
  .map(({ who, notWho, approvers, when, ...rule }) => ({
    ...rule,
    overridable: false,
    when: { ...when, ...(who && { who }), ...(notWho && { notWho }) },
    ...(approvers && needsOthers(rule.demand) && { approvers }),
  }));

test("no act needs less after a move than before it, unless the move itself needed as much", () => {
  let losses = 0;
  fc.assert(
    fc.property(
      fc.array(anyRule, { maxLength: 4 }),
      fc.option(project),
      project,
      fc.constantFrom("self" as const, "peer" as const),
      fc.array(
        fc.record({
          act: fc.constantFrom(...acts),
          channel: fc.option(fc.constantFrom("C1", "C2", "C9")),
          inWindow: fc.boolean(),
          price: fc.oneof(limit, fc.constantFrom("unknown" as const, null)),
          spent: fc.record({ sums: fc.array(limit, { maxLength: 1 }), unknown: fc.boolean() }),
          agent: fc.constantFrom(null, {}),
          by: fc.record({ slackUser: fc.constantFrom("U1", "U2", "U9"), mayBe: fc.subarray(["U1", "U2"]) }),
        }),
        { minLength: 10, maxLength: 10 },
      ),
      (rules, from, to, mode, subjects) => {
        const loss = lostByMove(rules, ruleDefaults(mode), { from, to, acts });
        const most = loss?.demand ?? "allowed";
        if (most !== "allowed") losses += 1;
        for (const { act, channel, inWindow, price, spent, agent, by } of subjects) {
          const [risk] = act.risks;
          const subject = {
            command: act.command,
            risk,
            channel,
            inWindow,
            agent,
            by,
            price: risk === "spend" ? price : null,
            spent,
          };
          const before = evaluate(rules, { ...subject, project: from }, ruleDefaults(mode));
          const after = evaluate(rules, { ...subject, project: to }, ruleDefaults(mode));
          if (strictness(after.demand) < strictness(before.demand))
            expect(strictness(most)).toBeGreaterThanOrEqual(strictness(before.demand));
          const isKept = after.approvers?.every((user) => before.approvers?.includes(user)) ?? false;
          if (before.approvers && !isKept)
            expect(before.approvers).toEqual(expect.arrayContaining(loss?.approvers ?? ["anybody"]));
        }
      },
    ),
    { numRuns: 1_000 },
  );
  expect(losses).toBeGreaterThan(15);
});
