import { globSync, readFileSync } from "node:fs";
import fc from "fast-check";
import { expect, test } from "vitest";
import { InputError, wrongInput } from "../../../src/operation/errors.ts";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations, registry } from "../../../src/operations/index.ts";
import { refusedView } from "../../../src/sandbox/slack/blocks/views.ts";
import { modalRefusal } from "../../../src/slack/forms/faults.ts";
import { formView } from "../../../src/slack/forms/form-view.ts";
import { origin as originOf } from "../../requests/requests.ts";

const operation = registry.find("vps snapshot");
if (!operation) throw new Error("there is no vps snapshot");

const blocks = ["name", "description"].map((block_id) => ({ type: "input", block_id }));

/** The sentences below the fields of a form with a name and a description. */
function fieldErrors({ fields }: InputError): Record<string, string> {
  const refusal = modalRefusal({ blocks }, fields);
  return "errors" in refusal ? refusal.errors : {};
}

test("a message below its field is whole, whatever is in it, and without the name of the field", () => {
  const message = fc.oneof(fc.string(), fc.constantFrom("“a” could be b: c or d: choose one.", "at most 3: less."));
  fc.assert(
    fc.property(message, fc.option(fc.string(), { nil: undefined }), (message, label) => {
      const { description } = fieldErrors(new InputError([{ field: "description", label, message }]));
      expect(description?.slice(1)).toBe(message.slice(1));
    }),
  );
  expect(fieldErrors(wrongInput("name", "“a” could be b: c."))).toEqual({ name: "“a” could be b: c." });
});

test("a message about an input that the form does not have names it", () => {
  const error = new InputError([{ field: "colour", label: "Colour", message: "this is needed." }]);
  expect(fieldErrors(error)).toEqual({ name: "Colour: this is needed." });
  expect(error.message).toBe("Colour: this is needed.");
});

test("several messages about inputs that the form does not have are all below its first field", () => {
  const fields = ["colour", "size"].map((field) => ({ field, label: field, message: "this is needed." }));
  expect(fieldErrors(new InputError(fields))).toEqual({ name: "Colour: this is needed. Size: this is needed." });
});

test("a message about a part of an input is below the first of its parts, with its name", () => {
  const parts = ["name", "settings.host", "settings.port"].map((block_id) => ({ type: "input", block_id }));
  const fault = { field: "settings", label: "Settings", message: "the host is unknown." };
  expect(modalRefusal({ blocks: parts }, [fault])).toMatchObject({
    errors: { "settings.host": "Settings: the host is unknown." },
  });
});

test("the message about any input is in the form of every operation at a place that Slack takes", () => {
  for (const one of operations) {
    const metadata = { command: one.command, origin: originOf("U1"), target: null };
    for (const target of [null, { label: "web-1", detail: "" }]) {
      const view = formView({ operation: one, metadata, target, input: {}, typed: {}, chosen: {}, notice: null });
      const inputs = view.blocks.flatMap(({ type, block_id }) => (type === "input" ? [block_id] : []));
      for (const field of [...Object.keys(one.input.shape), "target", ""]) {
        const refusal = modalRefusal(view, [{ field, message: "this is wrong." }]);
        if ("errors" in refusal) expect(inputs).toEqual(expect.arrayContaining(Object.keys(refusal.errors)));
        else expect([inputs, refusedView(refusal.view, "modal")]).toEqual([[], []]);
      }
    }
  }
});

test("a wrong value is named by its field in a message, and not below the field", () => {
  const accepted = operation.accept({ name: "???" });
  if (!("error" in accepted)) throw new Error("the name was accepted");
  expect(accepted.error.message).toMatch(/^Name of the snapshot: letters, /);
  expect(fieldErrors(accepted.error)).toMatchObject({ name: expect.stringMatching(/^Letters, /) });
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
