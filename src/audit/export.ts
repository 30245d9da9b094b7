import type { Foundation } from "../storage/foundation.ts";
import type { LogEntry } from "../storage/store.ts";
import type { FoundEntry } from "./audit.ts";
import { CheckpointBody, digestOfCheckpoint } from "./checkpoint.ts";
import { allCheckpoints, takeCheckpoints } from "./checkpoints.ts";
import { digestOfLines, type Header } from "./exported.ts";
import { registrationsBefore } from "./registrations.ts";

type ExportApp = Pick<Foundation, "store" | "signer" | "clock" | "log">;

/** Seals all entries so far: no line of a file is then without a checkpoint. */
export function sealForExport(app: ExportApp): Promise<void> {
  return takeCheckpoints(app);
}

/**
 * The text of a file that `npm run verify` checks without Rackbell. The entries come newest first. `filter`: the words of the choice that
 * left entries out. `registrations`: the file also has the earlier entries about passkeys, which are other members'.
 */
export async function exportedText(
  app: ExportApp,
  found: readonly FoundEntry[],
  { filter, registrations }: { filter: string | null; registrations: boolean },
): Promise<string> {
  const checkpoints = await checkpointsAbout(app, found);
  const newest = checkpoints.at(-1);
  // Written since the last checkpoint: the next file has them.
  const entries = found.filter(({ id }) => newest && id <= newest.through).toReversed();
  const [first, last] = [entries[0], entries.at(-1)];
  const earlier = first && registrations ? await registrationsBefore(app, first.id) : [];
  const earlierLines = earlier.map(lineOf);
  const header: Header = {
    rackbell: "audit log",
    v: 1,
    from: first?.id ?? null,
    through: last?.id ?? null,
    registrations: { count: earlier.length, digest: digestOfLines(earlierLines) },
    entries: entries.length,
    checkpoints: checkpoints.length,
    newest: newest ? `${newest.number}.${digestOfCheckpoint(newest)}` : null,
    filter,
  };
  const lines = [
    header,
    ...earlierLines.map((registration) => ({ registration })),
    ...entries.map(lineOf),
    ...checkpoints.map((checkpoint) => ({ checkpoint })),
  ];
  return lines.map((line) => `${JSON.stringify(line)}\n`).join("");
}

function lineOf({ id, at, subjects, data }: LogEntry): object {
  return { id, at: new Date(at).toISOString(), subjects, ...(typeof data === "object" ? data : {}) };
}

/** The checkpoints of the entries, and those between them, in one chain. */
async function checkpointsAbout(app: ExportApp, found: readonly FoundEntry[]): Promise<CheckpointBody[]> {
  const [newest, oldest] = [found[0]?.id ?? "", found.at(-1)?.id ?? ""];
  const chain: CheckpointBody[] = [];
  for await (const { checkpoint } of allCheckpoints(app))
    if (checkpoint && checkpoint.through >= oldest && checkpoint.after < newest)
      chain.push(CheckpointBody.parse(checkpoint));
  return chain;
}
