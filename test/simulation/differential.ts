import type { Item } from "../../src/storage/engine.ts";
import type { FaultName } from "./faults.ts";
import { type Plan, planOf, type Step, type WorldName } from "./plan.ts";
import { prepareTeam, runPlan } from "./random.ts";
import type { Deployment, OnRedis, Saved } from "./world/deployment.ts";

// The same plan on a file and on the model of Redis. Two runs may rightly differ:
// - within a moment, since a call to Redis takes its turn in between: what bears one millisecond is compared without an order;
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
      outcome = await outcomeOf(deployment);
    },
  });
  const name = onRedis ? "on Redis" : "on a file";
  return { outcome, findings: findings.map((finding) => `${name}: ${finding}`) };
}

/** The outcome of a run, each part by its places: every value is compared with that of the other store. */
type Outcome = Readonly<Record<"messages" | "calls" | "records", unknown>>;

async function outcomeOf(deployment: Deployment): Promise<Outcome> {
  const { practice } = deployment;
  const instance = await deployment.stored(async (store) => store.instance);
  const { channels, ephemerals, modals, homes, files, violations } = practice.slack.state();
  const messages = {
    channels: eachOrdered(channels),
    ephemerals: eachOrdered(ephemerals),
    modals,
    homes,
    files,
    violations,
  };
  return canonical({ messages, calls: ordered(practice.platform.calls()), records: recordsOf(deployment) }, instance);
}

/** Slack numbers the messages of a millisecond, and names blocks that have no name. The instance has another name in each run. */
function canonical<T>(outcome: T, instance: string): T {
  const text = JSON.stringify(outcome)
    .replaceAll(/\b(\d{10}\.\d{3})\d{3}\b/g, "$1")
    .replaceAll(/"block_id":"[0-9a-f]{6}"/g, '"block_id":"unnamed"')
    .replaceAll(instance, "this instance");
  return JSON.parse(text);
}

const moments = [/"ts":"(\d{10}\.\d{3})/, /"at":(\d{13})/];

/** In the order of their milliseconds, and within one in that of their texts. */
function ordered(all: readonly unknown[]): unknown[] {
  const keyOf = (one: unknown) => {
    const text = JSON.stringify(one);
    return `${moments.map((moment) => moment.exec(text)?.[1] ?? "").join("")} ${text.replaceAll(/\d{10}\.\d{6}|"block_id":"[0-9a-f]{6}"/g, "")}`;
  };
  return all
    .map((one) => [keyOf(one), one] as const)
    .toSorted(([a], [b]) => (a < b ? -1 : 1))
    .map(([, one]) => one);
}

function eachOrdered(lists: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, ordered(list)]));
}

/** All that is stored, by its place. Entries of logs have keys of their own making: each is known by its number. */
function recordsOf({ redis, disk, clock }: Deployment): unknown {
  const items = redis ? redis.items() : disk.items(clock.now());
  const names = new Map(items.flatMap((item) => (isOfLog(item) ? [[item.member, `${item.index} ${item.score}`]] : [])));
  const nameOf = (member: string) => names.get(member) ?? member;
  const found = items.map((item): [string, unknown] => {
    if (item.kind === "counter") return [`counter ${item.counter}`, item.number];
    if (item.kind === "member") return [`index ${item.index}: ${nameOf(item.member)}`, item.score];
    const entry = /^value:~entry:(.*)$/.exec(item.key)?.[1];
    return [entry === undefined ? item.key : `entry ${nameOf(entry)}`, { ...read(item.text), endsAt: item.endsAt }];
  });
  return Object.fromEntries(found.filter(([key]) => key !== "value:~ready").toSorted(([a], [b]) => (a < b ? -1 : 1)));
}

function isOfLog(item: Item): item is Extract<Item, { kind: "member" }> {
  return item.kind === "member" && item.index.startsWith("~log ");
}

function read(text: string): { stored: unknown } {
  return { stored: JSON.parse(text) };
}

const mostShown = 12;

function compareParts(one: Outcome | undefined, other: Outcome | undefined): string[] {
  const found = differencesIn(one, other, "");
  return found.length > mostShown ? [...found.slice(0, mostShown), `and ${found.length - mostShown} more`] : found;
}

/** The places at which two values of JSON differ. */
function differencesIn(one: unknown, other: unknown, place: string): string[] {
  if (Object.is(one, other)) return [];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return [`${place}: ${shown(one)} on a file, ${shown(other)} on Redis`];
  if (Array.isArray(one) && Array.isArray(other) && one.length !== other.length)
    return differentLists(one, other, place);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differencesIn(Reflect.get(one, name), Reflect.get(other, name), `${place}/${name}`),
  );
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
