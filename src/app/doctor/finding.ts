// app/doctor/: checks the environment before a start, and names what to mend; changes nothing.

import { scrub } from "../../process/log.ts";

/** The result of one check, as a line for the operator. */
export interface Finding {
  about: "variables" | "Slack" | "platform" | "store" | "clock";
  fine: boolean;
  /** The fact, or the problem with its remedy. */
  says: string;
}

/** The reason of an error, as the end of a sentence without its full stop. */
export function failureReason(error: unknown): string {
  return scrub(error instanceof Error ? error.message : "no reason was given").replace(/\.$/, "");
}
