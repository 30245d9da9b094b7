import fc from "fast-check";
import { expect, test } from "vitest";
import { keptRule, longestText, readBlocks, rulesText } from "../../src/operations/rackbell/rule-text.ts";
import { approvalLevels, mostRules, type Rule } from "../../src/policy/rule.ts";

const names = { user: (id: string) => `@${id}`, channel: (id: string) => `#${id}` };
const minute = 60_000;
const wild = fc.oneof(fc.string(), fc.constantFrom("a = b", "# no comment", "rule 12345678", "two\nlines", " x "));
const list = fc.record({
  users: fc.subarray(["U12345678", "U22345678"]),
  groups: fc.array(fc.record({ id: fc.constantFrom("S1234567", "S2234567"), name: wild }), { maxLength: 2 }),
  rotations: fc.array(fc.record({ id: fc.uuid(), name: wild }), { maxLength: 2 }),
  agents: fc.boolean(),
});
const pinned = fc.record({ list, users: fc.subarray(["U12345678", "U22345678"]) });
const limit = fc.record({ amount: fc.constantFrom("1", "50.25"), currency: fc.constantFrom("EUR", "USD") });
const length = fc.integer({ min: 1, max: 43_200 }).map((minutes) => minutes * minute);
const when: fc.Arbitrary<Rule["when"]> = fc.record(
  {
    risk: fc.option(fc.constantFrom("change" as const, "spend" as const, "destroy" as const, "read" as const)),
    command: fc.option(fc.constantFrom("vps", "vps cancel")),
    project: fc.option(fc.record({ id: fc.uuid(), name: wild })),
    channels: fc.option(
      fc.record({
        are: fc.constantFrom("in" as const, "outside" as const),
        ids: fc.subarray(["C1234567", "C2234567"], { minLength: 1 }),
      }),
    ),
    over: fc.option(limit),
    overInDay: fc.option(limit),
    outsideWindows: fc.constant(true as const),
    who: pinned,
    notWho: pinned,
    agent: fc.record({ commands: fc.constant(["vps start", "vps reboot"]) }),
  },
  { requiredKeys: ["risk", "command", "project", "channels", "over", "overInDay"] },
);
const rule: fc.Arbitrary<Rule> = fc.record(
  {
    id: fc.stringMatching(/^[0-9a-f]{8}$/),
    when,
    demand: fc.constantFrom(...approvalLevels),
    overridable: fc.boolean(),
    passkey: fc.constant(true as const),
    approvers: pinned,
    notify: list,
    steps: fc.array(fc.record({ to: list, after: length }), { maxLength: 2 }),
    expiresAfter: length,
  },
  { requiredKeys: ["id", "when", "demand", "overridable"] },
);

test("the export of any rules, imported again, changes none of them", () => {
  fc.assert(
    fc.property(fc.uniqueArray(rule, { maxLength: 6, selector: ({ id }) => id }), (rules) => {
      const { blocks, faults } = readBlocks(rulesText(rules, names));
      expect(faults).toEqual([]);
      expect(blocks.map((block) => keptRule(block, rules))).toEqual(rules);
    }),
    { numRuns: 500 },
  );
});

test("any text is read without an error, and each fault names its line", () => {
  fc.assert(
    fc.property(fc.array(wild), (lines) => {
      const text = lines.join("\n");
      for (const { line } of readBlocks(text).faults) expect(line).toBeLessThanOrEqual(text.split(/\r\n|\r|\n/).length);
    }),
  );
});

test("the export of the largest set of rules fits into the file of an import, and changes none of them", () => {
  const users = Array.from({ length: 50 }, (_, at) => `U${String(at).padStart(10, "0")}`);
  const full = { users, groups: [], rotations: [], agents: false };
  const steps = [1, 2].map((hours) => ({ to: full, after: hours * 60 * minute }));
  const who = { list: full, users };
  const channels = { are: "in" as const, ids: users.map((id) => id.replace("U", "C")) };
  const anything = { risk: null, command: null, project: null, over: null, overInDay: null };
  const most = Array.from({ length: mostRules }, (_, at): Rule => {
    const id = at.toString(16).padStart(8, "0");
    const when = { ...anything, channels, who, notWho: who };
    return { id, when, demand: "one-approval", overridable: true, approvers: who, notify: full, steps };
  });
  const text = rulesText(most, { user: () => "\u{1F600}".repeat(80), channel: names.channel });
  expect(Buffer.byteLength(text)).toBeLessThan(longestText);
  const { blocks, faults } = readBlocks(text);
  expect(faults).toEqual([]);
  expect(blocks.map((block) => keptRule(block, most))).toEqual(most);
});

test("a value that changed is another rule, and a comment is none", () => {
  const [one] = fc.sample(rule, { numRuns: 1, seed: 7 });
  if (!one) throw new Error("There is no rule");
  const text = rulesText([one], names);
  const kept = (changed: string) => readBlocks(changed).blocks.map((block) => keptRule(block, [one]));
  expect(kept(text.replace("# The approval", "# Other words"))).toEqual([one]);
  expect(kept(text.replace(/demand = .*/, "demand = confirm-not"))).toEqual([undefined]);
});
