import type { LoggedCall } from "../../src/sandbox/platform/http/call-log.ts";
import { said } from "../../src/sandbox/slack/server.ts";
import { actionNames, names, renamed, secondAccount, watched } from "./actions.ts";
import { clockFaultsOf, heldAlerts, suspensionsByName } from "./alerting.ts";
import { callsForPeople } from "./enumerate.ts";
import { faultKinds } from "./faults.ts";
import type { KindName, Wish } from "./kinds.ts";
import { compareWithModel, holdAudit, type Reference } from "./model.ts";
import { seesAll } from "./moves.ts";
import { aftermathOf, allMessages, type Change, messageTone, passwordMachines } from "./observing.ts";
import { by, lookWithAll } from "./oracles.ts";
import type { People } from "./people.ts";
import { type Approvals, type Plan, worldNames } from "./plan.ts";
import { checkWaits, type Rested } from "./waiting.ts";
import { createWatch } from "./watching.ts";
import type { Deployment } from "./world/deployment.ts";

const minute = 60_000;
/** The platform takes its time, so that others can come in between. */
export const latencyMs = 150;
/** So far the clocks of the app's machine and of Slack's may be apart, and a press may take so long. */
const tolerance = ({ faults }: Plan) => (faults.some(({ kind }) => kind === "clock set") ? 5 * minute : minute / 2);
/** So far one fault sets the clock. */
const longestSkewMs = 4 * minute;
/** A schedule that is open at the end of a run may have waited for a decision before. */
export const longestPlan = 10 * minute;
/** Cents that each may pay within a day, where there is a limit: one payment, and not two. */
export const daySum = 200;

const destroying = new Set<KindName>(["cancel", "reinstall"]);

/** Money is its requester's own affair; what destroys is others' to approve where the workspace wants that. */
function enoughIn(approvals: Approvals): (wish: Wish, pressers: ReadonlySet<string>) => boolean {
  const needed = { self: 0, sum: 0, peer: 1, two: 2 }[approvals];
  const personOf = (account: string) => (account === secondAccount.name ? secondAccount.person : account);
  // Neither of them decides: the requester, and the person who wanted it first.
  const isOwn = (presser: string, { who, from = who }: Wish) => [who, from].map(personOf).includes(presser);
  return (wish, pressers) =>
    needed > 0 && destroying.has(wish.kind)
      ? new Set([...pressers].map(personOf).filter((presser) => !isOwn(presser, wish))).size >= needed
      : pressers.has(wish.who);
}

interface Judged {
  deployment: Deployment;
  plan: Plan;
  people: People;
  changes: readonly Change[];
  /** Cents that each had at first. */
  plenty: number;
  hourlyLimit: number;
}

export interface Judge {
  /** Looks at what is new: whenever all has come to rest. */
  look(): void;
  /** Looks with every oracle at what became of the plan, and asks the app what it still has to say. */
  verdict(): Promise<string[]>;
}

export function createJudge({ deployment, plan, people, changes, plenty, hourlyLimit }: Judged): Judge {
  const { platform } = deployment.practice;
  const enough = enoughIn(plan.approvals);

  function reference(): Reference {
    const { wishes, presses, renamedAt, newNameChosen } = people;
    const balances = names.map((name) => [name, { before: plenty, after: platform.user(name).balance }] as const);
    return {
      wishes,
      presses,
      platform,
      enough,
      balances: Object.fromEntries(balances),
      longestAgeMs: longestPlan + tolerance(plan),
      mostADay: plan.approvals === "sum" ? daySum : null,
      left: people.left,
      renamed: renamedAt === null ? null : { machine: renamed, at: renamedAt, newNameChosen },
    };
  }

  const linkAgain = new Set<string>(plan.steps.flatMap(({ who, does }) => (does.is === "link" ? [who] : [])));
  const watch = createWatch({ deployment, changes, reference, hourlyLimit, latencyMs, linkAgain, left: people.left });

  function restedRun(): Rested {
    const { slack } = deployment.practice;
    const nameOf = new Map(Object.values(slack.users).map(({ id, name }) => [id, name]));
    return {
      ...{ world: plan.world ?? plan.approvals, changes, deeds: people.deeds, left: people.left },
      phones: Object.keys(slack.users).flatMap((name) => slack.as(name).phone()),
      nameOf: (user) => nameOf.get(user) ?? user,
      now: deployment.clock.now(),
      calmSince: deployment.disturbedAt,
      skewMs: clockFaultsOf(plan) * longestSkewMs,
      downMs: deployment.longestDownMs,
      suspensions: suspensionsByName(deployment),
    };
  }

  async function verdict(): Promise<string[]> {
    watch.look();
    // Its owner reveals it only below: a press of anybody else must not start its hour.
    const isOpened = changes.some(({ words }) => /you opened it\. \*I have it\* erases/.test(words));
    const stolen = isOpened ? ["a password counts as seen, and its owner has not looked"] : [];
    // Before the people ask anything more: its answer would read as one to a press that was lost.
    const looked = lookWithAll(
      // Nobody can answer one who has left.
      aftermathOf(
        deployment,
        people.moves.filter(({ who }) => !people.left.has(who)),
        changes,
      ),
      (name) => name !== "a write is sent once",
    );
    const waited = checkWaits(restedRun());
    const going = stillGoing(callsForPeople(deployment.practice), deployment.clock.now());
    const snooped = people.snooped().map((name) => `${name} sees what was offered to somebody else alone`);
    const waiting = await people.stillWaiting();
    const verified = await people.answerTo("/rackbell audit verify");
    const isWhole = /The audit log is whole|Nothing is sealed/.test(verified);
    const audited = await people.auditLog();
    const after = aftermathOf(deployment, people.moves, changes);
    const claims = allMessages(after.state).map((message) => ({ words: said(message), ...messageTone(message) }));
    const found = [
      ...watch.found,
      ...looked,
      ...lookWithAll(after, (name) => name === "no secret is shown"),
      ...compareWithModel(reference(), claims),
      ...holdAudit(reference(), audited),
      ...by("nothing waits for ever", waiting),
      ...by("the audit log is whole", isWhole ? [] : [`it is not: ${verified.slice(0, 200)}`]),
      ...by("nobody sees another's secret", snooped),
      ...by("a secret waits for its owner", stolen),
      ...by("no password is lost", await lostPasswords(deployment, people)),
      ...by("a watch notifies of a change", silentWatches(changes, people)),
      ...by("all comes to rest", going),
      ...by("a swallowed press is said", unsaid(deployment, changes)),
      ...by("an order is not repeated", orderedAgain(deployment)),
      ...heldAlerts(after, deployment, { plan, failedAt: people.failedAt }),
      ...waited,
    ];
    return [...new Set(found)];
  }

  return { look: watch.look, verdict };
}

/** The app looks for an order before it sends it again. */
function orderedAgain({ practice: { platform } }: Deployment): string[] {
  const sent = platform
    .calls()
    .filter(({ method, path, status }) => method === "POST" && path === "/orders" && status !== null && status < 300);
  return platform.orders().flatMap(({ created_at: created, items }) => {
    const host = items.flatMap(({ hostname }) => hostname ?? [])[0];
    const again = sent.find(
      ({ at, body }) => at > Date.parse(created) + minute && JSON.stringify(body).includes(`"${host}"`),
    );
    return again ? [`${host} was ordered again, though the platform had that order`] : [];
  });
}

/** So long the app may be silent about a press that Slack gave to a connection without a process: if none listens, or if others do. */
const saidWithinMs = { nobody: minute, others: 5 * minute };

/** The presses and commands that Slack lost and of which the app did not say so in time. Other faults may delay what it says. */
function unsaid(deployment: Deployment, changes: readonly Change[]): string[] {
  const { practice, diedAt, faultsEndedAt, otherFaults } = deployment;
  if (otherFaults > 0) return [];
  const verdicts = changes.flatMap(({ at, words }) => {
    if (words.includes("of Rackbell's last")) return [{ at, isLost: true }];
    return words.includes("Slack's payloads reach Rackbell again") ? [{ at, isLost: false }] : [];
  });
  return practice.slack.deliveries().flatMap(({ type, swallowed }) => {
    if (!swallowed || type === "events_api") return [];
    const { at, listening } = swallowed;
    const until = at + saidWithinMs[listening === 0 ? "nobody" : "others"];
    const isOver = diedAt.some((died) => died > at && died <= until) || (at < faultsEndedAt && until > faultsEndedAt);
    const isSaid =
      verdicts.findLast((one) => one.at <= at)?.isLost === true ||
      verdicts.some((one) => one.isLost && one.at > at && one.at <= until);
    return isOver || isSaid
      ? []
      : [`Slack lost a ${type} while ${listening} connections listened, and the app did not say so`];
  });
}

/** Tracking without an end continues to call the platform, long after all has come to rest. */
function stillGoing(calls: readonly LoggedCall[], now: number): string[] {
  return calls
    .filter(({ at }) => at > now - minute / 2)
    .slice(0, 1)
    .map(({ method, path }) => `all is at rest but ${method} ${path}, which goes on and on`);
}

/** The app notifies each person who watches a machine that it has stopped. */
function silentWatches(changes: readonly Change[], { failedAt, watching, unlinking, left }: People): string[] {
  if (failedAt === null) return [];
  const hasSeen = (who: string, ...texts: string[]) =>
    changes.find(({ user, words }) => user === who && texts.every((text) => words.includes(text)));
  return [...watching]
    .filter((who) => !unlinking.has(who) && !left.has(who))
    .filter((who) => (hasSeen(who, `I watch \`${watched}\``)?.at ?? failedAt) < failedAt)
    .filter((who) => !hasSeen(who, `\`${watched}\` is *stopped*`))
    .map((who) => `${who} watches ${watched}, it stopped, and no message notified them`);
}

/** Each password that the platform has set is offered to somebody, and to nobody else. */
async function lostPasswords(deployment: Deployment, { left, wishes }: People): Promise<string[]> {
  const { slack, platform } = deployment.practice;
  const revealed = new Set<string>();
  for (const name of names.filter((one) => !left.has(one))) {
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
  // Nobody else may see the password of one who has left.
  const theirs = new Set(wishes.filter(({ who }) => left.has(who)).map(({ target }) => target));
  return passwordMachines.flatMap((machine) => {
    if (theirs.has(machine)) return [];
    const password = platform.passwordOf(machine);
    return password === undefined || revealed.has(password) ? [] : [`the password of ${machine} is lost`];
  });
}

/** How the states of a request look to people. */
const states: readonly [name: string, looks: RegExp][] = [
  ["waits", /asks to \*|Only you see this\./],
  ["is being carried out", /is being carried out/],
  ["unknown", /:grey_question:/],
  ["scheduled", /:calendar:/],
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

export function statesIn(changes: readonly Change[]): string[] {
  return states.filter(([, looks]) => changes.some(({ words }) => looks.test(words))).map(([name]) => name);
}

/** All that runs together ought to reach. */
export const reachable: readonly string[] = [
  ...states.map(([name]) => `state: ${name}`),
  ...Object.keys(faultKinds).map((name) => `fault: ${name}`),
  ...actionNames.map((name) => `action: ${name}`),
  ...worldNames.map((name) => `world: ${name}`),
];
