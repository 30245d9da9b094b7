// policy/: approval rules: stores them, evaluates them for an act, and keeps one admin alone from loosening them.
// May import: audit/, notifications/, notifications/*, access/, operation/, identities/, views/, webauthn/, platform/, platform/*, storage/, the clock.

import { hash } from "node:crypto";
import * as z from "zod";
import type { AuditKind } from "../audit/kinds.ts";
import type { Clock } from "../clock.ts";
import { Refusal } from "../operation/errors.ts";
import type { ProjectRef } from "../operation/target.ts";
import { defineKind } from "../storage/kind.ts";
import { replacing } from "../storage/record.ts";
import type { Store, Transaction } from "../storage/store.ts";
import { Assertion } from "../webauthn/assertion.ts";
import { type Defaults, evaluate, type RequiredApproval, type RuledAct } from "./evaluate.ts";
import { loosens } from "./loosens.ts";
import { type LostApproval, lostByMove, type Move } from "./moves.ts";
import { isUnsettled, type KnownProject, settled, upcasts } from "./older-rules.ts";
import { Rule } from "./rule.ts";

/** A proposed change that loosens a rule and waits for a second admin. */
const Proposal = z.object({
  /** Digest of the shown change: an admin agrees with exactly this change. */
  id: z.string().default("older"),
  rules: z.array(Rule),
  by: z.string(),
  at: z.number(),
  what: z.string(),
  /** Slack users who are notified at once, and (`reminded`) an hour before it takes effect; null until then. */
  to: z.array(z.string()).default([]),
  reminded: z.array(z.string()).nullable().default(null),
  /** When each of those messages reached its user, by its slot. */
  reached: z.record(z.string(), z.number()).default({}),
  /** Other Slack users who were shown it. */
  seen: z.array(z.string()).default([]),
  /** The facts that the proposer's passkey signed; absent where none was asked for. */
  assertion: Assertion.optional(),
});
export type Proposal = z.infer<typeof Proposal>;

/** A proposal that ended, and how. Everybody who was shown it is notified. */
const EndedProposal = Proposal.omit({ rules: true }).extend({
  how: z.enum(["agreed", "dropped", "replaced", "overtaken", "unopposed", "lapsed", "unproven"]),
  /** The member who ended it; null when no member did. */
  endedBy: z.string().nullable(),
  endedAt: z.number(),
});
export type EndedProposal = z.infer<typeof EndedProposal>;
/** Enough to notify everybody of each end; nothing reads older ones. */
const mostEnded = 20;

const Policy = z.object({
  v: z.literal(2),
  /** Counts every change. */
  version: z.number(),
  rules: z.array(Rule),
  proposal: Proposal.nullable(),
  ended: z.array(EndedProposal).default([]),
});
export type Policy = z.infer<typeof Policy>;

/** An admin who changes the rules. `what` describes the change for the audit log. */
export interface PolicyEditor {
  member: string;
  slackUser: string;
  /** Empty where a rule changes by itself. */
  keyLabel: string;
  what: string;
  /** Slack users who can agree to or stop a looser rule; null when there is no second admin. */
  second: readonly string[] | null;
  /** The facts that the admin's passkey signed for it. */
  assertion?: Assertion | undefined;
}

/** An admin who acts on the rules; `what` describes the act for the audit log. */
export type PolicyActor = Omit<PolicyEditor, "second">;

/** The rules as they were at one read. */
export interface RulesSnapshot {
  evaluate(subject: RuledAct): RequiredApproval;
  /** The approval that a move between projects would remove; null when it removes none. */
  lost(move: Move): LostApproval | null;
  /** The projects that the rules name. */
  ruled: ProjectRef[];
}

/** The approval rules that admins have set (design section 4). */
export interface PolicyStore {
  read(): Promise<Policy>;
  /** True while an act may take a passkey: a rule asks for one, or `PASSKEYS=required` does. */
  asksForPasskeys(): Promise<boolean>;
  /** True if the change would loosen the rules of now. */
  wouldLoosen(change: (rules: readonly Rule[]) => Rule[]): Promise<boolean>;
  /**
   * Changes the rules at once, or proposes the change if it loosens a rule and a second admin exists. Throws a Refusal if it loosens one
   * without a passkey while rules take one.
   */
  change(change: (rules: readonly Rule[]) => Rule[], by: PolicyEditor): Promise<"changed" | "proposed">;
  /** A second admin agrees with the proposal of this id; false when it was replaced or has ended. */
  agree(id: string, by: PolicyActor): Promise<boolean>;
  /** Stops the proposal (of this id, if given); false when there is none. */
  drop(id: string | undefined, by: PolicyActor): Promise<boolean>;
  /** Applies the proposal after its waiting time, since nobody stopped it; false when it no longer waits. */
  takeEffect(id: string): Promise<boolean>;
  /** Ends the proposal without effect: its proposer is no longer an admin with a linked key, or proved it with no passkey. */
  lapse(id: string, how: "lapsed" | "unproven"): Promise<void>;
  /** Changes the record of the waiting proposal. With `notifies`, also wakes the timer that notifies the admins. */
  note(id: string, change: (proposal: Proposal) => Partial<Proposal>, notifies?: boolean): Promise<void>;
  /** Reads the rules once, so that several acts are evaluated with the same rules. */
  rulesNow(): Promise<RulesSnapshot>;
  /**
   * Gives each rule of an older version, which has only its project's name, the id of that project. `projects` are all that the admins'
   * keys see. A name that several projects have becomes one rule for each. A name that none has stays a rule about every project.
   */
  settle(projects: readonly KnownProject[], by: Omit<PolicyActor, "what">): Promise<void>;
  /** Calls the listener after each change of the rules in effect. */
  onChange(listener: () => Promise<void>): void;
}

const policies = defineKind({ name: "policy", namespace: "policy", schema: Policy, version: 2, upcasts });
const key = "workspace";
const none: Policy = { v: 2, version: 0, rules: [], proposal: null, ended: [] };

/** The outbox kind of proposals. */
export const proposalKind = "policy-change";
/** Prefix of a proposal's timer, which sends the reminder and later applies the proposal. */
export const proposalLane = `${proposalKind}:`;

export function createPolicy(deps: {
  store: Store;
  defaults: Defaults;
  clock: Clock;
  /** Makes the audit entry of a change. */
  entryOf: (by: PolicyActor, what: AuditKind, outcome: string) => NonNullable<Transaction["log"]>[number];
  /** The id of the timer that notifies the admins of a proposal. */
  notificationTimerOf: (proposal: string) => string;
}): PolicyStore {
  const { store, defaults, clock, entryOf, notificationTimerOf } = deps;
  const records = store.keyv(policies);
  const listeners: (() => Promise<void>)[] = [];

  const read = async (): Promise<Policy> => (await records.get(key)) ?? none;

  /** Stores the change with its audit entry in one transaction. Of two concurrent changes the second starts over. */
  async function commit(
    by: PolicyActor,
    make: (before: Policy) => { after: Policy; what: AuditKind; wake?: Transaction["timers"] } | null,
  ): Promise<Policy | null> {
    for (;;) {
      const stored = await store.read(policies, key);
      const before = stored.value ?? none;
      const made = make(before);
      if (!made) return null;
      const done = await store.transact({
        records: [replacing(stored, Policy.parse(made.after))],
        log: [entryOf(by, made.what, by.what)],
        timers: [...(made.wake ?? []), ...notificationTimersOf(before.proposal, made.after.proposal)],
      });
      if (!done) continue;
      if (made.after.rules !== before.rules) for (const listener of listeners) await listener();
      return made.after;
    }
  }

  /** Applies the proposal of this id; false when another one waits by now. */
  async function adopt(id: string, by: PolicyActor, end: Pick<EndedProposal, "how" | "endedBy">): Promise<boolean> {
    const after = await commit(by, (before) => {
      const { version, proposal } = before;
      if (proposal?.id !== id) return null;
      return {
        after: { ...closed(before, end.how, end.endedBy), version: version + 1, rules: proposal.rules },
        what: "policy changed",
      };
    });
    return after !== null;
  }

  function proposed(rules: Rule[], by: PolicyEditor & { second: readonly string[] }): Proposal {
    const shown = { rules, by: by.member, at: clock.now(), what: by.what };
    const id = hash("sha256", JSON.stringify(shown), "base64url").slice(0, 22);
    const { assertion } = by;
    return { ...shown, id, to: [...by.second], reminded: null, reached: {}, seen: [], ...(assertion && { assertion }) };
  }

  /** The policy without its proposal, which becomes the newest ended one. */
  function closed(before: Policy, how: EndedProposal["how"], endedBy: string | null): Policy {
    if (!before.proposal) return before;
    const { rules: _, ...proposal } = before.proposal;
    const end: EndedProposal = { ...proposal, how, endedBy, endedAt: clock.now() };
    return { ...before, proposal: null, ended: [...before.ended.slice(1 - mostEnded), end] };
  }

  /** Timers that update the messages of the former proposal and of the new one. */
  function notificationTimersOf(
    before: Proposal | null | undefined,
    after: Proposal | null,
  ): NonNullable<Transaction["timers"]> {
    if (before?.id === after?.id) return [];
    return [before, after].flatMap((one) => (one ? [{ id: notificationTimerOf(one.id), at: clock.now() }] : []));
  }

  function takesPasskey(rules: readonly Rule[]): boolean {
    const { passkeys = "off" } = defaults;
    return passkeys === "required" || (passkeys === "on" && rules.some(({ passkey }) => passkey));
  }

  return {
    read,
    asksForPasskeys: async () => takesPasskey((await read()).rules),
    wouldLoosen: async (change) => {
      const { rules } = await read();
      return loosens(rules, change(rules), defaults);
    },
    async change(change, by) {
      const after = await commit(by, (before) => {
        const rules = change(before.rules);
        const { version } = before;
        const { second, assertion } = by;
        const isLooser = loosens(before.rules, rules, defaults);
        // Two commands at once may each loosen nothing alone, such as the removal of either of two equal rules, and so ask for no passkey.
        if (isLooser && !assertion && takesPasskey(before.rules))
          throw new Refusal(
            "The rules changed at the same moment, so this takes your passkey now. Nothing changed. Ask again.",
          );
        if (second === null || !isLooser)
          return {
            after: { ...closed(before, "overtaken", by.member), version: version + 1, rules },
            what: "policy changed",
          };
        const proposal = proposed(rules, { ...by, second });
        return {
          after: { ...closed(before, "replaced", by.member), proposal },
          what: "policy change proposed",
          wake: [{ id: `${proposalLane}${proposal.id}`, at: proposal.at }],
        };
      });
      return after?.proposal ? "proposed" : "changed";
    },
    agree: (id, by) => adopt(id, by, { how: "agreed", endedBy: by.member }),
    async drop(id, by) {
      const after = await commit(by, (before) =>
        before.proposal && (id === undefined || before.proposal.id === id)
          ? { after: closed(before, "dropped", by.member), what: "policy change dropped" }
          : null,
      );
      return after !== null;
    },
    async takeEffect(id) {
      const { proposal } = await read();
      if (proposal?.id !== id) return false;
      const { by: member, what, assertion } = proposal;
      const by = { ...nobodysKey(member), assertion, what: `${what} Nobody stopped it within 24 hours.` };
      return adopt(id, by, { how: "unopposed", endedBy: null });
    },
    async lapse(id, how) {
      const { proposal } = await read();
      if (proposal?.id !== id) return;
      const what = `${proposal.what} ${lapseWords[how]}, so it took no effect.`;
      await commit({ ...nobodysKey(proposal.by), what }, (before) =>
        before.proposal?.id === id ? { after: closed(before, how, null), what: "policy change dropped" } : null,
      );
    },
    async note(id, change, notifies = false) {
      for (;;) {
        const stored = await store.read(policies, key);
        const before = stored.value;
        if (!before || before.proposal?.id !== id) return;
        const after = Policy.parse({ ...before, proposal: { ...before.proposal, ...change(before.proposal) } });
        const timers = notifies ? [{ id: notificationTimerOf(id), at: clock.now() }] : [];
        if (await store.transact({ records: [replacing(stored, after)], timers })) return;
      }
    },
    async settle(projects, by) {
      const what = "Rules that named a project by its name now name it by its id.";
      for (;;) {
        const stored = await store.read(policies, key);
        const kept = stored.value;
        if (!kept?.rules.some(isUnsettled)) return;
        const rules = kept.rules.flatMap((rule) => settled(rule, projects));
        if (rules.length === kept.rules.length && rules.every((rule, at) => rule === kept.rules[at])) return;
        const proposal = kept.proposal && {
          ...kept.proposal,
          rules: kept.proposal.rules.flatMap((rule) => settled(rule, projects)),
        };
        const after = Policy.parse({ ...kept, rules, proposal });
        const log = [entryOf({ ...by, what }, "policy changed", what)];
        if (await store.transact({ records: [replacing(stored, after)], log })) return;
      }
    },
    async rulesNow() {
      const { rules } = await read();
      const ruled = rules.flatMap(({ when: { project } }) =>
        project && project.id !== null ? [{ id: project.id, name: project.name }] : [],
      );
      const distinct = [...new Map(ruled.map((project) => [project.id, project])).values()];
      return {
        ruled: distinct,
        evaluate: (subject) => evaluate(rules, subject, defaults),
        lost: (move) => lostByMove(rules, defaults, move),
      };
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

const lapseWords = {
  lapsed: "Its proposer is no longer an admin with a linked key",
  unproven: "Rules take a passkey by now, and its proposer proved it with none",
};

/** The proposer of a change that came about by itself: they pressed nothing, so no key of theirs is named. */
function nobodysKey(member: string): Omit<PolicyActor, "what"> {
  // A member id is `<enterprise or team>:<Slack user>`.
  return { member, slackUser: member.slice(member.indexOf(":") + 1), keyLabel: "" };
}

/** The required approval by risk when no rule fits; `mode` is the one for acts that destroy. */
export function defaultsOf(mode: "self" | "peer", passkeys: NonNullable<Defaults["passkeys"]> = "off"): Defaults {
  return { read: "allowed", change: "allowed", spend: "self", destroy: mode, passkeys };
}
