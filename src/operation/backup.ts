import type { PlainText } from "../plain-text.ts";
import type { ApiName } from "../platform/http/errors.ts";
import type { Json } from "./answer.ts";
import type { CallContext } from "./call-context.ts";

/** A backup that was taken earlier: the handle to poll it again, and its time in milliseconds. */
export interface LastBackup {
  handle: Json;
  at: number;
}

/** The texts about a backup that a member can take before an act on the same resource. */
export interface BackupOffer {
  /** mrkdwn: the kind of backup, its price, and how to restore from it. */
  words: string;
  /** The same in half a sentence, for a dialog: "its disk is stored as an image, …". */
  brief: string;
  /** The newest backup that still exists; null if there is none. */
  newest: { name: PlainText; at: number } | null;
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
  /** Reads live; null if this target cannot be backed up. */
  offer: (call: CallContext<A> & { target: T; last: LastBackup | null }) => Promise<BackupOffer | null>;
}
