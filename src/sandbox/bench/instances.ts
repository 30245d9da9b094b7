import { mkdtemp } from "node:fs/promises";
import { availableParallelism } from "node:os";
import { join } from "node:path";
import { sleep, systemClock } from "../../process/clock.ts";
import { createLog } from "../../process/log.ts";
import { createStore } from "../../storage/create.ts";
import { openRedis } from "../../storage/redis/engine.ts";
import { atOnce, type Run, roundMs } from "./contenders.ts";
import { median } from "./figures.ts";
import { link } from "./linking.ts";
import { type Contender, closedLoop, machines, memberAt, members } from "./load.ts";
import { startRedis } from "./redis.ts";
import { milliseconds, perSecond, plainRow, type Row } from "./report.ts";
import { createSlack, type Slack } from "./slack.ts";
import { type Subject, startApp } from "./subjects.ts";
import { openWorld, type World } from "./the-world.ts";

/** With fewer cores the instances take them from each other, from Redis and from the bench. */
const coresForTwo = 8;
const twiceIsAtLeast = 1.6;

/** Commands a second with one and two instances on Redis against the embedded store, and how soon one takes over from a killed one. */
export async function instances({ folder, secrets, rounds }: Run): Promise<Row[]> {
  const redis = await startRedis(folder);
  const storeUrl = redis.url;
  const world = await openWorld({ bulk: machines });
  const cache = join(folder, "compiled");
  const start = async (url?: string): Promise<Subject> =>
    startApp(world, secrets, { folder: await mkdtemp(join(folder, "run-")), cache, ...(url ? { storeUrl: url } : {}) });
  const subjects = [await start(), await start(storeUrl), await start(storeUrl)] as const;
  const [file, one, other] = subjects.map(({ url }) => createSlack(url, secrets.signingSecret, world));
  if (!file || !one || !other) throw new Error("Three instances were started.");
  const contender = (slack: Slack): Contender => ({ subject: subjects[0], slack, world, commands: 0 });
  const contenders = { file: contender(file), one: contender(one), two: contender(byTurns(one, other)) };
  await linkAll(contenders.file.slack, world);
  await linkAll(contenders.one.slack, world);
  const run = async (each: Contender): Promise<number> => {
    // The two on one store continue after the commands of the others: the app refuses the same command twice in a moment.
    each.commands = Math.max(...Object.values(contenders).map(({ commands }) => commands));
    return closedLoop(each, { atOnce, ms: roundMs });
  };
  for (const each of Object.values(contenders)) await run(each);

  const done = { file: [] as number[], one: [] as number[], two: [] as number[] };
  for (let round = 0; round < rounds; round += 1) {
    done.file.push(await run(contenders.file));
    done.one.push(await run(contenders.one));
    done.two.push(await run(contenders.two));
  }
  for (const slack of [file, one, other]) await slack.close();
  for (const subject of subjects) await subject.stop();
  world.stop();
  const rows = [
    plainRow(`commands done, ${atOnce} at a time, embedded store`, median(done.file), null, perSecond),
    plainRow("the same, one instance on Redis", median(done.one), null, perSecond),
    plainRow("the same, two instances on Redis", median(done.two), null, perSecond),
    twiceRow(median(done.two.map((figure, at) => figure / (done.one[at] ?? Number.NaN)))),
    plainRow(
      "what a killed instance ran waits, until the other runs it",
      await takeover(storeUrl),
      10_000,
      milliseconds,
    ),
  ];
  await redis.stop();
  return rows;
}

function twiceRow(ratio: number): Row {
  const cores = availableParallelism();
  const counts = cores >= coresForTwo;
  return {
    what: "two instances against one",
    figure: ratio.toFixed(2),
    goal: counts ? `at least ${twiceIsAtLeast}` : `not judged: ${cores} cores, and it takes ${coresForTwo}`,
    met: counts ? ratio >= twiceIsAtLeast : null,
  };
}

async function linkAll(slack: Slack, world: World): Promise<void> {
  for (let number = 0; number < members; number += 1) await link(slack, world, memberAt(number), await world.key());
}

function byTurns(one: Slack, other: Slack): Slack {
  let turn = 0;
  const next = (): Slack => {
    turn += 1;
    return turn % 2 === 0 ? one : other;
  };
  return { ...one, type: (...typed) => next().type(...typed), interact: (payload) => next().interact(payload) };
}

/** Milliseconds from the silent end of one opened store until another runs the timer that it was running. */
async function takeover(url: string): Promise<number> {
  const log = createLog({ level: "silent" });
  const open = async () => {
    const engine = await openRedis({ url, prefix: "takeover", log });
    return { engine, ...createStore(engine, { clock: systemClock, log, alone: false }) };
  };
  const [killed, other] = [await open(), await open()];
  const begun = Promise.withResolvers<void>();
  const taken = Promise.withResolvers<void>();
  killed.store.timers.handle("job:", async () => {
    begun.resolve();
    await new Promise(() => {});
  });
  await killed.store.timers.start();
  await killed.store.timers.set("job:a", systemClock.now());
  await begun.promise;
  other.store.timers.handle("job:", async () => taken.resolve());
  await other.store.timers.start();
  // Both have been there for a while, as in life.
  await sleep(systemClock, 6_000);
  const began = performance.now();
  killed.halt();
  killed.engine.crash();
  await taken.promise;
  const waited = performance.now() - began;
  await other.store.close();
  return waited;
}
