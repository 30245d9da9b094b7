import { closedLoop, type Side } from "./load.ts";
import { residentMemory } from "./process-figures.ts";
import { comparedRow, megabytes, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { atOnce, type Run, type Sides, withSides } from "./sides.ts";

/** More than this between the two looks at the app's memory is growth, less is the collector's mood. */
const flat = 1.1;
const looks = [10_000, 40_000] as const;
const longestMs = 600_000;

/** Resident memory after many commands, and after four times as many. */
export function memory(run: Run): Promise<Row[]> {
  return withSides(run, ["app", "bare"], async (sides) => {
    const [first, second] = [await memoryAfter(sides, looks[0]), await memoryAfter(sides, looks[1])];
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

async function memoryAfter({ app, bare }: Pick<Sides, "app" | "bare">, commands: number) {
  async function after(side: Side): Promise<number> {
    await closedLoop(side, { atOnce, ms: longestMs, most: commands - side.commands });
    return residentMemory(side.subject.pid);
  }
  return compare(1, { app: () => after(app), other: () => after(bare) });
}
