import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { fieldsOf, isTypable } from "../../src/operation/fields.ts";
import type { Operation } from "../../src/operation/operation.ts";
import type { AppContext } from "../../src/operations/app-context.ts";
import { operations, registry } from "../../src/operations/index.ts";
import { parseCommand } from "../../src/slack/command/parse.ts";

const sources = globSync("src/operations/**/*.ts").map((path) => ({ path, text: readFileSync(path, "utf8") }));

/** The file that has the example, as far as it is written out there. */
function placeOf({ command, example }: Operation<AppContext>): string {
  const found = sources.find(({ text }) =>
    ['"', "'", "`"].some((quote) => text.includes(`${quote}${example}${quote}`)),
  );
  return `the example of ${command} in ${found?.path ?? "a kit of src/operations/"}`;
}

/** Why a line is no whole example of its operation; null if it is one. */
function faultOf(operation: Operation<AppContext>): string | null {
  const [noun = "", ...words] = operation.example.slice(1).split(" ");
  const parsed = parseCommand(registry, noun, words.join(" "));
  if ("error" in parsed) return parsed.error;
  if ("readings" in parsed) return "can be read in several ways";
  const { command, target, several, input } = parsed.invocation;
  if (command !== operation.command) return `types /${command}`;
  if (operation.target && target === undefined && several === undefined) return `names no ${operation.target.label}`;
  const fields = fieldsOf(operation.input);
  const left = fields.filter(({ name, required }) => required && input[name] === undefined);
  const typable = left.filter(isTypable);
  if (typable.length > 0) return `leaves out ${typable.map(({ name }) => name).join(", ")}`;
  const accepted = operation.accept(input);
  if (!("error" in accepted) || left.length > 0) return null;
  const wrong = accepted.error.fields.filter(({ field }) => fields.some((one) => one.name === field && isTypable(one)));
  return wrong.length > 0 ? `is refused: ${accepted.error.message}` : null;
}

test("each operation has an example that types it whole, so that only a secret or a file is asked for", () => {
  const wrong = operations.flatMap((operation) => {
    const fault = faultOf(operation);
    return fault === null ? [] : [`${placeOf(operation)}: ${operation.example} ${fault}`];
  });
  expect(wrong).toEqual([]);
});
