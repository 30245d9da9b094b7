import * as z from "zod";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import type { LastCommand } from "../../engine/records/last-commands.ts";
import type { Answer } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { commandLine } from "../../operation/usage.ts";
import { clip, code, oneLine } from "../../views/text.ts";

export const again = defineAppOperation({
  command: "rackbell again",
  summary: "Show your last command with changed values, to be run at a press: /rackbell again hostname=web-2",
  verb: "Again",
  input: z.object({
    changes: z.string().max(2_000).optional().meta({
      title: "Changes",
      description: "What is to be different: values, or another name",
    }),
  }),
  positional: "changes",
  verbatim: true,
  async run({ context, actor, input }): Promise<Answer> {
    const last = await context.lastCommands.last(actor.member);
    if (!last) throw new Refusal("I know no command of yours: I keep the last one for a day. Nothing was done.");
    const operation = context.registry.find(last.command);
    if (!operation)
      throw new Refusal(`There is no ${code(last.command)} any more, which you typed last. Nothing was done.`);
    const { command, target, input: said } = input.changes ? changed(context.parse, last, input.changes) : last;
    const what = { command, ...(target === null ? {} : { target }), input: said };
    const asks = operation.wizard ? " What was filled in page by page is not kept: a template keeps it." : "";
    const verb = clip(oneLine([operation.verb, target ?? ""].join(" ").trim()), 70);
    return {
      text: `Your last command${input.changes ? ", changed" : ""}: ${code(commandLine(what), 500)}\nNothing has run yet.${asks}`,
      next: [{ label: verb, ...what, style: "primary" }],
    };
  },
});

/** The same command, with what was typed now in place of what was said then. */
function changed(parse: AppContext["parse"], last: LastCommand, changes: string): LastCommand {
  const parsed = parse(`${last.command} ${changes}`);
  if ("error" in parsed) throw new Refusal(parsed.error);
  if ("readings" in parsed || parsed.invocation.command !== last.command)
    throw new Refusal(
      `That reads as another command than your last one, ${code(`/${last.command}`)}. Type it in full. Nothing was done.`,
    );
  const { target, input } = parsed.invocation;
  const said = z.record(z.string(), z.json()).parse(input);
  return { command: last.command, target: target ?? last.target, input: { ...last.input, ...said } };
}
