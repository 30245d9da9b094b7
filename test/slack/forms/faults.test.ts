import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError, wrongInput } from "../../../src/operation/errors.ts";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations, registry } from "../../../src/operations/index.ts";
import { fieldErrors } from "../../../src/slack/forms/faults.ts";

const operation = registry.find("vps snapshot");
if (!operation) throw new Error("there is no vps snapshot");

test("a message below its field is whole, whatever is in it, and without the name of the field", () => {
  const message = fc.oneof(fc.string(), fc.constantFrom("“a” could be b: c or d: choose one.", "at most 3: less."));
  fc.assert(
    fc.property(message, fc.option(fc.string(), { nil: undefined }), (message, label) => {
      const { description } = fieldErrors(operation, new InputError([{ field: "description", label, message }]));
      expect(description?.slice(1)).toBe(message.slice(1));
    }),
  );
  expect(fieldErrors(operation, wrongInput("name", "“a” could be b: c."))).toEqual({ name: "“a” could be b: c." });
});

test("a message about an input that the form does not have names it", () => {
  const error = new InputError([{ field: "colour", label: "Colour", message: "this is needed." }]);
  expect(fieldErrors(operation, error)).toEqual({ name: "Colour: this is needed." });
  expect(error.message).toBe("Colour: this is needed.");
});

test("a wrong value is named by its field in a message, and not below the field", () => {
  const accepted = operation.accept({ name: "???" });
  if (!("error" in accepted)) throw new Error("the name was accepted");
  expect(accepted.error.message).toMatch(/^Name of the snapshot: letters, /);
  expect(fieldErrors(operation, accepted.error)).toMatchObject({ name: expect.stringMatching(/^Letters, /) });
});

test("no message has the label of its input in its own words, since a form shows it below that label", () => {
  const labels = operations.flatMap(({ input }) => fieldsOf(input).map(({ name, label }) => `${name}: ${label}`));
  const labelled = globSync("src/**/*.ts").flatMap((file) =>
    [...readFileSync(file, "utf8").matchAll(/wrongInput\(\s*"(\w+)",\s*["`]([^:"`]+): /g)].flatMap(
      ([, field = "", words = ""]) =>
        labels.some((label) => label.startsWith(`${field}: ${words}`)) ? [`${file}: ${field}: ${words}`] : [],
    ),
  );
  expect(labelled).toEqual([]);
});
