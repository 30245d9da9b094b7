import * as z from "#zod";
import type { PlainText } from "../../../process/plain-text.ts";
import { code, listing, prose, thirdPerson } from "../../../views/text.ts";
import { NextStep } from "../../next-step.ts";

/**
 * The facet of a backup first. The backup is a request of its own, whose id follows from this one's and the backup's name. Once it is there,
 * this one reads the preconditions again, and only then runs the act.
 */
export const BackupFirst = z.object({
  /** The command of the operation that takes it. */
  command: z.string(),
  label: z.string(),
  /** Its description as sentences, its price in half a sentence, and the age of the newest backup. */
  words: z.string(),
  terms: z.string(),
  newest: z.string(),
  /** The rule that applies to it, in words; null if none does. */
  rule: z.string().nullable(),
  /** Its verb in a sentence, before the name of the target. */
  does: z.string(),
  /** The title of its step in the list of steps. */
  title: z.string(),
  /** Its name at the platform. */
  name: z.string(),
  step: z.enum([
    // It can be chosen; the requester, or the first of two approvers, chose it.
    "offered",
    "chosen",
    // It is being taken; it exists and the act comes next; the act was begun.
    "taking",
    "taken",
    "acting",
  ]),
  /** The Slack id of the one who chose it before the deciding press; null before that. */
  chosenBy: z.string().nullable(),
  /** When that choice last voided approvals (milliseconds since the epoch): the approvers are called once more. */
  changedAt: z.number().nullable(),
  /** The names of backups that were made for it before the platform refused its act. They stay, and may be billed. */
  made: z.array(z.string()),
  /** Steps that use the backup, for example a restore. */
  next: z.array(NextStep),
});
export type BackupFirst = z.infer<typeof BackupFirst>;

/** Says both acts in their order: "First Rackbell captures `web-1` (no charge), then it cancels it." */
export function backupWords(
  { does, terms }: Pick<BackupFirst, "does" | "terms">,
  { verb, target }: { verb: PlainText; target: { name: PlainText } | null },
): string {
  return `First Rackbell ${does} ${code(target?.name ?? "")} (${terms}), then it ${prose(thirdPerson(verb))} it.`;
}

/** Says which backups of a request exist, with a leading space; empty without one. */
export function madeWords(backupFirst: Pick<BackupFirst, "made" | "name" | "step"> | null): string {
  if (!backupFirst) return "";
  const { made, name, step } = backupFirst;
  const names = [...made, ...(step === "taken" || step === "acting" ? [name] : [])].map((one) => code(one));
  if (names.length === 0) return "";
  return names.length === 1
    ? ` The backup ${listing(names)} exists, and stays until somebody deletes it.`
    : ` The backups ${listing(names)} exist, and stay until somebody deletes them.`;
}

/** The facet after somebody chose the backup. Who chose it first stays named. */
export function chosen(backupFirst: BackupFirst, by: string): BackupFirst {
  return { ...backupFirst, step: "chosen", chosenBy: backupFirst.chosenBy ?? by };
}

/** The requester's present choice as a sentence. */
export function choiceWords(
  backupFirst: BackupFirst,
  request: { verb: PlainText; target: { name: PlainText } | null; requester: { slackUser: string } },
): string {
  return backupFirst.step === "chosen"
    ? backupWords(backupFirst, request)
    : `<@${request.requester.slackUser}> took the backup back, so none comes first.`;
}
