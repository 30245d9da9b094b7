import * as z from "zod";
import type { Message } from "./story.ts";

const Table = z.looseObject({
  type: z.literal("data_table"),
  caption: z.string(),
  rows: z.array(z.array(z.looseObject({ text: z.string().default(""), elements: z.unknown().optional() }))),
});

/** The tables of a message, in their order. */
export function tablesOf({ blocks }: Message): { caption: string; columns: string[]; rows: string[][] }[] {
  return blocks.flatMap((block) => {
    const found = Table.safeParse(block);
    if (!found.success) return [];
    const [columns = [], ...rows] = found.data.rows.map((row) =>
      row.map(({ text, elements }) => text || richText(elements)),
    );
    return [{ caption: found.data.caption, columns, rows }];
  });
}

const Rich = z.tuple([z.object({ elements: z.array(z.looseObject({ text: z.string().default("") })) })]);

function richText(elements: unknown): string {
  const parts = Rich.safeParse(elements).data?.[0].elements ?? [];
  return parts
    .map(({ text }) => text)
    .join("")
    .trim();
}

/** The cells of a column of a message's tables; throws if there is no such column. */
export function columnOf(message: Message, name: string): string[] {
  const cells = tablesOf(message).flatMap(({ columns, rows }) => {
    const at = columns.indexOf(name);
    return at < 0 ? [] : rows.map((row) => row[at] ?? "");
  });
  if (cells.length === 0)
    throw new Error(`There is no column ${name}: ${JSON.stringify(tablesOf(message)).slice(0, 500)}`);
  return cells;
}
