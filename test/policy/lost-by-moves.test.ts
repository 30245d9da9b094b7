import { expect, test } from "vitest";
import { lostByMove } from "../../src/policy/moves.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

// The rule, the command and the people that a lost approval names.

const on = ruleDefaults("self", "on");
const cancel = { command: "vps cancel", risks: ["destroy"] } as const;
const reboot = { command: "vps reboot", risks: ["change"] } as const;
const renew = { command: "service renew", risks: ["spend"] } as const;
type Acts = Parameters<typeof lostByMove>[2]["acts"];
const lost = (rules: Rule[], acts: Acts = [cancel, reboot, renew], defaults = on) =>
  lostByMove(rules, defaults, { from: production, to: staging, acts });
const named = (id: string, one: Rule): Rule => ({ ...one, id });

test("the strictest loss is named with its command and its rule, and of equal ones the first", () => {
  const rules = [
    named("restart", rule({ project: production, risk: "change" }, "one-approval")),
    named("end", rule({ project: production, risk: "destroy" }, "two-approvals")),
    named("pay", rule({ project: production, risk: "spend" }, "two-approvals")),
  ];
  expect(lost(rules)).toMatchObject({ demand: "two-approvals", command: "vps cancel", rule: { id: "end" } });
  expect(lost(rules, [renew, reboot, cancel])).toMatchObject({ command: "service renew", rule: { id: "pay" } });
  expect(lost(rules, [reboot])).toMatchObject({
    demand: "one-approval",
    command: "vps reboot",
    rule: { id: "restart" },
  });
  expect(lost(rules, [])).toBe(null);
});

test("a default that a laxer rule of the other project takes away is explained by that rule", () => {
  const lax = [named("lax", rule({ project: staging, risk: "destroy" }, "confirm"))];
  expect(lost(lax, [cancel], ruleDefaults("peer"))).toMatchObject({ demand: "one-approval", rule: { id: "lax" } });
});

test("a passkey that any act would no longer need is lost, whatever approval is", () => {
  const proving = named("proving", { ...rule({ project: production, risk: "change" }, "confirm"), passkey: true });
  const strict = named("strict", rule({ project: production, risk: "destroy" }, "two-approvals"));
  expect(lost([proving, strict])).toMatchObject({ rule: { id: "strict" }, passkey: { rule: { id: "proving" } } });
  expect(lost([proving, strict], [reboot, cancel])).toMatchObject({
    ...{ rule: { id: "strict" }, passkey: { rule: { id: "proving" } } },
  });
  expect(lost([strict])?.passkey).toBe(null);
  // It needs one in the other project as well.
  const both = [proving, named("other", { ...rule({ project: staging, risk: "change" }, "confirm"), passkey: true })];
  expect(lost(both)).toBe(null);
  expect(lost([...both, strict])).toMatchObject({ rule: { id: "strict" }, passkey: null });
});

test("approvers who would no longer be asked are lost, of several acts those whom all name", () => {
  const by = (risk: "change" | "destroy", users: string[], project = production): Rule => ({
    ...rule({ project, risk }, "one-approval"),
    approvers: peopleOf(users),
  });
  expect(lost([by("destroy", ["U1", "U2"]), by("change", ["U2", "U3"])])?.approvers).toEqual(["U2"]);
  expect(lost([by("destroy", ["U1", "U2"])])?.approvers).toEqual(["U1", "U2"]);
  // Some of them approve in the other project, and nobody else.
  expect(lost([by("destroy", ["U1", "U2"]), by("destroy", ["U1"], staging)])).toBe(null);
  expect(lost([by("destroy", ["U1"]), by("destroy", ["U1", "U2"], staging)])?.approvers).toEqual(["U1"]);
  const strict = rule({ project: production, risk: "destroy" }, "two-approvals");
  expect(lost([strict])?.approvers).toBe(null);
  expect(lost([strict, by("destroy", ["U1"], staging), by("destroy", ["U1"])])).toMatchObject({
    ...{ demand: "two-approvals", approvers: null },
  });
});

test("an act is tried for each kind of person that rules tell apart, and for agents where rules do", () => {
  const two = "two-approvals" as const;
  expect(lost([rule({ project: production, who: peopleOf(["U1"]) }, two)])?.demand).toBe(two);
  expect(lost([rule({ project: production, notWho: peopleOf(["U1"]) }, two)])?.demand).toBe(two);
  expect(lost([rule({ project: production, who: peopleOf([], { agents: true }) }, two)])?.demand).toBe(two);
  expect(lost([rule({ project: production, notWho: peopleOf(["U1"], { agents: true }) }, two)])?.demand).toBe(two);
  // Only somebody in the first list and not in the second one loses it.
  const between = rule({ project: production, who: peopleOf(["U1", "U2"]), notWho: peopleOf(["U2", "U3"]) }, two);
  expect(lost([between])?.demand).toBe(two);
  // Nobody loses a rule that the other project has as well.
  expect(lost([between, rule({ project: staging }, two)])).toBe(null);
});

test("somebody who may be a person of the rules, or one of several, is tried beside the person", () => {
  const confirm = "confirm" as const;
  const peer = ruleDefaults("peer");
  const alone = (user: string) => rule({ project: production, who: peopleOf([user]) }, confirm);
  const spared = (user: string) => rule({ project: production, notWho: peopleOf([user]) }, confirm);
  const everybody = rule({ project: staging }, confirm);
  // In the other project Ana alone needs less.
  expect(lost([rule({ project: staging, who: peopleOf(["U1"]) }, confirm)], [cancel], peer)?.demand).toBe(
    "one-approval",
  );
  // Here she, and everybody else, confirm. Of somebody who may be her neither is sure, so the default applies.
  expect(lost([alone("U1"), spared("U1"), everybody], [cancel], peer)?.demand).toBe("one-approval");
  const sparedThere = rule({ project: staging, notWho: peopleOf(["U2"]) }, confirm);
  expect(lost([alone("U1"), spared("U1"), sparedThere], [cancel], peer)?.demand).toBe("one-approval");
  // And here of nobody but one who may be either.
  expect(lost([spared("U1"), spared("U2"), everybody], [cancel], peer)?.demand).toBe("one-approval");
});

test("an act that agents of members may do at once there, and not here, is a loss, beside other rules", () => {
  const released = rule({ project: staging, agent: { commands: ["vps reboot"] } });
  const other = rule({ project: staging, risk: "destroy", who: peopleOf(["U1"]) }, "two-approvals");
  expect(lost([released, other])).toMatchObject({ demand: "confirm", command: "vps reboot" });
  const strict = rule({ project: production, who: peopleOf([], { agents: true }) }, "two-approvals");
  expect(lost([strict, other])?.demand).toBe("two-approvals");
});

test("another command of the same act counts, and so does a price that the act has beside its loss", () => {
  const sameAs = [{ command: "service cancel", sameAs: ["vps cancel"], risks: ["destroy"] }] as const;
  const rules = [rule({ project: production, command: "vps cancel" }, "two-approvals")];
  expect(lost(rules, sameAs)).toMatchObject({ demand: "two-approvals", command: "service cancel" });
  expect(lost(rules, [{ command: "service cancel", risks: ["destroy"] }])).toBe(null);
  const spending = [rule({ project: production, risk: "spend" }, "two-approvals")];
  const over = [rule({ project: production, over: { amount: "10", currency: "EUR" } }, "two-approvals")];
  for (const priced of [spending, over]) {
    expect(lost(priced, [{ command: "vps resize", risks: ["spend", "destroy"] }])?.demand).toBe("two-approvals");
    expect(lost(priced, [{ command: "vps resize", risks: ["destroy", "change"] }])).toBe(null);
  }
  // The loss has the price, and a change beside it has none.
  const dear = (risk: "destroy" | "change") => [
    rule({ project: production, risk, over: { amount: "10", currency: "EUR" } }, "two-approvals"),
  ];
  expect(lost(dear("destroy"), [{ command: "vps resize", risks: ["spend", "destroy"] }])?.demand).toBe("two-approvals");
  expect(lost(dear("destroy"), [cancel])).toBe(null);
  expect(lost(dear("change"), [{ command: "vps resize", risks: ["spend", "change"] }])).toBe(null);
});

test("a price just above a limit and one just below are tried, in each currency, and one that nobody knows", () => {
  const two = "two-approvals" as const;
  const limits = (project: typeof production, amount: string, currency = "EUR") => [
    rule({ project, over: { amount, currency } }, two),
  ];
  const acts = [renew];
  expect(lost([...limits(production, "10"), ...limits(staging, "10.0001")], acts)?.demand).toBe(two);
  expect(lost([...limits(production, "10"), ...limits(staging, "10")], acts)).toBe(null);
  expect(lost([...limits(production, "10.0001"), ...limits(staging, "10")], acts)).toBe(null);
  expect(lost([...limits(production, "10"), ...limits(staging, "10", "USD")], acts)?.demand).toBe(two);
  const daily = rule({ project: production, overInDay: { amount: "10", currency: "EUR" } }, two);
  expect(lost([daily, rule({ project: staging, risk: "spend" }, two)], acts)).toBe(null);
  expect(lost([daily, ...limits(staging, "11")], acts)?.demand).toBe(two);
  // A price of nothing is below every limit.
  expect(lost([rule({ project: production, risk: "spend" }, two), ...limits(staging, "0")], acts)?.demand).toBe(two);
});

test("a rule about a day is lost to a limit of single requests, to a higher one, and to one in another currency", () => {
  const daily = (project: typeof production, amount: string, currency = "EUR") =>
    rule({ project, overInDay: { amount, currency } }, "two-approvals");
  const over = (amount: string, currency = "EUR") => rule({ over: { amount, currency } }, "two-approvals");
  // Many small prices come to more than one price may be.
  expect(lost([daily(production, "100"), over("100")], [renew])?.demand).toBe("two-approvals");
  expect(lost([daily(production, "100"), over("0.01")], [renew])?.demand).toBe("two-approvals");
  expect(lost([daily(production, "100"), over("0")], [renew])?.demand).toBe("two-approvals");
  expect(lost([daily(production, "10"), daily(staging, "10.0001")], [renew])?.demand).toBe("two-approvals");
  expect(lost([daily(production, "10.0001"), daily(staging, "10")], [renew])).toBe(null);
  expect(lost([daily(production, "10"), daily(staging, "10", "USD")], [renew])?.demand).toBe("two-approvals");
  // An act in euros is above the day's limit in dollars only after spending that nobody knows.
  const both = { over: { amount: "10", currency: "EUR" }, overInDay: { amount: "10", currency: "USD" } };
  const dearEuros = rule({ overInDay: { amount: "99", currency: "EUR" } }, "confirm");
  const mixed = rule({ project: production, ...both }, "two-approvals");
  expect(lost([mixed, dearEuros, over("10", "USD")], [renew])?.demand).toBe("two-approvals");
});

test("a loss in one channel alone, or outside of windows alone, is found", () => {
  const inOne: Pick<Rule["when"], "channels"> = { channels: { are: "in", ids: ["C1"] } };
  expect(lost([rule({ project: production, ...inOne }, "two-approvals")])?.demand).toBe("two-approvals");
  const outside = [rule({ project: production, outsideWindows: true }, "two-approvals")];
  expect(lost(outside)?.demand).toBe("two-approvals");
  // In a window nothing more is needed in either.
  expect(lost([...outside, rule({ project: staging, outsideWindows: true }, "two-approvals")])).toBe(null);
  expect(
    lost([
      rule({ project: production }, "two-approvals"),
      rule({ project: staging, outsideWindows: true }, "two-approvals"),
    ])?.demand,
  ).toBe("two-approvals");
});

test("a rule about a price and a day is tried with the price and the spending that fit it alone, and with none that cannot be", () => {
  const eur = (amount: string) => ({ amount, currency: "EUR" });
  const here = (day: string) =>
    rule({ project: production, risk: "spend", over: eur("100"), overInDay: eur(day) }, "two-approvals");
  const everywhere = (day: string) => rule({ risk: "spend", overInDay: eur(day) }, "two-approvals");
  // Between 150 and 200 EUR in a day, of which the last act costs more than 100.
  expect(lost([here("150"), everywhere("200")], [renew])?.demand).toBe("two-approvals");
  // An act that costs more than 100 EUR makes no day of 80.
  expect(lost([here("50"), everywhere("80")], [renew])).toBe(null);
});
