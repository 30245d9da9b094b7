import type { LogEntry } from "../storage/store.ts";
import type { AssertionFault } from "./assertions.ts";
import { placeOf } from "./checkpoint.ts";
import { AuditEntry } from "./entry.ts";

/** The first fault that verification found in the audit log. */
export type IntegrityFault =
  /** `entry` is null where only its place is known. */
  | {
      is: "removed" | "changed" | "added" | "copied";
      place: string;
      entry: { at: number; said: AuditEntry | null } | null;
    }
  /** The passkey of an entry does not prove it. */
  | { is: "assertion"; why: AssertionFault; place: string; entry: { at: number; said: AuditEntry | null } }
  /** A checkpoint is missing or was changed, or (`severed`) follows one whose signature could not be verified. */
  | { is: "no checkpoint"; number: number }
  | { is: "wrong checkpoint" | "severed"; number: number; at: number }
  /** The stored newest checkpoint is missing or unreadable. */
  | { is: "no head" }
  /** The noted checkpoint is not in the log. */
  | { is: "not the posted one"; number: number };

/** Thrown at the first fault, which ends the verification. */
export class IntegrityError extends Error {
  readonly fault: IntegrityFault;
  constructor(fault: IntegrityFault) {
    super(fault.is);
    this.fault = fault;
  }
}

export function faultOf(is: "changed" | "added" | "copied", { id, at, data }: LogEntry): IntegrityError {
  return new IntegrityError({ is, place: placeOf(id), entry: { at, said: AuditEntry.safeParse(data).data ?? null } });
}
