import fc from "fast-check";
import { expect, test } from "vitest";
import { challengeOf, Statement } from "../../src/process/webauthn/assertion.ts";
import { statement } from "./statements.ts";

/** Short texts of few letters: neighbours run into each other, as `"a", "bc"` and `"ab", "c"` would without a separator. */
const text = fc.string({ unit: fc.constantFrom("a", "b", ",", '"', "\\", "1"), maxLength: 3 });
const nullable = fc.option(text);
const texts = fc.record({
  random: text,
  workspace: text,
  origin: text,
  rpId: text,
  at: fc.nat(9),
  member: text,
  decision: text,
  entries: fc.array(text, { maxLength: 2 }),
  request: nullable,
  version: fc.nat(9),
  requester: text,
  keyLabel: text,
  command: text,
  target: fc.option(fc.record({ id: text, name: text })),
  agent: fc.option(fc.record({ id: text, name: text, client: nullable, why: nullable, digest: text })),
  reason: nullable,
  scheduledFor: fc.option(fc.nat(9)),
  outcome: nullable,
  passkeys: fc.array(fc.record({ is: fc.constant("removed" as const), member: text, credential: text }), {
    maxLength: 2,
  }),
  digests: fc.record({ input: text, loss: text, price: text, preconditions: text, rule: text, page: text }),
}) satisfies fc.Arbitrary<Statement>;
const fields = Statement.keyof().options;

test.each(fields)("another value of %s alone is another challenge", (field) => {
  let changed = 0;
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      fc.pre(JSON.stringify(one[field]) !== JSON.stringify(other[field]));
      changed += 1;
      expect(challengeOf({ ...one, [field]: other[field] })).not.toBe(challengeOf(one));
    }),
  );
  expect(changed).toBeGreaterThan(50);
});

test("two statements have one challenge only if they are the same, in whatever order their fields come", () => {
  fc.assert(
    fc.property(texts, texts, (one, other) => {
      const reversed = Statement.parse(Object.fromEntries(Object.entries(one).toReversed()));
      expect(challengeOf(reversed)).toBe(challengeOf(one));
      const isSame = fields.every((field) => JSON.stringify(one[field]) === JSON.stringify(other[field]));
      expect(challengeOf(one) === challengeOf(other)).toBe(isSame);
    }),
  );
});

test("a statement with a further field is none: nothing may be added beside what is signed", () => {
  expect(Statement.safeParse({ ...statement(), more: "" }).success).toBe(false);
});
