import v8 from "node:v8";
import vm from "node:vm";
import { operations } from "../../src/operations/index.ts";
import type { SendByHand } from "../../src/sandbox/platform/http/faults.ts";
import { said } from "../../src/sandbox/slack/server.ts";
import { sellsOn } from "../examples.ts";
import { prepare } from "../simulation/enumerate.ts";
import { messageTone, secretsOf } from "../simulation/observing.ts";
import { lookWithAll, short } from "../simulation/oracles.ts";
import { cpuMs } from "../simulation/report.ts";
import type { Saved } from "../simulation/world/deployment.ts";
import { allowedFor } from "./allowed.ts";
import { endless } from "./answers.ts";
import { type Case, casesOf, nameOfCase, type Part, slackCases } from "./cases.ts";
import { definiteSentences, type Finding, leftOut, machineWordsIn, usualOf, vanished } from "./judge.ts";
import { asSlackSends } from "./slack-answers.ts";
import { elsewhere, type HostileWorld, openWorld, type Shown } from "./world.ts";

const saved = new Map<string, Saved>();

/** Under this rule a change asks first, so its card is judged like that of an act that spends. */
const askFirst = "/rackbell policy set demand=confirm risk=change";

/** The world with the keys that a command needs, prepared at its first use. A change runs at once there, or asks first. */
async function savedFor(command: string, asks: boolean): Promise<Saved> {
  const sells = sellsOn(command);
  const name = `${sells} ${asks}`;
  const known = saved.get(name);
  if (known) return known;
  const prepared = asks ? await savedAfter(askFirst, await savedFor(command, false)) : await prepare(1, sells);
  saved.set(name, prepared);
  return prepared;
}

async function savedAfter(typed: string, before: Saved): Promise<Saved> {
  const { act, deployment } = await openWorld(before, 1, typed);
  await act(typed);
  const after = deployment.save();
  deployment.end();
  return after;
}

/** The line that types a command; a line is one already. */
function exampleOf(command: string): string {
  if (/^[/@]/.test(command)) return command;
  const found = operations.find((one) => one.command === command);
  if (!found) throw new Error(`There is no /${command}`);
  return found.example;
}

/** True for a part whose commands are carried out; in the others somebody reads, and decides nothing. */
function isAct(part: Part): boolean {
  return part === "writes" || part === "slack";
}

/** Types the command where nothing is wrong, and lists the cases of a part. */
export async function survey(part: Part, command: string): Promise<Case[]> {
  return inWorld({ part, command }, async (world, typed) => {
    if (isAct(part)) await world.act(typed);
    else await world.ask(typed);
    if (part === "slack") return slackCases(command, world.bodies, elsewhere);
    const isOfPart = (route: string) => / GET /.test(route) === (part !== "writes");
    return casesOf(part, command, new Map([...world.bodies].filter(([route]) => isOfPart(route))), elsewhere);
  });
}

/** A case with its findings; empty where all is well. */
export interface Outcome {
  name: string;
  findings: Finding[];
}

/** Tries cases of one command, each in a world of its own, until the time is over. */
export async function tryCases(
  cases: readonly Case[],
  { isOver, at }: { isOver(): boolean; at(place: string): void },
  onOutcome: (outcome: Outcome) => void,
): Promise<void> {
  let reference: Reference | undefined;
  for (const [index, one] of cases.entries()) {
    if (isOver()) return;
    at(`case ${index + 1} of ${cases.length}: ${JSON.stringify(nameOfCase(one))}`);
    if (!isAct(one.part)) reference ??= await referenceOf(one);
    const attempt = () => (reference ? tryAnswer(one, reference) : tryAct(one));
    const findings = await attempt();
    // The first of its kind compiles what it runs, another process may have had the core, and cases before it keep some bytes.
    const isOfMachine = findings.length > 0 && findings.every(({ kind }) => kind === "time" || kind === "memory");
    if (isOfMachine && reference) reference = await referenceOf(one);
    onOutcome({ name: nameOfCase(one), findings: isOfMachine ? await attempt() : findings });
  }
}

interface Reference {
  usual: Shown;
  /** All that the platform has sent, as text. */
  sent: string;
  /** The bytes in use before the answer; 0 in the parts that do not measure them. */
  usedBytes: number;
}

/** The answer of a command while nothing is wrong. */
async function referenceOf(of: Pick<Case, "part" | "command">): Promise<Reference> {
  return inWorld(of, async (world, typed) => {
    const before = of.part === "whole" ? usedBytes() : 0;
    const usual = await world.ask(typed);
    return { usual, sent: JSON.stringify([...world.bodies.values()]), usedBytes: before };
  });
}

/** A new world with all that the command needs; it ends with `work`. */
async function inWorld<T>(
  { part, command }: Pick<Case, "part" | "command">,
  work: (world: HostileWorld, typed: string) => Promise<T>,
): Promise<T> {
  const typed = exampleOf(command);
  const world = await openWorld(await savedFor(typed, !isAct(part)), 1, typed);
  try {
    return await work(world, typed);
  } finally {
    world.deployment.end();
  }
}

/** All that is shown in a case, or as usual, with the last lines of the log. */
export async function shownIn(one: Case, send: SendByHand | null): Promise<string[]> {
  return inWorld(one, async (world, typed) => {
    if (one.part === "slack" && send) world.spoilSlack(one.route.slice("slack ".length), asSlackSends(one.shape), 1);
    else world.spoil([one.route], send);
    const { texts, request } = isAct(one.part)
      ? { texts: (await world.act(typed)).messages.map(said), request: null }
      : await world.ask(typed);
    const { price, review } = request ?? {};
    return [texts.join("\n---\n"), JSON.stringify({ price, review }, null, 1), ...world.deployment.log.slice(-12)];
  });
}

/** A write that is answered in another way, or a call of Slack's, in a world of its own. */
async function tryAct(one: Case): Promise<Finding[]> {
  return inWorld(one, async (world, typed) => {
    if (one.part === "slack") world.spoilSlack(one.route.slice("slack ".length), asSlackSends(one.shape), 1);
    else world.spoil([one.route], one.shape.send);
    const after = await world.act(typed);
    const texts = after.messages.map(said);
    return [
      ...machineWordsIn(texts, "undefined null NaN"),
      ...lookWithAll(after).map((text): Finding => ({ kind: kindOfOracle(text), text })),
      ...(one.part === "slack" ? [] : claims(after, world.carriedOut.has(one.route))),
      ...strayed(world),
    ];
  });
}

/** A call of a host that is not the platform's and not Slack's: a key may have gone there. */
function strayed({ strays }: HostileWorld): Finding[] {
  return strays().length > 0 ? [{ kind: "secret", text: `the app called another host: ${strays().join("; ")}` }] : [];
}

function kindOfOracle(text: string): Finding["kind"] {
  if (/^a write is sent once|^an end has one message/.test(text)) return "twice";
  if (/^no secret/.test(text)) return "secret";
  return /^the app does not fail/.test(text) ? "crash" : "no answer";
}

/** The words of the last messages about the write, beside what the platform did. */
function claims({ messages }: Awaited<ReturnType<HostileWorld["act"]>>, isDone: boolean): Finding[] {
  const tones = messages.map(messageTone);
  const words = short(messages.map(said).join(" || "));
  const [done, notDone] = (["done", "notDone"] as const).map((tone) => tones.some((is) => is[tone]));
  if (isDone && notDone && !done)
    return [{ kind: "untrue", text: `it was done, and a message says that it was not: ${words}` }];
  if (!isDone && done) return [{ kind: "untrue", text: `it was not done, and a message says that it was: ${words}` }];
  return [];
}

async function tryAnswer(one: Case, reference: Reference): Promise<Finding[]> {
  return inWorld(one, async (world, typed) => {
    const { deployment } = world;
    const logged = deployment.log.length;
    const called = deployment.practice.platform.calls().length;
    const began = deployment.clock.now();
    const cpuBefore = cpuMs();
    endless.most = 0;
    world.spoil([one.route], one.shape.send);
    const shown = await world.ask(typed);
    const [tookMs, workMs] = [deployment.clock.now() - began, cpuMs() - cpuBefore];
    const findings = judge(one, shown, reference);
    findings.push(...strayed(world));
    const say = (kind: Finding["kind"], text: string) => findings.push({ kind, text });
    if (shown.texts.length === 0) say("no answer", `nothing came within ${tookMs / 1_000} s`);
    else if (tookMs > longestMs) say("time", `the answer took ${tookMs / 1_000} s`);
    if (endless.most > mostTaken) say("memory", `${Math.round(endless.most / 2 ** 20)} MiB of an answer were taken`);
    const kept = one.part === "whole" ? keptBytes(reference.usedBytes, one.shape.keeps ?? mostKept) : 0;
    if (kept > 0) say("memory", `${Math.round(kept / 2 ** 20)} MiB stay in memory`);
    const calls = deployment.practice.platform.calls().length - called;
    if (calls > mostCalls) say("calls", `${calls} calls went to the platform`);
    const stored = JSON.stringify(shown.request?.review ?? null).length;
    if (stored > mostStored) say("memory", `the review takes ${Math.round(stored / 2 ** 10)} KiB`);
    if (workMs > longestWorkMs) say("time", `it took ${Math.round(workMs)} ms of work`);
    const secrets = secretsOf(deployment.practice);
    const lines = deployment.log.slice(logged);
    if (shown.texts.some((text) => secrets.test(text))) say("secret", "somebody sees a secret");
    if (lines.some((line) => secrets.test(line))) say("secret", "the log has a secret");
    for (const line of lines) if (/"level":60|TypeError|RangeError/.test(line)) say("crash", line.slice(0, 600));
    return findings;
  });
}

/** Bytes that may stay in memory after an answer of any size, with all that the practice Slack keeps of the messages. */
const mostKept = 8 * 2 ** 20;

/** Characters of a stored review: every press on its request, and every look at it, reads it anew. */
const mostStored = 64 * 2 ** 10;

/** Bytes that may be taken of an answer without end: the app's limit, and what is on its way when the app hangs up. */
const mostTaken = 32 * 2 ** 20;

v8.setFlagsFromString("--expose-gc");
const collectGarbage: () => void = vm.runInNewContext("gc");

function collectedBytes(): number {
  collectGarbage();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

/** The bytes in use, on and beside the heap, without garbage. The second collection waits for the sweep of the first. */
function usedBytes(): number {
  collectGarbage();
  return collectedBytes();
}

/** The bytes in use beyond those before, if they are more than may stay; else 0. Most cases need one collection to tell. */
function keptBytes(before: number, most: number): number {
  if (collectedBytes() - before <= most) return 0;
  const kept = usedBytes() - before;
  return kept > most ? kept : 0;
}

/**
 * Of one line, with its form and its details: an answer with many rows must not lead to a call for each. The rate limit of a key would be used
 * up, and the member could do nothing for an hour.
 */
const mostCalls = 400;

/**
 * Of this machine's: the practice platform and Slack, which make and check it all, have their share in it. A form and its card read 8 MB six
 * times, which take 6 s; what grows with the square of its rows takes far more.
 */
const longestWorkMs = 10_000;

/** Of the world's time, with the pauses in which a person fills in a form and reads on. */
const longestMs = 150_000;

function judge(one: Case, shown: Shown, { usual, sent }: Reference): Finding[] {
  const own = one.part === "silent" ? `${sent} strange value 7 7.00 bit/s` : `${sent} undefined null NaN`;
  const findings = machineWordsIn(shown.texts, own);
  if (one.part !== "silent") return findings;
  const allowed = allowedFor(one);
  findings.push(...definiteSentences(usualOf([usual], own), shown, allowed.sentence));
  if (usual.request)
    findings.push(
      ...[...leftOut(usual.request, shown), ...vanished(usual, shown)].filter(({ text }) => !allowed.loss(text)),
    );
  return findings;
}
