import { atOnce, type Run, roundMs, watching, withContenders } from "./contenders.ts";
import { deliver } from "./deliveries.ts";
import { percentile } from "./figures.ts";
import { senders, withConnected } from "./inbox.ts";
import { type Contender, closedLoop, openLoop, steadyRate } from "./load.ts";
import { type ThreadTime, threadsOf } from "./process-figures.ts";
import { milliseconds, plainRow, type Row } from "./report.ts";
import { figuresOf, type Subject } from "./subjects.ts";

/** So few a second that no command waits for another: what is left of the slowest hundredth has another cause. */
const quietRate = 25;
/** Longer than a round of the other parts: a hundredth of it must be many commands. */
const longMs = 4 * roundMs;

const ofMain = ["mainBusy", "delayP99", "longestDelay", "collecting", "longestCollection"] as const;
const ofStore = ["storeBusy", "commits", "commitP50", "commitP99"] as const;

type Name = (typeof ofMain)[number] | (typeof ofStore)[number];
type Figures = Map<Name, number>;

/** The causes of the figures that miss their goals, for commands at a steady rate, for as many as possible, and for deliveries. */
export async function causes(run: Run): Promise<Row[]> {
  const rows = await withContenders(run, ["watched", "watchedSlow", "watchedLimit", "bare"], async (contenders) => {
    const { watched, watchedSlow, watchedLimit, bare } = contenders;
    return [
      ...(await steady(watched, watchedLimit, bare)),
      ...(await withSlowFlushes(watchedSlow)),
      ...busyRows(`${atOnce} at once`, await whileWorking(watched.subject, () => closedLoop(watched, load))),
    ];
  });
  return [...rows, ...(await deliveries(run))];
}

const load = { atOnce, ms: longMs };

async function steady(app: Contender, limit: Contender, bare: Contender): Promise<Row[]> {
  const found = await atRate(app, [...ofMain, ...ofStore]);
  const ofLimit = await atRate(limit, ofMain);
  const ofBare = await openLoop(bare, steadyRate, longMs);
  const rarely = { app: await openLoop(app, quietRate, longMs), limit: await openLoop(limit, quietRate, longMs) };
  const at = `${steadyRate} a second`;
  return [
    plainRow(`processor a command, ${at}: main thread`, found.main.cpuMs, null, milliseconds),
    plainRow("  the store's thread", found.store.cpuMs, null, milliseconds),
    plainRow("  V8's own threads and the others", found.rest.cpuMs, null, milliseconds),
    plainRow("commits of the store a command", figure(found.figures, "commits") / found.commands, null, two),
    plainRow("  a commit, p50", figure(found.figures, "commitP50"), null, milliseconds),
    plainRow("  a commit, p99", figure(found.figures, "commitP99"), null, milliseconds),
    plainRow(`acknowledgement, ${at}, p50`, percentile(found.acknowledged, 0.5), null, milliseconds),
    plainRow("  of bare Bolt, which stores nothing", percentile(ofBare, 0.5), null, milliseconds),
    plainRow(`acknowledgement, ${at}, p99`, percentile(found.acknowledged, 0.99), null, milliseconds),
    plainRow("  of bare Bolt, which stores nothing", percentile(ofBare, 0.99), null, milliseconds),
    plainRow(`  of the app at ${quietRate} a second`, percentile(rarely.app, 0.99), null, milliseconds),
    plainRow(`  of the limit program at ${quietRate} a second`, percentile(rarely.limit, 0.99), null, milliseconds),
    plainRow(`the app's main thread is busy, ${at}`, figure(found.figures, "mainBusy"), null, percent),
    ...waits("the main thread", found),
    ...waits("the limit program's main thread", ofLimit),
    plainRow(
      "  the app's longest collection of garbage",
      figure(found.figures, "longestCollection"),
      null,
      milliseconds,
    ),
  ];
}

async function withSlowFlushes(app: Contender): Promise<Row[]> {
  const { figures, commands } = await atRate(app, [...ofMain, ...ofStore]);
  return [
    plainRow("with each flush 5 ms slower: the store's thread is busy", figure(figures, "storeBusy"), null, percent),
    plainRow("  a commit, p50", figure(figures, "commitP50"), null, milliseconds),
    plainRow("  commits a command", figure(figures, "commits") / commands, null, two),
  ];
}

function waits(thread: string, { main, figures }: AtRate): Row[] {
  return [
    plainRow(`  ${thread} waits for a free processor, a command`, main.waitMs, null, milliseconds),
    plainRow(`  an event waits for ${thread}, p99`, figure(figures, "delayP99"), null, milliseconds),
    plainRow("    longest such wait", figure(figures, "longestDelay"), null, milliseconds),
  ];
}

/** A program at the steady rate: its times of a command, by thread, and its figures. */
interface AtRate {
  commands: number;
  acknowledged: number[];
  main: ThreadTime;
  store: ThreadTime;
  rest: ThreadTime;
  figures: Figures;
}

const mainThread = "node-MainThread";
const storeThread = "store";

async function atRate(contender: Contender, names: readonly Name[]): Promise<AtRate> {
  const { pid } = contender.subject;
  const before = await threadsOf(pid);
  let acknowledged: number[] = [];
  const figures = await whileWorking(
    contender.subject,
    async () => {
      acknowledged = await openLoop(contender, steadyRate, longMs);
    },
    names,
  );
  const after = await threadsOf(pid);
  const of = (isOne: (name: string) => boolean): ThreadTime => {
    const sum = (all: typeof after, time: keyof ThreadTime) =>
      [...all].reduce((total, [name, times]) => total + (isOne(name) ? times[time] : 0), 0);
    const each = (time: keyof ThreadTime) => (sum(after, time) - sum(before, time)) / acknowledged.length;
    return { cpuMs: each("cpuMs"), waitMs: each("waitMs") };
  };
  return {
    commands: acknowledged.length,
    acknowledged,
    figures,
    main: of((name) => name === mainThread),
    store: of((name) => name === storeThread),
    rest: of((name) => name !== mainThread && name !== storeThread),
  };
}

function deliveries(run: Run): Promise<Row[]> {
  return withConnected(run, watching, async ({ app, address }) => {
    await deliver(address, senders, roundMs);
    let taken = 0;
    const found = await whileWorking(app, async () => {
      taken = (await deliver(address, senders, longMs)) * (longMs / 1_000);
    });
    return [
      ...busyRows(`deliveries of ${senders} senders`, found),
      plainRow("  deliveries in a commit", taken / figure(found, "commits"), null, two),
      plainRow("  a commit, p50", figure(found, "commitP50"), null, milliseconds),
    ];
  });
}

function busyRows(what: string, found: Figures): Row[] {
  return [
    plainRow(`${what}: main thread is busy`, figure(found, "mainBusy"), null, percent),
    plainRow("  collecting garbage", figure(found, "collecting"), null, percent),
    plainRow("  the store's thread is busy", figure(found, "storeBusy"), null, percent),
  ];
}

/** The figures of the time that the work takes. */
async function whileWorking(
  subject: Subject,
  work: () => Promise<unknown>,
  names: readonly Name[] = [...ofMain, ...ofStore],
): Promise<Figures> {
  await figuresOf(subject, names);
  await work();
  return figuresOf(subject, names);
}

function figure(found: Figures, name: Name): number {
  return found.get(name) ?? Number.NaN;
}

function percent(share: number): string {
  return `${Math.round(100 * share)} %`;
}

function two(count: number): string {
  return count.toFixed(2);
}
