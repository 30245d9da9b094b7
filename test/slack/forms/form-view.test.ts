import { expect, test } from "vitest";
import { isPagingInput } from "../../../src/operation/act-input.ts";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations } from "../../../src/operations/index.ts";

test("no input that leads to another page is needed, since no form asks for it", () => {
  const paging = operations.flatMap(({ command, input }) =>
    fieldsOf(input).flatMap(({ name, required }) => (isPagingInput(name) ? [{ command, name, required }] : [])),
  );
  expect(new Set(paging.map(({ name }) => name))).toEqual(new Set(["page", "before", "after"]));
  expect(paging.filter(({ required }) => required)).toEqual([]);
});
