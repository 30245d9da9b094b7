import { expect, test } from "vitest";
import {
  agreeWithProposal,
  applyProposal,
  changeRules,
  dropProposal,
  lapseProposal,
  type PolicyApp,
  proposeLift,
  protect,
  readPolicy,
  ruleDefaults,
} from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { openMemory } from "../storage/memory.ts";
import { rule } from "./rules.ts";

const strict = rule({ risk: "destroy" }, "two-approvals");
const command = "rackbell policy remove";
const ana = { member: "T1:U1", slackUser: "U1", keyLabel: "ana", command, outcome: "Removed.", second: ["U2"] };
const caro = { member: "T1:U2", slackUser: "U2", keyLabel: "caro", command, outcome: "Removed." };

async function openPolicy(passkeys: "off" | "on" = "off"): Promise<PolicyApp> {
  const { store, clock } = await openMemory();
  return {
    store,
    clock,
    approvalDefaults: ruleDefaults("self", passkeys),
    holdsPasskey: async () => true,
    onRulesChanged: async () => {},
    audit: { entryOf: () => ({ log: "audit", retentionMs: 1_000, at: clock.now(), subjects: [], data: {} }) },
  };
}

/** A store with one rule, and the same looser proposal twice, of which the second replaced the first. */
async function proposedTwice() {
  const policy = await openPolicy();
  await changeRules(policy, () => [strict], ana);
  const propose = async (outcome: string) => {
    expect(await changeRules(policy, () => [{ ...strict, demand: "confirm" }], { ...ana, outcome })).toBe("proposed");
    return (await readPolicy(policy)).proposals.at(-1)?.id ?? "";
  };
  return { policy, first: await propose("Changed."), second: await propose("Changed again.") };
}

test("a proposal that is replaced while somebody presses is neither agreed with nor stopped, and takes no effect later", async () => {
  const { policy, first, second } = await proposedTwice();
  expect(await agreeWithProposal(policy, first, caro)).toBe(false);
  expect(await dropProposal(policy, first, caro)).toBe(false);
  expect(await applyProposal(policy, first)).toBe(false);
  await lapseProposal(policy, first, "lapsed");
  const { rules, proposals } = await readPolicy(policy);
  expect([rules, proposals.map(({ id }) => id)]).toEqual([[strict], [second]]);
});

/** A store with one rule, two changes of it that wait, and the end of a protection that waits. */
async function proposedBeside() {
  const policy = await openPolicy();
  await changeRules(policy, () => [strict], ana);
  await protect(policy, { id: "db-1", card: "vps show", name: "db-1" }, caro);
  for (const demand of ["one-approval", "confirm"] as const)
    await changeRules(policy, () => [{ ...strict, demand }], ana);
  const lift = await proposeLift(policy, { id: "db-1", name: "db-1" }, ana);
  const [one = "", other = ""] = (await readPolicy(policy)).proposals.map(({ id }) => id);
  return { policy, one, other, lift: lift ?? "" };
}

test("changes of the rules and the end of a protection wait side by side, and the stop of one leaves the others", async () => {
  const { policy, one, other, lift } = await proposedBeside();
  expect(await dropProposal(policy, one, caro)).toBe(true);
  const { proposals, ended } = await readPolicy(policy);
  expect(proposals.map(({ id }) => id)).toEqual([other, lift]);
  expect(ended.map(({ id, how }) => [id, how])).toEqual([[one, "dropped"]]);
});

test("a change of the rules that takes effect ends the others, which were made of older rules, and no end of a protection", async () => {
  const { policy, one, other, lift } = await proposedBeside();
  expect(await agreeWithProposal(policy, other, caro)).toBe(true);
  const { rules, proposals, protections, ended } = await readPolicy(policy);
  expect(rules.map(({ demand }) => demand)).toEqual(["confirm"]);
  expect(proposals.map(({ id }) => id)).toEqual([lift]);
  expect(ended.map(({ id, how }) => [id, how])).toEqual([
    [other, "agreed"],
    [one, "overtaken"],
  ]);
  expect(await agreeWithProposal(policy, lift, caro)).toBe(true);
  expect((await readPolicy(policy)).rules).toEqual(rules);
  expect(protections).toHaveLength(1);
  expect((await readPolicy(policy)).protections).toEqual([]);
});

test("more changes than can wait are refused, and nothing is displaced", async () => {
  const policy = await openPolicy();
  await changeRules(policy, () => [strict], ana);
  const propose = (at: number) =>
    changeRules(policy, () => [{ ...strict, id: `r${at}`, demand: "confirm" }], { ...ana, outcome: `${at}` });
  for (let at = 0; at < 20; at += 1) await propose(at);
  await expect(propose(20)).rejects.toThrow("20 changes wait for a second admin");
  expect((await readPolicy(policy)).proposals).toHaveLength(20);
});

test("of one who agrees and one who stops the same proposal, one of them does", async () => {
  const { policy, second } = await proposedTwice();
  const both = await Promise.all([agreeWithProposal(policy, second, caro), dropProposal(policy, second, caro)]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect((await readPolicy(policy)).rules.map(({ demand }) => demand)).toEqual([both[0] ? "confirm" : "two-approvals"]);
});

test("of two equal rules that need a passkey, one is removed without it and never both, though both are asked for at once", async () => {
  const policy = await openPolicy("on");
  const alone = { ...ana, second: null };
  const [one, other] = ["r1", "r2"].map((id): Rule => ({ ...strict, id, passkey: true }));
  if (!one || !other) throw new Error("There are two");
  await changeRules(policy, () => [one, other], alone);
  const without = (id: string) => changeRules(policy, (rules) => rules.filter((rule) => rule.id !== id), alone);
  const both = await Promise.allSettled([without("r1"), without("r2")]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await readPolicy(policy)).rules).toHaveLength(1);
});
