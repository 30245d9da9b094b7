import type { Button } from "@slack/types";
import { memberBeside, slackUserIn } from "../members/identities/person.ts";
import { type AdminsApp, adminsWithSay, isGoneFromSlack, isLinkedAdmin, isSecondPerson } from "../messages/admins.ts";
import { invocationButton, invokePrefix } from "../messages/answers/buttons.ts";
import { directNotifications, type Notification, type NotificationSource } from "../messages/outbox.ts";
import type { Step } from "../operation/answer.ts";
import { actions, type Message, section, textMessage } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { capital } from "../views/text.ts";
import {
  applyProposal,
  type EndedProposal,
  findProposal,
  lapseProposal,
  noteProposal,
  type PolicyApp,
  proposalTimer,
  type RuleProposal,
  readPolicy,
  unprovenBy,
} from "./policy.ts";

const hour = 60 * 60_000;
/** A looser rule without agreement takes effect after this time, if every admin was notified and none stopped it. */
const opposable = 24 * hour;
/** Interval of the checks whether all admins were notified, while Slack has not accepted every message. */
const lookEvery = 5 * 60_000;
const [first, again, end] = ["first:", "again:", "end:"];

/** The parts of the app that bring a proposal to its end. */
type ProposalsApp = PolicyApp & AdminsApp;

/**
 * The timer's run. Every admin who has a say is notified of a proposed looser rule: at once, an hour before it takes effect, and at its end.
 * Without the time limit, a team whose second admin has left could never loosen a rule. Without both messages, one admin could loosen a
 * rule unseen.
 */
export async function advanceProposal(app: ProposalsApp, timerId: string): Promise<number | undefined> {
  const id = timerId.slice(proposalTimer.length);
  const proposal = findProposal(await readPolicy(app), id);
  if (!proposal) return undefined;
  const now = app.clock.now();
  const { at, to, reminded, lifts } = proposal;
  if (reminded === null) {
    if (now < at + opposable - hour) return at + opposable - hour;
    const all = [...new Set([...to, ...(await adminsWithSay(app))])];
    await noteProposal(app, id, () => ({ reminded: all }), { notifies: true });
    return now + hour;
  }
  const reached = await reachedAll(app, { ...proposal, reminded });
  if (reached === null) return now + lookEvery;
  const due = Math.max(at + opposable, reached + hour);
  if (now < due) return due;
  // A member unlinks a stolen account. A rule that the thief proposed must not take effect a day later.
  const still = await isLinkedAdmin(app, { member: proposal.by, slackUser: slackUserIn(proposal.by) });
  if (still === null) return now + lookEvery;
  // A protection forbids nothing, so no team is stuck with one: nobody's silence lifts it.
  const silent = lifts === null ? null : "unanswered";
  const problem = still ? ((await unprovenBy(app, proposal)) ?? silent) : "lapsed";
  await (problem === null ? applyProposal(app, id) : lapseProposal(app, id, problem));
  return undefined;
}

/** When the last reminder reached its admin; null while a message has not reached an admin who is still there. */
async function reachedAll(
  app: ProposalsApp,
  { to, reminded, reached }: RuleProposal & { reminded: readonly string[] },
): Promise<number | null> {
  const slots = [...to.map((user) => ({ user, slot: first })), ...reminded.map((user) => ({ user, slot: again }))];
  for (const { user, slot } of slots)
    if (reached[`${slot}${user}`] === undefined && !(await isGoneFromSlack(app, user))) return null;
  return Math.max(0, ...reminded.map((user) => reached[`${again}${user}`] ?? 0));
}

export function proposalMessages(app: ProposalsApp): NotificationSource {
  return {
    async notifications(id) {
      const policy = await readPolicy(app);
      const proposal = findProposal(policy, id);
      if (proposal) return waitingNotifications(app, proposal);
      const over = policy.ended.find((one) => one.id === id);
      return over ? endNotifications(over) : null;
    },
    placed: (id, slot) =>
      noteProposal(app, id, ({ reached }) => ({ reached: { [slot]: app.clock.now(), ...reached } })),
  };
}

/** When a proposal takes effect at the earliest, if nobody stops it. */
function effectAt({ at }: Pick<RuleProposal, "at">): number {
  return at + opposable;
}

/**
 * The buttons of a proposal for one admin: its proposer, and their other accounts, can only stop it. They contain its digest, so that nobody
 * agrees with another proposal.
 */
export async function proposalSteps(
  app: AdminsApp,
  member: string,
  { id, by }: Pick<RuleProposal, "id" | "by">,
): Promise<Step[]> {
  const stop: Step = { label: "Stop the change", command: "rackbell policy drop", input: { change: id } };
  if (!(await isSecondPerson(app, member, by))) return [stop];
  return [{ label: "Agree", command: "rackbell policy", input: { agree: id }, style: "primary" }, stop];
}

async function waitingNotifications(app: ProposalsApp, proposal: RuleProposal): Promise<Notification[]> {
  const { to, reminded, at: since, what } = proposal;
  const who = slackUserIn(proposal.by);
  const readers = [...new Set([...to, ...(reminded ?? [])])];
  const buttons = new Map<string, Button[]>();
  for (const slackUser of readers) {
    const steps = await proposalSteps(app, memberBeside(proposal.by, slackUser), proposal);
    buttons.set(slackUser, steps.flatMap(buttonOf));
  }
  const message =
    (text: string) =>
    (user: string): Message => ({ text, blocks: [section(text), ...actions(buttons.get(user) ?? [])] });
  const proposed = `:raised_hand: <@${who}> proposes ${nounsOf(proposal).a}. ${what} Another admin agrees or stops it. ${silenceWords(proposal)}`;
  const soon =
    proposal.lifts === null
      ? `:alarm_clock: The looser rule that <@${who}> proposed takes effect in an hour. ${what} Any admin can still stop it.`
      : `:alarm_clock: The end of a protection that <@${who}> proposed is void in an hour, unless another admin agrees. ${what}`;
  const each = (users: readonly string[], made: (user: string) => Message, prefix: string) =>
    users.flatMap((user) => directNotifications([user], { message: made(user), since, prefix }));
  return [...each(to, message(proposed), first), ...each(reminded ?? [], message(soon), again)];
}

function buttonOf({ label, command, input = {}, style }: Step): Button[] {
  return invocationButton(label, `${invokePrefix}${command}`, { command, input }, { operation: undefined, style });
}

function nounsOf({ lifts }: Pick<RuleProposal, "lifts">): { a: string; the: string; left: string } {
  return lifts === null
    ? { a: "a looser rule", the: "the looser rule", left: "The rules are as they were." }
    : { a: "the end of a protection", the: "the end of a protection", left: "The protection stays." };
}

/** The end of a proposal that nobody answers, as a sentence. */
export function silenceWords(proposal: Pick<RuleProposal, "lifts" | "at">): string {
  const when = moment(effectAt(proposal));
  return proposal.lifts === null
    ? `If nobody stops it, it takes effect ${when}.`
    : `If nobody agrees until ${when}, the protection stays.`;
}

/** The outcome replaces the buttons and is also sent as a new message, because an edit notifies nobody. */
function endNotifications(over: EndedProposal): Notification[] {
  const { to, reminded, reached, seen, by, at: since, endedBy } = over;
  const text = `${endWords(over)} ${over.what}`;
  const message = textMessage(text);
  const shown = (slot: string, users: readonly string[]) => users.filter((user) => reached[`${slot}${user}`]);
  const ender = endedBy === null ? null : slackUserIn(endedBy);
  const all = new Set([slackUserIn(by), ...to, ...(reminded ?? []), ...seen]);
  return [
    ...directNotifications(shown(first, to), { message, since, prefix: first }),
    ...directNotifications(shown(again, reminded ?? []), { message, since, prefix: again }),
    ...directNotifications(
      [...all].filter((user) => user !== ender),
      { message, since, prefix: end },
    ),
  ];
}

function endWords({ how, by, endedBy, lifts }: EndedProposal): string {
  const [proposer, ender] = [`<@${slackUserIn(by)}>`, `<@${slackUserIn(endedBy ?? "")}>`];
  const { a, the, left } = nounsOf({ lifts });
  return {
    agreed: `:white_check_mark: ${ender} agreed with ${the} that ${proposer} proposed. It is in effect.`,
    dropped: `:no_entry_sign: ${ender} stopped ${the} that ${proposer} proposed. ${left}`,
    replaced: `:arrows_counterclockwise: ${ender} proposed the same again. That waits in the place of ${the} that ${proposer} proposed, which never took effect.`,
    overtaken:
      lifts === null
        ? `:arrows_counterclockwise: ${ender} changed the rules. ${capital(the)} that ${proposer} proposed before no longer waits, and never took effect.`
        : `:arrows_counterclockwise: The resource whose protection ${proposer} proposed to end is gone, and its protection with it.`,
    lapsed: `:no_entry_sign: ${proposer} proposed ${a} and is no longer an admin with a linked key, so it took no effect.`,
    unproven: `:no_entry_sign: ${proposer} proposed ${a} before rules took passkeys, and proved it with none. It took no effect.`,
    "passkey removed": `:no_entry_sign: The passkey with which ${proposer} proposed ${a} was removed. It took no effect.`,
    unopposed: `:white_check_mark: Nobody stopped the looser rule that ${proposer} proposed. It is in effect.`,
    unanswered: `:no_entry_sign: Nobody agreed within a day with ${the} that ${proposer} proposed. ${left}`,
  }[how];
}
