import type { LogEntry } from "../../storage/store.ts";
import { placeOf } from "./checkpoint.ts";
import { AuditEntry } from "./entry.ts";

/** The first thing in the record that is not as it was written. */
export type Fault =
  /** `entry` is null where only its place is known. */
  | {
      is: "removed" | "changed" | "added" | "copied";
      place: string;
      entry: { at: number; said: AuditEntry | null } | null;
    }
  /** A checkpoint is gone, not as it was taken, or follows one that was not Rackbell's. `from` and `to`: the places that it fixed. */
  | { is: "no checkpoint"; number: number }
  | { is: "wrong checkpoint" | "severed"; number: number; at: number }
  /** The newest checkpoint is not the one that was taken last, or was never taken. */
  | { is: "no head" }
  /** A checkpoint that somebody has noted is not in the record. */
  | { is: "not the noted one"; number: number };

/** Ends a look at the record where the first thing does not fit. */
export class Broken extends Error {
  readonly fault: Fault;
  constructor(fault: Fault) {
    super(fault.is);
    this.fault = fault;
  }
}

export function faultOf(is: "changed" | "added" | "copied", { id, at, data }: LogEntry): Broken {
  return new Broken({ is, place: placeOf(id), entry: { at, said: AuditEntry.safeParse(data).data ?? null } });
}
