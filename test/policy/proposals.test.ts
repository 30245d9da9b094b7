import { expect, test } from "vitest";
import {
  agreeWithProposal,
  applyProposal,
  changeRules,
  dropProposal,
  lapseProposal,
  type PolicyApp,
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

/** A store with one rule, and two looser proposals of which the second replaced the first. */
async function proposedTwice() {
  const policy = await openPolicy();
  await changeRules(policy, () => [strict], ana);
  const propose = async (demand: Rule["demand"]) => {
    expect(await changeRules(policy, () => [{ ...strict, demand }], ana)).toBe("proposed");
    return (await readPolicy(policy)).proposal?.id ?? "";
  };
  return { policy, first: await propose("one-approval"), second: await propose("confirm") };
}

test("a proposal that is replaced while somebody presses is neither agreed with nor stopped, and takes no effect later", async () => {
  const { policy, first, second } = await proposedTwice();
  expect(await agreeWithProposal(policy, first, caro)).toBe(false);
  expect(await dropProposal(policy, first, caro)).toBe(false);
  expect(await applyProposal(policy, first)).toBe(false);
  await lapseProposal(policy, first, "lapsed");
  const { rules, proposal } = await readPolicy(policy);
  expect([rules, proposal?.id]).toEqual([[strict], second]);
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
