import type { BoundOperation } from "../members/access/bound.ts";
import { type ScheduleApp, scheduledTime } from "../members/access/when.ts";
import { choiceMessage, type OfferedReading } from "../messages/answers/answers.ts";
import type { Origin } from "../messages/origin.ts";
import { InputError } from "../operation/errors.ts";
import { foldedName } from "../operation/matching.ts";
import type { Invocation } from "../operation/operation.ts";
import { isScheduleInput } from "../operation/schedule-input.ts";
import type { Entry } from "../operation/target.ts";
import { commandLine } from "../operation/usage.ts";
import { limits } from "../views/limits.ts";
import { clip } from "../views/text.ts";
import type { App } from "./app.ts";
import { generality } from "./mentioned-resources.ts";

/** A command whose target may be words with a time in them. Without a noun there are several. */
interface Reading {
  bound: BoundOperation;
  invocation: Invocation;
}

/** The reading with its time, and the resources that it is about. */
interface TimedReading extends OfferedReading {
  ids: readonly string[];
  /** The words name a project, not a resource. */
  ofProject: boolean;
  /** Of a kind that also lists resources of other kinds. */
  isGeneral: boolean;
}

/**
 * Offers "stop staging at 20:00" as `/vps stop project=staging at=20:00`, by a button: the words may mean something else, so nothing runs
 * before the press. A machine of that name wins over a project. False if the words are no name or project with a time behind it.
 */
export async function offerTimed(
  app: ScheduleApp & Pick<App, "reply">,
  readings: readonly Reading[],
  origin: Origin,
): Promise<boolean> {
  const all = (await Promise.all(readings.map((reading) => readTimed(app, reading, origin)))).flat();
  const named = all.filter(({ ofProject }) => !ofProject);
  const picks = mostSpecial(named.length > 0 ? named : all);
  if (picks.length === 0) return false;
  const text = "A time needs its equals sign. Press the button if you mean this. Nothing was done yet.";
  await app.reply.ephemeral(origin, choiceMessage(text, picks));
  return true;
}

/** A resource of two kinds is offered as the more specific one. */
function mostSpecial(readings: readonly TimedReading[]): TimedReading[] {
  const covered = new Set<string>();
  return readings
    .toSorted((one, other) => Number(one.isGeneral) - Number(other.isGeneral))
    .filter(({ ids }) => {
      const isNew = ids.some((id) => !covered.has(id));
      for (const id of ids) covered.add(id);
      return isNew;
    });
}

/** The reading with its time apart from its name; none if it cannot be read so. */
async function readTimed(app: ScheduleApp, { bound, invocation }: Reading, origin: Origin): Promise<TimedReading[]> {
  const { operation } = bound;
  const words = (invocation.target ?? "").split(" ");
  const at = words.findLastIndex((word) => isScheduleInput(word.toLowerCase()));
  const [name, time] = [words.slice(0, at).join(" "), words.slice(at + 1).join(" ")];
  const field = words[at]?.toLowerCase() ?? "";
  if (at < 1 || time === "" || !(field in operation.input.shape)) return [];
  const input = { ...invocation.input, [field]: time };
  if (!(await isTime(app, input, origin))) return [];
  const meant = await meantBy({ bound, invocation }, name);
  if (meant === null) return [];
  const { target: _, several: __, ...rest } = invocation;
  const ofProject = meant.selection.target === undefined;
  const filter = ofProject ? { project: name } : {};
  const line = commandLine(operation, { targets: ofProject ? [] : name.split(" "), input: { ...filter, ...input } });
  return [
    {
      label: clip(line, limits.button.text),
      operation,
      invocation: { ...rest, ...meant.selection, input },
      ids: meant.entries.map(({ id }) => id),
      ofProject,
      isGeneral: meant.entries.some((entry) => generality({ operation, entry }) > 0),
    },
  ];
}

async function isTime(app: ScheduleApp, input: Record<string, unknown>, { slackUser }: Origin): Promise<boolean> {
  try {
    return (await scheduledTime(app, input, slackUser)) !== null;
  } catch (error) {
    if (error instanceof InputError) return false;
    throw error;
  }
}

interface Meant {
  selection: Pick<Invocation, "target" | "several">;
  entries: readonly Pick<Entry, "id" | "type">[];
}

/** The target or the project that the name means; null if it means neither. A project is a filter, so only a bulk request takes it. */
async function meantBy({ bound, invocation }: Reading, name: string): Promise<Meant | null> {
  const names = name.split(" ");
  const several = names.length > 1 ? { several: { names } } : {};
  const found = await bound.resolve(name, names.length > 1 ? { names } : undefined).catch(nullIfUnknown);
  const { entries } = await bound.listing();
  if (found !== null && !(found.is === "ambiguous" && found.near)) {
    const ids = found.is === "id" ? [found.id] : (found.is === "several" ? found.found : found.entries).map(idOf);
    return {
      selection: { target: name, ...several },
      entries: ids.map((id) => entries.find((one) => one.id === id) ?? { id }),
    };
  }
  if (!bound.operation.bulk || invocation.input.project !== undefined) return null;
  const inProject = entries.filter(({ project }) => project !== "" && foldedName(project) === foldedName(name));
  return inProject.length > 0 ? { selection: { several: { where: { project: name } } }, entries: inProject } : null;
}

function idOf({ id }: { id: string }): string {
  return id;
}

function nullIfUnknown(error: unknown): null {
  if (error instanceof InputError) return null;
  throw error;
}
