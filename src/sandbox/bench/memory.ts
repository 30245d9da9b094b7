import { atOnce, type Contenders, type Run, withContenders } from "./contenders.ts";
import { leastMemory } from "./least-memory.ts";
import { type Contender, closedLoop } from "./load.ts";
import { type Against, againstOthers, leftOut, others, rowsAgainst } from "./others.ts";
import { residentMemory } from "./process-figures.ts";
import { comparedRow, megabytes, plainRow, type Row } from "./report.ts";
import { compare, compared } from "./rounds.ts";

/** Commands after which new processes are looked at, round by round. */
const soon = 5_000;
/** Commands after which one process is looked at: whether it grows. */
const looks = [10_000, 40_000] as const;
const longestMs = 600_000;

/** Resident memory of each program after many commands, without its servers; and whether the app's grows. */
export async function memory(run: Run): Promise<Row[]> {
  return [...(await afterSoon(run)), ...(await afterMany(run)), await leastMemory(run), ...leftOut];
}

async function afterSoon(run: Run): Promise<Row[]> {
  const found: Against<number>[][] = [];
  // Each round has new processes: memory that a process took once it rarely gives back.
  for (let round = 0; round < run.rounds; round += 1)
    found.push(
      await withContenders(run, ["app", ...others], (contenders) =>
        againstOthers(1, contenders, (contender) => memoryAfter(contender, soon)),
      ),
    );
  const together = others.map((name) => {
    const ofOther = found.flat().filter((one) => one.name === name);
    return { name, app: ofOther.flatMap(({ app }) => app), other: ofOther.flatMap(({ other }) => other) };
  });
  const what = `memory after ${soon.toLocaleString("en")} commands`;
  return rowsAgainst(what, together, compared, megabytes, { bolt: { most: 1.25 } });
}

function afterMany(run: Run): Promise<Row[]> {
  return withContenders(run, ["app", "bare"], async (contenders) => {
    const [first, second] = [await lookAt(contenders, looks[0]), await lookAt(contenders, looks[1])];
    const row = (after: number, found: typeof first) =>
      comparedRow(`memory after ${after.toLocaleString("en")} commands, against bare Bolt`, found, null, megabytes);
    return [
      row(looks[0], first),
      row(looks[1], second),
      plainRow("memory then against memory before", second.app / first.app, null, (figure) => figure.toFixed(2)),
    ];
  });
}

function lookAt({ app, bare }: Pick<Contenders, "app" | "bare">, commands: number) {
  return compare(1, { app: () => memoryAfter(app, commands), other: () => memoryAfter(bare, commands) });
}

async function memoryAfter(contender: Contender, commands: number): Promise<number> {
  await closedLoop(contender, { atOnce, ms: longestMs, most: commands - contender.commands });
  return residentMemory(contender.subject.pid);
}
