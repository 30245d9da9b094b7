// policy/: approval rules: stores them, evaluates them for an act, and keeps one admin alone from loosening them.

import { hash } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import type { Audit } from "../audit/audit.ts";
import { type AuditKind, unopposed } from "../audit/kinds.ts";
import { slackUserIn } from "../members/identities/person.ts";
import { notificationTimer } from "../messages/outbox.ts";
import type { Actor } from "../operation/call-context.ts";
import { Refusal } from "../operation/errors.ts";
import type { ProjectRef } from "../operation/target.ts";
import { Assertion } from "../process/webauthn/assertion.ts";
import type { StoreApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { Transaction } from "../storage/store.ts";
import { code } from "../views/text.ts";
import { type Defaults, evaluate, type RequiredApproval, type RuledAct } from "./evaluate.ts";
import { loosens } from "./loosens.ts";
import { type LostApproval, lostByMove, type Move } from "./moves.ts";
import { mostProtections, Protection } from "./protection/protection.ts";
import { Rule } from "./rule.ts";

/** A proposed change that loosens a rule, or ends a protection, and waits for a second admin. */
const RuleProposal = z.object({
  /** Digest of the shown change: an admin agrees with exactly this change. */
  id: z.string(),
  rules: z.array(Rule),
  /** The id of the resource whose protection ends; null for a change of the rules. */
  lifts: z.string().nullable(),
  by: z.string(),
  at: z.number(),
  what: z.string(),
  /** Slack users who are notified at once, and (`reminded`) an hour before it takes effect; null until then. */
  to: z.array(z.string()),
  reminded: z.array(z.string()).nullable(),
  /** When each of those messages reached its user, by its slot. */
  reached: z.record(z.string(), z.number()),
  /** Other Slack users who were shown it. */
  seen: z.array(z.string()),
  /** The command that proposed it, with the statement that the proposer's passkey signed; that is absent where none was asked for. */
  command: z.string(),
  assertion: Assertion.optional(),
});
export type RuleProposal = z.infer<typeof RuleProposal>;

/** A proposal that ended, and how. Everybody who was shown it is notified. */
const EndedProposal = RuleProposal.omit({ rules: true }).extend({
  how: z.enum([
    "agreed",
    "dropped",
    "replaced",
    "overtaken",
    "unopposed",
    "unanswered",
    "lapsed",
    "unproven",
    "passkey removed",
  ]),
  /** The member who ended it; null when no member did. */
  endedBy: z.string().nullable(),
  endedAt: z.number(),
});
export type EndedProposal = z.infer<typeof EndedProposal>;
/** The newest changes, of which others are notified. */
const mostChanges = 20;
/** So many proposals wait at once: all are in one record, and each has its own messages. */
const mostProposals = 20;
/** Enough to notify everybody of each end; nothing reads older ones. */
const mostEnded = 2 * mostProposals;

/** A change of the rules in effect: the rules that went, and those that came. */
const RuleChange = z.object({
  id: z.string(),
  by: z.string(),
  /** It loosened nothing; it loosened something while nobody else could agree; another admin agreed; or nobody stopped it in time. */
  how: z.enum(["tightened", "alone", "agreed", "unopposed"]),
  /** The member who agreed; null where nobody had to, or nobody did. */
  agreedBy: z.string().nullable(),
  at: z.number(),
  before: z.array(Rule),
  after: z.array(Rule),
});
export type RuleChange = z.infer<typeof RuleChange>;

const Policy = z.object({
  /** Counts every change. */
  version: z.number(),
  rules: z.array(Rule),
  /** In the order in which members protected them. */
  protections: z.array(Protection),
  /** In the order in which members proposed them. */
  proposals: z.array(RuleProposal),
  ended: z.array(EndedProposal),
  /** The newest ones, so that others are notified of them. */
  changes: z.array(RuleChange),
});
export type Policy = z.infer<typeof Policy>;

/** An admin who acts on the rules; `outcome` describes the act for the audit log. No key is named where a rule changes by itself. */
export interface PolicyActor extends Pick<Actor, "member" | "slackUser" | "keyLabel" | "assertion"> {
  /** It came about by itself: the member pressed nothing. */
  isAbsent?: true;
  command: string;
  outcome: string;
  /** Why it came about by itself. */
  reason?: string;
}

/** An admin who changes the rules. */
export interface PolicyEditor extends PolicyActor {
  /** Slack users who can agree to or stop a looser rule; null when there is no second admin. */
  second: readonly string[] | null;
}

/** The parts of the app that the approval rules work with. */
export interface PolicyApp extends TimedApp {
  audit: Pick<Audit, "entryOf">;
  approvalDefaults: Defaults;
  /** False if the passkey of an assertion was removed since; true while passkeys are off. */
  holdsPasskey: (assertion: Assertion) => Promise<boolean>;
  /** Called after each change of the rules in effect. */
  onRulesChanged: () => Promise<void>;
}

const policies = defineKind({ name: "policy", namespace: "policy", schema: Policy });
const key = "workspace";
const none: Policy = { version: 0, rules: [], protections: [], proposals: [], ended: [], changes: [] };

/** The outbox kind of changes of the rules. */
export const ruleChangeSubject = "rule-change";
/** The outbox kind of proposals. */
export const proposalSubject = "policy-change";
/** Prefix of a proposal's timer, which sends the reminder and later applies the proposal. */
export const proposalTimer = `${proposalSubject}:`;

export async function readPolicy({ store }: StoreApp): Promise<Policy> {
  return (await store.keyv(policies).get(key)) ?? none;
}

/** The proposal of this id; undefined once it waits no more. */
export function findProposal({ proposals }: Pick<Policy, "proposals">, id: string): RuleProposal | undefined {
  return proposals.find((one) => one.id === id);
}

/** Reads the rules once, so that several acts are evaluated with the same rules. */
export async function rulesNow(app: PolicyApp) {
  const { rules } = await readPolicy(app);
  const ruled = rules.flatMap(({ when: { project } }): ProjectRef[] => (project ? [project] : []));
  return {
    /** The Slack users of the rules that are about people. */
    people: [
      ...new Set(rules.flatMap(({ when: { who, notWho } }) => [...(who?.users ?? []), ...(notWho?.users ?? [])])),
    ],
    /** The projects that the rules name. */
    ruled: [...new Map(ruled.map((project) => [project.id, project])).values()],
    evaluate: (subject: RuledAct): RequiredApproval => evaluate(rules, subject, app.approvalDefaults),
    /** The approval that a move between projects would remove; null when it removes none. */
    lost: (move: Move): LostApproval | null => lostByMove(rules, app.approvalDefaults, move),
  };
}
export type RulesSnapshot = Awaited<ReturnType<typeof rulesNow>>;

/** The reason why the proposal's passkey no longer proves it; null if it does, or need not. */
export async function unprovenBy(
  app: PolicyApp,
  { assertion }: RuleProposal,
): Promise<"unproven" | "passkey removed" | null> {
  if (assertion) return (await app.holdsPasskey(assertion)) ? null : "passkey removed";
  // Proposed before passkeys were asked for: a session that was stolen then would loosen what they protect now.
  return (await asksForPasskeys(app)) ? "unproven" : null;
}

/** True while an act may need a passkey: a rule asks for one, or `PASSKEYS=required` does. */
export async function asksForPasskeys(app: PolicyApp): Promise<boolean> {
  return takePasskeys(app, (await readPolicy(app)).rules);
}

function takePasskeys({ approvalDefaults: { passkeys } }: PolicyApp, rules: readonly Rule[]): boolean {
  return passkeys === "required" || (passkeys === "on" && rules.some(({ passkey }) => passkey));
}

type ChangeOfRules = (rules: readonly Rule[]) => Rule[];

/** True if the change would loosen the rules of now. */
export async function wouldLoosen(app: PolicyApp, change: ChangeOfRules): Promise<boolean> {
  const { rules } = await readPolicy(app);
  return loosens(rules, change(rules), app.approvalDefaults);
}

/**
 * Changes the rules at once, or proposes the change if it loosens a rule and a second admin exists. Throws a Refusal if it loosens one
 * without a passkey while rules take one.
 */
export async function changeRules(
  app: PolicyApp,
  change: ChangeOfRules,
  by: PolicyEditor,
): Promise<"changed" | "proposed"> {
  let outcome: "changed" | "proposed" = "changed";
  await advance(app, (before) => {
    const rules = change(before.rules);
    const { second } = by;
    const isLooser = loosens(before.rules, rules, app.approvalDefaults);
    // Two commands at once may each loosen nothing alone, such as the removal of either of two equal rules, and so ask for no passkey.
    if (isLooser && !by.assertion && takePasskeys(app, before.rules))
      throw new Refusal(
        "The rules changed at the same moment, so this needs your passkey now. Nothing changed. Ask again.",
      );
    outcome = second !== null && isLooser ? "proposed" : "changed";
    if (second === null || !isLooser) {
      const closed = withoutProposals(app, before, isOfRules, { how: "overtaken", endedBy: by.member });
      const how = isLooser ? "alone" : "tightened";
      return withRules(app, closed, rules, { how, agreedBy: null, by: by.member, actor: by });
    }
    return proposing(app, before, { rules, lifts: null }, { ...by, second });
  });
  if (outcome === "changed") await app.onRulesChanged();
  return outcome;
}

/** True for a proposed change of the rules. It is made of the rules of now, so that each other change of them ends it. */
function isOfRules({ lifts }: Pick<RuleProposal, "lifts">): boolean {
  return lifts === null;
}

/** The step that has a proposal wait beside the others. The same one, proposed again, takes the place of the first. */
function proposing(
  app: PolicyApp,
  before: Policy,
  change: Pick<RuleProposal, "rules" | "lifts">,
  by: PolicyEditor & { second: readonly string[] },
): Step {
  const isSame = ({ rules, lifts }: RuleProposal) =>
    lifts === change.lifts && (lifts !== null || isDeepStrictEqual(rules, change.rules));
  const others = withoutProposals(app, before, isSame, { how: "replaced", endedBy: by.member });
  if (others.proposals.length >= mostProposals)
    throw new Refusal(
      `${mostProposals} changes wait for a second admin, and no more can. Nothing changed. Have one agreed with or stopped first: \`/rackbell policy\` shows them.`,
    );
  const proposal = proposed(app, change, by);
  return {
    after: { ...others, proposals: [...others.proposals, proposal] },
    by,
    what: "policy change proposed",
    timers: [{ id: `${proposalTimer}${proposal.id}`, at: proposal.at }],
  };
}

/**
 * Changes the rules and the proposals that wait alike, at once: they go on, and give back nothing that was taken. Changes nothing where that
 * loosens any of them.
 */
export async function tightenRules(app: PolicyApp, change: ChangeOfRules, by: PolicyActor): Promise<void> {
  const after = await advance(app, (before) => {
    const rules = change(before.rules);
    const isLooser = (old: readonly Rule[]) => loosens(old, change(old), app.approvalDefaults);
    if (isLooser(before.rules) || before.proposals.some((proposal) => isLooser(proposal.rules))) return null;
    const proposals = before.proposals.map((proposal) => ({ ...proposal, rules: change(proposal.rules) }));
    const how = { how: "tightened", agreedBy: null, by: by.member, actor: by } as const;
    return withRules(app, { ...before, proposals }, rules, how);
  });
  if (after) await app.onRulesChanged();
}

/** The step that puts rules into effect, and has the change announced. */
function withRules(
  { clock }: PolicyApp,
  before: Policy,
  rules: Rule[],
  { actor, ...change }: Pick<RuleChange, "how" | "agreedBy" | "by"> & { actor: PolicyActor },
): Step {
  const version = before.version + 1;
  const missingIn = (others: readonly Rule[]) => (rule: Rule) =>
    !others.some((other) => isDeepStrictEqual(other, rule));
  const [went, came] = [before.rules.filter(missingIn(rules)), rules.filter(missingIn(before.rules))];
  const announced = { ...change, id: String(version), at: clock.now(), before: went, after: came };
  const isNothing = went.length + came.length === 0;
  return {
    after: {
      ...before,
      version,
      rules,
      changes: isNothing ? before.changes : [...before.changes.slice(1 - mostChanges), announced],
    },
    by: actor,
    what: "policy changed",
    timers: isNothing ? [] : [{ id: notificationTimer(ruleChangeSubject, announced.id), at: announced.at }],
  };
}

function proposed(
  { clock }: PolicyApp,
  change: Pick<RuleProposal, "rules" | "lifts">,
  { member, command, outcome, second, assertion }: PolicyEditor & { second: readonly string[] },
): RuleProposal {
  const shown = { ...change, by: member, at: clock.now(), what: outcome };
  const id = hash("sha256", JSON.stringify(shown), "base64url").slice(0, 22);
  const waits = { to: [...second], reminded: null, reached: {}, seen: [] };
  return { ...shown, id, command, ...waits, ...(assertion && { assertion }) };
}

/** A second admin agrees with the proposal of this id; false when it was replaced or has ended. */
export function agreeWithProposal(app: PolicyApp, id: string, by: PolicyActor): Promise<boolean> {
  return adopt(app, id, by, { how: "agreed", endedBy: by.member });
}

/** Applies the proposal after its waiting time, since nobody stopped it; false when it no longer waits. */
export async function applyProposal(app: PolicyApp, id: string): Promise<boolean> {
  const proposal = findProposal(await readPolicy(app), id);
  if (!proposal) return false;
  const { by: member, what, command, assertion } = proposal;
  const by = { ...nobodysKey(member), command, assertion, outcome: what, reason: unopposed };
  return adopt(app, id, by, { how: "unopposed", endedBy: null });
}

async function adopt(
  app: PolicyApp,
  id: string,
  by: PolicyActor,
  { how, endedBy }: Pick<EndedProposal, "how" | "endedBy">,
): Promise<boolean> {
  const after = await advance(app, (before) => {
    const { version, protections } = before;
    const proposal = findProposal(before, id);
    if (!proposal) return null;
    const closed = withoutProposals(app, before, (one) => one.id === id, { how, endedBy });
    const { rules, lifts, by: proposer } = proposal;
    const agreed = { how: how === "agreed" ? "agreed" : "unopposed", agreedBy: endedBy, by: proposer } as const;
    if (lifts === null) {
      const alone = withoutProposals(app, closed, isOfRules, { how: "overtaken", endedBy: endedBy ?? proposer });
      return withRules(app, alone, rules, { ...agreed, actor: by });
    }
    const left = protections.filter((one) => one.id !== lifts);
    return {
      after: { ...closed, version: version + 1, protections: left },
      by,
      what: "policy changed",
      target: targetOf(before, lifts),
    };
  });
  if (after) await app.onRulesChanged();
  return after !== null;
}

/** Stops the proposal of this id; false when it was replaced or has ended. */
export async function dropProposal(app: PolicyApp, id: string, by: PolicyActor): Promise<boolean> {
  const after = await advance(app, (before) => {
    if (!findProposal(before, id)) return null;
    const end = { how: "dropped", endedBy: by.member } as const;
    const closed = withoutProposals(app, before, (one) => one.id === id, end);
    return { after: closed, by, what: "policy change dropped" };
  });
  return after !== null;
}

const lapseWords = {
  unanswered: "No other admin agreed within a day",
  lapsed: "Its proposer is no longer an admin with a linked key",
  unproven: "Rules need a passkey by now, and its proposer proved it with none",
  "passkey removed": "The passkey that proved it was removed",
};

/** Ends the proposal without effect, for a reason of `lapseWords`. */
export async function lapseProposal(app: PolicyApp, id: string, how: keyof typeof lapseWords): Promise<void> {
  await advance(app, (before) => {
    const proposal = findProposal(before, id);
    if (!proposal) return null;
    const { command, what } = proposal;
    const by = { ...nobodysKey(proposal.by), command, outcome: `${what} ${lapseWords[how]}, so it took no effect.` };
    const closed = withoutProposals(app, before, (one) => one.id === id, { how, endedBy: null });
    return { after: closed, by, what: "policy change dropped" };
  });
}

/** Protects a resource. "known" (it is protected already) and "full" mean that nothing changed. */
export async function protect(
  app: PolicyApp,
  protection: Omit<Protection, "by" | "at">,
  by: PolicyActor,
): Promise<"protected" | "known" | "full"> {
  let outcome: "protected" | "known" | "full" = "protected";
  await advance(app, (before) => {
    const { protections } = before;
    const isKnown = protections.some(({ id }) => id === protection.id);
    outcome = isKnown ? "known" : protections.length >= mostProtections ? "full" : "protected";
    if (outcome !== "protected") return null;
    const added = { ...protection, by: by.member, at: app.clock.now() };
    const { id, name } = added;
    return { after: { ...before, protections: [...protections, added] }, by, what: "protected", target: { id, name } };
  });
  return outcome;
}

/**
 * Proposes to lift the protection of this resource, which gets its present name. Resolves with the id of the proposal; null where it is not
 * protected, or no longer.
 */
export async function proposeLift(
  app: PolicyApp,
  { id, name }: Pick<Protection, "id" | "name">,
  by: PolicyEditor & { second: readonly string[] },
): Promise<string | null> {
  const after = await advance(app, (before) => {
    if (!before.protections.some((one) => one.id === id)) return null;
    if (!by.assertion && takePasskeys(app, before.rules))
      throw new Refusal(
        "The rules changed at the same moment, so this needs your passkey now. Nothing changed. Ask again.",
      );
    const protections = before.protections.map((one) => (one.id === id ? { ...one, name } : one));
    const change = { rules: before.rules, lifts: id };
    return { ...proposing(app, { ...before, protections }, change, by), target: { id, name } };
  });
  return after?.proposals.find(({ lifts }) => lifts === id)?.id ?? null;
}

/** Ends the protection of a resource that is gone. */
export async function endProtection(app: PolicyApp, id: string, why: string): Promise<void> {
  await advance(app, (before) => {
    const { protections } = before;
    const ended = protections.find((one) => one.id === id);
    if (!ended) return null;
    const outcome = `${code(ended.name)} is gone, and its protection with it.`;
    const by = { ...nobodysKey(ended.by), command: "rackbell protect", outcome, reason: why };
    const closed = withoutProposals(app, before, ({ lifts }) => lifts === id, { how: "overtaken", endedBy: null });
    const after = { ...closed, protections: protections.filter((one) => one.id !== id) };
    return { after, by, what: "protection ended", target: targetOf(before, id) };
  });
}

/** Changes the record of a waiting proposal. With `notifies`, also sets the timer that notifies the admins. */
export async function noteProposal(
  app: PolicyApp,
  id: string,
  change: (proposal: RuleProposal) => Partial<RuleProposal>,
  { notifies = false }: { notifies?: boolean } = {},
): Promise<void> {
  await advance(app, (before) => {
    const proposal = findProposal(before, id);
    if (!proposal) return null;
    const changed = { ...proposal, ...change(proposal) };
    const after = { ...before, proposals: before.proposals.map((one) => (one.id === id ? changed : one)) };
    return { after, timers: notifies ? [noticeTimer(app, proposal)] : [] };
  });
}

type Target = Pick<Protection, "id" | "name"> | null;

function targetOf({ protections }: Policy, resource: string): Target {
  const found = protections.find(({ id }) => id === resource);
  return found ? { id: found.id, name: found.name } : null;
}

/** A change of the policy, with the admin and the kind of its audit entry where it has one. */
type Step = { after: Policy; timers?: Transaction["timers"]; target?: Target } & (
  | { by: PolicyActor; what: AuditKind }
  | { by?: undefined }
);

/** Stores a step with its audit entry and its timers in one transaction. Of two concurrent steps the second starts over. */
async function advance(app: PolicyApp, make: (before: Policy) => Step | null): Promise<Policy | null> {
  for (;;) {
    const stored = await app.store.read(policies, key);
    const before = stored.value ?? none;
    const step = make(before);
    if (!step) return null;
    const { after, timers = [], target = null } = step;
    // The messages of proposals that ended, and of new ones, change.
    const isIn =
      ({ proposals }: Policy) =>
      ({ id }: RuleProposal) =>
        proposals.some((one) => one.id === id);
    const changed = [...before.proposals, ...after.proposals].filter((one) => isIn(before)(one) !== isIn(after)(one));
    const done = await app.store.transact({
      records: [replacing(stored, Policy.parse(after))],
      log: step.by ? [entryOf(app, step.by, step.what, target)] : [],
      timers: [...timers, ...changed.map((proposal) => noticeTimer(app, proposal))],
    });
    if (done) return after;
  }
}

function noticeTimer({ clock }: PolicyApp, { id }: Pick<RuleProposal, "id">) {
  return { id: notificationTimer(proposalSubject, id), at: clock.now() };
}

function entryOf({ audit }: PolicyApp, by: PolicyActor, what: AuditKind, target: Target) {
  const { member, slackUser, keyLabel, command, assertion, outcome, reason } = by;
  const decidedBy = by.isAbsent ? null : slackUser;
  const about = { id: null, command, target, decidedBy, keyLabel, member, slackUser, outcome };
  return audit.entryOf(
    { ...about, ...(reason ? { reason } : {}) },
    { what, made: ["policy", "rackbell policy"], ...(assertion ? { assertion } : {}) },
  );
}

/** The policy without these proposals, which become the newest ended ones. */
function withoutProposals(
  { clock }: PolicyApp,
  before: Policy,
  isOver: (proposal: RuleProposal) => boolean,
  end: Pick<EndedProposal, "how" | "endedBy">,
): Policy {
  const over = before.proposals.filter(isOver);
  const ended = over.map(({ rules: _, ...proposal }): EndedProposal => ({ ...proposal, ...end, endedAt: clock.now() }));
  const proposals = before.proposals.filter((proposal) => !over.includes(proposal));
  return { ...before, proposals, ended: [...before.ended, ...ended].slice(-mostEnded) };
}

/** The proposer of a change that came about by itself: they pressed nothing, so no key of theirs is named. */
function nobodysKey(member: string): Omit<PolicyActor, "outcome" | "command"> {
  return { member, slackUser: slackUserIn(member), keyLabel: "", isAbsent: true };
}

/** The required approval by risk when no rule fits; `mode` is the one for acts that destroy. */
export function ruleDefaults(mode: "self" | "peer", passkeys: Defaults["passkeys"] = "off"): Defaults {
  const destroy = mode === "self" ? "confirm" : "one-approval";
  return { read: "allowed", change: "allowed", spend: "confirm", destroy, passkeys };
}
