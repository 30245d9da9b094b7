import { limits } from "../../../views/limits.ts";
import { isObject, type Json } from "../wire/json.ts";
import { richTextCell } from "./rich-text.ts";
import { list, oneOf, type Report, type Rule, type Shape, shape, string, typed, url, whole } from "./schema.ts";
import { textsOf } from "./text.ts";

// The kinds of block that came in 2026, as Slack's reference has them; where its pages disagree, the smaller limit.

function number(value: unknown, at: string, report: Report): void {
  if (typeof value !== "number" || !Number.isFinite(value)) report(at, "must be a number");
}

const rawCells: Record<string, Shape> = {
  raw_text: { required: { text: string(12_000, 1) } },
  raw_number: { required: { text: string(100, 1), value: number } },
};

/** A cell of either kind of table. */
export const tableCell: Rule = typed({ ...rawCells, rich_text: richTextCell });

const { rows: mostRows, columns, characters, caption } = limits.dataTable;

export const dataTable: Shape = {
  required: {
    caption: string(caption, 1),
    rows: list(list(tableCell, columns, 1), mostRows + 1, 2),
  },
  optional: { page_size: whole(1, 100), row_header_column_index: whole(0, columns - 1) },
  also({ rows }, at, report) {
    if (!Array.isArray(rows)) return;
    const lists = rows.filter(Array.isArray);
    const [header = []] = lists;
    if (lists.some((row) => row.length !== header.length)) report(`${at}/rows`, "rows must be of equal length");
    header.filter(isObject).forEach((cell, index) => {
      if (cell.type === "rich_text") report(`${at}/rows/0/${index}/type`, "unsupported type in the header: rich_text");
    });
  },
};

const { chart } = limits;
const label = string(chart.label, 1);
const points = list(shape({ required: { label, value: number } }), chart.points, 1);
const drawn: Shape = {
  required: {
    series: list(shape({ required: { name: label, data: points } }), chart.series, 1),
    axis_config: shape({
      required: { categories: list(label, chart.points, 1) },
      optional: { x_label: string(chart.axisLabel), y_label: string(chart.axisLabel) },
    }),
  },
  also({ series, axis_config: axis }, at, report) {
    const categories = isObject(axis) && Array.isArray(axis.categories) ? axis.categories : [];
    if (new Set(categories).size < categories.length) report(`${at}/axis_config/categories`, "must be unique");
    const each = Array.isArray(series) ? series.filter(isObject) : [];
    if (new Set(each.map(({ name }) => name)).size < each.length) report(`${at}/series`, "names must be unique");
    each.forEach(({ data }, index) => {
      const labels = Array.isArray(data) ? data.filter(isObject).map((point) => point.label) : [];
      if (labels.join("\n") !== categories.join("\n"))
        report(`${at}/series/${index}/data`, "labels must be the categories, in their order");
    });
  },
};
const pie: Shape = { required: { segments: points } };

export const visualization: Shape = {
  required: { title: string(chart.title, 1), chart: typed({ line: drawn, bar: drawn, area: drawn, pie }) },
};

const { plan: most } = limits;
const source = typed({ url: { required: { url: url(3_000), text: string(2_000, 1) } } });
const richText = typed({ rich_text: richTextCell });

export const taskCard: Shape = {
  required: {
    task_id: string(limits.id, 1),
    title: string(most.title, 1),
    status: oneOf("pending", "in_progress", "complete", "error"),
  },
  optional: { details: richText, output: richText, sources: list(source, 20) },
};

export const plan: Shape = {
  required: { title: string(most.title, 1) },
  optional: {
    tasks: list(
      typed({ task_card: { ...taskCard, optional: { ...taskCard.optional, block_id: string(limits.id, 1) } } }),
      most.tasks,
    ),
  },
};

/** Slack's limits for these blocks of a message together. */
export function newerOnesTogether(all: Json[], at: string, report: Report): void {
  const of = (...types: unknown[]) => all.filter(({ type }) => types.includes(type));
  const said = textsOf(of("data_table").map(({ rows }) => rows)).reduce((sum, { text }) => sum + text.length, 0);
  if (said > characters) report(at, `no more than ${characters} characters allowed over all data tables`);
  if (of("data_visualization").length > chart.inMessage)
    report(at, `no more than ${chart.inMessage} data visualizations allowed`);
  if (of("plan").length > 0 && of("task_card").length > 0)
    report(at, "a plan and single task cards do not go together");
}
