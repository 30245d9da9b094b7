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
const raw = (text: string) => ({ type: "raw_text", text });
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
  alert: { type: "alert", text: mrkdwn("*Gone* then."), level: "error" },
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

/** Slack's refusal of each fault; the path is the place that Slack names. */
const bad: [name: string, blocks: unknown, at: string, why: string][] = [
  ["an unknown block", [{ type: "banner" }], "/blocks/0/type", "unsupported type: banner"],
  ["a block without a type", [{}], "/blocks/0/type", "unsupported type"],
  ["something that is no block", ["hi"], "/blocks/0", "must be an object"],
  ["an unknown field", [{ ...section("a"), colour: "red" }], "/blocks/0", "invalid additional property: colour"],
  ["51 blocks", many(51, () => ({ type: "divider" })), "/blocks", "no more than 50 items"],
  ["two blocks of one id", [section("a", "i"), section("b", "i")], "/blocks/1/block_id", "already exists"],
  ["a block id of 256", [section("a", x(256))], "/blocks/0/block_id", "less than 256"],
  ["an empty text", [section("")], "/blocks/0/text/text", "more than 0 characters"],
  ["a section of 3001", [section(x(3_001))], "/blocks/0/text/text", "less than 3001"],
  ["a section of nothing", [{ type: "section" }], "/blocks/0", "missing required field"],
  ["11 fields", [{ type: "section", fields: many(11, () => mrkdwn("f")) }], "/blocks/0/fields", "no more than 10"],
  ["a field of 2001", [{ type: "section", fields: [mrkdwn(x(2_001))] }], "/blocks/0/fields/0/text", "less than 2001"],
  ["a header with markup", [{ type: "header", text: mrkdwn("h") }], "/blocks/0/text/type", "unsupported type: mrkdwn"],
  ["a header of 151", [{ type: "header", text: plain(x(151)) }], "/blocks/0/text/text", "less than 151"],
  [
    "a text with a field of the other kind",
    [{ type: "section", text: { ...plain("a"), verbatim: true } }],
    "/blocks/0/text",
    "verbatim",
  ],
  [
    "11 context elements",
    [{ type: "context", elements: many(11, () => mrkdwn("c")) }],
    "/blocks/0/elements",
    "no more than 10",
  ],
  [
    "a button in a context",
    [{ type: "context", elements: [button()] }],
    "/blocks/0/elements/0/type",
    "unsupported type: button",
  ],
  ["no actions", [actions()], "/blocks/0/elements", "no fewer than 1"],
  [
    "26 actions",
    [actions(...many(26, (i) => button({ action_id: `b${i}` })))],
    "/blocks/0/elements",
    "no more than 25",
  ],
  [
    "a text field among the actions",
    [actions({ type: "plain_text_input" })],
    "/blocks/0/elements/0/type",
    "plain_text_input",
  ],
  ["two actions of one id", [actions(button(), button())], "/blocks/0", "action_id must be unique"],
  ["an action id of 256", [actions(button({ action_id: x(256) }))], "/blocks/0/elements/0/action_id", "less than 256"],
  ["a button of 76", [actions(button({ text: plain(x(76)) }))], "/blocks/0/elements/0/text/text", "less than 76"],
  ["a button with markup", [actions(button({ text: mrkdwn("*b*") }))], "/blocks/0/elements/0/text/type", "mrkdwn"],
  ["a button's value of 2001", [actions(button({ value: x(2_001) }))], "/blocks/0/elements/0/value", "less than 2001"],
  ["a button in a colour", [actions(button({ style: "blue" }))], "/blocks/0/elements/0/style", "must be one of"],
  ["a button that leads nowhere", [actions(button({ url: "nowhere" }))], "/blocks/0/elements/0/url", "valid URL"],
  [
    "a button's description of 76",
    [actions(button({ accessibility_label: x(76) }))],
    "/blocks/0/elements/0/accessibility_label",
    "less than 76",
  ],
  [
    "a dialog without a way out",
    [actions(button({ confirm: { ...confirm, deny: undefined } }))],
    "/blocks/0/elements/0/confirm",
    "deny",
  ],
  [
    "a dialog's title of 101",
    [actions(button({ confirm: { ...confirm, title: plain(x(101)) } }))],
    "/blocks/0/elements/0/confirm/title/text",
    "less than 101",
  ],
  [
    "a dialog's text of 301",
    [actions(button({ confirm: { ...confirm, text: plain(x(301)) } }))],
    "/blocks/0/elements/0/confirm/text/text",
    "less than 301",
  ],
  [
    "a dialog's button of 31",
    [actions(button({ confirm: { ...confirm, confirm: plain(x(31)) } }))],
    "/blocks/0/elements/0/confirm/confirm/text",
    "less than 31",
  ],
  [
    "101 options",
    [actions({ type: "static_select", options: many(101, (i) => option(`${i}`)) })],
    "/blocks/0/elements/0/options",
    "no more than 100",
  ],
  ["no options", [actions({ type: "static_select", options: [] })], "/blocks/0/elements/0/options", "no fewer than 1"],
  [
    "a menu of nothing",
    [actions({ type: "static_select" })],
    "/blocks/0/elements/0",
    "either options or option_groups",
  ],
  [
    "an option's value of 151",
    [actions({ type: "static_select", options: [option(x(151))] })],
    "/blocks/0/elements/0/options/0/value",
    "less than 151",
  ],
  [
    "an option's text of 76",
    [actions({ type: "static_select", options: [option("v", x(76))] })],
    "/blocks/0/elements/0/options/0/text/text",
    "less than 76",
  ],
  [
    "an option with markup in a menu",
    [actions({ type: "static_select", options: [{ text: mrkdwn("o"), value: "v" }] })],
    "/blocks/0/elements/0/options/0/text/type",
    "mrkdwn",
  ],
  [
    "an initial option that is none",
    [actions({ type: "static_select", options: [option()], initial_option: option("w") })],
    "/blocks/0/elements/0",
    "initial option",
  ],
  [
    "a placeholder of 151",
    [actions({ type: "external_select", placeholder: plain(x(151)) })],
    "/blocks/0/elements/0/placeholder/text",
    "less than 151",
  ],
  [
    "6 overflow options",
    [actions({ type: "overflow", options: many(6, (i) => option(`${i}`)) })],
    "/blocks/0/elements/0/options",
    "no more than 5",
  ],
  [
    "11 checkboxes",
    [actions({ type: "checkboxes", options: many(11, (i) => option(`${i}`)) })],
    "/blocks/0/elements/0/options",
    "no more than 10",
  ],
  [
    "11 radio buttons",
    [actions({ type: "radio_buttons", options: many(11, (i) => option(`${i}`)) })],
    "/blocks/0/elements/0/options",
    "no more than 10",
  ],
  [
    "a date in words",
    [actions({ type: "datepicker", initial_date: "today" })],
    "/blocks/0/elements/0/initial_date",
    "YYYY-MM-DD",
  ],
  ["an image of nothing", [{ type: "image", alt_text: "a" }], "/blocks/0", "image_url or slack_file"],
  ["an image without words", [{ type: "image", image_url: "https://example.com/a.png" }], "/blocks/0", "alt_text"],
  ["too much markdown in sum", many(2, () => ({ type: "markdown", text: x(6_001) })), "/blocks", "12001"],
  ["two tables", many(2, () => ({ type: "table", rows: [[raw("c")]] })), "/blocks", "no more than 1 table"],
  ["101 rows", [{ type: "table", rows: many(101, () => [raw("c")]) }], "/blocks/0/rows", "no more than 100"],
  ["21 columns", [{ type: "table", rows: [many(21, () => raw("c"))] }], "/blocks/0/rows/0", "no more than 20"],
  ["an empty cell", [{ type: "table", rows: [[raw("")]] }], "/blocks/0/rows/0/0/text", "more than 0"],
  ["a cell with markup", [{ type: "table", rows: [[mrkdwn("c")]] }], "/blocks/0/rows/0/0/type", "mrkdwn"],
  ["a field for files in a message", [input({ type: "file_input" })], "/blocks/0/element/type", "file_input"],
  ["a button as an input", [input(button())], "/blocks/0/element/type", "unsupported type: button"],
  ["an input without a label", [{ type: "input", element: { type: "plain_text_input" } }], "/blocks/0", "label"],
  [
    "a label of 2001",
    [input({ type: "plain_text_input" }, { label: plain(x(2_001)) })],
    "/blocks/0/label/text",
    "less than 2001",
  ],
  [
    "a field of over 3000",
    [input({ type: "plain_text_input", max_length: 3_001 })],
    "/blocks/0/element/max_length",
    "between 1 and 3000",
  ],
  [
    "a field filled over its own limit",
    [input({ type: "plain_text_input", max_length: 2, initial_value: "abc" })],
    "/blocks/0/element/initial_value",
    "longer",
  ],
  [
    "a number that does not say whether it may be a fraction",
    [input({ type: "number_input" })],
    "/blocks/0/element",
    "is_decimal_allowed",
  ],
  [
    "a rich text of something unknown",
    [{ type: "rich_text", elements: [{ type: "rich_text_song" }] }],
    "/blocks/0/elements/0/type",
    "rich_text_song",
  ],
];

const badViews: [name: string, view: unknown, at: string, why: string][] = [
  ["no title", { type: "modal", blocks: [] }, "/view", "title"],
  ["a title of 25", modal([], { title: plain(x(limits.view.title + 1)) }), "/view/title/text", "less than 25"],
  ["a submit of 25", modal([], { submit: plain(x(25)) }), "/view/submit/text", "less than 25"],
  ["a close of 25", modal([], { close: plain(x(25)) }), "/view/close/text", "less than 25"],
  ["a title with markup", modal([], { title: mrkdwn("t") }), "/view/title/type", "mrkdwn"],
  ["a memory of 3001", modal([], { private_metadata: x(3_001) }), "/view/private_metadata", "less than 3001"],
  ["a callback id of 256", modal([], { callback_id: x(256) }), "/view/callback_id", "less than 256"],
  ["101 blocks", modal(many(101, () => ({ type: "divider" }))), "/view/blocks", "no more than 100"],
  ["a field without a submit", modal([good.input], { submit: undefined }), "/view", "submit"],
  ["a table", modal([good.table]), "/view/blocks/0/type", "unsupported type: table"],
  ["markdown", modal([good.markdown]), "/view/blocks/0/type", "unsupported type: markdown"],
  [
    "two first fields",
    modal(many(2, () => input({ type: "plain_text_input", focus_on_load: true }))),
    "/view/blocks",
    "focus_on_load",
  ],
  ["a Home tab", { type: "home", blocks: [] }, "/view/type", "unsupported type: home"],
  ["no object", "modal", "/view", "must be an object"],
  ["a table", modal([good.data_table]), "/view/blocks/0/type", "unsupported type: data_table"],
  [
    "an alert of no known level",
    modal([{ type: "alert", text: mrkdwn("a"), level: "red" }]),
    "/view/blocks/0/level",
    "",
  ],
];

/** The same for the kinds of block that came in 2026. */
const badNewer: typeof bad = [
  ["an alert in a message", [good.alert], "/blocks/0/type", "unsupported type: alert"],
  ["a table with a header alone", [dataTable([[raw("Name")]])], "/blocks/0/rows", "no fewer than 2"],
  ["a table of 102 rows", [dataTable(many(102, () => [raw("a")]))], "/blocks/0/rows", "no more than 101"],
  [
    "a table of 21 columns",
    [dataTable(many(2, () => many(21, () => raw("a"))))],
    "/blocks/0/rows/0",
    "no more than 20",
  ],
  ["rows of unlike length", [dataTable([[raw("a"), raw("b")], [raw("c")]])], "/blocks/0/rows", "equal length"],
  ["a table with an empty cell", [dataTable([[raw("a")], [raw("")]])], "/blocks/0/rows/1/0/text", "more than 0"],
  ["a table's header in rich text", [dataTable([[rich], [raw("a")]])], "/blocks/0/rows/0/0/type", "rich_text"],
  [
    "a table without a caption",
    [
      dataTable(
        many(2, () => [raw("a")]),
        { caption: "" },
      ),
    ],
    "/blocks/0/caption",
    "more",
  ],
  [
    "pages of 101 rows",
    [
      dataTable(
        many(2, () => [raw("a")]),
        { page_size: 101 },
      ),
    ],
    "/blocks/0/page_size",
    "between",
  ],
  [
    "tables of more than 10,000 characters together",
    many(2, () => dataTable(many(2, () => [raw(x(2_501))]))),
    "/blocks",
    "over all data tables",
  ],
  [
    "three charts",
    many(3, () => chart([{ name: "a", data: [{ label: "1", value: 1 }] }])),
    "/blocks",
    "no more than 2",
  ],
  ["a chart of nothing", [chart([])], "/blocks/0/chart/series", "no fewer than 1"],
  [
    "seven series",
    [chart(many(7, (at) => ({ name: `s${at}`, data: [{ label: "1", value: 1 }] })))],
    "/blocks/0/chart/series",
    "no more than 6",
  ],
  [
    "21 points",
    [chart([{ name: "a", data: many(21, (at) => ({ label: `${at}`, value: at })) }])],
    "/blocks/0/chart/series/0/data",
    "no more than 20",
  ],
  [
    "a label of 21",
    [chart([{ name: "a", data: [{ label: x(21), value: 1 }] }])],
    "/blocks/0/chart/series/0/data/0/label",
    "less than 21",
  ],
  [
    "a figure that is none",
    [chart([{ name: "a", data: [{ label: "1", value: Number.NaN }] }])],
    "/blocks/0/chart/series/0/data/0/value",
    "must be a number",
  ],
  [
    "two series of one name",
    [chart(many(2, () => ({ name: "a", data: [{ label: "1", value: 1 }] })))],
    "/blocks/0/chart/series",
    "unique",
  ],
  [
    "one label twice",
    [chart([{ name: "a", data: many(2, () => ({ label: "1", value: 1 })) }])],
    "/blocks/0/chart/axis_config/categories",
    "unique",
  ],
  [
    "a series with other labels than the first",
    [
      chart([
        { name: "a", data: [{ label: "1", value: 1 }] },
        { name: "b", data: [{ label: "2", value: 1 }] },
      ]),
    ],
    "/blocks/0/chart/series/1/data",
    "in their order",
  ],
  ["a task of no known status", [task({ status: "running" })], "/blocks/0/status", "must be one of"],
  ["a plan and a single task", [good.plan, good.task_card], "/blocks", "do not go together"],
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
  it.each(bad)("%s", (_name, blocks, at, why) => {
    const reasons = refusedBlocks(blocks);
    expect(reasons.filter((reason) => reason.includes(`[json-pointer:${at}]`)).join("\n")).toContain(why);
  });

  it.each(badNewer)("of the newer kinds: %s", (_name, blocks, at, why) => {
    const reasons = refusedBlocks(blocks);
    expect(reasons.filter((reason) => reason.includes(`[json-pointer:${at}]`)).join("\n")).toContain(why);
  });

  it.each(badViews)("in a modal: %s", (_name, view, at, why) => {
    const reasons = refusedView(view, "modal");
    expect(reasons.filter((reason) => reason.includes(`[json-pointer:${at}]`)).join("\n")).toContain(why);
  });

  it("whatever comes: it is checked, or kept with ids, without falling over", () => {
    fc.assert(
      fc.property(fc.array(fc.oneof(fc.jsonValue(), wildBlock())), (wild) => {
        const blocks: unknown = JSON.parse(JSON.stringify(wild));
        const reasons = refusedBlocks(blocks);
        for (const reason of reasons) expect(reason).toMatch(/^\[ERROR\] .+ \[json-pointer:\/blocks.*\]$/);
        const kept = asPosted(blocks);
        if (reasons.length === 0) expect(kept.every((block) => block.block_id.length > 0)).toBe(true);
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
