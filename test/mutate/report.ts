// Reads the report of Stryker: which mutants survived, without those that change nothing.

/** The parts of a report in the format of mutation-testing-elements. Lines and columns count from 1. */
export interface MutationReport {
  files: Readonly<Record<string, { source: string; mutants: readonly Mutant[] }>>;
}

export interface Mutant {
  replacement: string;
  status: string;
  location: { start: Place; end: Place };
}

interface Place {
  line: number;
  column: number;
}

/** A mutant that no test can kill, since the code does the same with it. */
export interface Equivalent {
  file: string;
  /** The changed lines, as `changedLines` gives them: they do not depend on where the lines are. */
  now: string;
  why: string;
}

export interface Survivor {
  line: number;
  was: string;
  now: string;
}

export interface FileResult {
  file: string;
  /** How many mutants a test could notice. */
  mutants: number;
  survivors: Survivor[];
  equivalent: number;
}

const killed = new Set(["Killed", "Timeout"]);
const survived = new Set(["Survived", "NoCoverage"]);

/** The result of each of these files, with the equivalent mutants that no longer survive in them. */
export function readReport(
  { files }: MutationReport,
  names: readonly string[],
  equivalents: readonly Equivalent[],
): { results: FileResult[]; vain: Equivalent[] } {
  const used = new Set<Equivalent>();
  const results = names.map((file) => {
    const { source = "", mutants = [] } = files[file] ?? {};
    const known = equivalents.filter((one) => one.file === file);
    const all = mutants.filter(({ status }) => survived.has(status)).map((one) => survivorOf(source, one));
    const survivors = all.filter(({ now }) => {
      const same = known.find((one) => one.now === now);
      if (same) used.add(same);
      return !same;
    });
    const equivalent = all.length - survivors.length;
    const dead = mutants.filter(({ status }) => killed.has(status)).length;
    return { file, mutants: dead + survivors.length, survivors, equivalent };
  });
  return { results, vain: equivalents.filter((one) => names.includes(one.file) && !used.has(one)) };
}

function survivorOf(source: string, { replacement, location: { start, end } }: Mutant): Survivor {
  const lines = source.split("\n");
  const [first = "", last = ""] = [lines[start.line - 1], lines[end.line - 1]];
  const [before, after] = [first.slice(0, start.column - 1), last.slice(end.column - 1)];
  return {
    line: start.line,
    was: inOneLine(lines.slice(start.line - 1, end.line).join(" ")),
    now: inOneLine(`${before}${replacement}${after}`),
  };
}

function inOneLine(text: string): string {
  return text.replaceAll(/\s+/g, " ").trim();
}
