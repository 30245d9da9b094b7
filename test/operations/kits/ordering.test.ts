import { expect, test } from "vitest";
import { optionChoices } from "../../../src/operations/kits/ordering.ts";

const options = (count: number) => Array.from({ length: count }, (_, at) => ({ id: `o-${at}`, name: `Option ${at}` }));
const choicesOf = (count: number) => optionChoices(options(count), () => "");

test("up to a hundred of an option can be chosen", () => {
  expect(choicesOf(3)).toHaveLength(300);
  expect(choicesOf(3).at(-1)?.value).toBe("100 x o-2");
});

test("a product of more options than any has still offers each of them, in a list of bounded length", () => {
  expect(choicesOf(1_000)).toHaveLength(20_000);
  expect(new Set(choicesOf(30_000).map(({ value }) => value))).toEqual(
    new Set(options(30_000).map(({ id }) => `1 x ${id}`)),
  );
});
