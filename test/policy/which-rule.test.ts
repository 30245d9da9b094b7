import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import { approvalLevels, type Rule, strictness } from "../../src/policy/rule.ts";
import { peopleOf, production, rule } from "./rules.ts";

// Which rule is named, and what the other rules add to it.

const self = ruleDefaults("self");
const peer = ruleDefaults("peer");
const ending: RuledAct = {
  ...{ risk: "destroy", command: "vps cancel", channel: "C1", price: null, project: production },
  ...{ spent: { sums: [], unknown: false }, by: { slackUser: "U9", mayBe: [] } },
};
const paying: RuledAct = { ...ending, risk: "spend", command: "billing pay", price: { amount: "50", currency: "EUR" } };
const named = (id: string, one: Rule): Rule => ({ ...one, id });
const ruledBy = (rules: Rule[], act: RuledAct, defaults = self) => evaluate(rules, act, defaults).rule?.id ?? null;

test("an act needs what its risk needs where no rule says anything, and no rule lets one spend or destroy at once", () => {
  const all = ["read", "change", "spend", "destroy"] as const;
  const needs = (rules: Rule[], defaults = self) =>
    all.map((risk) => evaluate(rules, { ...paying, risk }, defaults).demand);
  expect(needs([])).toEqual(["allowed", "allowed", "confirm", "confirm"]);
  expect(needs([], peer)).toEqual(["allowed", "allowed", "confirm", "one-approval"]);
  expect(needs([rule({}, "allowed")], peer)).toEqual(["allowed", "allowed", "confirm", "confirm"]);
  expect(needs([], { ...self, spend: "allowed", destroy: "allowed" })).toEqual([
    ...["allowed", "allowed", "confirm", "confirm"],
  ]);
});

test("a rule is named that asks for most, and of equal ones the first; one that forbids the override comes before both", () => {
  const [first, second] = ["first", "second"].map((id) => named(id, rule({}, "one-approval", true)));
  const plain = named("plain", rule({}, "one-approval"));
  const strict = named("strict", rule({}, "two-approvals", true));
  if (!first || !second) throw new Error("There are two");
  expect(ruledBy([first, second], ending)).toBe("first");
  expect(ruledBy([first, second, plain, first], ending)).toBe("plain");
  expect(ruledBy([plain, named("later", rule({}, "one-approval"))], ending)).toBe("plain");
  expect(ruledBy([first, strict, plain], ending)).toBe("strict");
  expect(ruledBy([], ending)).toBe(null);
});

test("a rule is named with the project that it is about, by its present name, and with none where it is about none", () => {
  const on = ruleDefaults("self", "on");
  const proving = (when: Partial<Rule["when"]>): Rule => ({ ...rule(when, "one-approval"), passkey: true });
  const renamed = { id: production.id, name: "live" };
  for (const [when, project] of [
    [{}, null],
    [{ project: production }, renamed],
  ] as const) {
    const found = evaluate([proving(when)], { ...ending, project: renamed }, on);
    expect([found.rule, found.passkey?.rule].map((one) => one?.when.project)).toEqual([project, project]);
    expect(found.rule).toMatchObject({ id: "r1", demand: "one-approval", when: { risk: null, command: null } });
  }
  // The platform does not state the project, so the name is that of the last read.
  const unstated = evaluate([proving({ project: production })], { ...ending, project: null }, on);
  expect(unstated.rule?.when.project).toEqual(production);
});

test("no name of an act escapes a rule about another command of the same act, and none profits from it", () => {
  const sameAs = ["vps cancel", "vps delete"];
  const act: RuledAct = { ...ending, command: "service cancel", sameAs };
  const direct: RuledAct = { ...ending, command: "vps cancel", sameAs: ["service cancel"] };
  for (const demand of approvalLevels)
    for (const overridable of [true, false]) {
      const about = [rule({ command: "vps delete" }, demand, overridable)];
      const found = evaluate(about, act, peer);
      const isStricter = strictness(demand) > strictness(peer.destroy);
      expect(found.demand).toBe(isStricter ? demand : peer.destroy);
      expect(found.rule?.overridable ?? false).toBe(false);
      expect(evaluate(about, { ...act, sameAs: ["vps cancel"] }, peer)).toMatchObject({
        demand: peer.destroy,
        rule: null,
      });
      expect(evaluate(about, ending, peer)).toMatchObject({ demand: peer.destroy, rule: null });
    }
  const overridable = [rule({ command: "vps cancel" }, "two-approvals", true)];
  expect(evaluate(overridable, direct, self).rule?.overridable).toBe(true);
  // A rule about the noun fits both by itself.
  const noun = [rule({ command: "vps" }, "two-approvals", true)];
  expect(evaluate(noun, { ...direct, sameAs: ["vps delete"] }, self).rule?.overridable).toBe(true);
  // As strict as the default, it is no reason to name.
  expect(ruledBy([rule({ command: "vps cancel" }, "confirm")], act)).toBe(null);
  const own = named("own", rule({ command: "service" }, "one-approval", true));
  expect(evaluate([own, named("other", rule({ command: "vps" }, "one-approval"))], act, self).rule).toMatchObject({
    ...{ id: "other", overridable: false },
  });
  expect(evaluate([rule({ command: "vps cancel", risk: "spend" }, "two-approvals")], act, self).demand).toBe("confirm");
});

test("a rule about agents changes nothing for members, also where it is the only one", () => {
  const released = rule({ agent: { commands: ["vps cancel"] } });
  expect(evaluate([released], ending, peer)).toMatchObject({ demand: "one-approval", rule: null });
  expect(evaluate([released], { ...ending, command: "service cancel", sameAs: ["vps cancel"] }, peer).rule).toBe(null);
});

test("an agent reads without a confirmation, and changes nothing without one", () => {
  const reading: RuledAct = { ...ending, risk: "read", command: "vps show", agent: {} };
  expect(evaluate([], reading, self).demand).toBe("allowed");
  expect(evaluate([], { ...reading, risk: "change" }, self).demand).toBe("confirm");
  expect(evaluate([], { ...reading, risk: "change", agent: null }, self).demand).toBe("allowed");
});

test("a rule that only may mean the member takes nothing back of what another one permits for sure", () => {
  const sure = rule({ risk: "destroy" }, "confirm");
  const perhaps = rule({ who: peopleOf(["U1"]) }, "confirm");
  const maybe: RuledAct = { ...ending, by: { slackUser: "U2", mayBe: ["U1"] } };
  expect(evaluate([sure, perhaps], maybe, peer).demand).toBe("confirm");
  expect(evaluate([perhaps, sure], maybe, peer).demand).toBe("confirm");
  expect(evaluate([perhaps], maybe, peer)).toMatchObject({ demand: "one-approval", rule: null });
  // One who may be spared is not meant for sure, either.
  const sparing = [rule({ notWho: peopleOf(["U1"]) }, "confirm")];
  expect(evaluate(sparing, maybe, peer).demand).toBe("one-approval");
  expect(evaluate(sparing, ending, peer).demand).toBe("confirm");
  // Nobody overrides by a rule that only may mean them.
  const overridable = rule({ who: peopleOf(["U1"]) }, "one-approval", true);
  expect(evaluate([overridable], maybe, peer).rule?.overridable ?? false).toBe(false);
  expect(evaluate([overridable], { ...ending, by: { slackUser: "U1", mayBe: [] } }, peer).rule?.overridable).toBe(true);
});

test("a passkey is asked for by the rule that says so, whatever the strictest one is, and never for reading", () => {
  const proving = named("proving", { ...rule({ command: "vps" }, "confirm"), passkey: true });
  const strict = named("strict", rule({}, "two-approvals"));
  const on = ruleDefaults("self", "on");
  expect(evaluate([strict, proving], ending, on)).toMatchObject({
    ...{ rule: { id: "strict" }, passkey: { rule: { id: "proving" } } },
  });
  expect(evaluate([strict], ending, on).passkey).toBe(null);
  const required = ruleDefaults("self", "required");
  expect(evaluate([strict, proving], ending, required).passkey).toMatchObject({ rule: { id: "proving" } });
  expect(evaluate([strict], ending, required).passkey).toEqual({ rule: null });
  for (const risk of ["change", "spend"] as const)
    expect(evaluate([strict], { ...ending, risk }, required).passkey).toBe(null);
  const reading: RuledAct = { ...ending, risk: "read" };
  const forbidding: Rule = { ...rule({ risk: "read" }, "not-allowed"), passkey: true };
  expect(evaluate([forbidding], reading, on)).toMatchObject({ demand: "not-allowed", passkey: null });
  // An agent does nothing at once where a rule wants a passkey.
  const agent: RuledAct = { ...ending, risk: "change", command: "vps reboot", agent: {} };
  const released = rule({ agent: { commands: ["vps reboot"] } });
  expect(evaluate([released], agent, on).demand).toBe("allowed");
  expect(evaluate([released, proving], agent, on).demand).toBe("confirm");
});

test("the people of the strictest rule that names any are notified, and its steps and its time count; a confirmation needs nobody", () => {
  const [ben, caro] = [peopleOf(["U1"]).list, peopleOf(["U2"]).list];
  const step = (to: typeof ben) => [{ to, after: 60_000 }];
  const lax: Rule = { ...rule({}, "one-approval"), notify: ben, steps: step(ben), expiresAfter: 1 };
  const strict: Rule = { ...rule({}, "two-approvals"), notify: caro, steps: step(caro), expiresAfter: 2 };
  const silent = rule({}, "not-allowed");
  const all = { notify: caro, steps: step(caro), expiresAfter: 2, approvers: null };
  expect(evaluate([lax, strict], ending, self)).toMatchObject(all);
  expect(evaluate([strict, lax], ending, self)).toMatchObject(all);
  expect(evaluate([lax, rule({}, "two-approvals")], ending, self)).toMatchObject({
    ...{ demand: "two-approvals", notify: ben, steps: step(ben), expiresAfter: 1 },
  });
  expect(evaluate([lax, { ...strict, steps: [] }], ending, self).steps).toEqual(step(ben));
  const nobody = { notify: null, steps: [], approvers: null };
  expect(evaluate([rule({}, "one-approval")], ending, self)).toMatchObject({ ...nobody, expiresAfter: null });
  expect(evaluate([{ ...lax, demand: "confirm" }], ending, self)).toMatchObject({ ...nobody, expiresAfter: 1 });
  expect(evaluate([lax, silent], ending, self)).toMatchObject({ ...nobody, expiresAfter: 1 });
  expect(evaluate([], ending, self)).toMatchObject({ ...nobody, expiresAfter: null });
});

test("an act that destroys at a price names the rule about its loss first, and keeps what the rule about its price adds", () => {
  const shrinking: RuledAct = { ...paying, risk: "destroy" };
  const loss: Rule = { ...named("loss", rule({ risk: "destroy" }, "one-approval")), expiresAfter: 1 };
  const price: Rule = {
    ...named("price", rule({ risk: "spend" }, "one-approval")),
    ...{ expiresAfter: 2, approvers: peopleOf(["U1"]), notify: peopleOf(["U1"]).list },
  };
  expect(evaluate([price, loss], shrinking, self)).toMatchObject({
    ...{ rule: { id: "loss" }, expiresAfter: 1, approvers: ["U1"], notify: peopleOf(["U1"]).list },
  });
  expect(evaluate([loss, { ...price, demand: "two-approvals" }], shrinking, self)).toMatchObject({
    ...{ demand: "two-approvals", rule: { id: "price" }, expiresAfter: 2, approvers: ["U1"] },
  });
  // The default of the loss is as strict as the rule about the price, which is named.
  expect(ruledBy([price], shrinking, peer)).toBe("price");
  expect(ruledBy([{ ...price, overridable: true }], shrinking, peer)).toBe("price");
  expect(evaluate([{ ...price, overridable: true }], shrinking, peer).rule?.overridable).toBe(false);
  const on = ruleDefaults("self", "on");
  const proving = evaluate([loss, { ...price, passkey: true }], shrinking, on);
  expect(proving).toMatchObject({ rule: { id: "loss" }, passkey: { rule: { id: "price" } } });
  // It is not one that spends, where it costs nothing, and only an act that destroys has two risks.
  expect(evaluate([price], { ...shrinking, price: null }, self).rule).toBe(null);
  expect(evaluate([price], { ...shrinking, risk: "change" }, self)).toMatchObject({ demand: "allowed", rule: null });
});

test("a limit of one request counts neither what was spent before nor what is unknown of it, and one of a day its own currency alone", () => {
  const over = [rule({ over: { amount: "50", currency: "EUR" } }, "one-approval")];
  const inDay = [rule({ overInDay: { amount: "60", currency: "EUR" } }, "one-approval")];
  const spent = (amount: string, currency: string) => ({ sums: [{ amount, currency }], unknown: false });
  const needs = (rules: Rule[], act: Partial<RuledAct>) => evaluate(rules, { ...paying, ...act }, self).demand;
  expect(needs(over, { spent: spent("1000", "EUR") })).toBe("confirm");
  expect(needs(over, { spent: { sums: [], unknown: true } })).toBe("confirm");
  expect(needs(inDay, { spent: spent("1000", "USD") })).toBe("confirm");
  expect(
    needs(inDay, { spent: { sums: [...spent("1000", "USD").sums, ...spent("11", "EUR").sums], unknown: false } }),
  ).toBe("one-approval");
  expect(needs(inDay, { price: { amount: "1", currency: "USD" } })).toBe("one-approval");
  expect(needs([...inDay, ...over], { price: { amount: "1", currency: "USD" } })).toBe("one-approval");
  const inDollars = rule({ overInDay: { amount: "5", currency: "USD" } }, "one-approval");
  expect(needs([...inDay, inDollars], { price: { amount: "1", currency: "USD" } })).toBe("confirm");
  // That another kind of limit names the currency is not enough.
  expect(needs([...over, inDollars], { price: { amount: "1", currency: "USD" } })).toBe("one-approval");
  expect(needs(over, { price: { amount: "45", currency: "EUR", beforeTax: true } })).toBe("one-approval");
  expect(needs(inDay, { price: null })).toBe("confirm");
});

test("a rule for outside of maintenance windows says nothing while one is open", () => {
  const outside = [rule({ outsideWindows: true }, "not-allowed")];
  expect(evaluate(outside, { ...ending, inWindow: true }, self).demand).toBe("confirm");
  expect(evaluate(outside, { ...ending, inWindow: false }, self).demand).toBe("not-allowed");
  expect(evaluate(outside, ending, self).demand).toBe("not-allowed");
  expect(evaluate([rule({}, "not-allowed")], { ...ending, inWindow: true }, self).demand).toBe("not-allowed");
});
