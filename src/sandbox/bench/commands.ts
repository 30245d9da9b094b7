import { atOnce, type Run, roundMs, withContenders } from "./contenders.ts";
import { garbageOf } from "./garbage.ts";
import { type Contender, closedLoop, nextCommand, openLoop, steadyRate } from "./load.ts";
import { cpuMsOf } from "./process-figures.ts";
import { comparedRow, kilobytes, milliseconds, perSecond, plainRow, type Row } from "./report.ts";
import { compare, compared, inTurns, pooled } from "./rounds.ts";
import { ask } from "./slack.ts";

/** Milliseconds that the platform and Slack take for each answer, where a person's patience is measured. */
const awayMs = 100;
const asksARound = 10;
/** Channels of that person: Slack takes a message a second in each, and Rackbell has asked before who reads them. */
const ownChannels = 10;

/** The costs of a command, and its times until it is acknowledged and done: against the limit program, with all its work done. */
export async function commands(run: Run): Promise<Row[]> {
  const near = await withContenders(run, ["app", "slow", "limit", "slowLimit"], async (contenders) => [
    ...(await atThatRate(run, contenders.app, contenders.limit)),
    ...(await withSlowFlushes(run, contenders.slow, contenders.slowLimit)),
    await throughput(run, contenders.app, contenders.limit),
    plainRow(
      "garbage a command",
      await garbageOf(contenders.app, () => openLoop(contenders.app, steadyRate, roundMs)),
      90_000,
      kilobytes,
    ),
  ]);
  const far = await withContenders({ ...run, awayMs }, ["app", "limit"], async ({ app, limit }) => [
    await patience(run, app, limit),
  ]);
  return [...near, ...far];
}

interface Served {
  acknowledgedMs: number[];
  cpuMs: number;
}

async function served(contender: Contender): Promise<Served> {
  const before = await cpuMsOf(contender.subject.pid);
  const acknowledgedMs = await openLoop(contender, steadyRate, roundMs);
  return { acknowledgedMs, cpuMs: ((await cpuMsOf(contender.subject.pid)) - before) / acknowledgedMs.length };
}

async function atThatRate({ rounds }: Run, app: Contender, limit: Contender): Promise<Row[]> {
  const found = await inTurns(rounds, { app: () => served(app), other: () => served(limit) });
  const acknowledged = {
    app: found.app.map(({ acknowledgedMs }) => acknowledgedMs),
    other: found.other.map(({ acknowledgedMs }) => acknowledgedMs),
  };
  const cpu = compared({ app: found.app.map(({ cpuMs }) => cpuMs), other: found.other.map(({ cpuMs }) => cpuMs) });
  const what = (share: string) => `${share} of the acknowledgement, ${steadyRate} commands a second`;
  return [
    comparedRow("processor a command, all threads", cpu, { most: 1.8 }, milliseconds),
    comparedRow(what("p50"), pooled(acknowledged, 0.5), { most: 1.3 }, milliseconds),
    comparedRow(what("p99"), pooled(acknowledged, 0.99), { most: 1.5 }, milliseconds),
  ];
}

async function withSlowFlushes({ rounds }: Run, app: Contender, limit: Contender): Promise<Row[]> {
  const turn = (contender: Contender) => () => openLoop(contender, steadyRate, roundMs);
  const found = await inTurns(rounds, { app: turn(app), other: turn(limit) });
  return [comparedRow("p99 with each flush 5 ms slower", pooled(found, 0.99), { most: 1.3 }, milliseconds)];
}

async function throughput({ rounds }: Run, app: Contender, limit: Contender): Promise<Row> {
  const done = (contender: Contender) => () => closedLoop(contender, { atOnce, ms: roundMs });
  const found = await compare(rounds, { app: done(app), other: done(limit) });
  return comparedRow(`commands a second, ${atOnce} at once`, found, { least: 0.6 }, perSecond);
}

/** One member who waits for the message of one command after the other. */
async function patience({ rounds }: Run, app: Contender, limit: Contender): Promise<Row> {
  const turn = (contender: Contender) => async () => {
    const waited: number[] = [];
    for (let number = 0; number < asksARound; number += 1)
      waited.push((await ask(contender.slack, contender.world, nextCommand(contender, ownChannels))).ms);
    return waited;
  };
  await turn(app)();
  const found = await inTurns(rounds, { app: turn(app), other: turn(limit) });
  const what = `from command to message, everything ${awayMs} ms away`;
  return comparedRow(what, pooled(found, 0.5), { most: 1.05 }, milliseconds);
}
