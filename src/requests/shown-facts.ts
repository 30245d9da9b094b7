import * as z from "#zod";
import { Refusal } from "../operation/errors.ts";
import type { Manner } from "../passkeys/links.ts";
import { readJson } from "../process/json.ts";
import { moment } from "../views/format.ts";
import { code } from "../views/text.ts";
import { backupWords } from "./facets/backup-first/record.ts";
import type { Request } from "./request.ts";

/** A fact of a waiting request that others may change while somebody reads it, and that changes what a press does. */
interface ShownFact {
  read(request: Request): number | null;
  /** As the request had it before its last change: for a control of a version that did not send the fact yet. */
  before(request: Request): number | null;
  /** False if a press in this manner does the same, whatever the fact is. */
  matters(manner: Manner): boolean;
  /** Sentences for a modal, which hides the message. */
  words(request: Request, manner: Manner): string[];
  /** Half a sentence about its change. */
  change(request: Request, was: number | null): string;
}

/**
 * All of them. A fact whose change ends the request is none: a precondition, the price. Nor is one that a press reads anew and asks for, as
 * a protected name, nor a stricter rule and other people's approvals: after these a press does less, or what it showed.
 */
const facts: Readonly<Record<string, ShownFact>> = {
  at: {
    read: ({ schedule }) => schedule?.at ?? null,
    before: ({ schedule }) => (schedule && schedule.moves > 0 ? schedule.movedFrom : (schedule?.at ?? null)),
    // An override runs at once.
    matters: ({ override }) => override === undefined,
    words: ({ schedule }, { override }) =>
      schedule && override === undefined ? [`It is for ${moment(schedule.at)}. ${schedule.said}`.trim()] : [],
    change: ({ schedule }, was) =>
      `it is for ${moment(schedule?.at ?? 0)} now and was ${was === null ? "to run at once" : `for ${moment(was)}`}`,
  },
  backup: {
    read: ({ backupFirst }) => (backupFirst?.step === "chosen" ? 1 : 0),
    before: () => 0,
    // Its press takes the backup in any case.
    matters: ({ withBackup }) => !withBackup,
    words: (request, { withBackup }) => {
      const { backupFirst } = request;
      return backupFirst && (withBackup || backupFirst.step === "chosen") ? [backupWords(backupFirst, request)] : [];
    },
    change: (request) => {
      const { backupFirst, target } = request;
      if (backupFirst?.step !== "chosen") return "no backup comes first any more";
      const { does, terms, chosenBy } = backupFirst;
      return `<@${chosenBy}> chose the backup, so Rackbell first ${does} ${code(target?.name ?? "")} (${terms})`;
    },
  },
  repeats: {
    read: ({ repeats }) => repeats.length,
    before: ({ repeats }) => repeats.length,
    // A press that wants no second one meets them again.
    matters: ({ second }) => second ?? false,
    words: ({ repeats, outcome }) => (repeats.length > 0 ? [outcome] : []),
    change: () => "the same was ordered once more",
  },
  unsettled: {
    // After one that was not done so far, the same press means the same, and goes out under the same id.
    read: ({ unsettled }) => (unsettled?.found === "unknown" ? 1 : 0),
    before: ({ unsettled }) => (unsettled?.found === "unknown" ? 1 : 0),
    matters: () => true,
    words: ({ unsettled, outcome }) => (unsettled ? [outcome] : []),
    change: () => "it was sent once, and its outcome is unknown",
  },
};

/** The facts as a control showed them, by their names. It may be of a version that had fewer. */
export const ShownFacts = z.record(z.string(), z.number().nullable());
export type ShownFacts = z.infer<typeof ShownFacts>;

export function shownFacts(request: Request): ShownFacts {
  return Object.fromEntries(Object.entries(facts).map(([name, { read }]) => [name, read(request)]));
}

/** The same in sentences. */
export function shownWords(request: Request, manner: Manner): string[] {
  return Object.values(facts).flatMap(({ words }) => words(request, manner));
}

/** Refuses a press whose control showed another act than it would decide. `shown`: null if it is of a version that sent no facts. */
export function requireShown(request: Request, manner: Manner, shown: ShownFacts | null): void {
  const changes = Object.entries(facts).flatMap(([name, { read, before, matters, change }]) => {
    const sent = shown?.[name];
    const was = sent === undefined ? before(request) : sent;
    return matters(manner) && was !== read(request) ? [change(request, was)] : [];
  });
  if (changes.length === 0) return;
  throw new Refusal(
    `The request changed after you opened this: ${changes.join("; ")}. Nothing was decided. Press the button of the request again, or open \`/rackbell approvals\`.`,
  );
}

const ControlValue = z.object({ request: z.string(), shown: ShownFacts });

/** The value of a button that decides. */
export function controlValue(request: Request): string {
  return JSON.stringify({ request: request.id, shown: shownFacts(request) } satisfies z.infer<typeof ControlValue>);
}

/** The request of a button, and the facts that it showed; null of a button that decides nothing, which has the id alone. */
export function readControl(value: string): { id: string; shown: ShownFacts | null } {
  const read = ControlValue.safeParse(readJson(value)).data;
  return read ? { id: read.request, shown: read.shown } : { id: value, shown: null };
}
