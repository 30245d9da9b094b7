import { describe, expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { controlsOf } from "../../../src/sandbox/slack/blocks/controls.ts";
import { sellsOn } from "../../simulation/commands.ts";
import { carryPrepared, isPrepared, linesOf, prepareFor, startFor } from "../carrying.ts";
import { goAhead, type Message, peer, type Story, said } from "../story.ts";

const asking = operations.filter(({ risk }) => risk === "spend" || risk === "destroy");
const rows = linesOf(asking);

/** The words of a message without its buttons. */
function wordsOf(message: Message): string {
  return said({ ...message, text: "", blocks: message.blocks.filter(({ type }) => type !== "actions") });
}

/** The labels and values of all facts. */
function fieldsOf(blocks: Message["blocks"]): string[] {
  const texts = blocks.flatMap(({ fields }) => (Array.isArray(fields) ? fields : []));
  return texts.map((text) => String(text.text));
}

/** How often a text holds each name (in code marks) and each number with a unit. */
function repeatedIn(text: string): Record<string, number> {
  const names = text.match(/`[^`]+`/g) ?? [];
  const figures = text.match(/\d[\d.,]*\s?(?:GB|GiB|MB|MiB|TB|TiB|EUR|USD|SEK|%)/g) ?? [];
  const counts: Record<string, number> = {};
  for (const one of [...names, ...figures]) counts[one] = (counts[one] ?? 0) + 1;
  return Object.fromEntries(Object.entries(counts).filter(([, times]) => times > 2));
}

/** The requests say it in the title and once more; the buttons name the thing, too. */
async function checkRequest(story: Story, typed: string): Promise<void> {
  const { ana } = story;
  await prepareFor(story, typed);
  const request = await carryPrepared(story, typed, goAhead);
  expect.soft(repeatedIn(wordsOf(request)), typed).toEqual({});
  const formats = JSON.stringify(request.blocks).matchAll(/<!date\^\d+\^([^|]*)\|/g);
  expect.soft(new Set([...formats].map(([, format]) => format)).size, typed).toBeLessThanOrEqual(1);
  const buttons = controlsOf(request.blocks).map(({ label }) => label);
  expect.soft(buttons.filter((label) => label !== "Details…").length, typed).toBeLessThanOrEqual(4);
  const named = wordsOf(request).match(/Details has (.*)$/m)?.[1] ?? "";
  const hidden = [...named.matchAll(/“([^”]+)”/g)].map(([, label]) => label);
  if (buttons.includes("Details…")) {
    await ana.press(request, "Details…");
    await story.modal(ana, "It expires");
    const all = fieldsOf(ana.modal()?.blocks ?? []);
    await ana.closeModal({ all: true });
    const shown = fieldsOf(request.blocks);
    expect.soft(all, typed).toEqual(expect.arrayContaining(shown));
    for (const label of hidden)
      expect.soft(all.filter((fact) => !shown.includes(fact)).join("\n"), typed).toContain(label);
  } else expect.soft(hidden, typed).toEqual([]);
}

const unprepared = rows.map(({ typed }) => typed).filter((typed) => !isPrepared(typed));

describe("a request says nothing three times, has few buttons, and shows the rest in its details", () => {
  // Those that need nothing before them share a story.
  test.each([
    ["customer", unprepared.filter((typed) => !sellsOn(typed))],
    ["reseller", unprepared.filter(sellsOn)],
  ])("each of the commands of the %s API", async (_, [begin = "", ...others]) => {
    const story = await startFor(begin, { environment: peer });
    for (const typed of [begin, ...others]) {
      await checkRequest(story, typed);
      // Slack's pace would hold up the next request.
      story.clock.skip(5_000);
    }
  });

  test.each(rows.filter(({ typed }) => isPrepared(typed)))("the request of /$command", async ({ typed }) => {
    await checkRequest(await startFor(typed, { environment: peer }), typed);
  });
});
