import { describe, expect, test } from "vitest";
import {
  agreeWithProposal,
  applyProposal,
  changeRules,
  dropProposal,
  endProtection,
  lapseProposal,
  noteProposal,
  proposalTimer,
  proposeLift,
  protect,
  readPolicy,
} from "../../src/policy/policy.ts";
import { advanceProposal, proposalMessages, proposalSteps, silenceWords } from "../../src/policy/proposals.ts";
import type { Rule } from "../../src/policy/rule.ts";
import { moment } from "../../src/views/format.ts";
import { rule } from "./rules.ts";
import { openWorkspace } from "./workspace.ts";

const minute = 60_000;
const hour = 60 * minute;
const strict = rule({ risk: "destroy" }, "two-approvals");
const lax: Rule = { ...strict, demand: "one-approval" };
const web = { id: "vps-1", card: "vps show", name: "web-1" };
const by = (id: string) => ({
  ...{ member: `T1:${id}`, slackUser: id, keyLabel: id, command: "rackbell policy set", outcome: "Changed." },
});

/** Ana's proposal of a looser rule, or of the end of a protection, with which Ben can agree. Caro is an admin since. */
async function openProposal({ lifts = false, passkeys = "off" }: { lifts?: boolean; passkeys?: "off" | "on" } = {}) {
  const admin = { admin: true, linked: true };
  const workspace = await openWorkspace({ U1: admin, U2: admin, U3: admin, U4: { linked: true } }, passkeys);
  const { app, clock, editor } = workspace;
  await changeRules(app, () => [strict], editor("U1", null));
  await protect(app, web, by("U4"));
  if (lifts) await proposeLift(app, web, { ...by("U1"), second: ["U2"] });
  else await changeRules(app, () => [lax], editor("U1", ["U2"]));
  const { proposals } = await readPolicy(app);
  const proposal = proposals.at(-1);
  if (!proposal) throw new Error("There is a proposal");
  const { id, at } = proposal;
  const run = () => advanceProposal(app, `${proposalTimer}${id}`);
  const source = proposalMessages(app);
  const placed = (...slots: string[]) =>
    Promise.all(slots.map((slot) => source.placed?.(id, slot, { in: "direct", user: "U2" })));
  const messages = async () => (await source.notifications(id, new Set())) ?? [];
  /** To a time after the proposal. */
  const passTo = (after: number) => clock.skip(Math.max(0, at + after - clock.now()));
  const end = async () => (await readPolicy(app)).ended.at(-1)?.how ?? null;
  return { ...workspace, id, at, run, placed, messages, passTo, end };
}

const firstOnes = ["first:U2"];
const reminders = ["again:U1", "again:U2", "again:U3"];

describe("a proposal that waits", () => {
  test("reminds every admin an hour before its time, and takes effect once all had an hour to stop it", async () => {
    const { app, at, run, placed, passTo, end, clock } = await openProposal();
    expect(await run()).toBe(at + 23 * hour);
    passTo(23 * hour - minute);
    expect(await run()).toBe(at + 23 * hour);
    expect((await readPolicy(app)).proposals.at(-1)?.reminded).toBe(null);
    passTo(23 * hour);
    const { store } = app;
    const timers: string[] = [];
    app.store = {
      ...store,
      async transact(step) {
        timers.push(...(step.timers ?? []).map(({ id }) => id));
        return store.transact(step);
      },
    };
    const next = (await run()) ?? 0;
    // The messages go out.
    expect(timers).toEqual([expect.stringMatching(/^notify:/)]);
    expect(next).toBeGreaterThanOrEqual(at + 24 * hour);
    expect(next).toBeLessThan(at + 24 * hour + minute);
    expect((await readPolicy(app)).proposals.at(-1)?.reminded?.toSorted()).toEqual(["U1", "U2", "U3"]);
    await placed(...firstOnes, ...reminders);
    const reached = clock.now();
    passTo(24 * hour - minute);
    const due = (await run()) ?? 0;
    expect(due).toBeGreaterThanOrEqual(at + 24 * hour);
    expect(due).toBeLessThanOrEqual(reached + hour);
    expect(await end()).toBe(null);
    passTo(24 * hour + minute);
    expect(await run()).toBe(undefined);
    expect(await end()).toBe("unopposed");
    expect((await readPolicy(app)).rules).toEqual([lax]);
    expect(await run()).toBe(undefined);
  });

  test("waits for each admin whom no message reached yet, and an hour more from the last of them on", async () => {
    const { app, run, placed, passTo, end, clock } = await openProposal();
    passTo(23 * hour);
    await run();
    passTo(30 * hour);
    for (const slots of [[], firstOnes, reminders.slice(0, 2)]) {
      await placed(...slots);
      const next = (await run()) ?? 0;
      expect(next).toBeGreaterThan(clock.now() + 4 * minute);
      expect(next).toBeLessThanOrEqual(clock.now() + 5 * minute);
    }
    // A message that is edited was there before.
    clock.skip(10 * minute);
    await placed("first:U2");
    const last = clock.now();
    await placed("again:U3");
    const next = (await run()) ?? 0;
    expect(next).toBeGreaterThanOrEqual(last + hour);
    expect(next).toBeLessThanOrEqual(clock.now() + hour);
    const { proposals } = await readPolicy(app);
    const proposal = proposals.at(-1);
    expect(proposal?.reached["first:U2"]).toBeLessThan(last);
    clock.skip(hour + minute);
    await run();
    expect(await end()).toBe("unopposed");
  });

  test("does not wait for an admin who has left Slack", async () => {
    const { run, placed, passTo, end, people } = await openProposal();
    passTo(23 * hour);
    await run();
    await placed("again:U1", "again:U3");
    people.U2 = { deleted: true };
    passTo(25 * hour);
    expect(await run()).toBe(undefined);
    expect(await end()).toBe("unopposed");
  });

  test("takes no effect if its proposer is no admin with a key any more", async () => {
    const { app, run, placed, passTo, end, people } = await openProposal();
    passTo(23 * hour);
    await run();
    await placed(...firstOnes, ...reminders);
    passTo(25 * hour);
    people.U1 = { linked: true, admin: false };
    expect(await run()).toBe(undefined);
    expect(await end()).toBe("lapsed");
    expect((await readPolicy(app)).rules).toEqual([strict]);
  });

  test("waits while Slack does not say that its proposer is an admin", async () => {
    const { app, run, placed, passTo, end, clock } = await openProposal();
    passTo(23 * hour);
    await run();
    await placed(...firstOnes, ...reminders);
    passTo(25 * hour);
    const { person } = app.people;
    app.people = { ...app.people, person: async () => Promise.reject(new Error("Slack does not answer")) };
    const next = (await run()) ?? 0;
    expect(next).toBeGreaterThan(clock.now() + 4 * minute);
    expect(next).toBeLessThanOrEqual(clock.now() + 5 * minute);
    expect(await end()).toBe(null);
    app.people = { ...app.people, person };
    await run();
    expect(await end()).toBe("unopposed");
  });

  test("takes no effect where rules take passkeys by then, and it was proposed without one", async () => {
    const { app, run, placed, passTo, end } = await openProposal({ passkeys: "on" });
    passTo(23 * hour);
    await run();
    await placed(...firstOnes, ...reminders);
    passTo(25 * hour);
    app.approvalDefaults = { ...app.approvalDefaults, passkeys: "required" };
    await run();
    expect(await end()).toBe("unproven");
  });

  test("is void where it would end a protection, and nobody agreed", async () => {
    const { app, run, placed, passTo, end } = await openProposal({ lifts: true });
    passTo(23 * hour);
    await run();
    await placed(...firstOnes, ...reminders);
    passTo(25 * hour);
    await run();
    expect(await end()).toBe("unanswered");
    expect((await readPolicy(app)).protections).toHaveLength(1);
  });
});

describe("the messages about a proposal", () => {
  type Messages = Awaited<ReturnType<Awaited<ReturnType<typeof openProposal>>["messages"]>>;
  const texts = (messages: Messages) => messages.map(({ slot, message: { text } }) => [slot, text]);
  const labels = (messages: Messages) =>
    messages.map(({ slot, message }) => [slot, JSON.stringify(message.blocks).match(/"Agree"|"Stop the change"/g)]);
  const agree = '"Agree"';
  const stop = '"Stop the change"';

  test("say who proposes it and what happens if nobody acts, and let its proposer stop it and others agree", async () => {
    const { app, id, at, run, messages, passTo } = await openProposal();
    const ending = `If nobody stops it, it takes effect ${moment(at + 24 * hour)}.`;
    expect(silenceWords({ lifts: null, at })).toBe(ending);
    expect(texts(await messages())).toEqual([
      ["first:U2", `:raised_hand: <@U1> proposes a looser rule. Changed. Another admin agrees or stops it. ${ending}`],
    ]);
    expect(labels(await messages())).toEqual([["first:U2", [agree, stop]]]);
    const buttons = JSON.stringify(await messages());
    for (const part of ['"invoke:rackbell policy"', '"invoke:rackbell policy drop"', '"style":"primary"'])
      expect(buttons).toContain(part);
    for (const { since, priority } of await messages()) expect([since, typeof priority]).toEqual([at, "string"]);
    passTo(23 * hour);
    await run();
    const soon =
      ":alarm_clock: The looser rule that <@U1> proposed takes effect in an hour. Changed. Any admin can still stop it.";
    const all = await messages();
    expect(texts(all).slice(1).toSorted()).toEqual(reminders.map((slot) => [slot, soon]));
    expect(labels(all).toSorted()).toEqual([
      ["again:U1", [stop]],
      ["again:U2", [agree, stop]],
      ["again:U3", [agree, stop]],
      ["first:U2", [agree, stop]],
    ]);
    expect(await proposalSteps(app, "T1:U2", { id, by: "T1:U1" })).toEqual([
      { label: "Agree", command: "rackbell policy", input: { agree: id }, style: "primary" },
      { label: "Stop the change", command: "rackbell policy drop", input: { change: id } },
    ]);
  });

  test("say the same of the end of a protection, which stays if nobody agrees", async () => {
    const { at, run, messages, passTo } = await openProposal({ lifts: true });
    const ending = `If nobody agrees until ${moment(at + 24 * hour)}, the protection stays.`;
    expect(texts(await messages())).toEqual([
      [
        "first:U2",
        `:raised_hand: <@U1> proposes the end of a protection. Changed. Another admin agrees or stops it. ${ending}`,
      ],
    ]);
    passTo(23 * hour);
    await run();
    expect(texts(await messages()).at(-1)?.[1]).toBe(
      ":alarm_clock: The end of a protection that <@U1> proposed is void in an hour, unless another admin agrees. Changed.",
    );
  });

  test("are none of a proposal that nobody knows", async () => {
    const { app, id } = await openProposal();
    await dropProposal(app, id, by("U2"));
    expect(await proposalMessages(app).notifications("another", new Set())).toBe(null);
  });

  test("say the end to everybody who was shown it, in place of the buttons and as a message of its own", async () => {
    const { app, id, run, placed, messages, passTo } = await openProposal();
    passTo(23 * hour);
    await run();
    await placed("first:U2", "again:U1");
    await noteProposal(app, id, () => ({ seen: ["U4", "U2"] }));
    await agreeWithProposal(app, id, by("U3"));
    const text = ":white_check_mark: <@U3> agreed with the looser rule that <@U1> proposed. It is in effect. Changed.";
    const all = await messages();
    // No message takes the place of one that nobody got, and the one who ended it knows.
    expect(texts(all).toSorted()).toEqual(
      ["again:U1", "end:U1", "end:U2", "end:U4", "first:U2"].map((slot) => [slot, text]),
    );
    expect(labels(all).flatMap(([, found]) => found ?? [])).toEqual([]);
  });

  const rules = "Changed.";
  test.each<[string, string, (app: Parameters<typeof agreeWithProposal>[0], id: string) => Promise<unknown>]>([
    [
      "dropped",
      `:no_entry_sign: <@U2> stopped the looser rule that <@U1> proposed. The rules are as they were. ${rules}`,
      (app, id) => dropProposal(app, id, by("U2")),
    ],
    [
      "replaced",
      `:arrows_counterclockwise: <@U3> proposed the same again. That waits in the place of the looser rule that <@U1> proposed, which never took effect. ${rules}`,
      (app) => changeRules(app, () => [lax], { ...by("U3"), second: ["U2"] }),
    ],
    [
      "overtaken",
      `:arrows_counterclockwise: <@U3> changed the rules. The looser rule that <@U1> proposed before no longer waits, and never took effect. ${rules}`,
      (app) =>
        changeRules(app, () => [strict, rule({ command: "game" }, "not-allowed")], { ...by("U3"), second: ["U2"] }),
    ],
    [
      "lapsed",
      `:no_entry_sign: <@U1> proposed a looser rule and is no longer an admin with a linked key, so it took no effect. ${rules}`,
      (app, id) => lapseProposal(app, id, "lapsed"),
    ],
    [
      "unproven",
      `:no_entry_sign: <@U1> proposed a looser rule before rules took passkeys, and proved it with none. It took no effect. ${rules}`,
      (app, id) => lapseProposal(app, id, "unproven"),
    ],
    [
      "passkey removed",
      `:no_entry_sign: The passkey with which <@U1> proposed a looser rule was removed. It took no effect. ${rules}`,
      (app, id) => lapseProposal(app, id, "passkey removed"),
    ],
    [
      "unopposed",
      `:white_check_mark: Nobody stopped the looser rule that <@U1> proposed. It is in effect. ${rules}`,
      (app, id) => applyProposal(app, id),
    ],
  ])("say how a looser rule ended: it is %s", async (how, text, finish) => {
    const { app, id, messages, end } = await openProposal();
    await finish(app, id);
    expect(await end()).toBe(how);
    const ends = await messages();
    expect(new Set(ends.map(({ message }) => message.text))).toEqual(new Set([text]));
    expect(ends.filter(({ slot }) => !/^end:U[123]$/.test(slot))).toEqual([]);
  });

  test.each<[string, string, (app: Parameters<typeof agreeWithProposal>[0], id: string) => Promise<unknown>]>([
    [
      "agreed",
      `:white_check_mark: <@U2> agreed with the end of a protection that <@U1> proposed. It is in effect. ${rules}`,
      (app, id) => agreeWithProposal(app, id, by("U2")),
    ],
    [
      "dropped",
      `:no_entry_sign: <@U2> stopped the end of a protection that <@U1> proposed. The protection stays. ${rules}`,
      (app, id) => dropProposal(app, id, by("U2")),
    ],
    [
      "overtaken",
      `:arrows_counterclockwise: The resource whose protection <@U1> proposed to end is gone, and its protection with it. ${rules}`,
      (app) => endProtection(app, web.id, "It was cancelled."),
    ],
    [
      "unanswered",
      `:no_entry_sign: Nobody agreed within a day with the end of a protection that <@U1> proposed. The protection stays. ${rules}`,
      (app, id) => lapseProposal(app, id, "unanswered"),
    ],
    [
      "lapsed",
      `:no_entry_sign: <@U1> proposed the end of a protection and is no longer an admin with a linked key, so it took no effect. ${rules}`,
      (app, id) => lapseProposal(app, id, "lapsed"),
    ],
  ])("say how the end of a protection ended: it is %s", async (how, text, finish) => {
    const { app, id, messages, end } = await openProposal({ lifts: true });
    await finish(app, id);
    expect(await end()).toBe(how);
    expect(new Set((await messages()).map(({ message }) => message.text))).toEqual(new Set([text]));
  });
});
