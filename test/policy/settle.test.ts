import fc from "fast-check";
import { expect, test } from "vitest";
import { evaluate, type RuledAct } from "../../src/policy/evaluate.ts";
import { defaultsOf, readPolicy, rulesNow, settleRules } from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { ruleWords } from "../../src/policy/words.ts";
import { prose } from "../../src/views/text.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";

const when = { risk: "destroy", command: null, channels: null, over: null, overInDay: null } as const;
const ending: Omit<RuledAct, "project"> = {
  risk: "destroy",
  command: "vps cancel",
  channel: "C1",
  price: null,
  spent: { sums: [], unknown: false },
};
const ana = { member: "T1:U1", slackUser: "U1", keyLabel: "ana" };

/** A policy store that finds one rule about a project as version 1 kept it: by the name as it was shown. */
async function withOldRule(name: string) {
  const { store, clock } = await openMemory();
  const rule = { id: "r1", when: { ...when, project: name }, demand: "peers", breakGlass: false };
  await store.keyv(raw("policy")).set("workspace", { v: 1, version: 3, rules: [rule], proposal: null });
  const entryOf = () => ({ log: "audit", retentionMs: 1_000, at: clock.now(), subjects: [], data: {} });
  return {
    store,
    clock,
    audit: { entryOf },
    approvalDefaults: defaultsOf("self"),
    holdsPasskey: async () => true,
    onRulesChanged: async () => {},
  };
}

test("a rule of an older version holds in every project until its project's id is found, and then in that one alone", async () => {
  const policy = await withOldRule(prose("R&D  *lab*", 80));
  const demand = async (id: string) =>
    (await rulesNow(policy)).evaluate({ ...ending, project: { id, name: id } }).demand;
  expect([await demand("p1"), await demand("p2")]).toEqual(["peers", "peers"]);
  await settleRules(policy, [{ id: "p9", name: "Other", slug: "other" }], ana);
  expect([await demand("p1"), await demand("p2")]).toEqual(["peers", "peers"]);
  const known = [
    { id: "p1", name: "R&D  *lab*", slug: "r-d" },
    { id: "p2", name: "Staging", slug: "staging" },
  ];
  await settleRules(policy, known, ana);
  expect([await demand("p1"), await demand("p2")]).toEqual(["peers", "self"]);
  expect((await readPolicy(policy)).rules.map(({ id }) => id)).toEqual(["r1"]);
});

test("an older rule whose name several projects have becomes a rule about each of them", async () => {
  const policy = await withOldRule("Web");
  const known = ["p1", "p2", "p3"].map((id) => ({ id, name: id === "p3" ? "Other" : "Web", slug: id }));
  await settleRules(policy, known, ana);
  const { rules } = await readPolicy(policy);
  expect(rules.map((rule) => rule.when.project?.id)).toEqual(["p1", "p2"]);
  expect(new Set(rules.map(({ id }) => id)).size).toBe(2);
});

const oddName = fc.oneof(
  fc.constantFrom("Client: Acme & Söns", "R&D", "*prod*", "two  blanks", "p".repeat(120), "<b>", "`x`", ""),
  fc.string({ unit: "grapheme", maxLength: 120 }),
);

test("a rule about a project applies in it under any name, and in no other project whose id is known", () => {
  fc.assert(
    fc.property(oddName, oddName, fc.uuid(), fc.uuid(), (name, later, id, other) => {
      fc.pre(id !== other);
      const rule: Rule = { id: "r", when: { ...when, project: { id, name } }, demand: "peers", breakGlass: false };
      const verdictFor = (project: RuledAct["project"]) => evaluate([rule], { ...ending, project }, defaultsOf("self"));
      const found = verdictFor({ id, name: later });
      expect(found.demand).toBe("peers");
      expect(found.rule && ruleWords(found.rule)).toContain(prose(later, 80));
      expect(verdictFor(null).demand).toBe("peers");
      expect(verdictFor({ id: other, name }).demand).toBe("self");
    }),
  );
});
