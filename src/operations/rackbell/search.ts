import * as z from "#zod";
import { requireLinked } from "../../members/access/access.ts";
import { refusedWords } from "../../members/access/name-search.ts";
import { disambiguated } from "../../members/access/resolve.ts";
import { keyNames } from "../../members/identities/link.ts";
import { type KindHits, searchResources } from "../../members/resources/finder.ts";
import { rowButton } from "../../messages/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { type Block, section, context as small } from "../../views/blocks.ts";
import { code, count, listing, prose } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";

const mostOfKind = 8;
const mostInAll = 24;

export const search = defineAppOperation({
  command: "rackbell search",
  synonyms: ["find"],
  summary: "Find a resource by a part of its name, host name or address, or the beginning of its id",
  example: "/rackbell search web",
  verb: "Search",
  input: z.object({
    text: z
      .string()
      .min(1)
      .max(250)
      .meta({ title: "What", description: "A part of its name, host name or address, or how its id begins" }),
  }),
  positional: "text",
  async run({ context, actor, input }): Promise<Answer> {
    await requireLinked(context.requests, actor);
    const { hits, unread, refused, unusable } = await searchResources(context, actor.member, input.text);
    const total = hits.reduce((sum, { entries }) => sum + entries.length, 0);
    const words = `“${prose(input.text, 80)}”`;
    const text =
      total === 0
        ? `Nothing that you can see has ${words} in its name, host name, address or id.`
        : `*${count(total, "result")}* for ${words}`;
    const missing = [
      ...(unread.length > 0
        ? [`Not read in time, so not searched: ${listing(unread)}. Search again in a moment.`]
        : []),
      ...unusable.map(
        (api) => `Rackbell did not search with your ${keyNames[api]}. Link it again: \`/rackbell link\`.`,
      ),
      ...(refused.length > 0 ? [refusedWords(refused)] : []),
    ];
    return {
      text,
      blocks: [section(text), ...rowsOf(hits), ...missing.map((words) => small(words))],
      next: [{ label: "Search again…", command: "rackbell search" }],
    };
  },
});

function rowsOf(hits: KindHits[]): Block[] {
  let room = mostInAll;
  return hits.flatMap(({ operation, label, entries }) => {
    const shown = disambiguated(entries.slice(0, Math.min(mostOfKind, room)));
    room -= shown.length;
    const left = entries.length - shown.length;
    const rows = shown.map(({ id, name, detail }) =>
      section(
        `${code(name, 60)} · ${label}${detail ? `\n${prose(detail, 120)}` : ""}`,
        rowButton("Open", { command: operation.command, target: id }, id),
      ),
    );
    return left > 0 ? [...rows, small(`and ${count(left, `more ${label}`, `more of kind ${label}`)}`)] : rows;
  });
}
