import { describe, expect, test } from "vitest";
import { conflictWords } from "../../src/policy/conflicts.ts";
import { covers, loosens } from "../../src/policy/loosens.ts";
import { ruleDefaults } from "../../src/policy/policy.ts";
import type { Condition, Rule } from "../../src/policy/rule.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

const self = ruleDefaults("self");
const peer = ruleDefaults("peer");
const euros = (amount: string) => ({ amount, currency: "EUR" });
const one = peopleOf(["U1"]);
const two = peopleOf(["U1", "U2"]);
const agents = peopleOf(["U1"], { agents: true });
const forbidden = (when: Partial<Condition>): Rule => rule(when, "not-allowed");

/** Pairs of conditions: the first fits each act that the second fits, and some more. */
const wider: [string, Partial<Condition>, Partial<Condition>][] = [
  ["any risk but reading", {}, { risk: "destroy" }],
  ["all commands of a noun", { command: "vps" }, { command: "vps cancel" }],
  ["all commands", { risk: "change" }, { risk: "change", command: "vps" }],
  ["all projects", {}, { project: production }],
  ["all channels", {}, { channels: { are: "in", ids: ["C1"] } }],
  ["more channels", { channels: { are: "in", ids: ["C1", "C2"] } }, { channels: { are: "in", ids: ["C1"] } }],
  [
    "fewer channels left out",
    { channels: { are: "outside", ids: ["C1"] } },
    { channels: { are: "outside", ids: ["C1", "C2"] } },
  ],
  ["windows, too", {}, { outsideWindows: true }],
  ["everybody", {}, { who: one }],
  ["more people", { who: two }, { who: one }],
  ["agents, too", { who: agents }, { who: one }],
  ["fewer people spared", { notWho: one }, { notWho: two }],
  ["nobody spared", {}, { notWho: one }],
  ["any price", {}, { over: euros("10") }],
  ["a lower price", { over: euros("10") }, { over: euros("20") }],
  ["any sum", {}, { overInDay: euros("10") }],
  ["a lower sum", { overInDay: euros("10") }, { overInDay: euros("20") }],
];

/** Neither fits each act that the other fits. */
const apart: [string, Partial<Condition>, Partial<Condition>][] = [
  ["two risks", { risk: "change" }, { risk: "destroy" }],
  ["two commands", { command: "vps cancel" }, { command: "vps start" }],
  ["two projects", { project: production }, { project: staging }],
  ["two channels", { channels: { are: "in", ids: ["C1"] } }, { channels: { are: "in", ids: ["C2"] } }],
  ["inside and outside", { channels: { are: "in", ids: ["C1"] } }, { channels: { are: "outside", ids: ["C1"] } }],
  ["two people", { who: one }, { who: peopleOf(["U2"]) }],
  ["two currencies", { over: euros("10") }, { over: { amount: "10", currency: "USD" } }],
  ["a price and a sum", { over: euros("10") }, { overInDay: euros("10") }],
  ["reading, which a rule without a risk forbids by its command", { command: "vps" }, { risk: "destroy" }],
  ["reading and the rest", { risk: "read" }, { risk: "change" }],
];

describe("a rule that fits more", () => {
  test.each(wider)("covers one that fits less, and not the other way round: %s", (_, wide, narrow) => {
    expect(covers(forbidden(wide), forbidden(narrow))).toBe(true);
    expect(covers(forbidden(narrow), forbidden(wide))).toBe(false);
    expect(covers(forbidden(wide), forbidden(wide))).toBe(true);
    expect(covers(forbidden(narrow), forbidden(narrow))).toBe(true);
    expect(loosens([forbidden(narrow)], [forbidden(wide)], self)).toBe(false);
    expect(loosens([forbidden(wide)], [forbidden(narrow)], self)).toBe(true);
  });

  test.each(apart)("covers none that fits something else: %s", (_, first, second) => {
    expect(covers(forbidden(first), forbidden(second))).toBe(false);
    expect(covers(forbidden(second), forbidden(first))).toBe(false);
    expect(loosens([forbidden(first)], [forbidden(second)], self)).toBe(true);
    expect(loosens([forbidden(second)], [forbidden(first)], self)).toBe(true);
  });

  test("covers none that reads, unless both forbid reading by their command", () => {
    expect(covers(forbidden({}), forbidden({ risk: "read" }))).toBe(false);
    expect(covers(forbidden({ command: "vps" }), forbidden({ risk: "read", command: "vps show" }))).toBe(false);
    expect(covers(forbidden({}), forbidden({ command: "vps" }))).toBe(false);
    expect(covers(forbidden({ command: "vps" }), forbidden({ command: "vps show" }))).toBe(true);
    expect(covers(forbidden({}), forbidden({ command: "vps", risk: "destroy" }))).toBe(true);
    expect(covers(forbidden({ risk: "read" }), forbidden({ risk: "read", command: "vps" }))).toBe(true);
  });

  test("covers another one only if it asks for as much, in each part", () => {
    const plain = rule({}, "one-approval");
    for (const [strict, lax] of [
      [rule({}, "two-approvals"), plain],
      [plain, rule({}, "one-approval", true)],
      [{ ...plain, passkey: true as const }, plain],
      [{ ...plain, approvers: one }, plain],
      [
        { ...plain, approvers: one },
        { ...plain, approvers: two },
      ],
    ] as const) {
      expect(covers(strict, lax)).toBe(true);
      expect(covers(lax, strict)).toBe(false);
      expect(loosens([lax], [strict], self)).toBe(false);
      expect(loosens([strict], [lax], self)).toBe(true);
    }
  });
});

describe("a change of the rules", () => {
  test("that only changes who is notified, or its id, loosens nothing", () => {
    const plain = { ...rule({}, "one-approval", true), passkey: true as const };
    const after: Rule = { ...plain, id: "r2", notify: one.list, steps: [{ to: one.list, after: 1 }], expiresAfter: 1 };
    expect(loosens([plain], [after], self)).toBe(false);
    expect(loosens([after], [plain], self)).toBe(false);
  });

  test("that takes away what the default asks for as well loosens nothing, unless a weaker rule remains", () => {
    const like = rule({ risk: "destroy" }, "one-approval");
    expect(loosens([like], [], peer)).toBe(false);
    expect(loosens([like], [], self)).toBe(true);
    expect(loosens([like, forbidden({ command: "game" })], [forbidden({ command: "game" })], peer)).toBe(false);
    const weak = rule({ command: "vps" }, "confirm");
    expect(loosens([like, weak], [weak], peer)).toBe(true);
    const overridable = rule({ command: "vps" }, "one-approval", true);
    expect(loosens([like, overridable], [overridable], peer)).toBe(true);
    expect(loosens([{ ...like, overridable: true }, overridable], [overridable], peer)).toBe(false);
    expect(loosens([{ ...like, passkey: true }], [], peer)).toBe(true);
    expect(loosens([{ ...like, approvers: one }], [], peer)).toBe(true);
    // Everything is more than what destroys.
    expect(loosens([rule({}, "one-approval")], [], peer)).toBe(true);
    expect(loosens([rule({}, "allowed")], [], peer)).toBe(false);
  });

  test("that adds a rule loosens something where that permits more than the default, or an override", () => {
    expect(loosens([], [rule({ risk: "destroy" }, "confirm")], self)).toBe(false);
    expect(loosens([], [rule({ risk: "destroy" }, "confirm")], peer)).toBe(true);
    expect(loosens([], [rule({ risk: "spend" }, "allowed")], self)).toBe(true);
    expect(loosens([], [rule({ risk: "change" }, "allowed")], self)).toBe(false);
    expect(loosens([], [rule({ risk: "read" }, "allowed")], self)).toBe(false);
    expect(loosens([], [rule({}, "confirm")], self)).toBe(false);
    expect(loosens([], [rule({}, "allowed")], self)).toBe(true);
    expect(loosens([], [rule({}, "two-approvals", true)], self)).toBe(true);
    const weak = rule({ risk: "destroy" }, "confirm");
    expect(loosens([weak], [weak], peer)).toBe(false);
    // The same for fewer acts: the others need more than before.
    expect(loosens([weak], [{ ...weak, when: { ...weak.when, command: "vps" } }], peer)).toBe(false);
    expect(loosens([{ ...weak, when: { ...weak.when, command: "vps" } }], [weak], peer)).toBe(true);
  });

  test("that names a new currency loosens something: amounts in it were over every limit before", () => {
    const inEuros = forbidden({ over: euros("10") });
    const inDollars = forbidden({ over: { amount: "10", currency: "USD" } });
    const perDay = forbidden({ overInDay: { amount: "10", currency: "USD" } });
    expect(loosens([], [inDollars], self)).toBe(false);
    expect(loosens([forbidden({})], [forbidden({}), inDollars], self)).toBe(false);
    expect(loosens([inEuros], [inEuros, inDollars], self)).toBe(true);
    expect(loosens([inEuros], [inEuros, forbidden({ over: euros("5") })], self)).toBe(false);
    // Each kind of limit by itself.
    expect(loosens([inEuros], [inEuros, perDay], self)).toBe(false);
    const daily = forbidden({ overInDay: euros("10") });
    expect(loosens([daily], [daily, perDay], self)).toBe(true);
    expect(loosens([daily, perDay], [daily, perDay, forbidden({ overInDay: euros("1") })], self)).toBe(false);
  });
});

describe("a change that takes the only limit in a currency away", () => {
  const dollars = { amount: "10", currency: "USD" };
  test.each(["over", "overInDay"] as const)("loosens where a rule that permits more stays, of its kind: %s", (kind) => {
    const other = kind === "over" ? "overInDay" : "over";
    const lax = (limit: Partial<Condition>) => rule({ risk: "destroy", ...limit }, "confirm");
    const [stays, goes] = [lax({ [kind]: dollars }), lax({ [kind]: euros("100") })];
    expect(loosens([stays, goes], [stays], peer)).toBe(true);
    expect(loosens([stays, goes], [stays], self)).toBe(false);
    const overridable = rule({ risk: "destroy", [kind]: dollars }, "one-approval", true);
    expect(loosens([overridable, goes], [overridable], peer)).toBe(true);
    // Another limit names the currency, the rule that stays is of the other kind, or none with a limit stays.
    const strict = rule({ risk: "destroy", [kind]: euros("1") }, "two-approvals");
    expect(loosens([stays, goes, strict], [stays, strict], peer)).toBe(false);
    const daily = lax({ [other]: dollars });
    expect(loosens([daily, goes], [daily], peer)).toBe(false);
    expect(loosens([stays, goes], [], peer)).toBe(false);
  });
});

describe("the words about other rules", () => {
  const other = (when: Partial<Condition>, demand: Rule["demand"], id = "r2"): Rule => ({ ...rule(when, demand), id });
  const never = " It never applies, because a stricter rule applies to all of it: ";
  const nothing = " It adds nothing, because another rule asks for as much: ";
  const stricter = " A stricter rule applies as well, so this never loosens it: ";
  const weak = rule({ command: "vps cancel" }, "one-approval");

  test("say that a stricter rule applies to all of it, naming the strictest", () => {
    expect(conflictWords(weak, [other({ command: "vps" }, "two-approvals"), other({}, "not-allowed")])).toBe(
      `${never}\`/vps\`: needs two approvals.`,
    );
    expect(
      conflictWords(weak, [other({ command: "vps" }, "two-approvals"), other({ command: "vps" }, "not-allowed")]),
    ).toBe(`${never}\`/vps\`: is not allowed.`);
  });

  test("say that it adds nothing, where another rule asks for as much", () => {
    expect(conflictWords(weak, [other({ command: "vps" }, "one-approval")])).toBe(
      `${nothing}\`/vps\`: needs one approval.`,
    );
    expect(conflictWords(weak, [other({ command: "vps" }, "confirm")])).toBe("");
  });

  test("say that a stricter one applies to a part of it, and how many more", () => {
    const destroying = other({ risk: "destroy" }, "two-approvals");
    expect(conflictWords(weak, [destroying])).toBe(`${stricter}Destroying something: needs two approvals.`);
    const more = [
      destroying,
      other({ project: production }, "not-allowed"),
      other({ risk: "spend" }, "two-approvals", "r3"),
    ];
    expect(conflictWords(weak, more)).toBe(
      `${stricter}Everything in project production: is not allowed. So do 2 more.`,
    );
    expect(conflictWords(weak, [other({ command: "vps start" }, "not-allowed")])).toBe("");
    expect(conflictWords(weak, [other({ risk: "destroy" }, "one-approval")])).toBe("");
  });

  test("say nothing of the rule itself, of rules about agents, and of one that releases agents", () => {
    expect(conflictWords(weak, [{ ...weak, demand: "two-approvals" }])).toBe("");
    const released = other({ agent: { commands: ["vps cancel"] } }, "not-allowed");
    expect(conflictWords(weak, [released])).toBe("");
    expect(conflictWords({ ...released, id: "r3" }, [other({}, "not-allowed")])).toBe("");
    expect(conflictWords(weak, [])).toBe("");
  });

  test("say that a rule which spares everybody whom it names never applies", () => {
    const spares = " It never applies: it spares everybody whom it names.";
    expect(conflictWords(rule({ who: one, notWho: two }, "one-approval"), [])).toBe(spares);
    expect(conflictWords(rule({ who: two, notWho: one }, "one-approval"), [])).toBe("");
    expect(conflictWords(rule({ who: agents, notWho: one }, "one-approval"), [])).toBe("");
    expect(conflictWords(rule({ notWho: one }, "one-approval"), [])).toBe("");
  });

  test.each<[string, Partial<Condition>, Partial<Condition>, boolean]>([
    ["one risk", { risk: "destroy", project: production }, { risk: "destroy", command: "vps" }, true],
    ["two risks", { risk: "destroy" }, { risk: "spend" }, false],
    [
      "a command below the other",
      { command: "vps cancel", risk: "destroy" },
      { command: "vps", project: production },
      true,
    ],
    ["two projects", { project: production }, { project: staging }, false],
    ["one project", { project: production, risk: "spend" }, { project: production, command: "vps" }, true],
    [
      "one of the channels",
      { channels: { are: "in", ids: ["C1", "C2"] } },
      { channels: { are: "in", ids: ["C2", "C3"] } },
      true,
    ],
    ["no channel", { channels: { are: "in", ids: ["C1"] } }, { channels: { are: "in", ids: ["C2"] } }, false],
    [
      "a channel that is not left out",
      { channels: { are: "in", ids: ["C1", "C2"] } },
      { channels: { are: "outside", ids: ["C1"] } },
      true,
    ],
    [
      "channels that are left out",
      { channels: { are: "in", ids: ["C1"] } },
      { channels: { are: "outside", ids: ["C1", "C2"] } },
      false,
    ],
    [
      "outside of both",
      { channels: { are: "outside", ids: ["C1"] } },
      { channels: { are: "outside", ids: ["C2"] } },
      true,
    ],
    ["one of the people", { who: two, risk: "spend" }, { who: peopleOf(["U2", "U3"]) }, true],
    ["other people", { who: one }, { who: peopleOf(["U2"]) }, false],
    ["agents of anybody", { who: peopleOf([], { agents: true }) }, { who: one }, true],
    ["people whom the other spares", { who: one }, { notWho: two }, false],
    ["people of whom the other spares one", { who: two }, { notWho: one }, true],
  ])("find out if two rules meet: %s", (_, when, others, meet) => {
    for (const [first, second] of [
      [when, others],
      [others, when],
    ] as const) {
      const words = conflictWords(rule(first, "one-approval"), [
        other({ ...second, outsideWindows: true }, "two-approvals"),
      ]);
      expect(words.startsWith(stricter)).toBe(meet);
      expect(words === "").toBe(!meet);
    }
  });
});
