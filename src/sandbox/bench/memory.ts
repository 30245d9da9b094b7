import { closedLoop, type Side } from "./load.ts";
import { residentMemory } from "./process-figures.ts";
import { comparedRow, megabytes, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { atOnce, type Run, type Sides, withSides } from "./sides.ts";

/** More than this between the two looks at the app's memory is growth, less is the collector's mood. */
const flat = 1.1;
const looksAfter = 10_000;

/** Resident memory after many commands, and after twice as many. */
export function memory(run: Run): Promise<Row[]> {
  return withSides(run, ["app", "bare"], async (sides) => {
    const first = await memoryAfter(sides, looksAfter);
    const second = await memoryAfter(sides, 2 * looksAfter);
    const row = (after: number, compared: typeof first) =>
      comparedRow(
        `memory after ${after.toLocaleString("en")} commands, against bare Bolt`,
        compared,
        { most: 1.5 },
        megabytes,
      );
    return [
      row(looksAfter, first),
      row(2 * looksAfter, second),
      plainRow("memory then against memory before", second.app / first.app, flat, (figure) => figure.toFixed(2)),
    ];
  });
}

async function memoryAfter({ app, bare }: Pick<Sides, "app" | "bare">, commands: number) {
  async function after(side: Side): Promise<number> {
    await closedLoop(side, { atOnce, ms: 120_000, most: commands - side.commands });
    return residentMemory(side.subject.pid);
  }
  return compare(1, { app: () => after(app), other: () => after(bare) });
}
