import type { Settings } from "../records/settings.ts";

const day = 24 * 60 * 60_000;

/** How near something must be to be worth an alert, as admins have set it. */
export type Limits = Pick<Settings, "dueDays" | "renewalDays" | "balanceBelow">;

/** Whether a date is past (by more than `grace` milliseconds), within so many days, or neither. `at`: as the platform writes it. */
export function stageOf(
  at: string,
  { now, days, grace = 0 }: { now: number; days: number; grace?: number },
): "overdue" | "due_soon" | null {
  const left = Date.parse(at) - now;
  if (left < -grace) return "overdue";
  return left <= days * day ? "due_soon" : null;
}
