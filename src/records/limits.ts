import type { Settings } from "./settings.ts";

const day = 24 * 60 * 60_000;

/** Thresholds of alerts, as admins have set them. */
export type Limits = Pick<Settings, "dueDays" | "renewalDays" | "balanceBelow">;

/**
 * "overdue" when a date is past by more than `grace` milliseconds, "due_soon" within so many days, else null. `at`: as the platform
 * writes it.
 */
export function stageOf(
  at: string,
  { now, days, grace = 0 }: { now: number; days: number; grace?: number },
): "overdue" | "due_soon" | null {
  const left = Date.parse(at) - now;
  if (left < -grace) return "overdue";
  return left <= days * day ? "due_soon" : null;
}
