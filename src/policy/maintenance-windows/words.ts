import { moment } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { spanAt } from "./spans.ts";
import type { Window } from "./windows.ts";

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
