import { operations } from "../../src/operations/index.ts";
import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import { type Actor, said } from "../../src/sandbox/slack/server.ts";
import { commandIn, preparationOf } from "../examples.ts";
import { type BlowName, strikeInstance } from "./blows.ts";
import { actsSince, checkEffects, conditionsOf, watchConditions } from "./effects.ts";
import { acceptedRoute, checkFacts, checkIdentity, possessionsOf } from "./facts.ts";
import { carry, goAhead, goOn, hasButton, type Move, mostMoves, move, seesAll } from "./moves.ts";
import { type Aftermath, aftermathOf, allMessages, isSocketCheck, messageTone, observe } from "./observing.ts";
import { lookWithAll, short, waitsForMoney } from "./oracles.ts";
import { type Deployment, deploy, type OnRedis, type Saved } from "./world/deployment.ts";

const minute = 60_000;
/** Longer than any pause after which the app looks again at an outcome that it does not know. */
const calmMs = 150_000;
/** The same where nothing is unknown and no work is in progress: so long a person's patience lasts. */
const restMs = 20_000;
/** The same where several instances share a Redis: once a minute they look for what a dead one has left. */
const sharedRestMs = 90_000;
/** The same where the app says that it is finding out: as long as it may look, without a word, at something that nobody can read. */
const findingOutMs = 12 * minute;
const longestMs = 45 * minute;

/** A person who has linked their keys, the app at rest: from here each crash point of a command is tried. */
export async function prepare(seed: number, sells: boolean, onRedis?: OnRedis): Promise<Saved> {
  const deployment = await deploy(seed, onRedis ? { onRedis } : {});
  if (!(await deployment.boot())) throw new Error(`The app did not start: ${deployment.log.at(-1)}`);
  const { slack, platform } = deployment.practice;
  await link(deployment, slack.as("ana"), platform.keys.ana.key);
  if (sells) {
    await link(deployment, slack.as("ana"), platform.reseller.keys.ana.key);
    await connect(deployment, slack.as("ana"), platform.reseller.signingSecret() ?? "");
  }
  await calm(deployment);
  const saved = deployment.save();
  deployment.end();
  return saved;
}

export async function link(deployment: Deployment, actor: Actor, key: string): Promise<void> {
  await fillForm(deployment, actor, "/rackbell link", "API key", { "API key": key });
}

export async function connect(deployment: Deployment, actor: Actor, secret: string): Promise<void> {
  await fillForm(deployment, actor, "/rackbell connect", "Signing secret", { "Signing secret": secret });
}

/** Gives the app the monitoring keys of both APIs, with which it polls. */
export async function monitor(deployment: Deployment, actor: Actor): Promise<void> {
  const { platform } = deployment.practice;
  await fillForm(deployment, actor, "/rackbell connect", "Signing secret", {
    "Reseller monitoring key": platform.reseller.keys.reader.key,
    "Customer monitoring key": platform.keys.reader.key,
  });
}

/** Calls of people and of work for them, without polling, which never rests. */
export function callsForPeople({ platform }: Deployment["practice"]): LoggedCall[] {
  const monitoring: unknown[] = [platform.keys.reader.label, platform.reseller.keys.reader.label];
  return platform.calls().filter(({ key }) => !monitoring.includes(key));
}

async function fillForm(
  deployment: Deployment,
  actor: Actor,
  command: string,
  label: string,
  values: Record<string, string>,
): Promise<void> {
  await deployment.act(actor.type(command));
  await deployment.run(() => JSON.stringify(actor.modal() ?? "").includes(label), minute);
  await deployment.act(actor.fill(values));
  await deployment.act(actor.submit());
  await deployment.run(() => false, 5_000);
}

/** Lets time pass until nothing moves any more: for longer where Slack shows that work is still in progress. */
export async function calm(deployment: Deployment, restMs = calmMs): Promise<void> {
  const { schedule, practice } = deployment;
  let last = schedule.time;
  let changed = true;
  const isChecked = practice.environment.SOCKET_CHECK === "on";
  const endListening = practice.slack.onChange(({ what, shown }) => {
    // An edit goes to Slack and comes back every 20 seconds, for ever.
    if (isChecked && (what === "call" || (shown && "metadata" in shown && isSocketCheck(shown)))) return;
    last = schedule.time;
    changed = true;
  });
  const end = schedule.time + longestMs;
  let calls = -1;
  let enough = restMs;
  while (schedule.time < end && schedule.time - last < enough) {
    await deployment.run(() => false, enough - (schedule.time - last));
    const { length } = callsForPeople(practice);
    if (length !== calls) last = schedule.time;
    calls = length;
    // A look copies all that there is.
    if (changed) enough = quietFor(deployment, restMs);
    changed = false;
  }
  endListening();
}

function patience({ redis }: Deployment): number {
  return redis ? sharedRestMs : restMs;
}

/** So long nothing more must come before a world counts as at rest, by all that its messages say. */
function quietFor({ practice }: Deployment, restMs: number): number {
  const messages = Object.values(practice.slack.state().channels).flat();
  if (messages.some((message) => findsOut.test(said(message)))) return findingOutMs;
  return messages.some((message) => messageTone(message).goesOn || messageTone(message).unknown) ? calmMs : restMs;
}

const findsOut = /I am checking the outcome/;

/** The outcome of one command. */
export interface Tried {
  findings: string[];
  /** How many events it took. */
  events: number;
  /** Those at which something can go wrong: with Redis, without the signs of life and looks of instances that wait. */
  points: number[];
  writes: string[];
  /** The routes that the platform accepted, with their API. */
  accepted: string[];
  moves: Move[];
  texts: string[];
  digest: number;
  trace: string[];
}

/** The outcome of a command without any fault. */
export interface Clean extends Tried {
  command: string;
  saved: Saved;
}

const marker = "made-here";
/** Longer than any job of the practice platform. */
const jobsMs = 5 * minute;

/** Of the events of a clean run. It goes on until all jobs of the platform have ended, so its last ones may come in no other run. */
const shareThatComes = 0.7;

/** Carries the command without faults: the runs with a crash are compared with this one. */
export async function tryClean(saved: Saved, seed: number, command: string): Promise<Clean> {
  return { ...(await attempt(saved, seed, command, null)), command, saved };
}

/** A failure before one of the events. */
interface Failure {
  clean: Clean;
  at: number;
  /** Of one of several instances; without it the app dies. */
  blow?: BlowName | undefined;
}

/** Carries the command, has something fail before event `at`, and looks at what became of it. */
export async function tryFailure(failure: Failure, seed: number, traced = false): Promise<Tried> {
  return attempt(failure.clean.saved, seed, failure.clean.command, failure, traced);
}

async function attempt(
  saved: Saved,
  seed: number,
  command: string,
  failure: Failure | null,
  traced = false,
): Promise<Tried> {
  const clean = failure?.clean ?? null;
  const deployment = await deploy(seed, { from: saved });
  const { schedule, practice } = deployment;
  schedule.trace = traced ? [] : null;
  try {
    if (!(await deployment.boot())) return nothing(deployment, ["the app does not start from the saved world"]);
    const ana = practice.slack.as("ana");
    const { changes, end } = observe(deployment);
    const preparation = preparationOf(command);
    const { given, first: steps = [], values: valuesOf } = preparation;
    given?.(practice);
    const values = valuesOf?.(practice) ?? {};
    for (const one of steps) {
      await carry(deployment, ana, one, { marker, values });
      await calm(deployment, restMs);
    }
    practice.platform.clearCalls();
    practice.platform.settings.shapes.interludes = failure === null;
    const since = deployment.clock.now();
    const watch = watchConditions(deployment);
    const possessed = possessionsOf(practice.platform);
    const first = schedule.events;
    const before = new Set(seesAll(ana).map(({ ts }) => ts));
    const busy = noteBusy(deployment, first);
    let hasCome = false;
    schedule.onEvent = (event, label) => {
      if (failure === null) {
        watch.sample();
        busy.note(event, label);
      } else if (event - first === failure.at) {
        hasCome = true;
        if (failure.blow) strikeInstance(deployment, failure.blow);
        else deployment.crash();
      }
    };
    const moves = await carry(deployment, ana, command, { marker, values });
    if (failure === null) await deployment.run(watch.sample, restMs);
    const comes = schedule.events - first;
    // Up to the end of the platform's jobs, also of those that the app does not track.
    if (failure === null) await deployment.run(watch.sample, jobsMs);
    if (failure === null && preparation.afterwards) {
      preparation.afterwards.run(practice);
      await deployment.run(watch.sample, jobsMs);
    }
    if (deployment.crashes === 0) await calm(deployment, patience(deployment));
    schedule.onEvent = null;
    const events = deployment.lastBusy - first;
    const findings: string[] = [];
    const comesForSure = failure !== null && failure.at < (failure.clean.points.at(-1) ?? 0) * shareThatComes;
    if (comesForSure && !hasCome) findings.push("the failure never came");
    if (deployment.crashes > 0) {
      if (!(await deployment.boot()))
        return nothing(deployment, [`the app does not start again: ${deployment.log.at(-1)}`]);
      // Slack repeats a message that was not acknowledged, but only a minute later.
      await calm(deployment, command.startsWith("@") ? calmMs : patience(deployment));
    }
    if (failure === null) {
      const acts = await deployment.stored((store) => actsSince(store, since));
      findings.push(
        ...checkEffects(command, watch, conditionsOf(practice.platform), {
          acts,
          elsewhere: preparation.afterwards?.to,
        }),
        ...checkIdentity(acts, practice.platform, {
          before: watch.before,
          isOfReseller: command.startsWith("/reseller"),
        }),
        ...checkDeclared(command, {
          accepted: callsForPeople(practice).flatMap(acceptedRoute),
          before: possessed,
          after: possessionsOf(practice.platform),
        }),
      );
    }
    const after = aftermathOf(deployment, moves, changes);
    findings.push(
      ...lookWithAll(after),
      ...checkClaims(command, clean, after, before),
      ...(deployment.redis?.lost() ?? []),
    );
    const accepted = callsForPeople(practice).flatMap(acceptedRoute);
    const points = busy.points(Math.min(events, comes));
    const tried = {
      findings,
      events,
      points,
      writes: writesOf(after),
      accepted,
      moves,
      texts: newTexts(after, before),
    };
    if (clean && findings.length === 0) findings.push(...(await finish(deployment, ana, clean, before, moves)));
    end();
    return { ...tried, digest: schedule.digest, trace: schedule.trace ?? [] };
  } finally {
    deployment.end();
  }
}

/** Notes the events of moments at which not Redis alone is at work; on a file, all of them. */
function noteBusy({ schedule, redis }: Deployment, first: number) {
  const busy: number[] = [];
  let moment: { time: number; events: number[]; isBusy: boolean } = { time: -1, events: [], isBusy: false };
  return {
    note(event: number, label: string) {
      if (moment.time !== schedule.time) moment = { time: schedule.time, events: [], isBusy: false };
      moment.events.push(event - first);
      moment.isBusy ||= !label.includes("redis");
      if (moment.isBusy) busy.push(...moment.events.splice(0));
    },
    points: (until: number) =>
      redis ? busy.filter((event) => event <= until) : Array.from({ length: until }, (_, at) => at + 1),
  };
}

/** The same for the operation that a line types. */
function checkDeclared(typed: string, facts: Parameters<typeof checkFacts>[1]): string[] {
  const operation = operations.find(({ command }) => command === commandIn(typed));
  return operation ? checkFacts(operation, facts) : [];
}

function nothing(deployment: Deployment, findings: string[]): Tried {
  const { digest, trace, events } = deployment.schedule;
  return { findings, events, points: [], writes: [], accepted: [], moves: [], texts: [], digest, trace: trace ?? [] };
}

/** After a crash before the act was done, the requester presses the button that still waits, and it is done once. */
async function finish(
  deployment: Deployment,
  ana: Actor,
  clean: Clean,
  before: Set<string>,
  moves: Move[],
): Promise<string[]> {
  const waits = seesAll(ana).find((message) => !before.has(message.ts) && hasButton(message, goAhead));
  if (!waits) return [];
  const { changes, end } = observe(deployment);
  const press = await move(deployment, ana, "presses again", () => ana.press(waits, goAhead));
  const more = await goOn(deployment, ana, { before, moves: [press], marker, press: false });
  await calm(deployment, patience(deployment));
  end();
  const after = aftermathOf(deployment, more, changes);
  const sent = writesOf(after).join(", ");
  return [
    ...lookWithAll(after),
    ...(sent === clean.writes.join(", ") ? [] : [`pressed again, it came to ${sent || "nothing"}`]),
    ...(moves.length >= mostMoves ? ["the command has no end"] : []),
  ];
}

/** The writes that the platform carried out. */
function writesOf({ writes }: Aftermath): string[] {
  return writes.filter(({ status }) => status !== null && status < 300).map(({ method, path }) => `${method} ${path}`);
}

function newTexts({ state }: Aftermath, before: Set<string>): string[] {
  return allMessages(state)
    .filter(({ ts }) => !before.has(ts))
    .map(said);
}

/**
 * A command that was done must show as done or unknown; one that was not done must never show as done. A command on Rackbell
 * itself has no request that could continue, and is safe to repeat: after a restart the app tells the member to type it again.
 */
function checkClaims(command: string, clean: Clean | null, after: Aftermath, before: Set<string>): string[] {
  if (!clean || clean.writes.length === 0) return [];
  const messages = allMessages(after.state).filter(({ ts }) => !before.has(ts));
  const claims = messages.map(messageTone);
  const sent = writesOf(after);
  const shown = short(messages.map(said).join(" || "));
  const cleanTellsDone = clean.texts.some((text) => text.includes(":white_check_mark:"));
  const all = clean.writes.every((write) => sent.includes(write));
  if (all && claims.some((one) => one.notDone)) return [`it was done, and a message says that it was not: ${shown}`];
  const isOnRackbell = /^\/?rackbell /.test(command);
  // A check of the connection changes nothing: it may just be typed again.
  const again = command.includes("connect check")
    ? /restarted while it worked on|Try again in a minute/
    : /restarted while it worked on/;
  const saysTypeAgain = isOnRackbell && messages.some((one) => again.test(said(one)));
  // In the clean run somebody pays afterwards, and here nobody does.
  const isTold = claims.some((one) => one.done || one.unknown) || messages.some((one) => waitsForMoney.test(said(one)));
  if (all && cleanTellsDone && !saysTypeAgain && !isTold) return [`it was done, and no message says so: ${shown}`];
  if (sent.length === 0 && claims.some((one) => one.done))
    return [`nothing was done, and a message says that it was: ${shown}`];
  return [];
}
