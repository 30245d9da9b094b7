import type { LogEntry } from "../../../src/storage/store.ts";
import type { Scene } from "../contract.ts";

export const day = 24 * 3_600_000;
export const retentionMs = 30 * day;

/** Makes entries of the moment in which a test appends them. */
export function entriesOf(scene: () => Scene) {
  return (data: unknown, subjects: string[] = []) => ({ at: scene().now(), subjects, data });
}

export function datas(entries: LogEntry[]): unknown[] {
  return entries.map((entry) => entry.data);
}
