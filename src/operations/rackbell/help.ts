import * as z from "zod";
import { linkStep } from "../../engine/answers/error-text.ts";
import { defineAppOperation } from "../../operation/define-app.ts";
import type { Operation, Step } from "../../operation/operation.ts";
import { usageOf } from "../../operation/usage.ts";
import { type Block, context, paragraphs, section } from "../../views/blocks.ts";
import { code, listing, prose } from "../../views/text.ts";

export const help = defineAppOperation({
  command: "rackbell help",
  summary: "Show what you can do here, by your key's scopes",
  input: z.object({ noun: z.string().optional().meta({ title: "Command", description: "Such as vps" }) }),
  positional: "noun",
  async run({ services: { registry, identities }, actor, input }) {
    const linked = (await identities.find(actor.member)) !== null;
    const noun = input.noun?.replace(/^\//, "").toLowerCase();
    if (noun && !registry.nouns.includes(noun)) {
      return {
        text: `There is no ${code(`/${noun}`)}. There is ${listing(registry.nouns.map((known) => code(`/${known}`)))}.`,
      };
    }
    const may = (operation: Operation) =>
      operation.api === "app" || (linked && (!operation.scope || actor.scopes.includes(operation.scope)));
    const lead = linked
      ? `What your key ${code(actor.keyLabel)} can do. Without the values that a command needs, it opens a form.`
      : "You have not linked a key yet: link one first, and this shows what it can do.";
    const blocks = noun
      ? nounBlocks(noun, registry.under(noun), may)
      : registry.nouns.map((known) => section(overviewOf(known, registry.under(known).filter(may))));
    return { text: lead, blocks: [section(lead), ...blocks], next: linked ? waysIn(noun) : [linkStep] };
  },
});

/** One noun in a line: its verbs that this member may use. */
function overviewOf(noun: string, offered: Operation[]): string {
  const verbs = offered.map((operation) => operation.command.split(" ").slice(1).join(" "));
  const words = verbs.length > 0 ? verbs.join(" · ") : "nothing with your key";
  return `${code(`/${noun}`)} ${words}\nMore: ${code(noun === "rackbell" ? "/rackbell help rackbell" : `/${noun} help`)}`;
}

function nounBlocks(noun: string, operations: Operation[], may: (operation: Operation) => boolean): Block[] {
  const offered = operations.filter(may);
  const withheld = operations.filter((operation) => !may(operation));
  const lines = offered.map(
    (operation) => `${code(usageOf(operation), 200)}\n${prose(operation.summary, 200)}${riskWord(operation)}`,
  );
  const blocks: Block[] = paragraphs([`*/${noun}*`, ...lines]);
  const scopes = [...new Set(withheld.map((operation) => operation.scope ?? "read"))];
  if (withheld.length > 0) {
    const named = listing(
      scopes.map((scope) => code(scope)),
      "or",
    );
    blocks.push(context(`${withheld.length} more with the scope ${named}.`));
  }
  return blocks;
}

function riskWord({ risk }: Operation): string {
  if (risk === "destroy") return " :warning: asks first";
  return risk === "spend" ? " :moneybag: asks first" : "";
}

function waysIn(noun: string | undefined): Step[] {
  return noun && noun !== "vps" ? [] : [{ label: "List VPSes", command: "vps list" }];
}
