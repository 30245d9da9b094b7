import * as z from "zod";
import { may } from "../../access/access.ts";
import { invocationButton, invokePrefix } from "../../notifications/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import type { Invocation } from "../../operation/operation.ts";
import { commandLine } from "../../operation/usage.ts";
import type { LastCommand } from "../../records/last-commands.ts";
import { actions, section } from "../../views/blocks.ts";
import { clip, code, oneLine } from "../../views/text.ts";
import type { AppContext } from "../app-context.ts";
import { defineAppOperation } from "../app-operation.ts";

export const again = defineAppOperation({
  command: "rackbell again",
  synonyms: ["repeat"],
  summary: "Show your last command with changed values, to be run at a press: /rackbell again hostname=web-2",
  verb: "Again",
  input: z.object({
    changes: z.string().max(2_000).optional().meta({
      title: "Changes",
      description: "The changes: values, or another name",
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
    const next = input.changes ? changed(context.parse, last, input.changes) : last;
    const asks = operation.wizard ? " What was filled in page by page is not kept: a template keeps it." : "";
    const text = `Your last command${input.changes ? ", changed" : ""}: ${code(lineOf(next), 500)}\nNothing has run yet.${asks}`;
    if (!may(await context.access.links(actor.member), operation))
      return { text: `${text} The keys that you have linked do not allow it any more.` };
    const label = clip(oneLine(`${operation.verb} ${next.target ?? ""}`.trim()), 70);
    const button = invocationButton(label, `${invokePrefix}${last.command}:0`, invocationOf(next), {
      operation,
      style: "primary",
    });
    return { text, blocks: [section(text), ...actions(button)] };
  },
});

function invocationOf({ command, target, several, stopAfter, input }: LastCommand): Invocation {
  return {
    command,
    input,
    ...(target === null ? {} : { target }),
    ...(several === null ? {} : { several }),
    ...(stopAfter === null ? {} : { stopAfter }),
  };
}

/** The command as the member could type it again. */
function lineOf({ command, target, several, stopAfter, input }: LastCommand): string {
  const where = several && "where" in several ? several.where : {};
  const targets = several && "names" in several ? several.names : [target].filter((one) => one !== null);
  const all = where.all ? { all: "yes" } : {};
  const stop = stopAfter === null ? {} : { "stop-after": stopAfter };
  return commandLine({ command, targets, input: { ...where, ...all, ...stop, ...input } });
}

/** The last command with the newly typed values in place of the old ones. */
function changed(parse: AppContext["parse"], last: LastCommand, changes: string): LastCommand {
  const parsed = parse(`${last.command} ${changes}`);
  if ("error" in parsed) throw new Refusal(parsed.error);
  if ("readings" in parsed || parsed.invocation.command !== last.command)
    throw new Refusal(
      `That reads as another command than your last one, ${code(`/${last.command}`)}. Type it in full. Nothing was done.`,
    );
  const { target, several, stopAfter = last.stopAfter, input } = parsed.invocation;
  const said = z.record(z.string(), z.json()).parse(input);
  const about =
    target === undefined && several === undefined ? last : { target: target ?? null, several: several ?? null };
  const { command } = last;
  return { command, target: about.target, several: about.several, stopAfter, input: { ...last.input, ...said } };
}
