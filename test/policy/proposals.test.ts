import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import { createPolicy, defaultsOf } from "../../src/policy/policy.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { openStore } from "../../src/storage/open.ts";

const when = { risk: "destroy", command: null, project: null, channels: null, over: null, overInDay: null } as const;
const strict: Rule = { id: "r1", when, demand: "peers", breakGlass: false };
const ana = { member: "T1:U1", slackUser: "U1", keyLabel: "ana", what: "Removed.", second: ["U2"] };
const caro = { member: "T1:U2", slackUser: "U2", keyLabel: "caro", what: "Removed." };

async function openPolicy(passkeys: "off" | "on" = "off") {
  const clock = createSandboxClock();
  const store = await openStore({ url: "sqlite::memory:", clock, log: pino({ level: "silent" }) });
  onTestFinished(() => store.close());
  return createPolicy({
    ...{ store, clock, defaults: defaultsOf("self", passkeys) },
    entryOf: () => ({ log: "audit", retentionMs: 1_000, at: clock.now(), subjects: [], data: {} }),
    notificationTimerOf: (id) => `tell:policy-change:${id}`,
  });
}

/** A store with one rule, and two looser proposals of which the second replaced the first. */
async function proposedTwice() {
  const policy = await openPolicy();
  await policy.change(() => [strict], ana);
  const propose = async (demand: Rule["demand"]) => {
    expect(await policy.change(() => [{ ...strict, demand }], ana)).toBe("proposed");
    return (await policy.read()).proposal?.id ?? "";
  };
  return { policy, first: await propose("peer"), second: await propose("self") };
}

test("a proposal that is replaced while somebody presses is neither agreed with nor stopped, and takes no effect later", async () => {
  const { policy, first, second } = await proposedTwice();
  expect(await policy.agree(first, caro)).toBe(false);
  expect(await policy.drop(first, caro)).toBe(false);
  expect(await policy.takeEffect(first)).toBe(false);
  await policy.lapse(first, "lapsed");
  const { rules, proposal } = await policy.read();
  expect([rules, proposal?.id]).toEqual([[strict], second]);
});

test("of one who agrees and one who stops the same proposal, one of them does", async () => {
  const { policy, second } = await proposedTwice();
  const both = await Promise.all([policy.agree(second, caro), policy.drop(second, caro)]);
  expect(both.filter(Boolean)).toHaveLength(1);
  expect((await policy.read()).rules.map(({ demand }) => demand)).toEqual([both[0] ? "self" : "peers"]);
});

test("of two equal rules that take a passkey, one is removed without it and never both, though both are asked for at once", async () => {
  const policy = await openPolicy("on");
  const alone = { ...ana, second: null };
  const [one, other] = ["r1", "r2"].map((id): Rule => ({ ...strict, id, passkey: true }));
  if (!one || !other) throw new Error("There are two");
  await policy.change(() => [one, other], alone);
  const without = (id: string) => policy.change((rules) => rules.filter((rule) => rule.id !== id), alone);
  const both = await Promise.allSettled([without("r1"), without("r2")]);
  expect(both.map(({ status }) => status).toSorted()).toEqual(["fulfilled", "rejected"]);
  expect((await policy.read()).rules).toHaveLength(1);
});
