import fc from "fast-check";
import { describe, expect, it } from "vitest";
import { blocks as blockTable, refusedBlocks } from "../../../../src/sandbox/slack/blocks/blocks.ts";
import { elements as elementTable } from "../../../../src/sandbox/slack/blocks/elements.ts";
import { asPosted } from "../../../../src/sandbox/slack/blocks/normalize.ts";
import { refusedView } from "../../../../src/sandbox/slack/blocks/views.ts";
import { limits } from "../../../../src/views/limits.ts";
import { plain, section } from "../app.ts";

const x = (length: number) => "x".repeat(length);
const mrkdwn = (text: string) => ({ type: "mrkdwn", text });
const option = (value = "v", text = "Option") => ({ text: plain(text), value });
const confirm = {
  title: plain("Sure?"),
  text: mrkdwn("*Gone* then."),
  confirm: plain("Yes"),
  deny: plain("No"),
  style: "danger",
};
const button = (more: Record<string, unknown> = {}) => ({ type: "button", action_id: "b", text: plain("Go"), ...more });
const actions = (...elements: unknown[]) => ({ type: "actions", elements });
const input = (element: Record<string, unknown>, more: Record<string, unknown> = {}) => ({
  type: "input",
  label: plain("Label"),
  element: { action_id: "e", ...element },
  ...more,
});
const many = <T>(count: number, make: (index: number) => T): T[] =>
  Array.from({ length: count }, (_, index) => make(index));
const rich = {
  type: "rich_text",
  elements: [{ type: "rich_text_section", elements: [{ type: "text", text: "hi", style: { bold: true } }] }],
};
const textInput = (more: Record<string, unknown>) => input({ type: "plain_text_input", ...more });
const alert = { type: "alert", text: mrkdwn("*Gone* then."), level: "error" };
const raw = (text: string) => ({ type: "raw_text", text });
const menu = (more: Record<string, unknown>) => ({ type: "static_select", ...more });
/** A button with a dialog. */
const asking = (more: Record<string, unknown>) => button({ confirm: { ...confirm, ...more } });
const modal = (blocks: unknown[], more: Record<string, unknown> = {}) => ({
  type: "modal",
  title: plain("T"),
  submit: plain("S"),
  blocks,
  ...more,
});

const dataTable = (rows: unknown[][], more: Record<string, unknown> = {}) => ({
  type: "data_table",
  caption: "Servers",
  rows,
  ...more,
});
const chart = (series: { name: string; data: { label: string; value: number }[] }[]) => ({
  type: "data_visualization",
  title: x(50),
  chart: { type: "line", series, axis_config: { categories: series[0]?.data.map(({ label }) => label) } },
});
const series = (name: string, ...labels: string[]) => ({ name, data: labels.map((label) => ({ label, value: 1 })) });
const notANumber = { name: "a", data: [{ label: "1", value: Number.NaN }] };
const twoRows = many(2, () => [raw("a")]);
const task = (more: Record<string, unknown> = {}) => ({
  type: "task_card",
  task_id: "t",
  title: "Erase the disk",
  status: "in_progress",
  ...more,
});

/** One good example of everything, at the limits where there are any. */
const good: Record<string, unknown> = {
  section: {
    type: "section",
    block_id: x(255),
    text: mrkdwn(x(3_000)),
    fields: many(10, () => mrkdwn("f")),
    accessory: button({ confirm }),
  },
  header: { type: "header", text: plain(x(150)) },
  context: {
    type: "context",
    elements: [...many(9, () => mrkdwn("c")), { type: "image", image_url: "https://example.com/a.png", alt_text: "a" }],
  },
  divider: { type: "divider" },
  actions: actions(
    ...many(23, (index) => button({ action_id: `b${index}`, value: x(2_000), style: "primary" })),
    {
      type: "overflow",
      action_id: "o",
      options: many(5, (index) => ({ ...option(`v${index}`), url: "https://example.com" })),
    },
    { type: "datetimepicker", action_id: "d", initial_date_time: 1_700_000_000 },
  ),
  input: input(
    { type: "plain_text_input", initial_value: x(3_000), max_length: 3_000 },
    { hint: plain("h"), optional: true },
  ),
  image: { type: "image", image_url: "https://example.com/a.png", alt_text: "a", title: plain("t") },
  markdown: { type: "markdown", text: "# hi" },
  rich_text: rich,
  table: {
    type: "table",
    rows: many(100, () => many(20, () => raw("c"))),
    column_settings: [{ align: "right" }, null, { is_wrapped: true }],
  },
  data_table: dataTable(many(101, (at) => [raw(`row ${at}`), { type: "raw_number", value: at, text: `${at} GB` }])),
  data_visualization: chart([{ name: "cpu", data: many(20, (at) => ({ label: `at ${at}`, value: -at })) }]),
  plan: { type: "plan", title: "Reinstall", tasks: many(20, (at) => task({ task_id: `t${at}` })) },
  task_card: task({ details: rich, output: rich }),
  alert,
};

/** One good example of each element, in an input or as an accessory. */
const goodElements: Record<string, Record<string, unknown>> = {
  button: button(),
  static_select: {
    type: "static_select",
    options: many(100, (i) => option(x(140) + i, x(75))),
    placeholder: plain(x(150)),
  },
  multi_static_select: {
    type: "multi_static_select",
    option_groups: [{ label: plain("G"), options: [option()] }],
    initial_options: [option()],
  },
  external_select: { type: "external_select", min_query_length: 0, initial_option: option() },
  multi_external_select: { type: "multi_external_select", max_selected_items: 3 },
  users_select: { type: "users_select", initial_user: "U1" },
  multi_users_select: { type: "multi_users_select", initial_users: ["U1"] },
  channels_select: { type: "channels_select", response_url_enabled: true },
  multi_channels_select: { type: "multi_channels_select" },
  conversations_select: {
    type: "conversations_select",
    default_to_current_conversation: true,
    filter: { include: ["public"] },
  },
  multi_conversations_select: { type: "multi_conversations_select" },
  overflow: { type: "overflow", options: [option()] },
  datepicker: { type: "datepicker", initial_date: "2026-11-21" },
  timepicker: { type: "timepicker", initial_time: "14:30" },
  datetimepicker: { type: "datetimepicker" },
  checkboxes: { type: "checkboxes", options: many(10, (i) => ({ text: mrkdwn("*o*"), value: `v${i}` })) },
  radio_buttons: { type: "radio_buttons", options: [option()], initial_option: option() },
  plain_text_input: {
    type: "plain_text_input",
    multiline: true,
    dispatch_action_config: { trigger_actions_on: ["on_enter_pressed"] },
  },
  number_input: { type: "number_input", is_decimal_allowed: true, min_value: "0.5" },
  email_text_input: { type: "email_text_input" },
  url_text_input: { type: "url_text_input" },
  file_input: { type: "file_input", filetypes: ["yaml"], max_files: 1 },
  image: { type: "image", image_url: "https://example.com/a.png", alt_text: "a" },
};

type Fault = [name: string, sent: unknown, at: string, why: string];

/** Slack's refusal of each fault; the path is the place that Slack names, below the blocks. */
const bad: Fault[] = [
  ["51 blocks", many(51, () => ({ type: "divider" })), "", "no more than 50 items"],
  ["two blocks of one id", [section("a", "i"), section("b", "i")], "/1/block_id", "already exists"],
  ["too much markdown in sum", many(2, () => ({ type: "markdown", text: x(6_001) })), "", "12001"],
  ["two tables", many(2, () => ({ type: "table", rows: [[raw("c")]] })), "", "no more than 1 table"],
  [
    "tables of more than 10,000 characters together",
    many(2, () => dataTable(many(2, () => [raw(x(2_501))]))),
    "",
    "over all data tables",
  ],
  ["three charts", many(3, () => chart([series("a", "1")])), "", "no more than 2"],
  ["a plan and a single task", [good.plan, good.task_card], "", "do not go together"],
];

/** The same of one block alone. */
const badBlocks: Fault[] = [
  ["an unknown block", { type: "banner" }, "/type", "unsupported type: banner"],
  ["a block without a type", {}, "/type", "unsupported type"],
  ["something that is no block", "hi", "", "must be an object"],
  ["an unknown field", { ...section("a"), colour: "red" }, "", "invalid additional property: colour"],
  ["a block id of 256", section("a", x(256)), "/block_id", "less than 256"],
  ["an empty text", section(""), "/text/text", "more than 0 characters"],
  ["a section of 3001", section(x(3_001)), "/text/text", "less than 3001"],
  ["a section of nothing", { type: "section" }, "", "missing required field"],
  ["11 fields", { type: "section", fields: many(11, () => mrkdwn("f")) }, "/fields", "no more than 10"],
  ["a field of 2001", { type: "section", fields: [mrkdwn(x(2_001))] }, "/fields/0/text", "less than 2001"],
  ["a header with markup", { type: "header", text: mrkdwn("h") }, "/text/type", "unsupported type: mrkdwn"],
  ["a header of 151", { type: "header", text: plain(x(151)) }, "/text/text", "less than 151"],
  [
    "a text with a field of the other kind",
    { type: "section", text: { ...plain("a"), verbatim: true } },
    "/text",
    "verbatim",
  ],
  ["11 context elements", { type: "context", elements: many(11, () => mrkdwn("c")) }, "/elements", "no more than 10"],
  ["a button in a context", { type: "context", elements: [button()] }, "/elements/0/type", "unsupported type: button"],
  ["no actions", actions(), "/elements", "no fewer than 1"],
  ["26 actions", actions(...many(26, (i) => button({ action_id: `b${i}` }))), "/elements", "no more than 25"],
  ["two actions of one id", actions(button(), button()), "", "action_id must be unique"],
  ["an image of nothing", { type: "image", alt_text: "a" }, "", "image_url or slack_file"],
  ["an image without words", { type: "image", image_url: "https://example.com/a.png" }, "", "alt_text"],
  ["101 rows", { type: "table", rows: many(101, () => [raw("c")]) }, "/rows", "no more than 100"],
  ["21 columns", { type: "table", rows: [many(21, () => raw("c"))] }, "/rows/0", "no more than 20"],
  ["an empty cell", { type: "table", rows: [[raw("")]] }, "/rows/0/0/text", "more than 0"],
  ["a cell with markup", { type: "table", rows: [[mrkdwn("c")]] }, "/rows/0/0/type", "mrkdwn"],
  ["a field for files in a message", input({ type: "file_input" }), "/element/type", "file_input"],
  ["a button as an input", input(button()), "/element/type", "unsupported type: button"],
  ["an input without a label", { type: "input", element: { type: "plain_text_input" } }, "", "label"],
  ["a label of 2001", input({ type: "plain_text_input" }, { label: plain(x(2_001)) }), "/label/text", "less than 2001"],
  ["a field of over 3000", textInput({ max_length: 3_001 }), "/element/max_length", "between 1 and 3000"],
  [
    "a field filled over its own limit",
    textInput({ max_length: 2, initial_value: "abc" }),
    "/element/initial_value",
    "longer",
  ],
  [
    "a number that does not say whether it may be a fraction",
    input({ type: "number_input" }),
    "/element",
    "is_decimal_allowed",
  ],
  [
    "a rich text of something unknown",
    { type: "rich_text", elements: [{ type: "rich_text_song" }] },
    "/elements/0/type",
    "rich_text_song",
  ],
  ["an alert in a message", good.alert, "/type", "unsupported type: alert"],
  ["a table with a header alone", dataTable([[raw("Name")]]), "/rows", "no fewer than 2"],
  ["a table of 102 rows", dataTable(many(102, () => [raw("a")])), "/rows", "no more than 101"],
  ["a table of 21 columns", dataTable(many(2, () => many(21, () => raw("a")))), "/rows/0", "no more than 20"],
  ["rows of unlike length", dataTable([[raw("a"), raw("b")], [raw("c")]]), "/rows", "equal length"],
  ["a table with an empty cell", dataTable([[raw("a")], [raw("")]]), "/rows/1/0/text", "more than 0"],
  ["a table's header in rich text", dataTable([[rich], [raw("a")]]), "/rows/0/0/type", "rich_text"],
  ["a table without a caption", dataTable(twoRows, { caption: "" }), "/caption", "more"],
  ["pages of 101 rows", dataTable(twoRows, { page_size: 101 }), "/page_size", "between"],
  ["a chart of nothing", chart([]), "/chart/series", "no fewer than 1"],
  ["seven series", chart(many(7, (at) => series(`s${at}`, "1"))), "/chart/series", "no more than 6"],
  ["21 points", chart([series("a", ...many(21, String))]), "/chart/series/0/data", "no more than 20"],
  ["a label of 21", chart([series("a", x(21))]), "/chart/series/0/data/0/label", "less than 21"],
  ["a figure that is none", chart([notANumber]), "/chart/series/0/data/0/value", "must be a number"],
  ["two series of one name", chart(many(2, () => series("a", "1"))), "/chart/series", "unique"],
  ["one label twice", chart([series("a", "1", "1")]), "/chart/axis_config/categories", "unique"],
  [
    "other labels than the first",
    chart([series("a", "1"), series("b", "2")]),
    "/chart/series/1/data",
    "in their order",
  ],
  ["a task of no known status", task({ status: "running" }), "/status", "must be one of"],
];

/** The same of one element among the actions. */
const badElements: Fault[] = [
  ["a text field among the actions", { type: "plain_text_input" }, "/type", "plain_text_input"],
  ["an action id of 256", button({ action_id: x(256) }), "/action_id", "less than 256"],
  ["a button of 76", button({ text: plain(x(76)) }), "/text/text", "less than 76"],
  ["a button with markup", button({ text: mrkdwn("*b*") }), "/text/type", "mrkdwn"],
  ["a button's value of 2001", button({ value: x(2_001) }), "/value", "less than 2001"],
  ["a button in a colour", button({ style: "blue" }), "/style", "must be one of"],
  ["a button that leads nowhere", button({ url: "nowhere" }), "/url", "valid URL"],
  ["a button's description of 76", button({ accessibility_label: x(76) }), "/accessibility_label", "less than 76"],
  ["a dialog without a way out", asking({ deny: undefined }), "/confirm", "deny"],
  ["a dialog's title of 101", asking({ title: plain(x(101)) }), "/confirm/title/text", "less than 101"],
  ["a dialog's text of 301", asking({ text: plain(x(301)) }), "/confirm/text/text", "less than 301"],
  ["a dialog's button of 31", asking({ confirm: plain(x(31)) }), "/confirm/confirm/text", "less than 31"],
  ["101 options", menu({ options: many(101, (i) => option(`${i}`)) }), "/options", "no more than 100"],
  ["no options", menu({ options: [] }), "/options", "no fewer than 1"],
  ["a menu of nothing", menu({}), "", "either options or option_groups"],
  ["an option's value of 151", menu({ options: [option(x(151))] }), "/options/0/value", "less than 151"],
  ["an option's text of 76", menu({ options: [option("v", x(76))] }), "/options/0/text/text", "less than 76"],
  [
    "an option with markup in a menu",
    menu({ options: [{ text: mrkdwn("o"), value: "v" }] }),
    "/options/0/text/type",
    "mrkdwn",
  ],
  ["an initial option that is none", menu({ options: [option()], initial_option: option("w") }), "", "initial option"],
  [
    "a placeholder of 151",
    { type: "external_select", placeholder: plain(x(151)) },
    "/placeholder/text",
    "less than 151",
  ],
  ["6 overflow options", { type: "overflow", options: many(6, (i) => option(`${i}`)) }, "/options", "no more than 5"],
  ["11 checkboxes", { type: "checkboxes", options: many(11, (i) => option(`${i}`)) }, "/options", "no more than 10"],
  [
    "11 radio buttons",
    { type: "radio_buttons", options: many(11, (i) => option(`${i}`)) },
    "/options",
    "no more than 10",
  ],
  ["a date in words", { type: "datepicker", initial_date: "today" }, "/initial_date", "YYYY-MM-DD"],
];

/** The same of a modal; the path is below the view. */
const badViews: Fault[] = [
  ["no title", { type: "modal", blocks: [] }, "", "title"],
  ["a title of 25", modal([], { title: plain(x(limits.view.title + 1)) }), "/title/text", "less than 25"],
  ["a submit of 25", modal([], { submit: plain(x(25)) }), "/submit/text", "less than 25"],
  ["a close of 25", modal([], { close: plain(x(25)) }), "/close/text", "less than 25"],
  ["a title with markup", modal([], { title: mrkdwn("t") }), "/title/type", "mrkdwn"],
  ["a memory of 3001", modal([], { private_metadata: x(3_001) }), "/private_metadata", "less than 3001"],
  ["a callback id of 256", modal([], { callback_id: x(256) }), "/callback_id", "less than 256"],
  ["101 blocks", modal(many(101, () => ({ type: "divider" }))), "/blocks", "no more than 100"],
  ["a field without a submit", modal([good.input], { submit: undefined }), "", "submit"],
  ["a table", modal([good.table]), "/blocks/0/type", "unsupported type: table"],
  ["markdown", modal([good.markdown]), "/blocks/0/type", "unsupported type: markdown"],
  ["two first fields", modal(many(2, () => textInput({ focus_on_load: true }))), "/blocks", "focus_on_load"],
  ["a Home tab", { type: "home", blocks: [] }, "/type", "unsupported type: home"],
  ["no object", "modal", "", "must be an object"],
  ["a table", modal([good.data_table]), "/blocks/0/type", "unsupported type: data_table"],
  ["an alert of no known level", modal([{ ...alert, level: "red" }]), "/blocks/0/level", ""],
];

describe("the blocks that the practice workspace takes", () => {
  it("has a good example of every block, element and surface in its tables", () => {
    expect(Object.keys(good).sort()).toEqual(Object.keys(blockTable).sort());
    expect(Object.keys(goodElements).sort()).toEqual(Object.keys(elementTable).sort());
  });

  it.each(Object.entries(good))("takes a %s", (type, block) => {
    const inModals = !blockTable[type]?.on.includes("message");
    expect(inModals ? refusedView(modal([block]), "modal") : refusedBlocks([block])).toEqual([]);
  });

  it.each(Object.entries(goodElements))("takes a %s", (type, element) => {
    const accessory = ["button", "overflow", "image"].includes(type);
    const block = accessory ? { ...section("a"), accessory: element } : input(element);
    expect(refusedView(modal([block]), "modal")).toEqual([]);
  });

  it("takes a Home tab without a submit", () => {
    expect(refusedView({ type: "home", blocks: [good.input, good.section] }, "home")).toEqual([]);
  });
});

describe("the blocks that the practice workspace refuses", () => {
  it.each([
    ...bad,
    ...badBlocks.map(([name, block, at, why]): Fault => [name, [block], `/0${at}`, why]),
    ...badElements.map(([name, element, at, why]): Fault => [name, [actions(element)], `/0/elements/0${at}`, why]),
  ])("%s", (_name, blocks, at, why) => {
    const reasons = refusedBlocks(blocks);
    expect(reasons.filter((reason) => reason.includes(`[json-pointer:/blocks${at}]`)).join("\n")).toContain(why);
  });

  it.each(badViews)("in a modal: %s", (_name, view, at, why) => {
    const reasons = refusedView(view, "modal");
    expect(reasons.filter((reason) => reason.includes(`[json-pointer:/view${at}]`)).join("\n")).toContain(why);
  });

  it("any blocks are refused, or are stored with ids, and nothing throws", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), wildBlock())), (wild) => {
        const blocks: unknown = JSON.parse(JSON.stringify(wild));
        const reasons = refusedBlocks(blocks);
        for (const reason of reasons) expect(reason).toMatch(/^\[ERROR\] .+ \[json-pointer:\/blocks.*\]$/);
        const posted = asPosted(blocks);
        if (reasons.length === 0) expect(posted.every((block) => block.block_id.length > 0)).toBe(true);
      }),
    );
  });
});

function wildBlock() {
  const element = fc.record({
    type: fc.constantFrom(...Object.keys(elementTable)),
    action_id: fc.string(),
    options: fc.jsonValue(),
    text: fc.jsonValue(),
  });
  return fc.record({
    type: fc.constantFrom(...Object.keys(blockTable)),
    text: fc.oneof(fc.jsonValue(), fc.constant(plain("a"))),
    elements: fc.oneof(fc.jsonValue(), fc.array(element)),
    element: fc.oneof(fc.jsonValue(), element),
    accessory: fc.oneof(fc.jsonValue(), element),
    rows: fc.jsonValue(),
  });
}
