import * as z from "#zod";
import type { ApiName } from "../platform/http/errors.ts";
import type { PlainText } from "../process/plain-text.ts";
import type { Json } from "./answer.ts";
import type { CallContext } from "./call-context.ts";

/** The input with which a requester asks for the backup before the act. Every operation that declares `backupFirst` takes it. */
export const backupField = "backup-first";

const Asked = z
  .boolean()
  .optional()
  .meta({
    title: "Back up first",
    description: "The act begins only after the backup exists. You see the price of both before anything happens.",
    labels: { yes: "Yes, take a backup before the act" },
  });

/** The input of an operation, with the choice of a backup first where one can be taken. */
export function withBackupInput(input: z.ZodObject, { backupFirst }: { backupFirst?: unknown }): z.ZodObject {
  return backupFirst === undefined ? input : input.safeExtend({ [backupField]: Asked });
}

/** True if the requester asks for the backup first. */
export function asksBackup(input: Record<string, unknown>): boolean {
  return input[backupField] === true;
}

/** A backup that was taken earlier: the handle to poll it again, and its time in milliseconds. */
export interface LastBackup {
  handle: Json;
  at: number;
}

/** The texts about a backup that a member can take before an act on the same resource. */
export interface BackupOffer {
  /** mrkdwn: the kind of backup, its price, and how to restore from it. */
  words: string;
  /** The price, and what it does not bring back, in half a sentence: "no charge; it restores the disk, not the plan". */
  terms: string;
  /** The newest backup that still exists; null if there is none. `at` is null where no backup has a time. */
  newest: { name: PlainText; at: number | null } | null;
}

/**
 * Marks an operation that takes a backup, so that it can run before a destructive act. Its input has a `name`, and its job is
 * tracked to the end.
 */
export interface BackupDeclaration<A extends ApiName, T> {
  /** The label of the button: "Back up first". */
  label: string;
  /** The step's name in a list of steps: "Store the disk as an image". */
  step: string;
  /** Its verb in a sentence, before the name of the target: "takes a snapshot of". */
  does: string;
  /** Reads live; null if this target cannot be backed up, "unknown" if the platform does not say that. */
  offer: (call: CallContext<A> & { target: T; last: LastBackup | null }) => Promise<BackupOffer | "unknown" | null>;
}
