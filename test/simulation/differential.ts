import type { Item } from "../../src/storage/engine.ts";
import type { FaultName } from "./faults.ts";
import { type Plan, planOf, type Step, type WorldName } from "./plan.ts";
import { prepareTeam, runPlan } from "./random.ts";
import type { Deployment, OnRedis, Saved } from "./world/deployment.ts";

// The same plan on a file and on the model of Redis. Two runs may rightly differ:
// - within a moment, since a call to Redis takes its turn in between: the order in it, and the places that Slack numbers, are not compared;
// - after a crash, since what is only in memory outlives it in Redis, and a dead instance counts as living for five seconds;
// - where a clock is set, since Redis has its own, and where a disk fails, which only the file has.
// So acts are apart in these plans, random values are drawn by place and moment, and those faults are left out.

/** Differences between the two, as sentences. */
type Differences = string[];

const apartMs = 20_000;
const alone: OnRedis = { instances: 1, lookEveryMs: 60_000 };

/** Faults that are the same to both stores. */
const faultsOfBoth: ReadonlySet<FaultName> = new Set<FaultName>([
  ...(["silent platform", "lost write", "late write", "lost reads", "too many calls"] as const),
  ...(["lost post", "refused post", "cut post", "slow Slack", "broken Slack", "lost answer"] as const),
  ...(["lost acknowledgement", "doubled event"] as const),
]);

/** The plan of a seed, with its acts apart and its faults between them. */
export function orderlyPlan(seed: number): Plan {
  const plan = planOf(seed);
  const steps = plan.steps.map((step) => ({ ...step, gapMs: Math.max(step.gapMs, apartMs) }));
  const perStep = 45;
  const struck = plan.faults
    .filter(({ kind }) => faultsOfBoth.has(kind))
    .map(({ kind, at, salt }) => {
      const does = { is: "strike", fault: kind, salt } as const;
      const step: Step = { gapMs: apartMs, who: "ana", does };
      return { at: Math.min(Math.floor(at / perStep), steps.length), step };
    });
  const all = [...steps.keys(), steps.length].flatMap((at) => [
    ...struck.filter((one) => one.at === at).map(({ step }) => step),
    ...steps.slice(at, at + 1),
  ]);
  return { ...plan, steps: all, faults: [], delays: [0] };
}

/** A real Redis goes along with the model: they must give the same answers, and have the same keys. */
export async function runBesideReal(seed: number, realPort: number): Promise<{ found: Differences; commands: number }> {
  const plan = orderlyPlan(seed);
  const found: Differences = [];
  let commands = 0;
  const { findings } = await runPlan(await worldOf(plan.world ?? plan.approvals, { ...alone, realPort }), plan, {
    async sabotage({ deployment: { redis } }) {
      found.push(...(redis?.lockstep?.found ?? []), ...((await redis?.lockstep?.compareKeys()) ?? []));
      commands = redis?.lockstep?.commands ?? 0;
    },
  });
  return { found: [...found, ...findings], commands };
}

const worlds = new Map<string, Saved>();

async function worldOf(name: WorldName, onRedis: OnRedis | undefined): Promise<Saved> {
  const place = `${name} ${JSON.stringify(onRedis)}`;
  const saved = worlds.get(place) ?? (await prepareTeam(name, { isOrderly: true, ...(onRedis ? { onRedis } : {}) }));
  worlds.set(place, saved);
  return saved;
}

/** Runs the plan of a seed on either store, and compares what became of it. */
export async function runOnBoth(seed: number): Promise<Differences> {
  const plan = orderlyPlan(seed);
  const [onFile, onRedis] = [await runOn(plan, undefined), await runOn(plan, alone)];
  return [...onFile.findings, ...onRedis.findings, ...compareParts(onFile.outcome, onRedis.outcome)];
}

async function runOn(plan: Plan, onRedis: OnRedis | undefined) {
  let outcome: Outcome | undefined;
  const saved = await worldOf(plan.world ?? plan.approvals, onRedis);
  const { findings } = await runPlan(saved, plan, {
    async sabotage({ deployment }) {
      outcome = outcomeOf(deployment);
    },
  });
  const name = onRedis ? "on Redis" : "on a file";
  return { outcome, findings: findings.map((finding) => `${name}: ${finding}`) };
}

/** The outcome of a run, each part by its places: every value is compared with that of the other store. */
type Outcome = Readonly<Record<"messages" | "calls" | "records", unknown>>;

function outcomeOf(deployment: Deployment): Outcome {
  const { slack, platform } = deployment.practice;
  const { channels, ephemerals, modals, homes, files, violations } = slack.state();
  const messages = {
    channels: eachSorted(channels),
    ephemerals: eachSorted(ephemerals),
    modals,
    homes,
    files,
    violations,
  };
  return { messages: unplaced(messages), calls: sorted(platform.calls()), records: sorted(recordsOf(deployment)) };
}

/** Without the places that Slack numbers as messages come, and its names of blocks that have none. */
function unplaced<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(/\b\d{10}\.\d{6}\b/g, "a place")
    .replaceAll(/"block_id":"[0-9a-f]{6}"/g, '"block_id":"unnamed"');
  return JSON.parse(text);
}

/** Things of one moment have no order: calls by their time, messages and records by their text. */
function sorted(all: readonly unknown[]): unknown[] {
  const keyOf = (one: unknown) => {
    const text = JSON.stringify(one);
    return `${/"at":(\d{13})/.exec(text)?.[1] ?? ""} ${text}`;
  };
  return all
    .map((one) => unplaced(one))
    .map((one) => [keyOf(one), one] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
}

function eachSorted(lists: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, sorted(list)]));
}

/** All that is stored, each with its place. Entries of logs have keys of their own making: each is known by its number. */
function recordsOf({ redis, disk, clock }: Deployment): { place: string }[] {
  const items = redis ? redis.items() : disk.items(clock.now());
  const names = new Map(items.flatMap((item) => (isOfLog(item) ? [[item.member, `${item.index} ${item.score}`]] : [])));
  const nameOf = (member: string) => names.get(member) ?? member;
  const found = items.map((item) => {
    if (item.kind === "counter") return { place: `counter ${item.counter}`, number: item.number };
    if (item.kind === "member") return { place: `index ${item.index}: ${nameOf(item.member)}`, score: item.score };
    const entry = /^value:~entry:(.*)$/.exec(item.key)?.[1];
    return {
      place: entry === undefined ? item.key : `entry ${nameOf(entry)}`,
      ...read(item.text),
      endsAt: item.endsAt,
    };
  });
  return found.filter(({ place }) => place !== "value:~ready");
}

function isOfLog(item: Item): item is Extract<Item, { kind: "member" }> {
  return item.kind === "member" && item.index.startsWith("~log ");
}

function read(text: string): { stored: unknown } {
  return { stored: JSON.parse(text) };
}

const mostShown = 12;
const paceMs = 1_000;

function compareParts(one: Outcome | undefined, other: Outcome | undefined): string[] {
  const found = differencesIn(one, other, "");
  return found.length > mostShown ? [...found.slice(0, mostShown), `and ${found.length - mostShown} more`] : found;
}

/** The places at which two values of JSON differ. */
function differencesIn(one: unknown, other: unknown, place: string): string[] {
  if (Object.is(one, other) || isAsLong(one, other, place)) return [];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return [`${place}: ${shown(one)} on a file, ${shown(other)} on Redis`];
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return differentLists(one, other, place);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differencesIn(Reflect.get(one, name), Reflect.get(other, name), `${place}/${name}`),
  );
}

/** Two messages of one moment are posted in any order, at Slack's pace: what is stored after the second ends as much later. */
function isAsLong(one: unknown, other: unknown, place: string): boolean {
  const areNumbers = typeof one === "number" && typeof other === "number";
  return areNumbers && place.endsWith("/endsAt") && Math.abs(one - other) <= paceMs;
}

function differentLists(one: unknown[], other: unknown[], place: string): string[] {
  const at = one.findIndex((value, n) => differencesIn(value, other[n], "").length > 0);
  const from = at < 0 ? Math.min(one.length, other.length) : at;
  return [
    `${place}: ${one.length} on a file, ${other.length} on Redis, from ${from} on: ${shown(one[from])} and ${shown(other[from])}`,
  ];
}

function shown(value: unknown): string {
  return (JSON.stringify(value) ?? "nothing").slice(0, 200);
}
