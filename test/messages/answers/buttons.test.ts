import fc from "fast-check";
import { expect, test } from "vitest";
import { packInvocation, unpackInvocation } from "../../../src/messages/answers/buttons.ts";
import type { Invocation } from "../../../src/operation/operation.ts";

const word = fc.string({ minLength: 1, maxLength: 10 });
/** zod leaves a field out that is called so, since it would change the prototype of what it reads; no operation has such an input. */
const name = word.filter((text) => text !== "__proto__");
const yes = fc.constant(true);
const several: fc.Arbitrary<NonNullable<Invocation["several"]>> = fc.oneof(
  fc.record({ names: fc.array(word) }),
  fc.record({ where: fc.record({ text: word, status: word, project: word }, { requiredKeys: [] }) }),
);
const invocations = fc.record(
  {
    command: word,
    input: fc.dictionary(name, fc.oneof(word, fc.boolean(), fc.integer(), fc.array(word))),
    target: word,
    ...{ replace: yes, share: yes, reveal: yes, details: yes, confirmed: yes, form: yes },
    ...{ faults: fc.dictionary(name, word), originator: word, part: fc.nat(9).map((at) => at + 1) },
    several,
    stopAfter: fc.nat(9).map((at) => at + 1),
  },
  { requiredKeys: ["command", "input"], noNullPrototype: true },
);

test("a button runs the command that it was made for, with all its values", () => {
  fc.assert(
    fc.property(invocations, (invocation) => {
      expect(unpackInvocation(packInvocation(invocation))).toEqual(invocation);
      expect(unpackInvocation(packInvocation({ replace: false, ...invocation, chosenLabel: "web-1" }))).toEqual(
        invocation,
      );
    }),
  );
});

test.each(["", "1", "[]", "{}", '{"t":"web-1"}', '{"c":1}', '{"c":"vps list","p":0}', '{"command":"vps list"}'])(
  "a button whose value is %s runs nothing",
  (value) => {
    expect(unpackInvocation(value)).toBeNull();
  },
);
