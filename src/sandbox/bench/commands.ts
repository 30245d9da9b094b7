import { percentile } from "./figures.ts";
import { closedLoop, openLoop, type Side } from "./load.ts";
import { type Used, usedBy } from "./process-figures.ts";
import { comparedRow, milliseconds, perSecond, plainRow, type Row } from "./report.ts";
import { compare } from "./rounds.ts";
import { atOnce, type Run, roundMs, withSides } from "./sides.ts";

const rate = 200;

/** Acknowledgements and throughput of commands, and what one takes, with all their work done. */
export function commands(run: Run): Promise<Row[]> {
  return withSides(run, ["app", "slow", "bare", "limit"], async ({ app, slow, bare, limit }) => [
    await acknowledgements(run, { app, other: bare }, ["", 1.2]),
    await acknowledgements(run, { app: slow, other: bare }, [", every flush slowed by 5 ms", 1.3]),
    await throughput(run, { app, other: limit }),
    ...(await costs(app, limit)),
  ]);
}

interface Pair {
  app: Side;
  other: Side;
}

async function acknowledgements({ rounds }: Run, { app, other }: Pair, [how, most]: [string, number]): Promise<Row> {
  const slowest = async (side: Side) => percentile(await openLoop(side, rate, roundMs), 0.99);
  const compared = await compare(rounds, { app: () => slowest(app), other: () => slowest(other) });
  const what = `p99 of the acknowledgement, ${rate} commands a second${how}, against bare Bolt`;
  return comparedRow(what, compared, { most }, milliseconds);
}

async function throughput({ rounds }: Run, { app, other }: Pair): Promise<Row> {
  const done = (side: Side) => closedLoop(side, { atOnce, ms: roundMs });
  const compared = await compare(rounds, { app: () => done(app), other: () => done(other) });
  return comparedRow(
    `commands done, ${atOnce} at a time, against the limit program`,
    compared,
    { least: 0.7 },
    perSecond,
  );
}

const costMs = 10_000;

/** The cost of a command at that rate. */
async function costs(app: Side, limit: Side): Promise<Row[]> {
  const own = await costOf(app);
  const least = await costOf(limit);
  return [
    plainRow("CPU of the main thread a command", own.mainCpuMs, 0.6, milliseconds2),
    plainRow("  the limit program's", least.mainCpuMs, null, milliseconds2),
    plainRow("written to disk a command", own.diskBytes, 9_000, kilobytes),
    plainRow("  in writes", own.diskWrites, 6, (figure) => figure.toFixed(1)),
    plainRow("  the limit program's", least.diskBytes, null, kilobytes),
  ];
}

async function costOf(side: Side): Promise<Used> {
  const before = await usedBy(side.subject.pid);
  const done = (await openLoop(side, rate, costMs)).length;
  const after = await usedBy(side.subject.pid);
  return {
    mainCpuMs: (after.mainCpuMs - before.mainCpuMs) / done,
    diskBytes: (after.diskBytes - before.diskBytes) / done,
    diskWrites: (after.diskWrites - before.diskWrites) / done,
  };
}

function milliseconds2(figure: number): string {
  return `${figure.toFixed(2)} ms`;
}

function kilobytes(bytes: number): string {
  return `${(bytes / 1_000).toFixed(1)} kB`;
}
