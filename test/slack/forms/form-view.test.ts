import { expect, test } from "vitest";
import { isPagingInput } from "../../../src/operation/act-input.ts";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations } from "../../../src/operations/index.ts";
import { formView } from "../../../src/slack/forms/form-view.ts";
import { readForm } from "../../../src/slack/forms/submission.ts";
import { origin as originOf } from "../../requests/requests.ts";

const origin = originOf("U1");

test("no input that leads to another page is needed, since no form asks for it", () => {
  const paging = operations.flatMap(({ command, input }) =>
    fieldsOf(input).flatMap(({ name, required }) => (isPagingInput(name) ? [{ command, name, required }] : [])),
  );
  expect(new Set(paging.map(({ name }) => name))).toEqual(new Set(["page", "before"]));
  expect(paging.filter(({ required }) => required)).toEqual([]);
});

const order = operations.find(({ command }) => command === "order new");

test("a list that is longer than Slack shows says how many there are, and how the others are found", () => {
  if (!order) throw new Error("There is no order");
  const metadata = { command: order.command, origin, target: null };
  const led = { words: "*VPS M*", unasked: [], required: ["location"], presets: {} };
  const state = { operation: order, metadata, target: null, input: {}, typed: {}, chosen: {}, led, notice: null };
  const hintOf = (location: number) => {
    const { blocks } = formView({ ...state, counts: { location } });
    return JSON.stringify(blocks.find(({ block_id: id }) => id === "location"));
  };
  expect(hintOf(134)).toContain("first 100 of 134: type a part of the name to find the others");
  expect(hintOf(100)).not.toContain("type a part of the name");
  expect(hintOf(1)).toContain('"optional":false');
});

test("a form that waits for its leading value shows that alone, and has nothing to send", () => {
  if (!order) throw new Error("There is no order");
  const metadata = { command: order.command, origin, target: null };
  const typed = { hostname: "web-4.example.com" };
  const view = formView({
    operation: order,
    metadata,
    target: null,
    input: typed,
    typed,
    chosen: {},
    led: null,
    notice: null,
  });
  expect(view.blocks.flatMap(({ block_id: id }) => id ?? [])).toEqual(["product"]);
  expect(view).not.toHaveProperty("submit");
  expect(view.private_metadata).toContain("web-4.example.com");
});

test("a box that nobody ticked sends no value that a command without it does not have", () => {
  for (const one of operations) {
    const toggles = fieldsOf(one.input).filter(({ kind }) => kind === "toggle");
    const empty = Object.fromEntries(toggles.map(({ name }) => [name, { value: { selected_options: [] } }]));
    const ticked = Object.fromEntries(
      toggles.map(({ name }) => [name, { value: { selected_options: [{ value: "yes" }] } }]),
    );
    const sent = (values: object) => Object.entries(readForm(one, values).input);
    const given = sent(empty).filter(([, value]) => value !== undefined);
    expect([one.command, given]).toEqual([
      one.command,
      toggles.flatMap(({ name, preset }) => (preset === null ? [] : [[name, false]])),
    ]);
    expect(sent(ticked)).toEqual(toggles.map(({ name }) => [name, true]));
  }
});
