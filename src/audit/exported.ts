import * as z from "#zod";
import { canonicalJson, readJson } from "../process/json.ts";
import { type AssertionFault, createAssertionCheck, faultsOfGaps } from "./assertions.ts";
import { CheckpointBody, digestOfCheckpoint, entryPlace, type NotedCheckpoint, readMark } from "./checkpoint.ts";
import { AuditEntry } from "./entry.ts";
import { digestOfEntry, digestOfText, isWritten } from "./proof.ts";

// The exported file in lines of JSON: a header, earlier entries that register the passkeys in it, the entries, and the checkpoints.

export const Header = z.strictObject({
  rackbell: z.literal("audit log"),
  v: z.literal(1),
  /** The ids of the first and the last entry; null without any. */
  from: z.string().nullable(),
  through: z.string().nullable(),
  registrations: z.strictObject({ count: z.number(), digest: z.string() }),
  entries: z.number(),
  checkpoints: z.number(),
  /** The number and the digest of the last checkpoint. */
  newest: z.string().nullable(),
  /** The words of its filter; null if it has all entries of its range. */
  filter: z.string().nullable(),
});
export type Header = z.infer<typeof Header>;

/** Nothing else in the file seals the earlier entries. */
export function digestOfLines(lines: readonly object[]): string {
  return digestOfText(canonicalJson(lines));
}

const Written = z.looseObject({ id: z.string(), at: z.iso.datetime(), subjects: z.array(z.string()) });
const RegistrationLine = z.strictObject({ registration: Written });
const CheckpointLine = z.strictObject({ checkpoint: z.strictObject(CheckpointBody.shape) });

/** The reason why a line of the file cannot be genuine. */
export type LineFault =
  | Exclude<AssertionFault, "not registered">
  | "not an entry"
  | "changed"
  | "out of order"
  | "wrong checkpoint"
  | "not the noted one";

/** The reason why the file does not have all that would prove it. */
export type Gap =
  | { is: "empty" | "no header" | "cut" | "filtered" | "no checkpoint" }
  | { is: "counts"; what: string }
  | { is: "entry missing"; place: string }
  | { is: "checkpoint missing"; number: number }
  | { is: "not registered"; count: number };

export interface ExportCheck {
  is: "fits" | "incomplete" | "forged";
  /** The first line that cannot be genuine, from 1, with its event. */
  fault: { line: number; what: string; why: LineFault } | null;
  gaps: Gap[];
  entries: number;
  /** The first entry and the last. */
  range: { from: ReadEntry; through: ReadEntry } | null;
  /** Decisions that a passkey proved, and decisions without one. */
  proven: number;
  unsigned: number;
  /** The newest checkpoint that seals entries of the file. `isNoted`: it, or a later one, is the one that was given. */
  sealed: { number: number; at: number } | null;
  isNoted: boolean;
}

interface ReadEntry {
  line: number;
  raw: object;
  id: string;
  at: number;
  subjects: string[];
  data: unknown;
  /** Null if it is no entry of an audit log. */
  entry: AuditEntry | null;
}

interface ReadFile {
  header: Header | null;
  registrations: ReadEntry[];
  entries: ReadEntry[];
  checkpoints: { line: number; body: CheckpointBody }[];
  /** The last line ends in its middle. */
  isTorn: boolean;
  /** Lines that are none of these. */
  strange: number[];
}

/**
 * Checks an exported file from the file alone, and against a checkpoint that was kept outside of Rackbell if one is given. A file that
 * lacks something is incomplete; forged is only one with a line that no genuine file has.
 */
export async function checkExported(text: string, noted: NotedCheckpoint | null = null): Promise<ExportCheck> {
  const file = readFile(text);
  const { entries } = file;
  const chain = checkChain(file, noted);
  const { fault: wrongPasskey, isUnsure, unknown, proven, unsigned } = await checkPasskeys(file);
  const gaps: Gap[] = [
    ...gapsOfHeader(file, text),
    ...chain.gaps,
    ...(unknown > 0 ? [{ is: "not registered" as const, count: unknown }] : []),
  ];
  const [strange] = file.strange;
  const faults = [
    ...(strange === undefined ? [] : [{ line: strange, what: "", why: "not an entry" as const }]),
    ...headerFaults(file),
    ...orderFaults(file),
    ...chain.faults,
    // Entries that are missing can have this effect in a genuine file.
    ...(wrongPasskey && !(isUnsure && gaps.length > 0) ? [wrongPasskey] : []),
  ].toSorted((a, b) => a.line - b.line);
  const [fault = null] = faults;
  const [from, through] = [entries[0], entries.at(-1)];
  return {
    is: fault ? "forged" : gaps.length > 0 ? "incomplete" : "fits",
    fault,
    gaps,
    entries: entries.length,
    range: from && through ? { from, through } : null,
    proven,
    unsigned,
    sealed: chain.sealed,
    isNoted: chain.isNoted,
  };
}

/** False for a file without any line of an export, such as one in another format. An empty one is a part of any. */
export function isExport(text: string): boolean {
  if (text.trim() === "" || text.startsWith('{"rackbell":"audit log"')) return true;
  return text.split("\n").some((line, at) => addLine(emptyFile(), at, readJson(line)));
}

function emptyFile(): ReadFile {
  return { header: null, registrations: [], entries: [], checkpoints: [], isTorn: false, strange: [] };
}

function readFile(text: string): ReadFile {
  const file = emptyFile();
  const lines = text.split("\n");
  const last = lines.findLastIndex((line) => line.trim() !== "");
  for (const [at, line] of lines.slice(0, last + 1).entries()) {
    const number = at + 1;
    const value = readJson(line);
    if (at === 0 && Header.safeParse(value).success) file.header = Header.parse(value);
    else if (value === undefined && at === last && !text.endsWith("\n")) file.isTorn = true;
    else if (!addLine(file, number, value)) file.strange.push(number);
  }
  return file;
}

function addLine(file: ReadFile, line: number, value: unknown): boolean {
  const checkpoint = CheckpointLine.safeParse(value);
  if (checkpoint.success) return file.checkpoints.push({ line, body: checkpoint.data.checkpoint }) > 0;
  const registration = RegistrationLine.safeParse(value);
  const read = readEntry(line, registration.success ? registration.data.registration : value);
  if (!read) return false;
  return (registration.success ? file.registrations : file.entries).push(read) > 0;
}

function readEntry(line: number, value: unknown): ReadEntry | null {
  const written = Written.safeParse(value);
  if (!written.success) return null;
  const { id, at, subjects, ...data } = written.data;
  const time = Date.parse(at);
  if (new Date(time).toISOString() !== at || !isWritten(data)) return null;
  return { line, raw: written.data, id, at: time, subjects, data, entry: wholeEntry(data) };
}

/** Null if it is no entry, or if it has a field that no entry has. */
function wholeEntry({ proof: _, ...data }: Record<string, unknown>): AuditEntry | null {
  const entry = AuditEntry.safeParse(data).data;
  return entry && canonicalJson(entry) === canonicalJson(data) ? entry : null;
}

function gapsOfHeader({ header, registrations, entries, checkpoints, isTorn }: ReadFile, text: string): Gap[] {
  if (text.trim() === "") return [{ is: "empty" }];
  if (!header) return [{ is: "no header" }];
  const [from, through] = [entries[0]?.id ?? null, entries.at(-1)?.id ?? null];
  const counts = [
    ["registrations", registrations.length === header.registrations.count],
    ["entries", entries.length === header.entries && from === header.from && through === header.through],
    ["checkpoints", checkpoints.length === header.checkpoints],
  ] as const;
  return [
    ...(isTorn ? [{ is: "cut" as const }] : []),
    ...(entries.length === 0 ? [{ is: "empty" as const }] : []),
    ...(header.filter === null ? [] : [{ is: "filtered" as const }]),
    ...counts.flatMap(([what, fits]) => (fits ? [] : [{ is: "counts" as const, what }])),
  ];
}

type Fault = NonNullable<ExportCheck["fault"]>;

/** The header seals what no checkpoint of the file does: the earlier entries, and the last checkpoint. */
function headerFaults({ header, registrations, checkpoints }: ReadFile): Fault[] {
  if (!header) return [];
  const [wrong, last] = [{ line: 1, what: "header", why: "changed" as const }, checkpoints.at(-1)];
  const isWhole = registrations.length === header.registrations.count;
  const isSameEarlier = digestOfLines(registrations.map(({ raw }) => raw)) === header.registrations.digest;
  const isSameNewest = (last ? `${last.body.number}.${digestOfCheckpoint(last.body)}` : null) === header.newest;
  return [
    ...(isWhole && !isSameEarlier ? [wrong] : []),
    ...(checkpoints.length === header.checkpoints && !isSameNewest ? [wrong] : []),
  ];
}

/** Each line comes once, and after those before it. */
function orderFaults({ registrations, entries, checkpoints }: ReadFile): Fault[] {
  const parts = [registrations, entries, checkpoints].map((part) => part.map(({ line }) => line));
  const mixed = parts.flatMap((part, at) => {
    const before = Math.max(0, ...parts.slice(0, at).flat());
    return part.flatMap((line) => (line < before ? [{ line, what: "", why: "out of order" as const }] : []));
  });
  const lines = [
    ...[registrations, entries].flatMap((read) =>
      read.map(({ line, id, entry }, at) => ({ line, what: entry?.what ?? "", isNext: id > (read[at - 1]?.id ?? "") })),
    ),
    ...checkpoints.map(({ line, body }, at) => ({
      line,
      what: "checkpoint",
      isNext: body.number > (checkpoints[at - 1]?.body.number ?? 0),
    })),
  ];
  const twice = lines.flatMap(({ line, what, isNext }) =>
    isNext ? [] : [{ line, what, why: "out of order" as const }],
  );
  return [...mixed, ...twice];
}

/** Compares the entries with the checkpoints, and each checkpoint with the one before it. */
function checkChain(file: ReadFile, noted: NotedCheckpoint | null) {
  const { entries, checkpoints } = file;
  const faults: Fault[] = [];
  const gaps: Gap[] = [];
  const byPlace = new Map(entries.map((read) => [Number(read.id), read]));
  const sealedPlaces = new Set<number>();
  let sealed: ExportCheck["sealed"] = null;
  for (const [at, checkpoint] of checkpoints.entries()) {
    const { number, at: takenAt, marks } = checkpoint.body;
    const order = checkOrder(checkpoint, checkpoints[at - 1]?.body);
    const marked = marks.map(readMark).flatMap(({ place, digest }) => {
      const read = byPlace.get(place);
      return read ? [{ read, digest }] : [];
    });
    faults.push(...order.faults, ...sealFaults(checkpoint, marked));
    gaps.push(...order.gaps, ...missingEntries(file, checkpoint, byPlace));
    for (const { read } of marked) sealedPlaces.add(Number(read.id));
    if (marked.length > 0) sealed = { number, at: takenAt };
  }
  const loose = entries.find(({ id }) => !sealedPlaces.has(Number(id)));
  if (loose) gaps.push({ is: "no checkpoint" });
  const given = noted && checkpoints.find(({ body }) => body.number === noted.number);
  const isNoted = Boolean(given && digestOfCheckpoint(given.body).startsWith(noted.digest));
  if (given && !isNoted) faults.push({ line: given.line, what: "checkpoint", why: "not the noted one" });
  if (noted && !given) gaps.push({ is: "checkpoint missing", number: noted.number });
  return { faults, gaps, sealed, isNoted };
}

type ReadCheckpoint = ReadFile["checkpoints"][number];

/** Compares a checkpoint with the one before it in the file. */
function checkOrder(
  { line, body }: ReadCheckpoint,
  before: CheckpointBody | undefined,
): { faults: Fault[]; gaps: Gap[] } {
  if (!before) return { faults: [], gaps: [] };
  if (body.number > before.number + 1)
    return { faults: [], gaps: [{ is: "checkpoint missing", number: before.number + 1 }] };
  const follows = body.previous === digestOfCheckpoint(before) && !body.severed;
  return { faults: follows ? [] : [{ line, what: "checkpoint", why: "wrong checkpoint" }], gaps: [] };
}

/** Compares a checkpoint with those of its entries that the file has: each by its mark, and all of them by their digest. */
function sealFaults({ line, body }: ReadCheckpoint, marked: readonly { read: ReadEntry; digest: string }[]): Fault[] {
  const compared = marked.map(({ read, digest }) => ({ read, digest, found: digestOfEntry(read) }));
  const changed = compared.filter(
    ({ read, digest, found }) => !found.startsWith(digest) || body.strange.includes(entryPlace(read.id)),
  );
  const isWhole = marked.length === body.marks.length;
  const isWrong = isWhole && digestOfText(compared.map(({ found }) => found).join()) !== body.digest;
  return [
    ...changed.map(({ read }) => faultAt(read, "changed")),
    ...(isWrong ? [{ line, what: "checkpoint", why: "wrong checkpoint" as const }] : []),
  ];
}

/** A file without a filter has all entries between its first and its last. */
function missingEntries(
  { header, entries }: ReadFile,
  { body }: ReadCheckpoint,
  byPlace: ReadonlyMap<number, ReadEntry>,
): Gap[] {
  const [from, through] = [entries[0], entries.at(-1)];
  if (!from || !through || header?.filter !== null) return [];
  const places = body.marks.map((mark) => readMark(mark).place).filter((place) => !byPlace.has(place));
  return places
    .filter((place) => place >= Number(from.id) && place <= Number(through.id))
    .map((place) => ({ is: "entry missing", place: String(place) }));
}

function faultAt({ line, entry }: ReadEntry, why: LineFault): Fault {
  return { line, what: entry?.what ?? "", why };
}

/** `isUnsure`: the fault may come of an entry that is missing. `unknown`: signatures whose passkey no line registers. */
async function checkPasskeys({ registrations, entries }: ReadFile) {
  const assertions = createAssertionCheck();
  let unknown = 0;
  for (const read of [...registrations, ...entries]) {
    if (!read.entry) return { fault: faultAt(read, "not an entry"), isUnsure: false, unknown, ...counts() };
    const why = await assertions.faultOf({ at: read.at, entry: read.entry });
    if (why === "not registered") unknown += 1;
    else if (why) return { fault: faultAt(read, why), isUnsure: faultsOfGaps.includes(why), unknown, ...counts() };
  }
  return { fault: null, isUnsure: false, unknown, ...counts() };

  function counts() {
    const { checked: proven, unsigned } = assertions.counts();
    return { proven, unsigned };
  }
}
