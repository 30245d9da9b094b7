import { atOnce, type Contenders, type Run, roundMs, withContenders } from "./contenders.ts";
import { garbageOf } from "./garbage.ts";
import { type Contender, closedLoop, coldCommand, openLoop, slowRate, steadyRate } from "./load.ts";
import { type Against, againstOthers, type Goals, leftOut, type Other, others, rowsAgainst } from "./others.ts";
import { cpuMsOf } from "./process-figures.ts";
import { comparedRow, kilobytes, milliseconds, perSecond, plainRow, type Row } from "./report.ts";
import { compared, inTurns, pooled } from "./rounds.ts";
import { ask } from "./slack.ts";

/** Milliseconds that the platform and Slack take for each answer, where a person's patience is measured. */
const awayMs = 100;
const asksARound = 10;

type Sides = Pick<Contenders, "app" | Other>;

/**
 * The costs of a command, and its times until it is acknowledged and done. The sides are unequal: only the app and the limit program
 * read the machine before they start it, ask about each channel and open a connection for each write. With BullMQ these two alone store
 * a command before they acknowledge it. The app alone keeps roles, rules, the audit log and Slack's pace.
 */
export async function commands(run: Run): Promise<Row[]> {
  const near = await withContenders(run, ["app", "slow", "slowLimit", ...others], async (contenders) => [
    ...(await atRate(run, contenders, slowRate, {
      processor: { bullmq: { most: 1 } },
      p50: { bullmq: { most: 0.7 } },
      p99: { bullmq: { most: 0.7 } },
    })),
    ...(await atRate(run, contenders, steadyRate, { processor: { bullmq: { most: 1 } } })),
    await withSlowFlushes(run, contenders.slow, contenders.slowLimit),
    ...(await throughput(run, contenders)),
    plainRow(
      "garbage a command",
      await garbageOf(contenders.app, () => openLoop(contenders.app, steadyRate, roundMs)),
      null,
      kilobytes,
    ),
  ]);
  const far = await withContenders({ ...run, awayMs }, ["app", ...others], (contenders) => patience(run, contenders));
  return [...near, ...far, ...leftOut];
}

interface Served {
  acknowledgedMs: number[];
  cpuMs: number;
}

async function served(contender: Contender, rate: number): Promise<Served> {
  const { pids } = contender.subject;
  const before = await cpuMsOf(...pids);
  // As many commands at each rate: the slowest hundredth of a few says nothing.
  const acknowledgedMs = await openLoop(contender, rate, (roundMs * steadyRate) / rate);
  return { acknowledgedMs, cpuMs: ((await cpuMsOf(...pids)) - before) / acknowledgedMs.length };
}

async function atRate(
  { rounds }: Run,
  sides: Sides,
  rate: number,
  goals: { processor?: Goals; p50?: Goals; p99?: Goals } = {},
): Promise<Row[]> {
  const found = await againstOthers(rounds, sides, (contender) => served(contender, rate));
  const times = (side: readonly Served[]) => side.map(({ acknowledgedMs }) => acknowledgedMs);
  const costs = (side: readonly Served[]) => side.map(({ cpuMs }) => cpuMs);
  const share =
    (part: number) =>
    ({ app, other }: Against<Served>) =>
      pooled({ app: times(app), other: times(other) }, part);
  const processor = ({ app, other }: Against<Served>) => compared({ app: costs(app), other: costs(other) });
  const what = (measure: string) => `${measure}, ${rate} commands a second`;
  return [
    ...rowsAgainst(what("processor a command, all threads"), found, processor, milliseconds, goals.processor),
    ...rowsAgainst(what("p50 of the acknowledgement"), found, share(0.5), milliseconds, goals.p50),
    ...rowsAgainst(what("p99 of the acknowledgement"), found, share(0.99), milliseconds, goals.p99),
  ];
}

async function withSlowFlushes({ rounds }: Run, slow: Contender, slowLimit: Contender): Promise<Row> {
  const turn = (contender: Contender) => () => openLoop(contender, steadyRate, roundMs);
  const [app = [], other = []] = await inTurns(rounds, [turn(slow), turn(slowLimit)]);
  const what = "p99 with each flush 5 ms slower, against the limit program";
  return comparedRow(what, pooled({ app, other }, 0.99), null, milliseconds);
}

async function throughput({ rounds }: Run, sides: Sides): Promise<Row[]> {
  const found = await againstOthers(rounds, sides, (contender) => closedLoop(contender, { atOnce, ms: roundMs }));
  return rowsAgainst(`commands a second, ${atOnce} at once`, found, compared, perSecond, {
    bullmq: { least: 1 },
  });
}

/** One member who waits for the message of one command after the other, each in a channel of which the program knows nothing yet. */
async function patience({ rounds }: Run, sides: Sides): Promise<Row[]> {
  async function turn(contender: Contender): Promise<number[]> {
    const waited: number[] = [];
    for (let number = 0; number < asksARound; number += 1)
      waited.push((await ask(contender.slack, contender.world, coldCommand(contender))).ms);
    return waited;
  }
  const found = await againstOthers(rounds, sides, turn);
  const what = `from command to message in a new channel, everything ${awayMs} ms away`;
  return rowsAgainst(what, found, (both) => pooled(both, 0.5), milliseconds, { limit: { most: 1.05 } });
}
