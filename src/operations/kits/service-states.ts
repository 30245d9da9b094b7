import { ownValue } from "../../process/own-value.ts";
/** All states of a service (spec section 3.1). */
export const serviceStates = [
  "pending",
  "awaiting payment",
  "installing",
  "active",
  "suspended",
  "terminated",
  "not built",
  "cancelled",
];

/** True in the two states without a way back. The spec does not say who cancels a service, so either proves its end. Spec section 3.1. */
export function isEndState(status: string | undefined): boolean {
  return status === "terminated" || status === "cancelled";
}

const marks: Record<string, string> = {
  // Green means a running machine, and this is the billing state alone.
  active: ":large_blue_circle:",
  suspended: ":no_entry:",
  terminated: ":black_circle:",
  cancelled: ":black_circle:",
  "not built": ":red_circle:",
  "of unknown state": ":white_circle:",
};

export function stateMark(state: string): string {
  return ownValue(marks, state) ?? ":hourglass_flowing_sand:";
}

const machineMarks: Record<string, string> = {
  ...marks,
  running: ":large_green_circle:",
  stopped: ":white_circle:",
  paused: ":large_yellow_circle:",
  error: ":red_circle:",
  orphaned: ":red_circle:",
};

/** The mark of a machine's state, or of the billing state of a service without one; an hourglass for transitions. */
export function machineMark(state: string): string {
  return ownValue(machineMarks, state) ?? ":hourglass_flowing_sand:";
}
