// members/settings/: small stored things of the workspace and its members: settings, channel defaults, last commands.

import * as z from "#zod";
import type { StoreApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";

/** Settings of the workspace, changed by admins. */
const Settings = z.object({
  /** The channel for requests that destroy; null means the channel in which they were typed. */
  approvalsChannel: z.string().nullable(),
  /** The user group that is mentioned there. */
  approverGroup: z.string().nullable(),
  /** Days before a document's due date, and before a renewal, at which an alert is posted. */
  dueDays: z.number(),
  renewalDays: z.number(),
  /** An alert is posted when the balance of the monitoring key's user is below this; null means never. */
  balanceBelow: z.string().nullable(),
  /** True when the newest checkpoint of the audit log is posted there once a day. */
  checkpointsPosted: z.boolean(),
  /** True when an admin switched all agents off. */
  agentsOff: z.boolean(),
  /** `PASSKEYS` and the host name of the passkeys at the last start, to tell admins of a change. */
  passkeys: z.enum(["off", "on", "required"]),
  passkeyHost: z.string().nullable(),
});
export type Settings = z.infer<typeof Settings>;

const key = "workspace";
const unset: Settings = {
  approvalsChannel: null,
  approverGroup: null,
  dueDays: 3,
  renewalDays: 7,
  balanceBelow: null,
  checkpointsPosted: false,
  agentsOff: false,
  passkeys: "off",
  passkeyHost: null,
};

const settingsKind = defineKind({ name: "setting", namespace: "settings", schema: Settings });

export async function readSettings({ store }: StoreApp): Promise<Settings> {
  return (await store.keyv(settingsKind).get(key)) ?? unset;
}

/** Merges the change atomically: of two changes at once neither undoes the other. */
export async function changeSettings({ store }: StoreApp, change: Partial<Settings>): Promise<Settings> {
  return (await update(store, settingsKind, key, (before) => ({ ...unset, ...before, ...change }))) ?? unset;
}

const day = 24 * 60 * 60_000;

/** Thresholds of alerts, as admins have set them. */
export type AlertLimits = Pick<Settings, "dueDays" | "renewalDays" | "balanceBelow">;

/**
 * "overdue" when a date is past by more than `grace` milliseconds, "due_soon" within so many days, else null. `at`: as the platform
 * writes it.
 */
export function dueStage(
  at: string,
  { now, days, grace = 0 }: { now: number; days: number; grace?: number },
): "overdue" | "due_soon" | null {
  const left = Date.parse(at) - now;
  if (left < -grace) return "overdue";
  return left <= days * day ? "due_soon" : null;
}
