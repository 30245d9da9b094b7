import { expect, test } from "vitest";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations } from "../../../src/operations/index.ts";

test("each form of the game servers whose fields the spec does not show says so, and whom to ask", () => {
  const games = operations.filter(({ command }) => command.startsWith("reseller game "));
  const free = games.flatMap(({ command, input }) =>
    fieldsOf(input)
      .filter(({ name }) => ["body", "query", "variables"].includes(name))
      .map(({ name, hint }) => [`${command} ${name}`, hint ?? ""]),
  );
  expect(free.length).toBeGreaterThan(20);
  expect(free.filter(([, hint]) => !hint?.includes("documents name no fields: ask its support"))).toEqual([]);
});
