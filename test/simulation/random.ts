import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import { controlsOf } from "../../src/sandbox/slack/blocks/controls.ts";
import { type Actor, type Message, said } from "../../src/sandbox/slack/server.ts";
import { createDraws, type Draws } from "../torture/draws.ts";
import { calm, link } from "./enumerate.ts";
import { endFaults, type Fault, type FaultName, faultKinds, strike } from "./faults.ts";
import { commandOf, type KindName, type Wish } from "./kinds.ts";
import { holdToModel, type Press } from "./model.ts";
import { errorsIn, fillIn, goAhead, hasButton, type Move, seesAll } from "./moves.ts";
import { aftermathOf, allMessages, observe, toldOf } from "./observing.ts";
import { lookWithAll } from "./oracles.ts";
import { type Deployment, deploy, type Saved } from "./world/deployment.ts";

const minute = 60_000;
/** The platform takes its time, so that others can come in between. */
const latencyMs = 150;
/** So far the clocks of the app's machine and of Slack's may be apart. */
const tolerance = 5 * minute;
/** What is put off at the end of a run, and may wait for a decision before. */
const longestPlan = 10 * minute;
/** Cents that each may pay within a day, where there is a limit. */
const daySum = 300;
/** Cents: nobody is held up for want of money. */
const plenty = 10_000_000;
const names = ["ana", "ben", "caro"] as const;
type Name = (typeof names)[number];

/** One thing that a person does, after a pause. */
export interface Step {
  gapMs: number;
  who: Name;
  does:
    | { is: "ask"; wish: Wish }
    /** Presses what waits: the nth of it, once or twice at once. */
    | { is: "press"; nth: number; button: "go" | "back" | "deny"; times: number }
    | { is: "look"; command: string }
    /** Somebody at the platform gives a machine another name. */
    | { is: "rename"; machine: string }
    /** Presses what was offered to somebody else alone. */
    | { is: "snoop"; at: Name };
}

/** A run as data: drawn from a seed, and made smaller where it has failed. */
export interface Plan {
  seed: number;
  /** How requests are decided: by whoever asked, by somebody else, or by whoever asked up to a sum a day. */
  approvals: "self" | "peer" | "sum";
  steps: Step[];
  faults: Fault[];
}

export interface Ran {
  findings: string[];
  /** What the run has reached, by name: states of requests as Slack showed them, and kinds of fault. */
  reached: Set<string>;
  digest: number;
  events: number;
  crashes: number;
  trace: string[];
}

export function planOf(seed: number): Plan {
  const draws = createDraws(Math.imul(seed, 0x2545f491) ^ 0x3c6ef372);
  const approvals = draws.pick<Plan["approvals"]>(["self", "self", "peer", "peer", "sum"]);
  const steps = Array.from({ length: draws.between(3, 12) }, (_, at) => stepOf(draws, at, approvals));
  // Each run begins with a wish: else there is nothing to press.
  const who = draws.pick(names);
  steps[0] = { gapMs: 0, who, does: { is: "ask", wish: wishOf(draws, who, 0, approvals) } };
  const chosen: FaultName[] = Array.from({ length: draws.between(0, 4) }, () => draws.pick(faultNames));
  const crashes: FaultName[] = Array.from({ length: draws.pick([0, 1, 1, 1, 2, 3]) }, () => "crash");
  const faults = [...chosen, ...crashes].map((kind): Fault => {
    return { kind, at: draws.between(10, 60 + 45 * steps.length), salt: draws.between(1, 2 ** 30) };
  });
  return { seed, approvals, steps, faults };
}

const kindNames: [KindName, ...KindName[]] = [
  "cancel",
  "cancel",
  "cancel",
  "snapshot",
  "snapshot",
  "capture",
  "password",
  "reinstall",
  "reboot",
  "pay",
  "pay",
  "order",
];
const others = Object.keys(faultKinds).filter((name): name is FaultName => name !== "crash" && name !== "outage");
const faultNames: [FaultName, ...FaultName[]] = ["lost write", ...others];

function stepOf(draws: Draws, at: number, approvals: Plan["approvals"]): Step {
  const who = draws.pick(names);
  const gapMs = draws.pick([0, 0, 5, 200, 2_000, 20_000, 2 * minute]);
  if (draws.chance(0.4)) return { gapMs, who, does: { is: "ask", wish: wishOf(draws, who, at, approvals) } };
  if (draws.chance(0.1))
    return {
      gapMs,
      who,
      does: { is: "look", command: draws.pick(["/vps list", "/rackbell approvals", "/rackbell help"]) },
    };
  if (draws.chance(0.1)) return { gapMs, who, does: { is: "rename", machine: renamed } };
  if (draws.chance(0.08)) return { gapMs, who, does: { is: "snoop", at: draws.pick(names) } };
  const button = draws.pick(["go", "go", "go", "go", "go", "go", "back", "deny"] as const);
  return { gapMs, who, does: { is: "press", nth: draws.between(0, 5), button, times: draws.pick([1, 1, 1, 2]) } };
}

/** The machine whose name changes. */
const renamed = "bulk-00006";

/** Passwords have machines of their own: else nobody could tell which act has set one. */
const passwordMachines = { password: "bulk-00007", reinstall: "bulk-00008" };

function wishOf(draws: Draws, who: Name, at: number, approvals: Plan["approvals"]): Wish {
  const kind = approvals === "sum" && draws.chance(0.7) ? "pay" : draws.pick(kindNames);
  const several = kind === "cancel" || kind === "snapshot";
  const machine = () => `bulk-0000${draws.between(1, 6)}`;
  const target = kind === "password" || kind === "reinstall" ? passwordMachines[kind] : machine();
  const also = several && draws.chance(0.15) ? machine() : null;
  const later = several && also === null && draws.chance(0.2);
  return {
    kind,
    who,
    target,
    also: also === target ? null : also,
    mark: at + 1,
    inMinutes: later ? draws.between(2, 10) : null,
  };
}

const destroying = new Set<KindName>(["cancel", "reinstall"]);

/** Three people who have linked their keys, the app at rest. */
export async function prepareTeam(approvals: Plan["approvals"]): Promise<Saved> {
  const mode = approvals === "peer" ? "peer" : "self";
  const deployment = await deploy(
    1,
    { APPROVALS: mode, APPROVAL_TTL: `${longestPlan / minute}m` },
    undefined,
    latencyMs,
  );
  if (!(await deployment.boot())) throw new Error(`The app did not start: ${deployment.log.at(-1)}`);
  for (const name of names) {
    const { slack, platform } = deployment.practice;
    await link(deployment, slack.as(name), platform.keys[name].key);
  }
  if (approvals === "sum") {
    const actor = deployment.practice.slack.as("ana");
    await deployment.act(
      actor.type(`/rackbell policy add demand=never command="billing pay" day="${daySum / 100} EUR"`),
    );
    await deployment.run(() => false, 10_000);
  }
  await calm(deployment);
  const saved = deployment.save();
  deployment.end();
  return saved;
}

/** Carries a plan out, lets all come to rest, and looks at what became of it. */
export async function runPlan(saved: Saved, plan: Plan, traced = false): Promise<Ran> {
  const deployment = await deploy(plan.seed, saved.environment, saved);
  const { schedule, practice, network } = deployment;
  const { slack, platform } = practice;
  schedule.trace = traced ? [] : null;
  const reached = new Set<string>();
  const moves: Move[] = [];
  const presses: Press[] = [];
  const sent = new Set<string>();
  const snooping = new Set<string>();
  let renamedAt: number | null = null;
  let formsChanged = true;
  platform.settings.hourlyLimit = 1_000_000;
  for (const name of names) platform.changeUser(name, { balance: plenty });
  const draws = createDraws(plan.seed ^ 0x1b873593);
  network.delays = draws.pick([[0], [0], [0, 5, 50, 400], [0, 0, 3_500]]);
  try {
    await up();
    const { changes, end } = observe(deployment);
    slack.onChange(({ what }) => {
      if (what === "modal") formsChanged = true;
    });
    platform.clearCalls();
    const first = schedule.events;
    const faults = plan.faults.toSorted((a, b) => a.at - b.at);
    schedule.onEvent = (event) => {
      for (; faults[0] && faults[0].at <= event - first; faults.shift()) {
        reached.add(`fault: ${faults[0].kind}`);
        strike(deployment, faults[0]);
      }
    };
    for (const step of plan.steps) {
      await pass(step.gapMs);
      carryOut(step);
    }
    // What is left of the storm comes while all goes on.
    await pass(3 * minute);
    schedule.onEvent = null;
    endFaults(deployment);
    await up();
    await pass(minute);
    await calm(deployment);
    // What nobody has decided expires, and what was put off is done.
    for (const { id, status, cause } of platform.documents())
      if (cause === "order" && (status === "unpaid" || status === "pending")) platform.payByOperator(id);
    await pass(longestPlan + 12 * minute);
    await calm(deployment);
    const snooped = names
      .filter((name) =>
        slack
          .as(name)
          .modals()
          .some(({ callback_id: id }) => id === "reveal"),
      )
      .filter((name) => snooping.has(name))
      .map((name) => `${name} sees what was offered to somebody else alone`);
    const waiting = await stillWaiting();
    const verified = await answerTo("/rackbell audit verify");
    end();
    const after = aftermathOf(deployment, moves, changes);
    const told = allMessages(after.state).map((message) => ({ words: said(message), ...toldOf(message) }));
    for (const state of statesIn(deployment)) reached.add(`state: ${state}`);
    const findings = [
      ...lookWithAll(after, ["a write is sent once"]),
      ...oneAtATime(after.writes),
      ...holdToModel({
        ...{
          wishes: plan.steps.flatMap(({ does }) => (does.is === "ask" ? [does.wish] : [])),
          presses,
          told,
          platform,
        },
        balances: Object.fromEntries(
          names.map((name) => [name, { before: plenty, after: platform.user(name).balance }]),
        ),
        longestAgeMs: longestPlan + tolerance,
        mostADay: plan.approvals === "sum" ? daySum : null,
        renamed: renamedAt === null ? null : { machine: renamed, at: renamedAt },
        // Money is its requester's own affair; what destroys is others' to approve where the workspace wants that.
        mayApprove: ({ kind, who }, presser) =>
          plan.approvals === "peer" && destroying.has(kind) ? who !== presser : who === presser,
      }),
      ...waiting,
      ...(/The audit is whole|Nothing is sealed/.test(verified)
        ? []
        : [`the audit is not whole: ${verified.slice(0, 200)}`]),
      ...snooped,
      ...(await lostPasswords(deployment)),
    ];
    return {
      findings,
      reached,
      digest: schedule.digest,
      events: schedule.events,
      crashes: deployment.crashes,
      trace: schedule.trace ?? [],
    };
  } catch (error) {
    const { digest, events } = schedule;
    const findings = [error instanceof Error ? error.message : String(error)];
    return { findings, reached, digest, events, crashes: deployment.crashes, trace: schedule.trace ?? [] };
  } finally {
    deployment.end();
  }

  /** Starts the app until it stays. */
  async function up(): Promise<void> {
    for (let tries = 0; !deployment.isUp() && tries < 10; tries += 1) {
      // Mostly it is started again at once; now and then somebody has to come.
      if (deployment.crashes > 0) await deployment.run(() => false, draws.pick([0, 0, 0, 0, 30_000, 20 * minute]));
      await deployment.boot();
    }
    if (!deployment.isUp()) throw new Error(`The app does not start: ${deployment.log.at(-1)}`);
  }

  /** Lets time pass; an app that dies meanwhile is started again, as its supervisor would. */
  async function pass(ms: number): Promise<void> {
    const end = schedule.time + ms;
    do {
      await up();
      await deployment.run(() => !deployment.isUp() || tend(), Math.max(0, end - schedule.time));
    } while (schedule.time < end || !deployment.isUp());
  }

  /** Whoever has a form open fills it in. */
  function tend(): false {
    if (!formsChanged) return false;
    formsChanged = false;
    for (const name of names) {
      const actor = slack.as(name);
      const view = actor.modal();
      if (!view?.submit || view.callback_id === "reveal" || sent.has(`${view.id} ${view.hash}`)) continue;
      sent.add(`${view.id} ${view.hash}`);
      act(name, `fills in "${String(view.title?.text)}"`, () => fillIn(actor, view, "simulated"));
    }
    return false;
  }

  function carryOut({ who, does }: Step): void {
    const actor = slack.as(who);
    if (does.is === "rename") {
      rename(does.machine);
      return;
    }
    if (does.is === "snoop") {
      snoop(who, does.at);
      return;
    }
    if (does.is !== "press") {
      const command = does.is === "ask" ? commandOf(does.wish) : does.command;
      act(who, `types ${command}`, () => actor.type(command));
      return;
    }
    const button = { go: goAhead, back: "request:withdraw", deny: "request:deny" }[does.button];
    const waits = seesAll(actor).filter(
      (message) => hasButton(message, button) || (does.button === "go" && hasButton(message, "request:count")),
    );
    const message = waits[does.nth % Math.max(1, waits.length)];
    if (!message) return;
    for (let time = 0; time < does.times; time += 1)
      press(who, actor, message, hasButton(message, button) ? button : "request:count");
  }

  function rename(machine: string): void {
    if (renamedAt !== null) return;
    renamedAt = deployment.clock.now();
    platform.change(machine, { name: "other-name" });
    schedule.trace?.push(`${"".padStart(13)}*** ${machine} is called other-name from now on`);
  }

  /** The buttons that one person alone was shown, pressed by another. */
  function snoop(who: Name, at: Name): void {
    const theirs = slack
      .as(at)
      .sees("dm")
      .filter((message) => JSON.stringify(message.blocks).includes('"text":"Reveal"'));
    const [message] = theirs;
    if (!message || who === at) return;
    snooping.add(who);
    act(who, `presses what was offered to ${at} alone`, () => slack.as(who).press(message, "Reveal"));
  }

  function press(who: Name, actor: Actor, message: Message, button: string): void {
    if (button === goAhead || button === "request:count")
      presses.push({ who, words: said(message), ageMs: deployment.clock.now() - Number(message.ts) * 1_000 });
    const label = controlsOf(message.blocks).find((one) => one.action_id === button)?.label ?? button;
    act(who, `presses "${label}"`, () => actor.press(message, { actionId: button }));
  }

  /** Nobody waits for anybody: what a person did is answered while all else goes on. */
  function act(who: Name, what: string, work: () => Promise<unknown>): void {
    const entry: Move = { who, what, at: schedule.events, taken: false, error: null, sentBack: null };
    moves.push(entry);
    schedule.trace?.push(`${"".padStart(13)}${who} ${what}`);
    work().then(
      (answer) => Object.assign(entry, { taken: true, sentBack: errorsIn(answer) }),
      (error: unknown) => Object.assign(entry, { error: String(error) }),
    );
  }

  async function answerTo(command: string, who: Name = "ana"): Promise<string> {
    const actor = slack.as(who);
    const before = new Set(seesAll(actor).map(({ ts }) => ts));
    const fresh = () => seesAll(actor).filter(({ ts }) => !before.has(ts));
    await deployment.act(actor.type(command));
    await deployment.run(() => fresh().length > 0, minute);
    return fresh().map(said).join("\n");
  }

  async function stillWaiting(): Promise<string[]> {
    const found: string[] = [];
    for (const name of names) {
      const words = await answerTo("/rackbell approvals", name);
      if (!/Nothing waits/.test(words))
        found.push(`something still waits for ${name}: ${words.replaceAll(/\s+/g, " ").slice(0, 300)}`);
    }
    return found;
  }
}

/** Two acts on one resource are never under way at once: each is answered before the next is sent. */
function oneAtATime(writes: readonly LoggedCall[]): string[] {
  const last = new Map<string, LoggedCall>();
  return writes.flatMap((call) => {
    const resource = /[0-9a-f]{8}-[0-9a-f-]{27}/.exec(call.path)?.[0] ?? call.path;
    const before = last.get(resource);
    last.set(resource, call);
    if (resource === "/orders" || before === undefined || call.at - before.at >= latencyMs) return [];
    return [`${call.method} ${call.path} was sent while ${before.method} ${before.path} was under way`];
  });
}

/** Each password that the platform has set is offered to somebody, and to nobody else. */
async function lostPasswords(deployment: Deployment): Promise<string[]> {
  const { slack, platform } = deployment.practice;
  const revealed = new Set<string>();
  for (const name of names) {
    const actor = slack.as(name);
    if (actor.modal()) await deployment.act(actor.closeModal({ all: true }));
    for (const message of seesAll(actor).filter((one) => JSON.stringify(one.blocks).includes('"text":"Reveal"'))) {
      await deployment.act(actor.press(message, "Reveal"));
      await deployment.run(() => actor.modal() !== undefined, 10_000);
      const shown = JSON.stringify(actor.modal()?.blocks ?? []);
      for (const [, value = ""] of shown.matchAll(/```(.+?)```/g)) revealed.add(value);
      if (actor.modal()) await deployment.act(actor.closeModal({ all: true }));
    }
  }
  return [7, 8, 9].flatMap((number) => {
    const machine = `bulk-0000${number}`;
    const password = platform.passwordOf(machine);
    return password === undefined || revealed.has(password) ? [] : [`the password of ${machine} is lost`];
  });
}

/** How the states of a request look to people. */
const states: readonly [name: string, looks: RegExp][] = [
  ["waits", /asks to \*|Only you see this\./],
  ["is being carried out", /is being carried out/],
  ["unknown", /:grey_question:/],
  ["planned", /:calendar:/],
  ["goes on", /:hourglass_flowing_sand:/],
  ["done", /:white_check_mark:/],
  ["refused or failed", /:x:/],
  ["expired", /:alarm_clock:/],
  ["denied or void", /:no_entry_sign:/],
  ["withdrawn", /:wastebasket:/],
  ["done after all", /It was done after all/],
  ["not done after all", /It was not done:/],
  ["interrupted", /Rackbell was interrupted/],
  ["lost press or command", /Rackbell restarted while/],
];

function statesIn(deployment: Deployment): string[] {
  const calls = deployment.practice.slack.calls().map(({ args }) => JSON.stringify(args));
  const shown = allMessages(deployment.practice.slack.state()).map((message) => said(message));
  const all = [...calls, ...shown];
  return states.filter(([, looks]) => all.some((text) => looks.test(text))).map(([name]) => name);
}

/** All that runs together ought to reach. */
export const reachable: readonly string[] = [
  ...states.map(([name]) => `state: ${name}`),
  ...[...others, "crash"].map((name) => `fault: ${name}`),
];
