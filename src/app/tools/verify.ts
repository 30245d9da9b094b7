import { readFileSync } from "node:fs";
import { readNote } from "../../audit/checkpoint.ts";
import { checkExported, type ExportCheck, type Gap, isExport, type LineFault } from "../../audit/exported.ts";

const usage = `npm run verify -- FILE [CHECKPOINT]

FILE        from /rackbell audit everyone=yes export=yes format=json
CHECKPOINT  as it was posted in the channel or sent to AUDIT_URL, such as 12.kY3f…

It ends with 0 if all fits, 1 if a line is forged, 2 if the file is incomplete, and 3 if it cannot be read.
`;

const codes: Record<ExportCheck["is"], number> = { fits: 0, forged: 1, incomplete: 2 };
const unreadable = 3;

const faultWords: Record<LineFault, string> = {
  "not an entry": "It is no line of an audit log.",
  changed: "It is not as its checkpoint sealed it.",
  "out of order": "It comes twice, or before an older line.",
  "wrong checkpoint": "The checkpoint does not fit the entries, or the checkpoint before it.",
  "not the noted one": "It is another checkpoint than the one that you gave.",
  removed: "An earlier entry removes its passkey.",
  "not signed": "Its passkey signed something else.",
  "another's": "The passkey signed another entry, or this one counted before.",
  "not proven": "It registers a passkey without the proof that this needs.",
  "not the first": "It does not fit the passkeys that its member had.",
};

function gapWords(gap: Gap): string {
  switch (gap.is) {
    case "empty":
      return "It has no entries.";
    case "no header":
      return "Its first line is missing.";
    case "cut":
      return "It ends in the middle of a line.";
    case "filtered":
      return "It was exported with a filter, so it has a part of the entries.";
    case "counts":
      return `It has another number of ${gap.what} than its first line says.`;
    case "no checkpoint":
      return "Some entries have no checkpoint.";
    case "entry missing":
      return `Entry ${gap.place} is missing.`;
    case "checkpoint missing":
      return `Checkpoint ${gap.number} is missing.`;
    case "not registered":
      return `No line registers the passkeys of ${gap.count} signatures.`;
  }
}

function resultWords(check: ExportCheck): string[] {
  const { is, fault, gaps, entries, range, proven, unsigned, sealed, isNoted } = check;
  const time = (at: number) => new Date(at).toISOString();
  const read = range
    ? `${entries} entries read, from ${Number(range.from.id)} (${time(range.from.at)}) to ${Number(range.through.id)} (${time(range.through.at)}).`
    : "No entries read.";
  const passkeys = `${proven} signatures by passkeys are proven. ${unsigned} decisions have no signature.`;
  if (is === "forged")
    return [`FORGED. Line ${fault?.line} (${fault?.what}) does not fit. ${fault && faultWords[fault.why]}`, read];
  if (is === "incomplete") {
    const shown = gaps.slice(0, 5).map(gapWords);
    const more = gaps.length > 5 ? [`${gaps.length - 5} more are missing.`] : [];
    return ["INCOMPLETE. Nothing in it is forged, and it does not prove all.", ...shown, ...more, read, passkeys];
  }
  return [
    `All fits. ${read}`,
    passkeys,
    isNoted
      ? "The checkpoint that you gave is in it: up to there, no entry was changed, added or removed in this range."
      : `Not proven: that nobody rewrote the whole file, and that each first passkey is its member's. Give a checkpoint from outside, up to number ${sealed?.number}.`,
  ];
}

/** The text of the file, or a sentence that says why there is none. */
function readText(file: string): { text: string } | { problem: string } {
  try {
    return { text: readFileSync(file, "utf8") };
  } catch (error) {
    const code = error instanceof Error && "code" in error ? error.code : "";
    if (code === "ENOENT") return { problem: `There is no file ${file}.` };
    return { problem: `The file ${file} cannot be read (${code}).` };
  }
}

/** It needs the file alone: no store, no key, no network, and no Rackbell that runs. Resolves to the exit code. */
async function verify(file: string, given: string | undefined): Promise<number> {
  const noted = given === undefined ? null : readNote(given);
  if (noted === undefined) return fail("This is not a checkpoint: it is a number, a dot and 22 characters.");
  const read = readText(file);
  if ("problem" in read) return fail(read.problem);
  if (!isExport(read.text)) return fail(`${file} is no audit log that was exported with format=json.`);
  const check = await checkExported(read.text, noted);
  const words = `${resultWords(check).join("\n")}\n`;
  (check.is === "fits" ? process.stdout : process.stderr).write(words);
  return codes[check.is];
}

function fail(problem: string): number {
  process.stderr.write(`${problem}\n`);
  return unreadable;
}

const [file, checkpoint] = process.argv.slice(2);
if (file) process.exitCode = await verify(file, checkpoint);
else process.exitCode = fail(usage);
