import type { Item } from "../../src/storage/engine.ts";
import { type FaultName, strikesCheck } from "./faults.ts";
import { type Plan, planOf, type Step, type WorldName } from "./plan.ts";
import { prepareTeam, runPlan } from "./random.ts";
import type { Deployment, OnRedis, Saved } from "./world/deployment.ts";

// The same plan on a file and on the model of Redis. Two runs may rightly differ:
// - within a moment, since a call to Redis takes its turn in between: its order, which may hold a lock and so put the next act off by
//   some seconds, Slack's numbers, seals over a time, and if a message was posted anew or edited at once are not compared;
// - after a crash, since what is only in memory outlives it in Redis, and a dead instance counts as living for five seconds;
// - where a clock is set, since Redis has its own, and where a disk fails, which only the file has.
// So acts are apart in these plans, and never fall on a step that is due a whole minute after another act. Random values are drawn by place and moment, and those faults are left out.

/** Differences between the two, as sentences. */
type Differences = string[];

const apartMs = 20_000;
const beyondMinuteMs = 1_337;
/** No other instance is there that could wake it, take over its work, or wait for a sign of its life. */
const alone: OnRedis = { instances: 1, lookEveryMs: 3_600_000, signs: { everyMs: 60_000, lastMs: 200_000 } };

/** Faults that are the same to both stores. */
const faultsOfBoth: ReadonlySet<FaultName> = new Set<FaultName>([
  ...(["silent platform", "lost write", "late write", "lost reads", "too many calls"] as const),
  ...(["lost post", "refused post", "cut post", "slow Slack", "broken Slack", "lost answer"] as const),
  ...(["lost acknowledgement", "doubled event"] as const),
]);

/** The plan of a seed, with its acts apart and its faults between them. */
export function orderlyPlan(seed: number): Plan {
  const plan = planOf(seed);
  const steps = plan.steps.map((step) => ({ ...step, gapMs: Math.max(step.gapMs, apartMs) + beyondMinuteMs }));
  const perStep = 45;
  const struck = plan.faults
    .filter((fault) => faultsOfBoth.has(fault.kind) && !strikesCheck(fault))
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

/** Without the places and direct messages that Slack numbers as they come, numbers of entries, names of blocks that have none, and seals over a time. */
function unplaced<T>(value: T): T {
  const text = JSON.stringify(value)
    .replaceAll(/\b\d{10}\.\d{6}\b/g, "a place")
    .replaceAll(/"D[0-9A-Z]{10}"/g, '"a direct message"')
    .replaceAll(/"block_id":"[0-9a-f]{6}"/g, '"block_id":"unnamed"')
    .replaceAll(/,?"edited":\{[^{}]*\}/g, "")
    .replaceAll(/"(mac|nonce|digest|previous)":"[\w-]+"/g, '"$1":"a seal"')
    .replaceAll(/"marks":\[[^[\]]*\]/g, '"marks":"seals"')
    .replaceAll(/Audit entry \d+/g, "Audit entry");
  return JSON.parse(text);
}

/** A time in milliseconds, in Slack's seconds, or as text. */
const times = /\b1[78]\d{11}\b|(?<=<!date\^)\d{10}|\b20\d\d-\d\d-\d\dT[\d:.]+Z|\b20\d\d-\d\d-\d\d \d\d:\d\d\b/g;

/** In the order of their texts without times: two of one moment may have been done in any order. */
function sorted(all: readonly unknown[]): unknown[] {
  return all
    .map((one) => unplaced(one))
    .map((one) => ({ one, text: JSON.stringify(one) }))
    .map(({ one, text }) => [text.replaceAll(times, "a time"), text, one] as const)
    .toSorted(([a, one], [b, other]) => (a === b ? (one < other ? -1 : 1) : a < b ? -1 : 1))
    .map(([, , one]) => one);
}

function eachSorted(lists: Readonly<Record<string, readonly unknown[]>>): Record<string, unknown[]> {
  return Object.fromEntries(Object.entries(lists).map(([name, list]) => [name, sorted(list)]));
}

/** All that is stored, each with its place. Entries of logs have keys of their own making, and those of one moment come in any order. */
function recordsOf({ redis, disk, clock }: Deployment): { place: string }[] {
  const items = redis ? redis.items() : disk.items(clock.now());
  const logs = new Map(items.flatMap((item) => (isOfLog(item) ? [[item.member, item.index]] : [])));
  const nameOf = (member: string) => (logs.has(member) ? `of ${logs.get(member)}` : member);
  const found = items.map((item) => {
    if (item.kind === "counter") return { place: `counter ${item.counter}`, number: item.number };
    if (item.kind === "member")
      return {
        place: `index ${item.index}: ${nameOf(item.member)}`,
        score: logs.has(item.member) ? null : item.score,
      };
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

/** Without the last progress of an ended job, which names what ended in one moment in any order; its messages have it. */
function read(text: string): { stored: unknown } {
  const stored = JSON.parse(text);
  return { stored: stored?.job ? { ...stored, job: { ...stored.job, text: "progress" } } : stored };
}

const mostShown = 12;
const paceMs = 5_000;

function compareParts(one: Outcome | undefined, other: Outcome | undefined): string[] {
  const found = differencesIn(one, other, "");
  return found.length > mostShown ? [...found.slice(0, mostShown), `and ${found.length - mostShown} more`] : found;
}

/** The places at which two values of JSON differ. */
function differencesIn(one: unknown, other: unknown, place: string): string[] {
  if (Object.is(one, other) || isAsLong(one, other)) return [];
  if (typeof one !== "object" || typeof other !== "object" || one === null || other === null)
    return [`${place}: ${shown(one, partOf(one, other))} on a file, ${shown(other, partOf(one, other))} on Redis`];
  if (Array.isArray(one) && Array.isArray(other)) return differencesInLists(one, other, place);
  const names = new Set([...Object.keys(one), ...Object.keys(other)]);
  return [...names].flatMap((name) =>
    differencesIn(Reflect.get(one, name), Reflect.get(other, name), `${place}/${name}`),
  );
}

/** Two values that differ in their times alone, by no more than what Slack's pace takes for some posts, and the wait for a lock. */
function isAsLong(one: unknown, other: unknown): boolean {
  const [onFile, onRedis] = [one, other].map((value) => JSON.stringify(value) ?? "");
  if (onFile === undefined || onRedis === undefined) return false;
  if (onFile.replaceAll(times, "a time") !== onRedis.replaceAll(times, "a time")) return false;
  const those = onRedis.match(times) ?? [];
  return (onFile.match(times) ?? []).every((time, at) => Math.abs(msIn(time) - msIn(those[at] ?? "")) <= paceMs);
}

function msIn(time: string): number {
  if (/^\d{13}$/.test(time)) return Number(time);
  if (/^\d{10}$/.test(time)) return Number(time) * 1_000;
  // A text may have minutes alone: then the next minute is as near as the pace.
  return time.endsWith("Z") ? Date.parse(time) : (Date.parse(`${time}Z`) / 60_000) * paceMs;
}

/** Compares the values that only one of two lists has: in pairs where both have as many left over. */
function differencesInLists(one: readonly unknown[], other: readonly unknown[], place: string): string[] {
  const [onFile, onRedis] = [without(one, other), without(other, one)];
  if (onFile.length === onRedis.length)
    return onFile.flatMap((value, at) => differencesIn(value, onRedis[at], `${place}/${at}`));
  return [
    ...onFile.map((value) => `${place}: only on a file ${shown(value)}`),
    ...onRedis.map((value) => `${place}: only on Redis ${shown(value)}`),
  ];
}

/** The values of a list that the other has not, or not as often. */
function without(list: readonly unknown[], other: readonly unknown[]): unknown[] {
  const counts = new Map<string, number>();
  for (const value of other) counts.set(JSON.stringify(value), (counts.get(JSON.stringify(value)) ?? 0) + 1);
  return list.filter((value) => {
    const text = JSON.stringify(value);
    const count = counts.get(text) ?? 0;
    if (count > 0) counts.set(text, count - 1);
    return count === 0;
  });
}

function shown(value: unknown, from = 0): string {
  const text = JSON.stringify(value) ?? "nothing";
  return `${from > 0 ? "…" : ""}${text.slice(from, from + 300)}`;
}

/** A place shortly before the one at which the texts of two values part. */
function partOf(one: unknown, other: unknown): number {
  const [onFile, onRedis] = [one, other].map((value) => JSON.stringify(value) ?? "");
  const at = [...(onFile ?? "")].findIndex((letter, place) => letter !== onRedis?.[place]);
  return Math.max(0, at - 60);
}
