import { atOnce, type Contenders, type Run, withContenders } from "./contenders.ts";
import { type Contender, closedLoop } from "./load.ts";
import { residentMemory } from "./process-figures.ts";
import { comparedRow, megabytes, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";

/** More than this between the two looks at the app's memory is growth, less is the collector's mood. */
const flat = 1.1;
const looks = [10_000, 40_000] as const;
const longestMs = 600_000;

/** Resident memory after many commands, and after four times as many. */
export function memory(run: Run): Promise<Row[]> {
  return withContenders(run, ["app", "bare"], async (contenders) => {
    const [first, second] = [await memoryAfter(contenders, looks[0]), await memoryAfter(contenders, looks[1])];
    const row = (after: number, compared: typeof first) =>
      comparedRow(
        `memory after ${after.toLocaleString("en")} commands, against bare Bolt`,
        compared,
        { most: 1.7 },
        megabytes,
      );
    return [
      row(looks[0], first),
      row(looks[1], second),
      plainRow("memory then against memory before", second.app / first.app, flat, (figure) => figure.toFixed(2)),
    ];
  });
}

async function memoryAfter({ app, bare }: Pick<Contenders, "app" | "bare">, commands: number) {
  async function after(contender: Contender): Promise<number> {
    await closedLoop(contender, { atOnce, ms: longestMs, most: commands - contender.commands });
    return residentMemory(contender.subject.pid);
  }
  return compare(1, { app: () => after(app), other: () => after(bare) });
}
