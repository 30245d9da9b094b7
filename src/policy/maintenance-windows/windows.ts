import { randomUUID } from "node:crypto";
import * as z from "#zod";
import { characters, PlainText } from "../../process/plain-text.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";
import { moment } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { isOpenAt, opensAfter, spanAt } from "./spans.ts";

const Window = z.object({
  id: z.string(),
  machines: z.array(z.object({ id: z.string(), name: PlainText })),
  from: z.number(),
  until: z.number(),
  every: z.enum(["day", "week"]).nullable(),
  zone: z.string(),
  walls: z.object({ from: z.number(), until: z.number() }).optional(),
  /** The Slack user who made it, and whether they were an admin then: rules respect the windows of admins alone. */
  by: z.string(),
  byAdmin: z.boolean(),
});
export type Window = z.infer<typeof Window>;
const WindowsRecord = z.object({ windows: z.array(Window) });

/** Mutes alerts until a time. */
export const Mute = z.object({
  /** Null: every channel. */
  channel: z.string().nullable(),
  /** A customer, an order or a service; null means any. */
  about: z.string().nullable(),
  /** The name that people know it by; null if it is the same. */
  name: z.string().nullable(),
  /** Milliseconds since the epoch. */
  until: z.number(),
  by: z.string(),
});
export type Mute = z.infer<typeof Mute>;

/** The values with which the command names what is muted. */
export function muteScope({ channel, about }: Mute) {
  return { ...(about === null ? {} : { about }), ...(channel === null ? {} : { channel }) };
}

const key = "workspace";
const most = 500;

const windowsKind = defineKind({ name: "windows", namespace: "maintenance-windows", schema: WindowsRecord });

// Maintenance windows of machines. They mute alerts, appear on the machine's details, and a rule may allow an act only within them.

async function storedWindows({ store }: StoreApp): Promise<Window[]> {
  return (await store.keyv(windowsKind).get(key))?.windows ?? [];
}

/** The windows that are not over, the earliest first. */
export async function allWindows(app: TimedApp): Promise<Window[]> {
  const now = app.clock.now();
  const found = (await storedWindows(app)).flatMap((window) => {
    const span = spanAt(window, now);
    return span ? [{ window, span }] : [];
  });
  return found.toSorted((a, b) => a.span.from - b.span.from).map(({ window }) => window);
}

/** Those of one machine. */
export async function readWindows(app: TimedApp, machine: string): Promise<Window[]> {
  return (await allWindows(app)).filter((window) => isAbout(window, machine));
}

/**
 * Adds a window, in place of the one with the id `instead`. Both are one step: a full list has room for a change, and no failure leaves the
 * machines with two windows or with none. Null when the maximum number of others is stored already.
 */
export async function addWindow(
  { store, clock }: TimedApp,
  window: Omit<Window, "id">,
  instead: string | null,
): Promise<Window | null> {
  const added = { id: randomUUID().slice(0, 8), ...window };
  let full = false;
  await update(store, windowsKind, key, (before) => {
    const windows = before?.windows.filter((one) => one.id !== instead && spanAt(one, clock.now()) !== null) ?? [];
    full = windows.length >= most;
    return full ? undefined : { windows: [...windows, added] };
  });
  return full ? null : added;
}

export async function removeWindow({ store }: StoreApp, id: string): Promise<void> {
  await update(store, windowsKind, key, (before) =>
    before?.windows.some((window) => window.id === id)
      ? { windows: before.windows.filter((window) => window.id !== id) }
      : undefined,
  );
}

/** The windows by which rules go. Computing spans is slow, and every command and alert needs them, so it is done for one machine alone. */
async function readAdminsWindows(app: StoreApp, machine: string): Promise<Window[]> {
  return (await storedWindows(app)).filter((window) => window.byAdmin && isAbout(window, machine));
}

/** True when an admin's window of that machine is open at a moment (milliseconds since the epoch). */
export async function isInWindow(app: StoreApp, machine: string, at: number): Promise<boolean> {
  return isOpenAt(await readAdminsWindows(app, machine), at);
}

/** When the next of an admin's windows of that machine opens; null where none does. */
export async function findNextWindow(app: StoreApp, machine: string, after: number): Promise<number | null> {
  return opensAfter(await readAdminsWindows(app, machine), after);
}

/** When the next window of one of these resources opens after a moment (milliseconds since the epoch); null where none does. */
export async function findNextWindowMute(
  app: StoreApp,
  after: number,
  resources: readonly string[],
): Promise<number | null> {
  const about = (await storedWindows(app)).filter((window) => resources.some((id) => isAbout(window, id)));
  return opensAfter(about, after);
}

/** The mutes that the windows open at a moment set for these resources. */
export async function windowMutes(app: StoreApp, at: number, resources: readonly string[]): Promise<Mute[]> {
  return (await storedWindows(app)).flatMap((window) => {
    const about = window.machines.filter(({ id }) => resources.includes(id));
    const span = about.length > 0 ? spanAt(window, at) : null;
    if (!span || span.from > at) return [];
    return about.map(({ id, name }) => ({
      channel: null,
      about: id,
      name: characters(name),
      until: span.until,
      by: window.by,
    }));
  });
}

function isAbout({ machines }: Window, machine: string): boolean {
  return machines.some(({ id }) => id === machine);
}

const again = { day: ", and every day at that time", week: ", and every week at that time" };

/** When a window is open, as the rest of a sentence. */
export function whenOpen(window: Window, now: number): string {
  const span = spanAt(window, now);
  if (!span) return "over";
  const from = span.from <= now ? "now" : `from ${moment(span.from)}`;
  return `${from} until ${moment(span.until)}${window.every ? `${again[window.every]} (${window.zone})` : ""}`;
}

/** "Maintenance: now until 23:30", for the card of a machine; null where no window of it is near. */
export function maintenanceLine(windows: readonly Window[], now: number): string | null {
  if (windows.length === 0) return null;
  const lines = windows.slice(0, 3).map((window) => whenOpen(window, now));
  return `:construction: Maintenance: ${lines.join("; ")}. Its alerts are muted then.`;
}

/** One window in a list, with those of its machines that the reader is shown. */
export function windowLine(window: Window, shown: Window["machines"], now: number): string {
  const others = window.machines.length - shown.length;
  const rest = shown.length === 0 ? "machines that your keys do not list" : `${others} that your keys do not list`;
  const machines = listing([...shown.map(({ name }) => code(name)), ...(others > 0 ? [rest] : [])]);
  const rules = window.byAdmin ? "" : "; rules do not go by it, since no admin made it";
  return `${machines}: ${whenOpen(window, now)} · by <@${window.by}> · ${code(window.id)}${rules}`;
}
