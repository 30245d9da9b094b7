import { createDraws } from "../torture/draws.ts";
import { names, watched } from "./actions.ts";
import { calm, connect, link, monitor } from "./enumerate.ts";
import { endFaults, strike } from "./faults.ts";
import { createJudge, daySum, latencyMs, longestPlan, statesIn } from "./judging.ts";
import { observe } from "./observing.ts";
import { group, onCallCommands, outsideOfChannel, turnAt } from "./on-call.ts";
import { createPeople, type People } from "./people.ts";
import type { Plan, Step, WorldName } from "./plan.ts";
import { byHttp, type Deployment, deploy, type Saved, type Setting } from "./world/deployment.ts";

const minute = 60_000;
/** Calls an hour of a key, as the spec has it. */
const hourlyLimit = 1_000;
/** Cents: nobody lacks money. */
const plenty = 10_000_000;
export interface Ran {
  findings: string[];
  /** Everything that the run has reached, by name: states of requests as Slack showed them, and kinds of fault. */
  reached: Set<string>;
  digest: number;
  events: number;
  crashes: number;
  trace: string[];
}

const everyHour = Array.from({ length: 24 }, (_, hour) => hour).join(",");

const rules: Readonly<Record<WorldName, readonly string[]>> = {
  self: [],
  peer: ["/rackbell policy add demand=one-approval risk=destroy notify=@ben then=@caro after=3m"],
  "on call": onCallCommands,
  socket: [],
  monitored: [`/rackbell alerts mode #ops how=digest hours=${everyHour}`],
  two: ["/rackbell policy add demand=two-approvals risk=destroy"],
  sum: [`/rackbell policy add demand=not-allowed command="billing pay" day="${daySum / 100} EUR"`],
};

/** Three people who have linked their keys, the app at rest. */
export async function prepareTeam(
  world: WorldName,
  setting: Pick<Setting, "onRedis" | "isOrderly"> = {},
): Promise<Saved> {
  const isOthers = world === "peer" || world === "on call";
  const decided = { APPROVALS: isOthers ? "peer" : "self", APPROVAL_TTL: `${longestPlan / minute}m` };
  const environment = { ...(world === "socket" ? { SOCKET_CHECK: "on" } : byHttp), ...decided };
  const deployment = await deploy(1, { environment, latencyMs, ...setting });
  if (!(await deployment.boot())) throw new Error(`The app did not start: ${deployment.log.at(-1)}`);
  for (const name of names) {
    const { slack, platform } = deployment.practice;
    await link(deployment, slack.as(name), platform.keys[name].key);
  }
  const { slack, platform } = deployment.practice;
  const ana = slack.as("ana");
  // A workspace that resells: its events come to the channel.
  await link(deployment, ana, platform.reseller.keys.ana.key);
  await connect(deployment, ana, platform.reseller.signingSecret() ?? "");
  if (world === "monitored") await monitor(deployment, ana);
  if (world === "on call") {
    slack.addUser(outsideOfChannel, { channels: ["general"] });
    slack.addUsergroup(group.handle, [...group.people]);
  }
  for (const command of ["/rackbell alerts add #ops", ...rules[world]]) {
    await deployment.act(ana.type(command));
    await deployment.run(() => false, 10_000);
  }
  // Until the app has found an admin, and an edit came back: from then on silence means something.
  if (world === "socket") await deployment.run(() => false, 6 * minute);
  await calm(deployment);
  const saved = deployment.save();
  deployment.end();
  return saved;
}

/** The parts of a world that can be broken on purpose, to see an oracle find it. */
export interface Broken {
  deployment: Deployment;
  people: People;
}

interface Running {
  traced?: boolean;
  /** Breaks the world once all has come to rest, before the oracles look. */
  sabotage?(broken: Broken): Promise<void>;
}

/** Carries a plan out, lets all come to rest, and looks at what became of it. */
export async function runPlan(saved: Saved, plan: Plan, { traced = false, sabotage }: Running = {}): Promise<Ran> {
  const deployment = await deploy(plan.seed, { from: saved });
  const { schedule, practice, network } = deployment;
  const { platform, slack } = practice;
  schedule.trace = traced ? [] : null;
  const reached = new Set<string>();
  let tend = () => false;
  let look = () => {};
  platform.reseller.setWebhookUrl(`https://rackbell.example/webhooks/reseller/${slack.teamId}`);
  platform.settings.hourlyLimit = hourlyLimit;
  for (const name of names) platform.changeUser(name, { balance: plenty });
  const draws = createDraws(plan.seed ^ 0x1b873593);
  const delays = draws.pick<[number, ...number[]]>([[0], [0], [0, 5, 50, 400], [0, 0, 3_500]]);
  network.delays = plan.delays ?? delays;
  try {
    await up();
    const { changes, end } = observe(deployment);
    const [groupId] = saved.slack.usergroups.keys();
    const people = createPeople(deployment, groupId);
    tend = people.tend;
    const judge = createJudge({ deployment, plan, people, changes, plenty, hourlyLimit });
    look = judge.look;
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
      await pass(untilTurn(step));
      people.carryOut(step);
    }
    // The rest of the storm comes while the work continues.
    await pass(3 * minute);
    schedule.onEvent = null;
    endFaults(deployment);
    await up();
    await pass(minute);
    if (people.watching.size > 0) await endWatches(people);
    // A taken alert goes back, and the steps after it come.
    if (people.did.has("take")) await pass(80 * minute);
    await calm(deployment);
    // Undecided requests expire, and schedules run.
    for (const { id, status, cause } of platform.documents())
      if (cause === "order" && (status === "unpaid" || status === "pending")) platform.payByOperator(id);
    await pass(longestPlan + 12 * minute);
    await calm(deployment);
    if (plan.world === "monitored") await endDigest();
    for (const state of statesIn(changes)) reached.add(`state: ${state}`);
    for (const action of people.did) reached.add(`action: ${action}`);
    reached.add(`world: ${plan.world ?? plan.approvals}`);
    await sabotage?.({ deployment, people });
    const findings = [...(await judge.verdict()), ...(deployment.redis?.lost() ?? [])];
    end();
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

  /** Milliseconds that a person waits for the next turn of the rotation. */
  function untilTurn({ does }: Step): number {
    return does.is === "await the turn" ? Math.max(0, turnAt - does.leadMs - deployment.clock.now()) : 0;
  }

  /** Lets a watch notice what has happened, however often it was put off; then it ends, or it would look for days. */
  async function endWatches({ watching, left }: People): Promise<void> {
    await pass(40 * minute);
    for (const who of watching)
      if (!left.has(who)) await deployment.act(slack.as(who).type(`/rackbell watch stop ${watched}`));
  }

  /** Lets polling find lost events, however often it was delayed; then a digest with all of them is due. */
  async function endDigest(): Promise<void> {
    await pass(45 * minute);
    for (const command of rules.monitored) await deployment.act(slack.as("ana").type(command));
    await pass(minute);
  }

  /** Starts the app until it stays. */
  async function up(): Promise<void> {
    for (let tries = 0; !deployment.isUp() && tries < 10; tries += 1) {
      // Mostly it is started again at once; now and then somebody has to come.
      if (deployment.crashes > 0)
        await deployment.run(() => false, plan.downMs ?? draws.pick([0, 0, 0, 0, 30_000, 20 * minute]));
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
    look();
  }
}
