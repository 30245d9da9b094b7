/** All states of a service (spec section 3.1). */
export const serviceStates = [
  "pending",
  "pending payment",
  "installing",
  "active",
  "suspended",
  "terminated",
  "provisioning failed",
  "cancelled",
];

const marks: Record<string, string> = {
  // Green means a running machine, and this is the billing state alone.
  active: ":large_blue_circle:",
  suspended: ":no_entry:",
  terminated: ":black_circle:",
  cancelled: ":black_circle:",
  "provisioning failed": ":red_circle:",
  "of unknown state": ":white_circle:",
};

export function markOf(state: string): string {
  return marks[state] ?? ":hourglass_flowing_sand:";
}
