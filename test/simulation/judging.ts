import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import { said } from "../../src/sandbox/slack/server.ts";
import { faultKinds } from "./faults.ts";
import type { KindName } from "./kinds.ts";
import { holdToModel } from "./model.ts";
import { seesAll } from "./moves.ts";
import { aftermathOf, allMessages, type Change, toldOf } from "./observing.ts";
import { lookWithAll } from "./oracles.ts";
import type { People } from "./people.ts";
import { names, type Plan, renamed } from "./plan.ts";
import type { Deployment } from "./world/deployment.ts";

const minute = 60_000;
/** The platform takes its time, so that others can come in between. */
export const latencyMs = 150;
/** So far the clocks of the app's machine and of Slack's may be apart. */
const tolerance = 5 * minute;
/** What is put off at the end of a run, and may wait for a decision before. */
export const longestPlan = 10 * minute;
/** Cents that each may pay within a day, where there is a limit. */
export const daySum = 300;

const destroying = new Set<KindName>(["cancel", "reinstall"]);

/** A run that has come to rest. */
interface Judged {
  deployment: Deployment;
  plan: Plan;
  people: People;
  changes: readonly Change[];
  /** Cents that each had at first. */
  plenty: number;
}

/** Looks with every oracle at what became of a plan, and asks the app what it still has to say. */
export async function judge({ deployment, plan, people, changes, plenty }: Judged): Promise<string[]> {
  const { platform } = deployment.practice;
  const snooped = people.snooped().map((name) => `${name} sees what was offered to somebody else alone`);
  const waiting = await people.stillWaiting();
  const verified = await people.answerTo("/rackbell audit verify");
  const { moves, presses, renamedAt } = people;
  const after = aftermathOf(deployment, moves, changes);
  const told = allMessages(after.state).map((message) => ({ words: said(message), ...toldOf(message) }));
  const wishes = plan.steps.flatMap(({ does }) => (does.is === "ask" ? [does.wish] : []));
  const balances = names.map((name) => [name, { before: plenty, after: platform.user(name).balance }] as const);
  return [
    ...lookWithAll(after, ["a write is sent once"]),
    ...oneAtATime(after.writes),
    ...holdToModel({
      ...{ wishes, presses, told, platform },
      balances: Object.fromEntries(balances),
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

export function statesIn(deployment: Deployment): string[] {
  const calls = deployment.practice.slack.calls().map(({ args }) => JSON.stringify(args));
  const shown = allMessages(deployment.practice.slack.state()).map((message) => said(message));
  const all = [...calls, ...shown];
  return states.filter(([, looks]) => all.some((text) => looks.test(text))).map(([name]) => name);
}

/** All that runs together ought to reach. */
export const reachable: readonly string[] = [
  ...states.map(([name]) => `state: ${name}`),
  ...Object.keys(faultKinds).map((name) => `fault: ${name}`),
];
