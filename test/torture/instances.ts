import { createDraws, type Draws } from "./draws.ts";
import { createPair, eventually, type Instance, isReady, link, type Pair, ring, sees } from "./pair.ts";
import { pause } from "./pause.ts";
import type { RoundResult } from "./round.ts";
import { readStore, type StoreContents } from "./store-contents.ts";
import { judge, twice } from "./verdict.ts";

const goAhead = "request:press";
const hour = 60 * 60_000;
const minute = 60_000;
const takenOverWithin = 10_000;
/** Longer than an instance that gives no sign of life counts as living. */
const frozenMs = 8_500;

/** The parts of one run, beside the pair. */
interface Run {
  pair: Pair;
  instances: [Instance, Instance];
  draws: Draws;
  tried: Record<"presses" | "kills of an instance" | "freezes of an instance" | "kills of Redis", number>;
}

/**
 * `rounds` times over, something is destroyed, something is paid and an event arrives, each in whichever of two instances on one Redis,
 * and in the middle of it one of the three processes is killed, or an instance stands still for some seconds; when the dust has settled it is read what became of it all.
 */
export async function runInstances({ seed, rounds }: { seed: number; rounds: number }): Promise<RoundResult> {
  const pair = await createPair({ APPROVAL_TTL: "5m" });
  try {
    const { platform } = pair;
    platform.settings.hourlyLimit = 1_000_000;
    platform.changeUser("ana", { balance: 10_000_000 });
    for (const name of ["victim", "renewed"]) platform.addVps(rounds, name);
    const first = await pair.start();
    pair.toward(first);
    await link(pair);
    await ring(pair);
    const tried = { presses: 0, "kills of an instance": 0, "freezes of an instance": 0, "kills of Redis": 0 };
    const run: Run = { pair, instances: [first, await pair.start()], draws: createDraws(seed), tried };
    for (let round = 1; round <= rounds; round += 1) await survive(run, round);
    const began = Date.now();
    await settle(run);
    const settledMs = Date.now() - began;
    const contents = await readStore(pair.redis.url);
    const findings = [...judge({ practice: pair, ...contents, revealed: new Set() }), ...eventsOnce(pair, contents)];
    return {
      setup: "two instances on one Redis",
      findings,
      figures: { ...tried, ...countsOf(pair, contents), settledMs },
    };
  } finally {
    await pair.end();
  }
}

async function survive(run: Run, round: number): Promise<void> {
  const { pair, instances, draws, tried } = run;
  const { ana, platform } = pair;
  const any = (): void => pair.toward(draws.pick(instances));
  const victim = `victim-${String(round).padStart(5, "0")}`;
  const renewed = platform.findVps(`renewed-${String(round).padStart(5, "0")}`);
  const document = platform.reseller.supplier.billRenewal(renewed.id);
  const number = platform.documents().find(({ id }) => id === document)?.number ?? "";
  any();
  await ana.type(`/vps cancel ${victim}`);
  const destroys = await sees(ana, "asks to", victim);
  any();
  // An amount is one round's alone, so that its effect can be distinguished.
  await ana.type(`/billing pay ${number} amount=${(round / 100).toFixed(2)}`);
  const spends = await sees(ana, number, "Pay");
  raise(pair, round);
  const acts: Promise<unknown>[] = [];
  for (const request of [destroys, spends]) {
    // Some are pressed twice, maybe in both.
    const presses = draws.chance(0.4) ? 2 : 1;
    for (let press = 0; press < presses; press += 1) {
      any();
      acts.push(ana.press(request, goAhead).catch(() => {}));
      await pause(draws.between(0, 20));
    }
    tried.presses += presses;
  }
  acts.push(platform.reseller.webhooks.postDue());
  await pause(draws.between(0, 250));
  await strikeAny(run);
  await Promise.all(acts);
  for (const instance of instances) await eventually(() => isReady(instance), "an instance to be ready");
}

/** The supplier suspends a service, or takes it back. */
function raise({ platform }: Pair, round: number): void {
  const { supplier, sold } = platform.reseller;
  const services = sold().filter(({ status }) => status === "active" || status === "suspended");
  const service = services[round % services.length];
  if (!service) throw new Error("Nothing is sold.");
  if (service.status === "suspended") supplier.unsuspend(service.id);
  else supplier.suspend(service.id, `Too much mail (${round})`);
}

async function strikeAny({ pair, instances, draws, tried }: Run): Promise<void> {
  const victim = draws.pick<0 | 1 | "redis" | "frozen">([0, 1, "redis", "frozen"]);
  if (victim === "frozen") {
    tried["freezes of an instance"] += 1;
    const frozen = draws.pick(instances);
    frozen.freeze();
    await pause(frozenMs);
    frozen.thaw();
    return;
  }
  if (victim === "redis") {
    tried["kills of Redis"] += 1;
    await pair.redis.kill();
    await pause(draws.between(0, 300));
    await pair.redis.start();
    return;
  }
  tried["kills of an instance"] += 1;
  await instances[victim].kill();
  instances[victim] = await pair.start();
}

/**
 * The speeds of the app's time, one after the other, until nothing moves. A time limit of ten seconds is half a second at the first: a
 * machine that is busy with other work may answer nothing within that, and then more time alone would settle nothing.
 */
const speeds = [20, 5, 1];

/** Two hours later nothing waits for anybody any more: what is unclear is looked into until it is clear, and what the supplier could not deliver is delivered. */
async function settle({ pair, instances }: Run): Promise<void> {
  for (const instance of instances) await instance.kill();
  let ahead = 2 * hour;
  for (const speed of speeds) {
    const began = Date.now();
    const last = await pair.start({ ahead, speed });
    pair.toward(last);
    const isStill = await comesToRest(pair, last);
    await last.kill();
    if (isStill) return;
    ahead += (Date.now() - began) * (speed - 1);
  }
}

/** True once nothing has moved for longer than a takeover takes; false if something still moves after two minutes: the verdict then reports it. */
async function comesToRest({ platform, redis }: Pair, last: Instance): Promise<boolean> {
  const end = Date.now() + 2 * minute;
  // The work of a killed instance neither waits nor runs until the instance counts as gone.
  for (let still = Date.now(); Date.now() - still < takenOverWithin; await pause(300)) {
    await platform.reseller.webhooks.postDue();
    const { requests } = await readStore(redis.url);
    const moves =
      requests.some(
        ({ state, job }) =>
          ["pending", "claimed", "unknown", "working"].includes(state) || (job && job.endedAt === null),
      ) ||
      platform.reseller.deliveries().some(({ state }) => state === "waiting") ||
      (await waiting(last)) > 0;
    if (moves) still = Date.now();
    if (Date.now() > end) return false;
  }
  return true;
}

/** How much the app says that it has to do. */
export async function waiting({ url }: Instance): Promise<number> {
  const text = await (await fetch(`${url}/metrics`)).text();
  const lines = [...text.matchAll(/^rackbell_queue_(?:depth|failing)\{[^}]*\} (\S+)$/gm)];
  return lines.reduce((sum, [, count]) => sum + Number(count), 0);
}

/** The app stores every event once, and no message with a subject appears twice. */
function eventsOnce({ platform, slack }: Pair, { events }: StoreContents): string[] {
  const raised = platform.reseller.deliveries();
  const sent = raised.map(({ event, data }) => JSON.stringify([event, data]));
  const stored = events.flatMap((entry) => (isEvent(entry) ? [JSON.stringify([entry.event, entry.data])] : []));
  const marks = Object.values(slack.state().channels)
    .flat()
    .flatMap(({ channel, metadata }) => (metadata ? [`${channel} ${JSON.stringify(metadata.event_payload)}`] : []));
  return [
    ...raised
      .filter(({ state }) => state !== "delivered")
      .map(({ event, error }) => `${event} was never taken: ${error}`),
    ...beyond(sent, stored).map((event) => `An event was not kept: ${event}`),
    ...beyond(stored, sent).map((event) => `An event is kept twice: ${event}`),
    ...twice(marks).map((mark) => `A message stands twice: ${mark}`),
  ];
}

function isEvent(entry: unknown): entry is { event: string; data: unknown } {
  return typeof entry === "object" && entry !== null && "event" in entry && "data" in entry;
}

/** Those that are there more often than in the others. */
function beyond(names: string[], others: string[]): string[] {
  const left = [...others];
  return names.filter((name) => {
    const at = left.indexOf(name);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}

function countsOf({ platform }: Pair, { requests, audit, events }: StoreContents): Record<string, number> {
  const sent = platform.calls();
  const states: Record<string, number> = {};
  for (const { command, state } of requests) states[`${command} ${state}`] = (states[`${command} ${state}`] ?? 0) + 1;
  return {
    "cancellations sent": sent.filter(({ method, path }) => method === "DELETE" && path.startsWith("/vps/")).length,
    "payments sent": sent.filter(({ method, path }) => method === "POST" && path.endsWith("/pay")).length,
    "delivery attempts": platform.reseller.deliveries().reduce((sum, { attempts }) => sum + attempts, 0),
    events: events.length,
    "audit entries": audit.length,
    ...states,
  };
}
