import * as z from "zod";
import { sealEveryMs } from "../../audit/assemble.ts";
import type { IntegrityFault } from "../../audit/fault.ts";
import { noteOf, readNote } from "../../audit/posting.ts";
import type { VerifyResult } from "../../audit/verify.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { InputError } from "../../operation/errors.ts";
import { section, context as small } from "../../views/blocks.ts";
import { duration, moment } from "../../views/format.ts";
import { code, count } from "../../views/text.ts";
import { requireAdmin } from "./connecting.ts";

export const auditVerify = defineAppOperation({
  command: "rackbell audit verify",
  summary: "For admins: prove that no entry of the audit was removed, changed, swapped or added by hand",
  verb: "Verify the audit",
  input: z.object({
    checkpoint: z
      .string()
      .optional()
      .meta({ title: "Checkpoint", description: "As it was posted, to hold the record to it. Empty: none" }),
  }),
  positional: "checkpoint",
  async run({ context, actor, input, now }) {
    await requireAdmin(context, actor);
    const noted = input.checkpoint ? readNote(input.checkpoint) : null;
    if (noted === undefined)
      throw new InputError([
        { field: "checkpoint", message: "This is not a checkpoint: it is a number, a dot and 22 characters." },
      ]);
    const verdict = await context.auditSystem.verify(noted);
    if (verdict.is === "not begun") return { text: "Nothing is sealed yet. Ask again in a minute." };
    if (verdict.is === "broken")
      return { text: `:red_circle: *The audit was tampered with.* ${faultWords(verdict.fault)}` };
    const text = wholeWords(verdict, now);
    return { text, blocks: [section(text), small(newestWords(verdict))] };
  },
});

type Whole = Extract<VerifyResult, { is: "whole" }>;

function wholeWords({ fixed, loose, before, since, newest, compared }: Whole, now: number): string {
  const sentences = [
    `:white_check_mark: *The audit is whole.* ${fixedWords(fixed)} Sealing began ${moment(since)}.`,
    loose === 0 ? "" : looseWords(loose, now - newest.at),
    before === 0 ? "" : beforeWords(before),
    compared === true ? "The checkpoint that you gave is in it." : "",
    compared === false ? "The checkpoint that you gave is older than what is kept, so it could not be compared." : "",
  ];
  return sentences.filter((sentence) => sentence !== "").join(" ");
}

function fixedWords(fixed: number): string {
  if (fixed === 0) return "No entry is sealed yet.";
  return fixed === 1
    ? "The one sealed entry is as written."
    : `The ${fixed} sealed entries are as written, and in order.`;
}

function looseWords(loose: number, age: number): string {
  const signed = `${count(loose, "newer entry", "newer entries")} ${loose === 1 ? "is" : "are"} signed and not sealed yet`;
  if (age < 5 * sealEveryMs) return `${signed}: what was removed within the last minute cannot be told.`;
  return `:warning: ${signed}, since nothing was sealed for ${duration(age)}: what was removed in that time cannot be told. See the log.`;
}

function beforeWords(before: number): string {
  return `${count(before, "entry", "entries")} from before sealing existed ${before === 1 ? "carries" : "carry"} no proof: nothing can be said of ${before === 1 ? "it" : "them"}.`;
}

function newestWords({ newest }: Whole): string {
  return `Newest checkpoint: ${code(noteOf(newest))}, taken ${moment(newest.at)}. Noted where the store cannot reach it, it shows later that the whole store was not rewritten: \`/rackbell audit post\` has it posted each day.`;
}

const onward =
  "Everything before it is as it was written. Compare with a backup, and look at who can write to the store.";

function faultWords(fault: IntegrityFault): string {
  switch (fault.is) {
    case "removed":
      return `The first that does not fit is entry ${fault.place}: it was removed. ${onward}`;
    case "changed":
      return `The first that does not fit is ${entryWords(fault)}: it was changed, or put in another's place. ${onward}`;
    case "added":
      return `The first that does not fit is ${entryWords(fault)}: Rackbell did not write it as it stands, so it was added or changed by hand. ${onward}`;
    case "copied":
      return `The first that does not fit is ${entryWords(fault)}: it is a copy of an older one. ${onward}`;
    case "no checkpoint":
      return `Checkpoint ${fault.number} is missing, so that entries may have gone with it. ${onward}`;
    case "wrong checkpoint":
      return `Checkpoint ${fault.number}, of ${moment(fault.at)}, is not as it was taken. ${onward}`;
    case "severed":
      return `What came before checkpoint ${fault.number}, of ${moment(fault.at)}, was not sealed by Rackbell when that was taken, or by a key that was gone by then. Compare with a backup, and look at who can write to the store.`;
    case "no head":
      return "Where the chain of checkpoints ends is no longer on record, so that its end may be missing. Compare with a backup, and look at who can write to the store.";
    case "not the noted one":
      return `Checkpoint ${fault.number} is not the one that you gave: the store was rewritten, or put back to an older state, after that was noted. Compare with a backup, and look at who can write to the store.`;
  }
}

function entryWords({ place, entry }: Extract<IntegrityFault, { place: string }>): string {
  if (!entry) return `entry ${place}`;
  const { at, said } = entry;
  const what = said
    ? `, ${code(said.what, 40)} of ${code(said.command, 60)}${said.target ? ` on ${code(said.target.name, 60)}` : ""}`
    : "";
  return `entry ${place} (${moment(at)}${what})`;
}
