import { describe, expect, test } from "vitest";
import { unopposed } from "../../src/audit/kinds.ts";
import { notificationTimer } from "../../src/messages/outbox.ts";
import { Refusal } from "../../src/operation/errors.ts";
import type { RuledAct } from "../../src/policy/evaluate.ts";
import {
  agreeWithProposal,
  applyProposal,
  asksForPasskeys,
  changeRules,
  dropProposal,
  endProtection,
  lapseProposal,
  noteProposal,
  type PolicyApp,
  type PolicyEditor,
  proposalSubject,
  proposalTimer,
  proposeLift,
  protect,
  readPolicy,
  ruleChangeSubject,
  ruleDefaults,
  rulesNow,
  tightenRules,
  unprovenBy,
  wouldLoosen,
} from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import type { Transaction } from "../../src/storage/store.ts";
import { unsigned } from "../passkeys/statements.ts";
import { openMemory } from "../storage/memory.ts";
import { raw } from "../storage/raw.ts";
import { peopleOf, production, rule, staging } from "./rules.ts";

const strict = rule({ risk: "destroy" }, "two-approvals");
const lax: Rule = { ...strict, demand: "one-approval" };
const command = "rackbell policy set";
const ana = {
  member: "T1:U1",
  slackUser: "U1",
  keyLabel: "ana",
  command,
  outcome: "Changed the rule.",
  second: ["U2"],
};
const alone: PolicyEditor = { ...ana, second: null };
const caro = { member: "T1:U2", slackUser: "U2", keyLabel: "caro", command, outcome: "Agreed." };
const assertion = unsigned("c");

type EntryOf = PolicyApp["audit"]["entryOf"];

/** The rules over a store in memory, with the audit entries and the timers of what was stored last. */
async function openPolicy(passkeys: "off" | "on" | "required" = "off", holdsPasskey = true) {
  const { store, clock } = await openMemory();
  const written: { entry: unknown; timers: Transaction["timers"] }[] = [];
  let changes = 0;
  const entryOf: EntryOf = (audited, event) => {
    const data = { ...audited, ...event };
    return { log: "audit", retentionMs: 1_000, at: clock.now(), subjects: [], data };
  };
  const app: PolicyApp = {
    store: {
      ...store,
      async transact(step) {
        const done = await store.transact(step);
        if (done) written.push({ entry: step.log?.[0]?.data ?? {}, timers: step.timers });
        return done;
      },
    },
    clock,
    approvalDefaults: ruleDefaults("self", passkeys),
    holdsPasskey: async () => holdsPasskey,
    onRulesChanged: async () => {
      changes += 1;
    },
    audit: { entryOf },
  };
  const propose = async (rules: Rule[], by: PolicyEditor = ana): Promise<string> => {
    expect(await changeRules(app, () => rules, by)).toBe("proposed");
    return (await readPolicy(app)).proposals.at(-1)?.id ?? "";
  };
  return {
    ...{ app, clock, propose },
    last: () => written.at(-1) ?? { entry: {}, timers: [] },
    timers: () => (written.at(-1)?.timers ?? []).map(({ id }) => id).toSorted(),
    steps: () => written.length,
    changes: () => changes,
  };
}

const about = { member: "T1:U1", slackUser: "U1", keyLabel: "ana", command, outcome: "Changed the rule.", id: null };

describe("a change of the rules", () => {
  test("that loosens nothing is in effect at once, is audited, and is announced", async () => {
    const { app, clock, last, timers, changes } = await openPolicy();
    expect(await readPolicy(app)).toEqual({
      ...{ version: 0, rules: [], protections: [], proposals: [], ended: [], changes: [] },
    });
    expect(await changeRules(app, () => [strict], ana)).toBe("changed");
    expect(await readPolicy(app)).toMatchObject({
      ...{ version: 1, rules: [strict], proposals: [], ended: [] },
      changes: [{ id: "1", by: "T1:U1", how: "tightened", agreedBy: null, before: [], after: [strict] }],
    });
    expect(timers()).toEqual([notificationTimer(ruleChangeSubject, "1")]);
    expect(last().timers?.[0]?.at).toBeLessThanOrEqual(clock.now());
    expect(last().entry).toEqual({
      ...{ ...about, decidedBy: "U1", target: null },
      ...{ what: "policy changed", made: ["policy", "rackbell policy"] },
    });
    expect(changes()).toBe(1);
    const other = { ...strict, id: "r2" };
    await changeRules(app, (rules) => [...rules, other], ana);
    expect((await readPolicy(app)).changes.at(-1)).toMatchObject({ id: "2", before: [], after: [other] });
  });

  test("that changes nothing is announced to nobody", async () => {
    const { app, timers, changes } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    expect(await changeRules(app, (rules) => [...rules], ana)).toBe("changed");
    expect((await readPolicy(app)).changes.map(({ id }) => id)).toEqual(["1"]);
    expect(timers()).toEqual([]);
    expect(changes()).toBe(2);
  });

  test("that loosens something takes effect alone where there is no other admin, and says so", async () => {
    const { app } = await openPolicy();
    await changeRules(app, () => [strict], alone);
    expect(await wouldLoosen(app, () => [lax])).toBe(true);
    expect(await wouldLoosen(app, () => [strict, lax])).toBe(false);
    expect(await changeRules(app, () => [lax], alone)).toBe("changed");
    expect((await readPolicy(app)).changes.at(-1)).toMatchObject({ how: "alone", before: [strict], after: [lax] });
  });

  test("keeps the twenty newest changes, and the forty newest ends of proposals", async () => {
    const { app, propose } = await openPolicy();
    for (let at = 0; at < 25; at += 1) await changeRules(app, () => [{ ...strict, id: `r${at}` }], alone);
    const { changes } = await readPolicy(app);
    expect(changes.map(({ id }) => id)).toEqual(Array.from({ length: 20 }, (_, at) => String(at + 6)));
    const proposals: string[] = [];
    for (let at = 0; at < 45; at += 1) {
      const id = await propose([{ ...lax, id: `p${at}` }]);
      proposals.push(id);
      await dropProposal(app, id, caro);
    }
    expect((await readPolicy(app)).ended.map(({ id }) => id)).toEqual(proposals.slice(-40));
  });
});

describe("a proposal", () => {
  test("changes nothing yet, waits for its time, and is shown to the admins who have a say", async () => {
    const { app, clock, propose, last, timers, changes } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const id = await propose([lax]);
    expect(id).toMatch(/^[\w-]{22}$/);
    const { rules, version, proposals } = await readPolicy(app);
    const proposal = proposals.at(-1);
    expect([rules, version]).toEqual([[strict], 1]);
    expect(proposal).toEqual({
      ...{ id, rules: [lax], lifts: null, by: "T1:U1", at: proposal?.at, what: "Changed the rule.", command },
      ...{ to: ["U2"], reminded: null, reached: {}, seen: [] },
    });
    expect(timers()).toEqual([notificationTimer(proposalSubject, id), `${proposalTimer}${id}`].toSorted());
    for (const { at } of last().timers ?? []) expect(at).toBeLessThanOrEqual(clock.now());
    expect(last().entry).toEqual({
      ...{ ...about, decidedBy: "U1", target: null },
      ...{ what: "policy change proposed", made: ["policy", "rackbell policy"] },
    });
    expect(changes()).toBe(1);
  });

  test("that another admin agrees with is in effect, and names both", async () => {
    const { app, propose, last, timers, changes } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const id = await propose([lax]);
    expect(await agreeWithProposal(app, "another", caro)).toBe(false);
    expect(await agreeWithProposal(app, id, caro)).toBe(true);
    const { rules, proposals, version, ended, changes: made } = await readPolicy(app);
    const proposal = proposals.at(-1);
    expect([rules, proposal, version]).toEqual([[lax], undefined, 2]);
    expect(ended).toMatchObject([{ id, how: "agreed", endedBy: "T1:U2", by: "T1:U1" }]);
    expect(ended[0]).not.toHaveProperty("rules");
    expect(made.at(-1)).toMatchObject({
      how: "agreed",
      agreedBy: "T1:U2",
      by: "T1:U1",
      before: [strict],
      after: [lax],
    });
    expect(last().entry).toMatchObject({ ...caro, decidedBy: "U2", what: "policy changed" });
    expect(timers()).toEqual(
      [notificationTimer(proposalSubject, id), notificationTimer(ruleChangeSubject, "2")].toSorted(),
    );
    expect(changes()).toBe(2);
    expect(await agreeWithProposal(app, id, caro)).toBe(false);
    expect(changes()).toBe(2);
  });

  test("that nobody stopped takes effect by itself, and its entry names no key and no decider", async () => {
    const { app, propose, last, changes } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const id = await propose([lax]);
    expect(await applyProposal(app, "another")).toBe(false);
    expect((await readPolicy(app)).rules).toEqual([strict]);
    expect(await applyProposal(app, id)).toBe(true);
    const { rules, ended, changes: made } = await readPolicy(app);
    expect(rules).toEqual([lax]);
    expect(ended).toMatchObject([{ id, how: "unopposed", endedBy: null }]);
    expect(made.at(-1)).toMatchObject({ how: "unopposed", agreedBy: null, by: "T1:U1" });
    expect(last().entry).toEqual({
      ...{ ...about, keyLabel: "", decidedBy: null, target: null, reason: unopposed },
      ...{ what: "policy changed", made: ["policy", "rackbell policy"] },
    });
    expect(changes()).toBe(2);
  });

  test("is stopped by its id, and by nobody a second time", async () => {
    const { app, propose, last, timers, steps } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const id = await propose([lax]);
    expect(await dropProposal(app, "another", caro)).toBe(false);
    const before = steps();
    expect(await dropProposal(app, id, caro)).toBe(true);
    expect(steps()).toBe(before + 1);
    const { rules, version, proposals, ended } = await readPolicy(app);
    const proposal = proposals.at(-1);
    expect([rules, version, proposal]).toEqual([[strict], 1, undefined]);
    expect(ended).toMatchObject([{ id, how: "dropped", endedBy: "T1:U2" }]);
    expect(last().entry).toMatchObject({ ...caro, what: "policy change dropped" });
    expect(timers()).toEqual([notificationTimer(proposalSubject, id)]);
    expect(await dropProposal(app, id, caro)).toBe(false);
  });

  test("ends by the same proposed again, waits beside another, and is overtaken by a change in effect", async () => {
    const { app, clock, propose, timers } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const first = await propose([lax]);
    clock.skip(1);
    const second = await propose([lax], { ...ana, member: "T1:U3" });
    expect((await readPolicy(app)).ended).toMatchObject([{ id: first, how: "replaced", endedBy: "T1:U3" }]);
    const notices = [first, second].map((id) => notificationTimer(proposalSubject, id));
    expect(timers()).toEqual([...notices, `${proposalTimer}${second}`].toSorted());
    const beside = await propose([{ ...strict, demand: "confirm" }]);
    expect((await readPolicy(app)).proposals.map(({ id }) => id)).toEqual([second, beside]);
    await changeRules(app, (rules) => [...rules, rule({ command: "game" }, "not-allowed")], {
      ...ana,
      member: "T1:U4",
    });
    const { ended, proposals } = await readPolicy(app);
    const overtaken = { how: "overtaken", endedBy: "T1:U4" };
    expect(ended.slice(1)).toMatchObject([second, beside].map((id) => ({ id, ...overtaken })));
    expect(proposals).toEqual([]);
  });

  test.each([
    ["unanswered", "No other admin agreed within a day"],
    ["lapsed", "Its proposer is no longer an admin with a linked key"],
    ["unproven", "Rules need a passkey by now, and its proposer proved it with none"],
    ["passkey removed", "The passkey that proved it was removed"],
  ] as const)("that is %s takes no effect, and its entry says why", async (how, why) => {
    const { app, propose, last } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const id = await propose([lax]);
    await lapseProposal(app, id, how);
    const { rules, ended, proposals } = await readPolicy(app);
    const proposal = proposals.at(-1);
    expect([rules, proposal]).toEqual([[strict], undefined]);
    expect(ended).toMatchObject([{ id, how, endedBy: null }]);
    expect(last().entry).toMatchObject({
      ...{ what: "policy change dropped", member: "T1:U1", keyLabel: "", decidedBy: null, command },
      outcome: `Changed the rule. ${why}, so it took no effect.`,
    });
  });

  test("notes whom it reached, and notifies again only where that is asked for", async () => {
    const { app, propose, last, timers, steps } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    const id = await propose([lax]);
    await noteProposal(app, id, ({ to }) => ({ reached: Object.fromEntries(to.map((user) => [user, 1])) }));
    expect((await readPolicy(app)).proposals.at(-1)).toMatchObject({ id, reached: { U2: 1 } });
    expect(timers()).toEqual([]);
    expect(last().entry).toEqual({});
    await noteProposal(app, id, () => ({ seen: ["U5"] }), { notifies: true });
    expect((await readPolicy(app)).proposals.at(-1)).toMatchObject({ id, reached: { U2: 1 }, seen: ["U5"] });
    expect(timers()).toEqual([notificationTimer(proposalSubject, id)]);
    const before = steps();
    await noteProposal(app, "another", () => ({ seen: [] }), { notifies: true });
    expect(steps()).toBe(before);
  });
});

describe("passkeys", () => {
  const proving: Rule = { ...strict, passkey: true };

  test("are asked for while a rule takes them, always, or never", async () => {
    for (const [mode, without, withRule] of [
      ["off", false, false],
      ["on", false, true],
      ["required", true, true],
    ] as const) {
      const { app } = await openPolicy(mode);
      expect(await asksForPasskeys(app)).toBe(without);
      await changeRules(app, () => [strict], alone);
      expect(await asksForPasskeys(app)).toBe(without);
      await changeRules(app, () => [strict, proving], alone);
      expect(await asksForPasskeys(app)).toBe(withRule);
    }
  });

  test("prove what loosens a rule, and nothing is loosened without one while rules take them", async () => {
    const { app, last } = await openPolicy("on");
    await changeRules(app, () => [proving], ana);
    await expect(changeRules(app, () => [], ana)).rejects.toThrow(Refusal);
    await expect(changeRules(app, () => [], alone)).rejects.toThrow(
      "The rules changed at the same moment, so this needs your passkey now. Nothing changed. Ask again.",
    );
    expect((await readPolicy(app)).rules).toEqual([proving]);
    expect(await changeRules(app, () => [proving, strict], ana)).toBe("changed");
    expect(await changeRules(app, () => [], { ...ana, assertion })).toBe("proposed");
    expect(last().entry).toMatchObject({ assertion });
    const { proposals } = await readPolicy(app);
    const proposal = proposals.at(-1);
    expect(proposal?.assertion).toEqual(assertion);
    await applyProposal(app, proposal?.id ?? "");
    expect(last().entry).toMatchObject({ assertion, reason: unopposed });
  });

  test("that were removed, or came later than the proposal, no longer prove it", async () => {
    const proposalOf = async ({ app, propose }: Awaited<ReturnType<typeof openPolicy>>, by: PolicyEditor) => {
      await changeRules(app, () => [strict], ana);
      await propose([lax], by);
      const { proposals } = await readPolicy(app);
      const proposal = proposals.at(-1);
      if (!proposal) throw new Error("There is a proposal");
      return proposal;
    };
    const off = await openPolicy();
    const plain = await proposalOf(off, ana);
    expect(await unprovenBy(off.app, plain)).toBe(null);
    const later = await openPolicy("required");
    expect(await unprovenBy(later.app, plain)).toBe("unproven");
    const proven = await proposalOf(await openPolicy(), { ...ana, assertion });
    expect(await unprovenBy(later.app, proven)).toBe(null);
    const removed = await openPolicy("required", false);
    expect(await unprovenBy(removed.app, proven)).toBe("passkey removed");
  });
});

describe("a protection", () => {
  const web = { id: "vps-1", card: "vps show", name: "web-1" };
  const protecting = { ...caro, command: "rackbell protect", outcome: "Protected `web-1`." };

  test("is made once, by anybody, and up to a number", async () => {
    const { app, last, timers } = await openPolicy();
    expect(await protect(app, web, protecting)).toBe("protected");
    const [made] = (await readPolicy(app)).protections;
    expect(made).toEqual({ ...web, by: "T1:U2", at: made?.at });
    expect(last().entry).toMatchObject({
      what: "protected",
      target: { id: "vps-1", name: "web-1" },
      outcome: "Protected `web-1`.",
    });
    expect(timers()).toEqual([]);
    expect(await protect(app, { ...web, name: "other" }, protecting)).toBe("known");
    expect((await readPolicy(app)).protections).toEqual([made]);
    const others = Array.from({ length: 498 }, (_, at) => ({ ...web, id: `other-${at}`, by: "T1:U2", at: 0 }));
    await app.store
      .keyv(raw("policy"))
      .set("workspace", { ...(await readPolicy(app)), protections: [made, ...others] });
    expect(await protect(app, { ...web, id: "vps-500" }, protecting)).toBe("protected");
    expect(await protect(app, { ...web, id: "vps-501" }, protecting)).toBe("full");
    expect(await protect(app, web, protecting)).toBe("known");
    expect((await readPolicy(app)).protections).toHaveLength(500);
  });

  test("ends where another admin agrees with that, and the rules stay as they are", async () => {
    const { app, last, timers, changes } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    await protect(app, web, protecting);
    await protect(app, { ...web, id: "vps-2" }, protecting);
    const lifting = { ...ana, command: "rackbell protect remove" };
    expect(await proposeLift(app, { id: "vps-3", name: "vps-3" }, lifting)).toBe(null);
    const lift = await proposeLift(app, { id: "vps-1", name: "db-9" }, lifting);
    const { proposals } = await readPolicy(app);
    const proposal = proposals.at(-1);
    const id = lift ?? "";
    expect(proposal).toMatchObject({
      id,
      lifts: "vps-1",
      rules: [strict],
      to: ["U2"],
      command: "rackbell protect remove",
    });
    expect(last().entry).toMatchObject({ what: "policy change proposed", target: { id: "vps-1", name: "db-9" } });
    expect(timers()).toEqual([notificationTimer(proposalSubject, id), `${proposalTimer}${id}`].toSorted());
    expect((await readPolicy(app)).protections).toHaveLength(2);
    const before = await readPolicy(app);
    expect(await agreeWithProposal(app, id, caro)).toBe(true);
    const after = await readPolicy(app);
    expect(after.protections.map((one) => one.id)).toEqual(["vps-2"]);
    expect([after.rules, after.version, after.changes]).toEqual([[strict], before.version + 1, before.changes]);
    expect(after.ended.at(-1)).toMatchObject({ id, lifts: "vps-1", how: "agreed" });
    expect(last().entry).toMatchObject({
      what: "policy changed",
      target: { id: "vps-1", name: "db-9" },
      decidedBy: "U2",
    });
    expect(changes()).toBe(2);
  });

  test("waits beside a proposed change of rules, and needs a passkey while rules take them", async () => {
    const { app, propose } = await openPolicy("on");
    await changeRules(app, () => [strict], ana);
    await protect(app, web, protecting);
    const first = await propose([lax]);
    const lift = await proposeLift(app, { id: "vps-1", name: "vps-1" }, ana);
    expect((await readPolicy(app)).proposals.map(({ id }) => id)).toEqual([first, lift]);
    await changeRules(app, (rules) => [...rules, { ...strict, passkey: true }], alone);
    await expect(proposeLift(app, { id: "vps-1", name: "vps-1" }, ana)).rejects.toThrow(
      "so this needs your passkey now",
    );
    expect(await proposeLift(app, { id: "vps-1", name: "vps-1" }, { ...ana, assertion })).not.toBe(null);
    expect(await proposeLift(app, { id: "vps-2", name: "vps-2" }, { ...ana, assertion })).toBe(null);
  });

  test("ends with its resource, and so does a proposal to end it, and no other", async () => {
    const { app, last, propose } = await openPolicy();
    await changeRules(app, () => [strict], ana);
    await protect(app, web, protecting);
    await protect(app, { ...web, id: "vps-2", name: "mail" }, protecting);
    const waiting = await propose([lax]);
    await endProtection(app, "vps-3", "It was cancelled.");
    await endProtection(app, "vps-2", "It was cancelled.");
    expect((await readPolicy(app)).proposals.at(-1)?.id).toBe(waiting);
    expect((await readPolicy(app)).protections.map(({ id }) => id)).toEqual(["vps-1"]);
    expect(last().entry).toMatchObject({
      ...{
        what: "protection ended",
        outcome: "`mail` is gone, and its protection with it.",
        reason: "It was cancelled.",
      },
      ...{ member: "T1:U2", slackUser: "U2", keyLabel: "", decidedBy: null, command: "rackbell protect" },
      target: { id: "vps-2", name: "mail" },
    });
    await proposeLift(app, { id: "vps-1", name: "vps-1" }, ana);
    const { proposals } = await readPolicy(app);
    const proposal = proposals.at(-1);
    await endProtection(app, "vps-1", "It was cancelled.");
    const after = await readPolicy(app);
    expect([after.protections, after.proposals.map(({ id }) => id)]).toEqual([[], [waiting]]);
    expect(after.ended.at(-1)).toMatchObject({ id: proposal?.id, how: "overtaken", endedBy: null });
  });
});

test("the rules of now name their people and their projects, each once, and judge an act and a move by them", async () => {
  const { app } = await openPolicy();
  const renamed = { ...production, name: "live" };
  const rules = [
    rule({ who: peopleOf(["U1", "U2"]), project: production }, "not-allowed"),
    rule({ notWho: peopleOf(["U2", "U3"]), project: staging, command: "game" }, "not-allowed"),
    rule({ project: renamed, command: "game" }, "not-allowed"),
    rule({ command: "dns" }, "not-allowed"),
  ];
  await changeRules(app, () => rules, ana);
  const now = await rulesNow(app);
  expect(now.people).toEqual(["U1", "U2", "U3"]);
  expect(now.ruled).toEqual([renamed, staging]);
  const subject: RuledAct = {
    ...{ risk: "change", command: "vps stop", channel: null, price: null, spent: { sums: [], unknown: false } },
    ...{ project: production, by: { slackUser: "U1", mayBe: [] } },
  };
  expect(now.evaluate(subject).demand).toBe("not-allowed");
  const acts = [{ command: "vps stop", risks: ["change"] as const }];
  expect(now.lost({ from: production, to: staging, acts })).toMatchObject({
    demand: "not-allowed",
    command: "vps stop",
  });
  expect(now.lost({ from: staging, to: staging, acts })).toBe(null);
});

test("without a rule, an act that destroys needs what the workspace wants, and one that spends a confirmation", () => {
  const same = { read: "allowed", change: "allowed", spend: "confirm" };
  expect(ruleDefaults("self")).toEqual({ ...same, destroy: "confirm", passkeys: "off" });
  expect(ruleDefaults("peer", "required")).toEqual({ ...same, destroy: "one-approval", passkeys: "required" });
});

describe("a change that only takes", () => {
  const vps = (demand: Rule["demand"]) => rule({ command: "vps" }, demand);
  const game = (demand: Rule["demand"]) => rule({ command: "game" }, demand);
  const askingOnce = (rules: readonly Rule[]) =>
    rules.map((one) => (one.when.command === "vps" ? vps("one-approval") : one));

  test("is made of the rules and of those that are proposed, which go on", async () => {
    const { app, propose, changes, last } = await openPolicy();
    await changeRules(app, () => [vps("confirm"), game("confirm")], alone);
    const before = changes();
    await propose([vps("confirm")]);
    await tightenRules(app, askingOnce, caro);
    const { rules, proposals } = await readPolicy(app);
    expect(rules).toEqual([vps("one-approval"), game("confirm")]);
    expect(proposals.map((one) => one.rules)).toEqual([[vps("one-approval")]]);
    expect(last().entry).toMatchObject({ what: "policy changed", slackUser: "U2" });
    expect(changes()).toBe(before + 1);
  });

  test.each<[string, Rule[], Rule[]]>([
    ["the rules", [vps("two-approvals"), game("confirm")], [game("confirm")]],
    ["proposed ones", [vps("confirm"), game("not-allowed")], [vps("two-approvals"), game("confirm")]],
  ])("is none where it would loosen %s", async (_, rules, proposed) => {
    const { app, propose, steps, changes } = await openPolicy();
    await changeRules(app, () => rules, alone);
    await propose(proposed);
    const before = [steps(), changes()];
    await tightenRules(app, askingOnce, caro);
    expect([steps(), changes()]).toEqual(before);
    const after = await readPolicy(app);
    expect([after.rules, after.proposals.map((one) => one.rules)]).toEqual([rules, [proposed]]);
  });
});

test("of several that wait, one is noted, or lapses, alone", async () => {
  const { app, propose } = await openPolicy();
  await changeRules(app, () => [strict], alone);
  const one = await propose([lax]);
  const other = await propose([{ ...lax, demand: "confirm" }]);
  await noteProposal(app, one, () => ({ seen: ["U9"] }));
  expect((await readPolicy(app)).proposals.map(({ id, seen }) => [id, seen])).toEqual([
    [one, ["U9"]],
    [other, []],
  ]);
  await lapseProposal(app, one, "lapsed");
  expect((await readPolicy(app)).proposals.map(({ id }) => id)).toEqual([other]);
});

test("the end of a protection waits once, whatever the rules are by then", async () => {
  const { app } = await openPolicy();
  await protect(app, { id: "db-1", card: "vps show", name: "db-1" }, caro);
  const first = await proposeLift(app, { id: "db-1", name: "db-1" }, { ...ana, second: ["U2"] });
  await changeRules(app, () => [strict], alone);
  const second = await proposeLift(app, { id: "db-1", name: "db-1" }, { ...ana, second: ["U2"] });
  expect((await readPolicy(app)).proposals.map(({ id }) => id)).toEqual([second]);
  expect(second).not.toBe(first);
});

test("a change of the rules that ends others is by the one who agreed, and by its proposer where nobody stopped it", async () => {
  for (const [finish, ender] of [
    [agreeWithProposal, caro.member],
    [applyProposal, ana.member],
  ] as const) {
    const { app, propose } = await openPolicy();
    await changeRules(app, () => [strict], alone);
    await propose([lax]);
    await finish(app, await propose([{ ...lax, demand: "confirm" }]), caro);
    expect((await readPolicy(app)).ended.at(-1)).toMatchObject({ how: "overtaken", endedBy: ender });
  }
});
