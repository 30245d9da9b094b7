import * as z from "zod";
import { StoredEffect } from "../../../operation/effects.ts";
import { NextStep } from "../../next-step.ts";

/**
 * The facet of a backup first. The request takes it, checks that it exists, reads the preconditions again, and only then
 * runs the act. Each step is stored before it runs.
 */
export const BackupFirst = z.object({
  /** The command of the operation that takes it. */
  command: z.string(),
  label: z.string(),
  /** Its description as sentences, as half a sentence, and the age of the newest backup. */
  words: z.string(),
  brief: z.string(),
  newest: z.string(),
  /** The title of its step in the list of steps. */
  title: z.string(),
  /** Its name at the platform. */
  name: z.string(),
  step: z.enum([
    // It can be chosen; the first of two approvers chose it.
    "offered",
    "chosen",
    // It is being taken; it exists and the act comes next; the act was begun.
    "taking",
    "taken",
    "acting",
  ]),
  /** The state to reconcile with, and the handle to poll with. */
  before: z.json(),
  /** The states that taking it leads to. */
  effects: z.array(StoredEffect),
  handle: z.json(),
  /** Steps that use the backup, for example a restore. */
  next: z.array(NextStep),
});
export type BackupFirst = z.infer<typeof BackupFirst>;
