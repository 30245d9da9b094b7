import fc from "fast-check";
import { expect, test } from "vitest";
import { boundPreconditions, factsOfPreconditions } from "../../src/operation/preconditions.ts";
import { preconditionChanges } from "../../src/requests/preconditions.ts";

const prefixes = Array.from({ length: 10_000 }, (_, at) => `10.${at >> 8}.${at & 255}.0/24`);
const fact = (value: (string | null)[], text = value.join(", ")) =>
  boundPreconditions({ prefixes: { value, label: "Announced prefixes", text } });

test("a fact that a platform made long takes little room in a request", () => {
  expect(JSON.stringify(fact(prefixes)).length).toBeLessThan(4_000);
});

test("a change at the end of a long fact still voids the decision", () => {
  const [first = "", ...others] = prefixes.toReversed();
  expect(preconditionChanges(fact(prefixes), fact(prefixes))).toEqual([]);
  expect(preconditionChanges(fact(prefixes), fact(prefixes.slice(0, -1)))).toEqual(["*Announced prefixes* changed."]);
  expect(preconditionChanges(fact(prefixes), fact([...others.toReversed(), `${first}1`]))).toHaveLength(1);
});

test("a long fact of which a part is unknown is shown as unknown", () => {
  expect(factsOfPreconditions(fact([...prefixes, null]))).toMatchObject([{ decides: "unknown" }]);
});

test("a fact of usual length is stored as it is", () => {
  fc.assert(
    fc.property(fc.array(fc.option(fc.string({ maxLength: 20 })), { maxLength: 20 }), fc.string(), (value, text) => {
      expect(fact(value, text)).toEqual({ prefixes: { value, label: "Announced prefixes", text } });
    }),
  );
});
