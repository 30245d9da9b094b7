import fc from "fast-check";
import { expect, test } from "vitest";
import { challengeOf, SignedFacts } from "../../src/webauthn/assertion.ts";

/** Short texts of few letters: neighbours run into each other, as `"a", "bc"` and `"ab", "c"` would without a separator. */
const text = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', "\\", "1"), maxLength: 3 });
const facts: fc.Arbitrary<SignedFacts> = fc.record({
  random: text,
  workspace: text,
  subject: text,
  version: fc.nat(9),
  decision: text,
  member: text,
  input: text,
  preconditions: text,
  rule: text,
  text,
});
const fields = SignedFacts.keyof().options;

test.each(fields)("another value of %s alone is another challenge", (field) => {
  let changed = 0;
  fc.assert(
    fc.property(facts, facts, (one, other) => {
      fc.pre(one[field] !== other[field]);
      changed += 1;
      expect(challengeOf({ ...one, [field]: other[field] })).not.toBe(challengeOf(one));
    }),
  );
  expect(changed).toBeGreaterThan(50);
});

test("two sets of facts have one challenge only if they are the same facts, in whatever order their fields come", () => {
  fc.assert(
    fc.property(facts, facts, (one, other) => {
      const reversed = SignedFacts.parse(Object.fromEntries(Object.entries(one).toReversed()));
      expect(challengeOf(reversed)).toBe(challengeOf(one));
      const isSame = fields.every((field) => one[field] === other[field]);
      expect(challengeOf(one) === challengeOf(other)).toBe(isSame);
    }),
  );
});
