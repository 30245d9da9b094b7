// operations/kits/: what several nouns or both APIs do, written once; a kit knows no noun.

import type { Fact, Step } from "../../operation/answer.ts";
import { partSecrets } from "../../process/secret-parts.ts";
import { jsonLines } from "../../views/json.ts";
import { isNothing } from "../../views/values.ts";

/** The title of a row whose fields the spec does not show: its name, otherwise its id. */
export function rowTitle({ id, name }: { id: string; name?: unknown }): string {
  return typeof name === "string" && name.trim() !== "" ? name : id;
}

/** Joins whole lines, up to `most` characters. The text says if lines are left out. */
export function wholeLines(lines: string[], most: number, joiner = " · "): string {
  const kept: string[] = [];
  let size = 0;
  for (const line of lines) {
    size += line.length + joiner.length;
    if (size > most) break;
    kept.push(line);
  }
  const left = lines.length - kept.length;
  return [...kept, ...(left > 0 ? [`${left} more`] : [])].join(joiner);
}

/** The fields of a row beside its id and name on one line, in the platform's layout and without secrets. Empty if it has no others. */
export function restLine(
  { id: _, name: __, ...rest }: object & { id?: unknown; name?: unknown },
  currency: string | null = null,
  most = 450,
): string {
  return Object.keys(rest).length > 0 && !isNothing(rest)
    ? wholeLines(jsonLines(partSecrets(rest).rest, currency), most)
    : "";
}

/** A copy of the rows without their ids where they have names: an id says nothing to a reader of prices. */
export function withoutIds(found: unknown): unknown {
  if (Array.isArray(found)) return found.map(withoutIds);
  if (typeof found !== "object" || found === null) return found;
  const named = Object.entries(found).filter(([name]) => !/^id$|_id$|Id$/.test(name));
  return named.some(([name]) => /name$/i.test(name)) ? Object.fromEntries(named) : found;
}

/** Labels with mrkdwn, of which only those with a value are shown. */
export type KnownFacts = (readonly [label: string, value: string | null | undefined])[];

export function known(rows: KnownFacts): Fact[] {
  return rows.flatMap(([label, value]) => (value ? [{ label, value }] : []));
}

/** The steps whose condition holds. */
export function fitting(steps: (readonly [condition: boolean | undefined, step: Step])[]): Step[] {
  return steps.flatMap(([condition, step]) => (condition ? [step] : []));
}
