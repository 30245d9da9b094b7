import { describe, expect, test } from "vitest";
import type { Rule } from "../../src/policy/rule.ts";
import {
  countedWords,
  demandLabels,
  demandSentence,
  demandWords,
  riskWords,
  ruleWords,
} from "../../src/policy/words.ts";
import { peopleOf, production, rule } from "./rules.ts";

const ten = { amount: "10", currency: "EUR" };
const minute = 60_000;
const ben = peopleOf(["U1"]);

test.each<[string, Rule]>([
  ["Everything: needs one approval.", rule({}, "one-approval")],
  ["Reading: is not allowed.", rule({ risk: "read" }, "not-allowed")],
  ["Changing something at once: needs two approvals.", rule({ risk: "change" }, "two-approvals")],
  ["`/vps`: needs the requester's confirmation.", rule({ command: "vps" }, "confirm")],
  ["`/vps` (destroying something): is not allowed.", rule({ command: "vps", risk: "destroy" }, "not-allowed")],
  ["Everything in <#C1>: needs one approval.", rule({ channels: { are: "in", ids: ["C1"] } }, "one-approval")],
  [
    "Everything outside <#C1> or <#C2>: needs one approval.",
    rule({ channels: { are: "outside", ids: ["C1", "C2", "C1"] } }, "one-approval"),
  ],
  [
    "Everything outside a maintenance window of the machine: is not allowed.",
    rule({ outsideWindows: true }, "not-allowed"),
  ],
  [
    "Spending money over 10.00 EUR once a member spends over 10.00 EUR in 24 hours: is not allowed.",
    rule({ risk: "spend", over: ten, overInDay: ten }, "not-allowed"),
  ],
  [
    "`/vps` by <@U1>, but not members' agents in project production in <#C1> outside a maintenance window of the machine over 10.00 EUR: is not allowed.",
    rule(
      {
        ...{ command: "vps", who: ben, notWho: peopleOf([], { agents: true }), project: production, over: ten },
        ...{ channels: { are: "in", ids: ["C1"] }, outsideWindows: true },
      },
      "not-allowed",
    ),
  ],
  ["Everything by anybody but <@U1>: is not allowed.", rule({ notWho: ben }, "not-allowed")],
  ["Changing something at once: runs at once.", rule({ risk: "change" }, "allowed")],
  ["Reading: runs at once.", rule({ risk: "read" }, "allowed")],
  ["Spending money: needs the requester's confirmation.", rule({ risk: "spend" }, "allowed")],
  ["Destroying something: needs the requester's confirmation.", rule({ risk: "destroy" }, "allowed")],
  [
    "Everything: runs at once, and where it destroys or costs something it needs the requester's confirmation.",
    rule({}, "allowed"),
  ],
  ["Everything: needs one approval, with a passkey.", { ...rule({}, "one-approval"), passkey: true }],
  ["Everything: needs one approval, which only <@U1> can give.", { ...rule({}, "one-approval"), approvers: ben }],
  ["Agents run `/vps reboot` at once, without their member.", rule({ agent: { commands: ["vps reboot"] } })],
  [
    "Agents run `/vps reboot` and `/vps start` in project production at once, without their member.",
    rule({ agent: { commands: ["vps reboot", "vps start"] }, project: production }),
  ],
])("a rule reads: %s", (sentence, one) => {
  expect(demandSentence(one)).toBe(sentence);
});

describe("a rule in whole", () => {
  test("says that a move of a resource does not escape it, where it is about a project", () => {
    const same = "A move to a project that needs less needs the same.";
    const other = "A move to a project that allows it needs an admin other than the requester.";
    const endOf = (one: Rule) => ruleWords(one).split("in project production: ")[1];
    expect(endOf(rule({ project: production }, "one-approval"))).toBe(`needs one approval. ${same}`);
    expect(endOf(rule({ project: production }, "not-allowed"))).toBe("is not allowed.");
    expect(endOf(rule({ project: production, risk: "change" }, "not-allowed"))).toBe("is not allowed.");
    expect(endOf(rule({ project: production, risk: "destroy" }, "not-allowed"))).toBe(`is not allowed. ${other}`);
    expect(endOf(rule({ project: production, command: "vps" }, "not-allowed"))).toBe(`is not allowed. ${other}`);
    expect(ruleWords(rule({ command: "vps" }, "not-allowed"))).toBe("`/vps`: is not allowed.");
  });

  test("says that an admin may override it, and what happens while its request waits", () => {
    expect(ruleWords(rule({}, "one-approval", true))).toBe(
      "Everything: needs one approval. An admin may override it in an emergency.",
    );
    const waiting: Rule = { ...rule({}, "one-approval"), steps: [{ to: ben.list, after: 20 * minute }] };
    expect(ruleWords(waiting)).toBe(
      "Everything: needs one approval. Without a decision, it notifies <@U1> after 20 min.",
    );
    expect(ruleWords({ ...waiting, steps: [] })).toBe("Everything: needs one approval.");
    expect(ruleWords({ ...rule({}, "one-approval"), expiresAfter: 60 * minute })).toBe(
      "Everything: needs one approval. It expires after 1 h.",
    );
  });

  test("names channels and people as the reader is to see them", () => {
    const one: Rule = {
      ...rule({ who: ben, notWho: ben, channels: { are: "in", ids: ["C1"] } }, "one-approval"),
      ...{ approvers: ben, notify: ben.list, steps: [{ to: ben.list, after: minute }] },
    };
    const words = ruleWords(one, { people: () => "somebody", channelWords: (id) => `#${id}` });
    expect(words).toBe(
      "Everything by somebody, but not somebody in #C1: needs one approval, which only somebody can give. It notifies somebody. Without a decision, it notifies somebody after 1 min.",
    );
  });
});

test("a rule with a limit says how it counts a price that is not the one shown", () => {
  const over = rule({ over: ten }, "one-approval");
  const inDay = rule({ overInDay: ten }, "one-approval");
  const unknown = " The price is not known beforehand, so it counts as over.";
  const taxed = { amount: "10", currency: "EUR", beforeTax: true } as const;
  for (const one of [over, inDay]) {
    const plain = demandSentence(one);
    expect(demandSentence(one, { price: ten })).toBe(plain);
    expect(demandSentence(one, { price: null })).toBe(plain);
    expect(demandSentence(one, { price: "unknown" })).toBe(`${plain}${unknown}`);
    expect(demandSentence(one, { price: taxed })).toBe(
      `${plain} With the highest tax that may be added, this counts as 12.70 EUR.`,
    );
  }
  const free = rule({}, "one-approval");
  for (const price of ["unknown", taxed] as const) expect(demandSentence(free, { price })).toBe(demandSentence(free));
});

test("people who are only named are counted, and nobody is mentioned", () => {
  const group = { id: "S1", name: "ops" };
  const night = { id: "R1", name: "night" };
  const none = { users: [], groups: [], rotations: [], agents: false };
  expect(countedWords({ ...none, users: ["U1"] })).toBe("1 named person");
  expect(countedWords({ ...none, users: ["U1", "U2"], groups: [group] })).toBe("2 named people and `@ops`");
  expect(countedWords({ ...none, rotations: [night] })).toBe("the rotation `night`");
  expect(countedWords({ ...none, users: ["U1"], agents: true })).toBe("1 named person and members' agents");
  expect(countedWords({ ...none, groups: [group], rotations: [night] })).toBe("`@ops` and the rotation `night`");
});

test("a form offers each level and each risk in words of its own", () => {
  for (const words of [demandLabels, demandWords, riskWords]) {
    const all = Object.values(words);
    expect(new Set(all).size).toBe(all.length);
    for (const one of all) expect(one).toMatch(/\w{3}/);
  }
});
