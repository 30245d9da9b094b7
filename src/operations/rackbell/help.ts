import * as z from "zod";
import { defineAppOperation } from "../../engine/define-app.ts";
import type { Operation, Step } from "../../engine/operation.ts";
import { linkStep } from "../../engine/sentences.ts";
import { usageOf } from "../../engine/usage.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { code, listing, prose } from "../../views/text.ts";

export const help = defineAppOperation({
  command: "rackbell help",
  summary: "Show what you can do here, by your key's scopes",
  input: z.object({ noun: z.string().optional().meta({ title: "Command", description: "Such as vps" }) }),
  words: "noun",
  async run({ services: { registry, identities }, actor, input }) {
    const linked = (await identities.find(actor.member)) !== null;
    const noun = input.noun?.replace(/^\//, "").toLowerCase();
    const nouns = noun ? registry.nouns.filter((known) => known === noun) : registry.nouns;
    if (nouns.length === 0)
      return {
        text: `There is no ${code(`/${noun}`)}. There is ${listing(registry.nouns.map((known) => code(`/${known}`)))}.`,
      };
    const may = (operation: Operation) =>
      operation.api === "app" || (linked && (!operation.scope || actor.scopes.includes(operation.scope)));
    const blocks = nouns.flatMap((known) => nounBlocks(known, registry.under(known), may));
    const lead = linked
      ? `What your key ${code(actor.keyLabel)} can do. Without the values that a command needs, it opens a form.`
      : "You have not linked a key yet: link one first, and this shows what it can do.";
    return { text: lead, blocks: [section(lead), ...blocks], next: linked ? waysIn(noun) : [linkStep] };
  },
});

function nounBlocks(noun: string, operations: Operation[], may: (operation: Operation) => boolean): Block[] {
  const offered = operations.filter(may);
  const withheld = operations.filter((operation) => !may(operation));
  const lines = offered.map(
    (operation) => `${code(usageOf(operation), 200)}\n${prose(operation.summary, 200)}${riskWord(operation)}`,
  );
  const blocks: Block[] =
    lines.length > 0 ? packed([`*/${noun}*`, ...lines]).map((text) => section(text)) : [section(`*/${noun}*`)];
  const scopes = [...new Set(withheld.map((operation) => operation.scope ?? "read"))];
  if (withheld.length > 0)
    blocks.push(
      context(
        `${withheld.length} more with the scope ${listing(
          scopes.map((scope) => code(scope)),
          "or",
        )}.`,
      ),
    );
  return blocks;
}

function riskWord({ risk }: Operation): string {
  if (risk === "destroy") return " :warning: asks first";
  return risk === "spend" ? " :moneybag: asks first" : "";
}

/** Lines in as few texts as hold them. */
function packed(lines: string[]): string[] {
  const texts: string[] = [];
  for (const line of lines) {
    const last = texts.at(-1);
    if (last !== undefined && last.length + line.length < 2_800) texts[texts.length - 1] = `${last}\n${line}`;
    else texts.push(line);
  }
  return texts;
}

function waysIn(noun: string | undefined): Step[] {
  return noun && noun !== "vps" ? [] : [{ label: "List VPSes", command: "vps list" }];
}
