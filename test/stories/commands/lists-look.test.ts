import { expect, test } from "vitest";
import * as z from "zod";
import { fieldsOf } from "../../../src/operation/fields.ts";
import type { Operation } from "../../../src/operation/operation.ts";
import { registry } from "../../../src/operations/index.ts";
import { startResellerStory } from "../reseller/selling.ts";
import type { Message, Story } from "../story.ts";

/** A resource of each kind, for the lists of what one has. */
const targets: Record<string, string> = {
  VPS: "web-1",
  service: "web-1",
  "dedicated server": "metal-1",
  "game server": "arena-1",
  "resold service": "web-2.example.test",
  "resold game server": "arena-1.example.test",
};

const Cell = z.union([
  z.object({ type: z.enum(["raw_text", "raw_number"]), text: z.string() }),
  z.object({
    type: z.literal("rich_text"),
    elements: z.tuple([
      z.object({ elements: z.array(z.looseObject({ type: z.string(), text: z.string().optional() })) }),
    ]),
  }),
]);
type Cell = z.infer<typeof Cell>;
const Table = z.object({ type: z.literal("data_table"), caption: z.string(), rows: z.array(z.array(Cell)) });
const Row = z.object({
  type: z.literal("section"),
  text: z.object({ text: z.string() }),
  accessory: z.unknown().optional(),
});

function wordsOf(cell: Cell): string {
  return cell.type === "rich_text" ? cell.elements[0].elements.map(({ text }) => text ?? "").join("") : cell.text;
}

function plainOf(text: string): string {
  return text.replaceAll(/[*`]/g, "").trim();
}

/** The spec shows no state of a dedicated server's systems, so that list alone may lack the mark. */
const stateless = "a name has no mark of its state";

/** The sentences about all that is wrong with the look of a list. */
function faultsOf({ text, blocks }: Message): string[] {
  const tables = blocks.flatMap((block) => Table.safeParse(block).data ?? []);
  const sections = blocks.flatMap((block) => Row.safeParse(block).data ?? []);
  const rows = sections.filter(({ accessory }) => accessory !== undefined);
  const title = plainOf(text.split("\n")[0] ?? "");
  const titled = [...tables.map(({ caption }) => caption), ...sections.map((each) => each.text.text)].filter((shown) =>
    plainOf(shown).startsWith(title),
  );
  // A message with a table has its title as the caption, also where Slack cannot draw the table.
  const twice = text.split("\n").filter((line) => plainOf(line) === title);
  const cells = tables.flatMap((table) => table.rows.flat().map(wordsOf));
  const said = [...cells, ...sections.map((each) => each.text.text.replaceAll(/`[^`]*`|<[^>]*>|:[a-z_]+:/g, ""))];
  return [
    ...(titled.length === 1 && twice.length === 1 ? [] : [`its title stands ${titled.length} times: ${title}`]),
    ...tables.flatMap(({ rows: [head = [], ...body] }) => {
      const columns = head.map(wordsOf);
      const [name = "", second = ""] = columns;
      const marked = body.every(
        ([cell]) => cell?.type === "rich_text" && cell.elements[0].elements[0]?.type === "emoji",
      );
      return [
        ...(/^(Name|Key)$/.test(name) ? [] : [`its first column is ${name}`]),
        ...(marked || columns.includes("ID") ? [] : [stateless]),
        ...(columns.includes("Project") && second !== "Project" ? ["its project is not the second column"] : []),
      ];
    }),
    ...rows.filter((row) => !/^:[a-z_]+: (`|[A-Z])/.test(row.text.text)).map((row) => `a row begins ${row.text.text}`),
    ...said
      .filter((words) => /(?<![\w./@-])[a-z]+_[a-z_]+(?![\w./@-])/.test(words))
      .map((words) => `a raw word of the platform: ${words}`),
  ];
}

async function listOf(story: Story, operation: Operation): Promise<Message> {
  const { ana, slack } = story;
  const name = operation.target ? ` ${targets[operation.target.label]}` : "";
  const before = ana.sees().length;
  await ana.type(`/${operation.command}${name}`);
  return slack.until(() => ana.sees()[before], operation.command);
}

test("every list has one title, then a mark and a name in each row, its project second, and its states in words", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana } = story;
  for (const name of ["web-1", "metal-1", "arena-1"]) await story.ask(ana, `/rackbell favourite ${name}`, "favourites");
  await story.ask(ana, "/rackbell watch web-1", "I watch");
  await story.ask(ana, "/rackbell maintenance web-1 22:00-23:30", "maintenance");
  const lists = registry.all.filter(
    ({ summary, input, risk }) =>
      risk === "read" && summary.startsWith("List ") && fieldsOf(input).every(({ required }) => !required),
  );
  expect(lists.length).toBeGreaterThan(40);
  const faults: Record<string, string[]> = {};
  for (const operation of lists) {
    const found = faultsOf(await listOf(story, operation)).filter(
      (fault) => !(operation.command === "dedicated images" && fault === stateless),
    );
    if (found.length > 0) faults[operation.command] = found;
  }
  expect(faults).toEqual({});
}, 120_000);
