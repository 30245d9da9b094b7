import { type ScheduleApp, scheduledTime } from "../access/when.ts";
import { choiceMessage } from "../notifications/answers/answers.ts";
import type { Origin } from "../notifications/origin.ts";
import { InputError } from "../operation/errors.ts";
import { foldedName } from "../operation/matching.ts";
import type { Invocation } from "../operation/operation.ts";
import { isScheduleInput } from "../operation/schedule-input.ts";
import { commandLine } from "../operation/usage.ts";
import { limits } from "../views/limits.ts";
import { clip } from "../views/text.ts";
import type { App } from "./app.ts";
import type { Narrowed } from "./narrowing.ts";

/**
 * Offers "stop staging at 20:00" as `/vps stop project=staging at=20:00`, by a button: the words may mean something else, so nothing runs
 * before the press. A machine of that name wins over a project. False if the words are no name or project with a time behind it.
 */
export async function offerTimed(
  app: ScheduleApp & Pick<App, "reply">,
  { bound, invocation }: Pick<Narrowed, "bound" | "invocation">,
  origin: Origin,
): Promise<boolean> {
  const { operation } = bound;
  const words = (invocation.target ?? "").split(" ");
  const at = words.findLastIndex((word) => isScheduleInput(word.toLowerCase()));
  const [name, time] = [words.slice(0, at).join(" "), words.slice(at + 1).join(" ")];
  const field = words[at]?.toLowerCase() ?? "";
  if (at < 1 || time === "" || !(field in operation.input.shape)) return false;
  const input = { ...invocation.input, [field]: time };
  if (!(await isTime(app, input, origin))) return false;
  const meant = await meantBy({ bound, invocation }, name);
  if (meant === null) return false;
  const { target: _, several: __, ...rest } = invocation;
  const timed: Invocation = { ...rest, ...meant, input };
  const targets = "target" in meant ? name.split(" ") : [];
  const filter = "target" in meant ? {} : { project: name };
  const line = clip(commandLine(operation, { targets, input: { ...filter, ...input } }), limits.button.text);
  const text = "A time needs its equals sign. Press the button if you mean this. Nothing was done yet.";
  await app.reply.ephemeral(origin, choiceMessage(text, [{ label: line, operation, invocation: timed }]));
  return true;
}

async function isTime(app: ScheduleApp, input: Record<string, unknown>, { slackUser }: Origin): Promise<boolean> {
  try {
    return (await scheduledTime(app, input, slackUser)) !== null;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

/** The target or the project that the name means; null if it means neither. A project is a filter, so only a bulk request takes it. */
async function meantBy(
  { bound, invocation }: Pick<Narrowed, "bound" | "invocation">,
  name: string,
): Promise<Pick<Invocation, "target" | "several"> | null> {
  const names = name.split(" ");
  const several = names.length > 1 ? { several: { names } } : {};
  const found = await bound.resolve(name, names.length > 1 ? { names } : undefined).catch(nullIfUnknown);
  if (found !== null && !(found.is === "ambiguous" && found.near)) return { target: name, ...several };
  if (!bound.operation.bulk || invocation.input.project !== undefined) return null;
  const { entries } = await bound.listing();
  const isProject = entries.some(({ project }) => project !== "" && foldedName(project) === foldedName(name));
  return isProject ? { several: { where: { project: name } } } : null;
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof InputError) return null;
  throw error;
}
