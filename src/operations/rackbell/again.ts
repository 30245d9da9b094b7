import * as z from "#zod";
import { may } from "../../members/access/access.ts";
import { bind } from "../../members/access/bound.ts";
import { type CommandWords, withNames } from "../../members/access/named.ts";
import { type LastCommand, readLastCommand } from "../../members/settings/last-commands.ts";
import { invocationButton, invokePrefix } from "../../messages/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { Refusal } from "../../operation/errors.ts";
import { isUuid } from "../../operation/input.ts";
import type { Invocation } from "../../operation/operation.ts";
import { commandLine } from "../../operation/usage.ts";
import { actions, section } from "../../views/blocks.ts";
import { preformatted } from "../../views/preformatted.ts";
import { clip, code, oneLine } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";

export const again = defineAppOperation({
  command: "rackbell again",
  synonyms: ["repeat"],
  summary: "Show your last command with changed values, to be run at a press: /rackbell again hostname=web-2",
  example: "/rackbell again",
  verb: "Repeat a command",
  input: z.object({
    changes: z.string().max(2_000).optional().meta({
      title: "Changes",
      description: "The changes: values, or another name",
    }),
  }),
  positional: "changes",
  verbatim: true,
  async run({ context, actor, input }): Promise<Answer> {
    const last = await readLastCommand(context, actor.member);
    if (!last) throw new Refusal("I know no command of yours: I keep the last one for a day. Nothing was done.");
    const operation = context.registry.find(last.command);
    if (!operation)
      throw new Refusal(`There is no ${code(last.command)} any more, which you typed last. Nothing was done.`);
    const next = input.changes ? changed(context, last, input.changes) : last;
    const isAllowed = may(await context.identities.links(actor.member), operation);
    const named =
      operation.api !== "app" && isAllowed
        ? await withNames(await bind(context, operation, actor.member), wordsOf(next))
        : wordsOf(next);
    const line = commandLine(operation, named);
    const intro = `Your last command${input.changes ? ", changed" : ""}:`;
    const notAllowed = isAllowed ? "" : " The keys that you have linked do not allow it any more.";
    const outro = `Nothing has run yet.${notAllowed}`;
    const text = `${intro} ${code(line, 500)}\n${outro}`;
    // Inline code would lose its line breaks and code marks, and then it could not be copied and typed.
    const blocks = [section(intro), ...preformatted(line), section(outro)];
    if (!isAllowed) return { text, blocks };
    const [target] = next.several ? [] : named.targets;
    const label = clip(
      oneLine(target === undefined || isUuid(target) ? operation.phrase : `${operation.verb} ${target}`),
      70,
    );
    const button = invocationButton(label, `${invokePrefix}${last.command}:0`, invocationOf(next), {
      operation,
      name: target ?? "",
      style: operation.risk === "destroy" || operation.risk === "spend" ? "danger" : "primary",
    });
    return { text, blocks: [...blocks, ...actions(button)] };
  },
});

function invocationOf({ command, target, several, stopAfter, input }: LastCommand): Invocation {
  return {
    command,
    input,
    typed: true,
    ...(target === null ? {} : { target }),
    ...(several === null ? {} : { several }),
    ...(stopAfter === null ? {} : { stopAfter }),
  };
}

/** The targets and values of the command as the member could type them again. */
function wordsOf({ target, several, stopAfter, input }: LastCommand): CommandWords {
  const where = several && "where" in several ? several.where : {};
  const targets = several && "names" in several ? several.names : [target].filter((one) => one !== null);
  const all = where.all ? { all: "yes" } : {};
  const stop = stopAfter === null ? {} : { "stop-after": stopAfter };
  return { targets, input: { ...where, ...all, ...stop, ...input } };
}

/** The last command with the newly typed values in place of the old ones. */
function changed({ parse, registry }: AppContext, last: LastCommand, changes: string): LastCommand {
  const parsed = parse(registry, `${last.command} ${changes}`);
  if ("error" in parsed) throw new Refusal(parsed.error);
  if ("readings" in parsed || parsed.invocation.command !== last.command)
    throw new Refusal(
      `That reads as another command than your last one, ${code(`/${last.command}`)}. Type it in full. Nothing was done.`,
    );
  const { target, several, stopAfter = last.stopAfter, input } = parsed.invocation;
  const typed = z.record(z.string(), z.json()).parse(input);
  const about =
    target === undefined && several === undefined ? last : { target: target ?? null, several: several ?? null };
  const { command } = last;
  return { command, target: about.target, several: about.several, stopAfter, input: { ...last.input, ...typed } };
}
