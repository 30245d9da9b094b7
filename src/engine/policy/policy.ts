// engine/policy/: the rules of what is asked first and of whom: judging by them, keeping them, and trying what they would demand.
// May import: operation/, views/, platform/, storage/, the clock.

import type { Logger } from "pino";
import * as z from "zod";
import type { Clock } from "../../clock.ts";
import { createRecords } from "../../storage/records.ts";
import type { Batch, Store } from "../../storage/store.ts";
import type { Defaults, Subject, Verdict } from "./judge.ts";
import { judge } from "./judge.ts";
import { loosens } from "./loosens.ts";
import { Rule } from "./rule.ts";

/** A change that loosens something, and waits for a second admin. */
const Proposal = z.object({ rules: z.array(Rule), by: z.string(), at: z.number(), what: z.string() });
export type Proposal = z.infer<typeof Proposal>;

const Policy = z.object({
  v: z.literal(1),
  /** Counts every change. */
  version: z.number(),
  rules: z.array(Rule),
  proposal: Proposal.nullable(),
});
export type Policy = z.infer<typeof Policy>;

/** Who changes the policy, in words for the audit what, and whether another admin is there to look at it. */
export interface Changer {
  member: string;
  slackUser: string;
  what: string;
  second: boolean;
}

/** What an admin has laid down about what holds before something is done (design section 4). */
export interface PolicyStore {
  read(): Promise<Policy>;
  /** Changes the rules, or proposes it where that loosens something and a second admin is there. */
  change(change: (rules: readonly Rule[]) => Rule[], by: Changer): Promise<"changed" | "proposed">;
  /** A second admin agrees with what is proposed: false where there is nothing, or it is their own. */
  agree(by: Changer): Promise<boolean>;
  /** Takes back what is proposed; false where there is nothing. */
  drop(by: Changer): Promise<boolean>;
  /** What holds for things that somebody is about to do, by the rules of this moment. */
  judging(): Promise<(subject: Subject) => Verdict>;
  /** Told after each change that holds. */
  onChange(listener: () => Promise<void>): void;
}

const namespace = "policy";
const key = "workspace";
const none: Policy = { v: 1, version: 0, rules: [], proposal: null };

export function createPolicy(deps: {
  store: Store;
  defaults: Defaults;
  clock: Clock;
  log: Logger;
  /** Its line in the audit. */
  entryOf: (by: Changer, what: string, outcome: string) => NonNullable<Batch["append"]>[number];
}): PolicyStore {
  const { store, defaults, clock, log, entryOf } = deps;
  const records = createRecords(store.values(namespace), { name: "policy", schema: Policy, version: 1, log });
  const listeners: (() => Promise<void>)[] = [];

  const read = async (): Promise<Policy> => (await records.get(key)) ?? none;

  /** One write with its line in the audit; of two changes at once the second starts over. */
  async function commit(
    by: Changer,
    make: (before: Policy) => { after: Policy; what: string } | null,
  ): Promise<Policy | null> {
    for (;;) {
      const kept = await records.get(key);
      const made = make(kept ?? none);
      if (!made) return null;
      const done = await store.commit({
        record: { namespace, key, expected: kept, value: Policy.parse(made.after) },
        append: [entryOf(by, made.what, by.what)],
      });
      if (!done) continue;
      if (made.after.rules !== (kept ?? none).rules) for (const listener of listeners) await listener();
      return made.after;
    }
  }

  return {
    read,
    async change(change, by) {
      const after = await commit(by, (before) => {
        const rules = change(before.rules);
        const { version } = before;
        const waits = by.second && loosens(before.rules, rules, defaults);
        if (!waits) return { after: { v: 1, version: version + 1, rules, proposal: null }, what: "policy changed" };
        const proposal = { rules, by: by.member, at: clock.now(), what: by.what };
        return { after: { ...before, proposal }, what: "policy change proposed" };
      });
      return after?.proposal ? "proposed" : "changed";
    },
    async agree(by) {
      const after = await commit(by, ({ version, proposal }) =>
        proposal && proposal.by !== by.member
          ? { after: { v: 1, version: version + 1, rules: proposal.rules, proposal: null }, what: "policy changed" }
          : null,
      );
      return after !== null;
    },
    async drop(by) {
      const after = await commit(by, (before) =>
        before.proposal ? { after: { ...before, proposal: null }, what: "policy change dropped" } : null,
      );
      return after !== null;
    },
    async judging() {
      const { rules } = await read();
      return (subject) => judge(rules, subject, defaults);
    },
    onChange: (listener) => void listeners.push(listener),
  };
}

/** What holds where no rule says otherwise. */
export function defaultsOf(mode: "self" | "peer"): Defaults {
  return { read: "allowed", change: "allowed", spend: "self", destroy: mode };
}
