import * as z from "#zod";
import { may } from "../../members/access/access.ts";
import {
  changeSaved,
  listSaved,
  type SavedCommand,
  saveCommand,
  savedAs,
} from "../../members/settings/saved-commands.ts";
import { requireAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import { invocationButton, invokePrefix } from "../../messages/answers/buttons.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { InputError, Refusal, wrongInput } from "../../operation/errors.ts";
import { sameName } from "../../operation/matching.ts";
import type { Invocation, Operation } from "../../operation/operation.ts";
import { characters, type PlainText, plainly } from "../../process/plain-text.ts";
import { isMember } from "../../requests/visibility.ts";
import { actions, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { limits } from "../../views/limits.ts";
import { preformatted } from "../../views/preformatted.ts";
import { clip, code, count } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";

const longestName = 40;
const list: Step = { label: "Saved commands", command: "rackbell saved" };
/** Two commands may have one name: the member's own, and those of others that they see. */
const byId = z.string().max(40).optional();

export const save = defineAppOperation({
  command: "rackbell save",
  verb: "Save a command",
  summary: "Save a command with its values under a name: /rackbell save nightly = /vps stop project=staging",
  example: "/rackbell save nightly = /vps stop project=staging",
  input: z.object({
    text: z.string().max(2_000).meta({
      title: "Name = command",
      description: "nightly = /vps stop project=staging. A secret is never saved: its form asks for it each time.",
    }),
    id: byId.meta({
      title: "Instead of",
      description: "The id of the saved command that this one replaces. Empty: the one of its name",
      byButton: true,
    }),
  }),
  positional: "text",
  verbatim: true,
  async check({ context, actor, input }) {
    await replacedBy(context, actor, null, { ...readText(context, input.text), id: input.id });
  },
  async run({ context, actor, channel, input }) {
    const { called, line } = readText(context, input.text);
    const found = await replacedBy(context, actor, channel, { called, line, id: input.id });
    const { member, slackUser } = actor;
    const id = await saveCommand(
      context,
      { ...(found ? { id: found.id } : {}), name: called, line, member, slackUser },
      slackUser,
    );
    const whose =
      found && found.member !== member ? ` It is shared by <@${found.slackUser}>, and changed for all.` : "";
    const text = `${found ? "Changed" : "Saved"}: ${code(called)} is now ${code(line, 300)}.${whose} Nothing has run.`;
    const now = { id, name: called, channel: found?.channel ?? null };
    return { text, next: [runStep(now), ...(whose === "" ? shareSteps(now) : []), list] };
  },
});

export const saved = defineAppOperation({
  command: "rackbell saved",
  synonyms: [
    "run",
    "unsave",
    "/order template list",
    "/order template share",
    "/order template rename",
    "/order template remove",
  ],
  verb: "Run a saved command",
  summary: "List the saved commands; with a name, show one in full, to be run at a press: /rackbell saved nightly",
  example: "/rackbell saved",
  interrupts: ({ remove }) => (remove ? lost : null),
  asked: ({ remove, name }) => (remove ? removal(typeof name === "string" ? name : "") : undefined),
  input: z.object({
    name: z.string().max(longestName).optional().meta({ title: "Saved command", description: "Its name" }),
    shared: z.boolean().optional().meta({
      title: "Shared in this channel",
      description: "Everybody in the channel can then see, change and run it",
    }),
    to: z.string().min(1).max(longestName).optional().meta({ title: "New name" }),
    remove: z.boolean().optional().meta({ title: "Remove it" }),
    id: byId.meta({ title: "Id", description: "The buttons carry it", byButton: true }),
  }),
  positional: "name",
  async check({ context, actor, input }) {
    if (input.remove) await removable(context, actor, input);
  },
  async run({ context, actor, channel, input }) {
    if (input.remove) {
      const found = await removable(context, actor, input);
      await changeSaved(context, found.id, null);
      return { text: `The saved command ${code(found.name)} is removed.`, next: [list] };
    }
    const all = await visibleTo(context, actor, channel);
    if (input.name === undefined && input.id === undefined) return listAnswer(context, actor, all);
    if (input.shared === undefined && input.to === undefined)
      return offerOf(context, actor, savedOrRefusal(all, actor, input, runStep));
    return changeOwn(context, actor, channel, { all, ...input });
  },
});

/** Shares or renames a command. Its member alone can, so of several with a typed name their own is meant. */
async function changeOwn(
  context: AppContext,
  actor: Actor,
  channel: string | null,
  { all, shared, to, ...typed }: ChangedCommand,
): Promise<Answer> {
  const own = all.filter(({ member }) => member === actor.member);
  const isOwn = typed.id === undefined && savedAs(own, typed.name ?? "").length > 0;
  const found = savedOrRefusal(isOwn ? own : all, actor, typed, runStep);
  if (found.member !== actor.member)
    throw new Refusal(`Only <@${found.slackUser}>, who saved ${code(found.name)}, can do that. Nothing changed.`);
  if (shared === true && channel === null)
    throw new Refusal("A command is shared in a channel. Type this in that channel. Nothing changed.");
  if (to !== undefined && own.some((one) => one !== found && sameName(one.name, to)))
    throw new Refusal(`You have a saved command ${code(to)} already. Nothing changed.`);
  const change = {
    ...(shared === undefined ? {} : { channel: shared ? channel : null }),
    ...(to === undefined ? {} : { name: to }),
  };
  await changeSaved(context, found.id, change);
  const now = { ...found, ...change };
  const who =
    now.channel === null ? "is yours alone" : `is shared in <#${now.channel}>: all there can see, change and run it`;
  const text = `The saved command ${code(now.name)} ${who}. Each member runs it with their own key.`;
  return { text, next: [list] };
}

/** A command as it is typed, or as a button carries it. */
interface TypedCommand {
  name?: string | undefined;
  id?: string | undefined;
}

interface ChangedCommand extends TypedCommand {
  all: readonly SavedCommand[];
  shared?: boolean | undefined;
  to?: string | undefined;
}

/** The commands that the member may know: their own, and those of the channels that they are in. */
export async function visibleTo(
  context: AppContext,
  { member, slackUser }: Pick<Actor, "member" | "slackUser">,
  channel: string | null,
): Promise<SavedCommand[]> {
  const all = await listSaved(context);
  const seen = await Promise.all(
    all.map(
      async (one) =>
        one.member === member ||
        (one.channel !== null &&
          (one.channel === channel || (await isMember(context.requests, one.channel, { slackUser })))),
    ),
  );
  return all.filter((_, at) => seen[at]);
}

/** The name and the line of "name = /command …". Throws an InputError if the line is no command, or if it may not be saved. */
function readText(context: AppContext, text: string): { called: string; line: string } {
  const at = text.indexOf("=");
  const called = text.slice(0, Math.max(at, 0)).trim();
  const line = text.slice(at + 1).trim();
  if (at < 0 || called === "" || line === "")
    throw wrongInput("text", "write a name, an equals sign and a command: nightly = /vps stop project=staging.");
  if (called.length > longestName) throw wrongInput("text", `the name has at most ${longestName} characters.`);
  const parsed = readLine(context, line);
  if ("error" in parsed) throw new InputError([{ field: "text", message: parsed.error }]);
  if ([save.command, saved.command].includes(parsed.operation.command))
    throw wrongInput("text", "a saved command cannot save or run another one.");
  return { called, line: line.startsWith("/") ? line : `/${line}` };
}

/** The act that a line means, or a sentence that says why it means none. */
function readLine(
  { parse, registry }: AppContext,
  line: string,
): { invocation: Invocation; operation: Operation } | { error: string } {
  const parsed = parse(registry, line.replace(/^\//, ""));
  if ("error" in parsed) return parsed;
  if ("readings" in parsed)
    return { error: parsed.unknown ?? "that may mean several commands: write it with its noun and its own verb." };
  const operation = registry.find(parsed.invocation.command);
  return operation ? { invocation: parsed.invocation, operation } : { error: "there is no such command any more." };
}

/** The whole line, who changed it last, and the button that runs it as the presser, with their key. */
async function offerOf(context: AppContext, actor: Actor, one: SavedCommand): Promise<Answer> {
  const intro = `${code(one.name)}, ${whoseWords(one, actor)}:`;
  const read = readLine(context, one.line);
  const isAllowed = "operation" in read && may(await context.identities.links(actor.member), read.operation);
  const outro =
    "error" in read
      ? `It cannot run any more: ${read.error}`
      : `Nothing has run yet.${isAllowed ? "" : " The keys that you have linked do not allow it."}`;
  const text = `${intro} ${code(one.line, 500)}\n${outro}`;
  // Inline code would lose its line breaks and code marks, and then it could not be copied and typed.
  const blocks = [section(intro), ...preformatted(one.line), section(outro)];
  if (!isAllowed || "error" in read) return { text, blocks, next: stepsOf(one, actor).slice(1) };
  const { invocation, operation } = read;
  const button = invocationButton(
    operation.phrase,
    `${invokePrefix}${operation.command}:0`,
    { ...invocation, typed: true },
    {
      operation,
      name: invocation.target ?? "",
      style: operation.risk === "destroy" || operation.risk === "spend" ? "danger" : "primary",
    },
  );
  return { text, blocks: [...blocks, ...actions(button)], next: stepsOf(one, actor).slice(1) };
}

function whoseWords({ member, slackUser, changedBy, channel, at }: SavedCommand, actor: Actor): string {
  if (channel === null) return `yours alone, saved ${moment(at)}`;
  const whose = member === actor.member ? "yours" : `of <@${slackUser}>`;
  return `${whose}, shared in <#${channel}>, last changed by <@${changedBy}> ${moment(at)}`;
}

function listAnswer({ registry }: AppContext, actor: Actor, all: readonly SavedCommand[]): Answer {
  if (all.length === 0)
    return {
      text: "There are no saved commands. `/rackbell save nightly = /vps stop project=staging` saves one.",
      next: [{ label: "Save a command…", command: save.command }],
    };
  const find = (command: string) => registry.find(command) ?? null;
  return headed(
    count(all.length, "saved command"),
    all.flatMap((one) =>
      rowBlocks(
        `:page_facing_up: ${code(one.name)} ${code(one.line, 200)}\n${whoseWords(one, actor)}`,
        one.id,
        stepsOf(one, actor),
        find,
      ),
    ),
  );
}

function stepsOf(one: SavedCommand, actor: Actor): Step[] {
  const change = { ...changeStep(one, one.line), label: "Change…", form: true };
  if (one.member !== actor.member) return [runStep(one), change];
  return [runStep(one), change, ...shareSteps(one), removeStep(one)];
}

type NamedCommand = Pick<SavedCommand, "id" | "name">;

function runStep({ id, name }: NamedCommand): Step {
  return { label: "Run…", command: saved.command, input: { name, id }, form: false };
}

function changeStep({ id, name }: NamedCommand, line: string): Step {
  return { label: "Change", command: save.command, input: { text: `${name} = ${line}`, id } };
}

function removeStep({ id, name }: NamedCommand): Step {
  const asks = { act: removal(name), loss: lost };
  return { label: "Remove…", command: saved.command, input: { name, id, remove: true }, asks };
}

const lost = "Nobody who could see the saved command can run it any more.";

function removal(name: PlainText): PlainText {
  return plainly`Remove the saved command ${name}`;
}

function shareSteps({ id, name, channel }: NamedCommand & Pick<SavedCommand, "channel">): Step[] {
  const shared = channel === null;
  const label = shared ? "Share here" : "Stop sharing";
  return [{ label, command: saved.command, input: { name, id, shared } }];
}

/** The saved command that a line replaces; null for a new one. Throws if several have its name, or if the one of the button has another. */
async function replacedBy(
  context: AppContext,
  actor: Actor,
  channel: string | null,
  { called, line, id }: { called: string; line: string; id: string | undefined },
): Promise<SavedCommand | null> {
  const all = await visibleTo(context, actor, channel);
  if (id === undefined && savedAs(all, called).length === 0) return null;
  const found = savedOrRefusal(all, actor, { name: called, id }, (one) => changeStep(one, line));
  if (savedAs([found], called).length > 0) return found;
  throw wrongInput("text", plainly`the name stays ${found.name} here. Save another one with /rackbell save.`);
}

/** The one with the button's id, else the one of the typed name. `stepOf`: the step with each one, if several have the name. */
function savedOrRefusal(
  all: readonly SavedCommand[],
  actor: Actor,
  { name = "", id }: TypedCommand,
  stepOf: (one: SavedCommand) => Step,
): SavedCommand {
  const meant = id === undefined ? savedAs(all, name) : all.filter((one) => one.id === id);
  const [found] = meant;
  if (!found) throw new Refusal(`There is no saved command ${code(name)} that you can see. Nothing changed.`, [list]);
  if (meant.length === 1) return found;
  const lines = meant.map((one) => `${code(one.line, 200)}, ${whoseWords(one, actor)}`);
  throw new Refusal(
    [
      `${count(meant.length, "saved command")} have the name ${code(name)}. Nothing changed. Choose one:`,
      ...lines,
    ].join("\n"),
    meant.map((one) => {
      const step = stepOf(one);
      const act = characters(step.label).replace(/…$/, "");
      return { ...step, label: clip(plainly`${act} ${one.line}`, limits.button.text), form: false };
    }),
  );
}

async function removable(context: AppContext, actor: Actor, input: TypedCommand): Promise<SavedCommand> {
  if (input.name === undefined && input.id === undefined) throw wrongInput("name", "name the command to remove.");
  const found = savedOrRefusal(await visibleTo(context, actor, null), actor, input, removeStep);
  if (found.member !== actor.member) await requireAdmin(context, actor.slackUser);
  return found;
}
