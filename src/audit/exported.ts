import * as z from "zod";
import { type AssertionFault, createAssertionCheck } from "./assertions.ts";
import { AuditEntry } from "./entry.ts";

/** One line of an exported file: an entry with its place and its time. */
const Line = AuditEntry.extend({ id: z.string(), at: z.string() });

export interface ExportCheck {
  entries: number;
  /** Decisions that a passkey proved. */
  proven: number;
  /** The first entry that does not fit, by its line (from 1) and its event; null if all fit. */
  fault: { line: number; what: string; why: AssertionFault | "not an entry" } | null;
}

/** The text of an entry as a line of the file. */
export function exportedLine({ id, at, entry }: { id: string; at: number; entry: AuditEntry }): string {
  return `${JSON.stringify({ id, at: new Date(at).toISOString(), ...entry })}\n`;
}

/**
 * Checks the passkeys of an exported file from the file alone. Every key must be registered in it, by an entry before the one that it
 * proves: a key that travels only beside its own signature proves nothing.
 */
export async function checkExported(text: string): Promise<ExportCheck> {
  const assertions = createAssertionCheck({ isWhole: true });
  const lines = text.split("\n").filter((line) => line.trim() !== "");
  for (const [at, line] of lines.entries()) {
    const entry = readLine(line);
    const why = entry ? await assertions.faultOf(entry) : "not an entry";
    if (why)
      return {
        entries: at,
        proven: assertions.counts().checked,
        fault: { line: at + 1, what: entry?.what ?? "", why },
      };
  }
  return { entries: lines.length, proven: assertions.counts().checked, fault: null };
}

function readLine(line: string): AuditEntry | null {
  try {
    return Line.safeParse(JSON.parse(line)).data ?? null;
  } catch {
    return null;
  }
}
