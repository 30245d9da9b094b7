import { expect, test } from "vitest";
import { changeRotations } from "../../src/members/people/rotations.ts";
import { followGroups, pinTimers } from "../../src/policy/pins.ts";
import { changeRules, dropProposal, proposeLift, protect, readPolicy } from "../../src/policy/policy.ts";
import type { PinnedPeople, Rule } from "../../src/policy/rule.ts";
import { peopleOf, rule } from "./rules.ts";
import { openWorkspace } from "./workspace.ts";

const minute = 60_000;
const hour = 60 * minute;
const ops = { id: "S1", name: "ops" };
const reason = "A group or a rotation that the rule names has other people.";

function ofGroup(...users: string[]): PinnedPeople {
  return { list: { users: [], groups: [ops], rotations: [], agents: false }, users };
}
const inGroup = (...users: string[]) => ({ groups: [{ id: "S1", handle: "ops", users }] });

/** A workspace in which Ana and Ben are admins, with these rules, and the run of the timer by which they follow their groups. */
async function openPins(rules: Rule[], passkeys: "off" | "on" = "off") {
  const admin = { admin: true, linked: true };
  const workspace = await openWorkspace({ U1: admin, U2: admin, U3: {}, U4: {}, U5: {} }, passkeys);
  const { app } = workspace;
  await changeRules(app, () => rules, workspace.editor("U1", null));
  workspace.entries.length = 0;
  const [[lane = "", handler] = []] = Object.entries(pinTimers(app));
  const token = { lane, id: lane, run: "1", repeats: false };
  const look = async () => (typeof handler === "function" ? handler : handler?.run)?.(`${lane}workspace`, token);
  const pins = async () => {
    const [first] = (await readPolicy(app)).rules;
    return { approvers: first?.approvers?.users, who: first?.when.who?.users, notWho: first?.when.notWho?.users };
  };
  return { ...workspace, look, pins };
}

const ana = {
  ...{ member: "T1:U1", slackUser: "U1", keyLabel: "U1", command: "rackbell policy drop", outcome: "Stopped." },
};
const approved = (...users: string[]): Rule => ({
  ...rule({ risk: "destroy" }, "one-approval"),
  approvers: ofGroup(...users),
});

test("nothing is read while no rule names a group or a rotation", async () => {
  const { look, entries } = await openPins([{ ...rule({}, "one-approval"), approvers: peopleOf(["U1"]) }]);
  expect(await look()).toBe(undefined);
  expect(entries).toEqual([]);
});

test("somebody who goes from a group approves nothing by it any more, at once, and the change names who went", async () => {
  const { app, clock, groups, look, pins, entries } = await openPins([approved("U1", "U3", "U4")]);
  groups.now = inGroup("U1", "U3", "U4");
  const before = clock.now();
  const next = (await look()) ?? 0;
  expect(next).toBeGreaterThanOrEqual(before + hour);
  expect(next).toBeLessThanOrEqual(clock.now() + hour);
  expect(entries).toEqual([]);
  groups.now = inGroup("U3", "U1");
  await followGroups(app, "T1:U2");
  await look();
  expect((await pins()).approvers).toEqual(["U1", "U3"]);
  expect(entries).toMatchObject([
    {
      ...{ what: "policy changed", member: "T1:U2", slackUser: "U2", keyLabel: "", decidedBy: null, reason },
      ...{ command: "rackbell policy" },
      outcome:
        "The people of the rule `r1` changed: <@U4> went. Destroying something: needs one approval, which only `@ops` can give.",
    },
  ]);
});

test("somebody who comes to a group approves nothing by it before another admin agreed, and is proposed once", async () => {
  const { app, groups, look, pins, entries, clock } = await openPins([approved("U1", "U3")]);
  groups.now = inGroup("U1", "U4");
  await followGroups(app, "T1:U2");
  await look();
  // The one who left goes at once.
  expect((await pins()).approvers).toEqual(["U1"]);
  const { proposals } = await readPolicy(app);
  const proposal = proposals.at(-1);
  expect(proposal).toMatchObject({ by: "T1:U2", to: ["U1", "U2"], rules: [approved("U1", "U4")] });
  expect(proposal?.what).toContain("changed: <@U4> came.");
  expect(entries).toMatchObject([
    { what: "policy changed", reason },
    { what: "policy change proposed", reason },
  ]);
  // While it waits, the groups are read again soon, and nothing changes it.
  const before = clock.now();
  const next = (await look()) ?? 0;
  expect(next).toBeGreaterThanOrEqual(before + 5 * minute);
  expect(next).toBeLessThanOrEqual(clock.now() + 5 * minute);
  await dropProposal(app, proposal?.id ?? "", ana);
  await look();
  expect((await readPolicy(app)).proposals.at(-1)).toBeUndefined();
  // Another change is another proposal, and so is the same one that somebody made again.
  groups.now = inGroup("U1", "U5");
  await look();
  expect((await readPolicy(app)).proposals.at(-1)?.what).toContain("<@U5> came");
  await dropProposal(app, (await readPolicy(app)).proposals.at(-1)?.id ?? "", ana);
  await followGroups(app, null);
  await look();
  expect((await readPolicy(app)).proposals.at(-1)).toBeUndefined();
  await followGroups(app, "T1:U1");
  await look();
  expect((await readPolicy(app)).proposals.at(-1)).toMatchObject({ by: "T1:U1" });
});

test("of two rules the one that becomes stricter follows at once, and the other one is proposed", async () => {
  const { app, groups, look } = await openPins([approved("U3"), forbidden("U3")]);
  groups.now = inGroup("U3", "U4");
  await look();
  const { rules, proposals } = await readPolicy(app);
  const proposal = proposals.at(-1);
  expect(rules).toEqual([approved("U3"), forbidden("U3", "U4")]);
  expect(proposal?.rules[0]).toEqual(approved("U3", "U4"));
  expect(proposal).toMatchObject({ by: "unknown:USLACKBOT" });
  expect(proposal?.what).not.toContain("r2");
});

const forbidden = (...users: string[]): Rule => ({
  ...rule({ who: ofGroup(...users), command: "vps" }, "not-allowed"),
  id: "r2",
});

test("somebody who goes from a group to which something is forbidden may do it once another admin agreed", async () => {
  const { app, groups, look } = await openPins([forbidden("U3"), { ...forbidden("U3"), id: "r3" }, approved("U3")]);
  groups.now = inGroup("U4");
  await look();
  const { rules, proposals } = await readPolicy(app);
  expect(rules.slice(0, 2)).toEqual([forbidden("U3"), { ...forbidden("U3"), id: "r3" }]);
  const changed = (id: string) => `The people of the rule \`${id}\` changed: <@U4> came, <@U3> went.`;
  expect(proposals.at(-1)?.what).toContain(`${changed("r2")} \`/vps\` by \`@ops\`: is not allowed. ${changed("r3")} `);
});

test("while a change of the rules waits, somebody who goes loses their right at once, also where another rule would become looser", async () => {
  const { app, groups, look, pins, editor } = await openPins([approved("U3", "U4"), forbidden("U3", "U4")]);
  await changeRules(app, (rules) => rules.filter(({ id }) => id === "r1"), editor("U1", ["U2"]));
  groups.now = inGroup("U3");
  await look();
  expect((await pins()).approvers).toEqual(["U3"]);
  const [waiting, ...others] = (await readPolicy(app)).proposals;
  expect(waiting?.rules).toEqual([approved("U3")]);
  expect(others).toEqual([]);
});

test("a proposal to lift a protection keeps no rule from its people", async () => {
  const { app, groups, look, editor } = await openPins([approved("U3")]);
  await protect(app, { id: "db-1", card: "vps show", name: "db-1" }, ana);
  await proposeLift(app, { id: "db-1", name: "db-1" }, { ...editor("U1", ["U2"]), second: ["U2"] });
  groups.now = inGroup("U3", "U4");
  await look();
  expect((await readPolicy(app)).proposals.map(({ lifts }) => lifts)).toEqual(["db-1", null]);
});

test("a list without a group keeps the people that it had when it was saved, beside one that follows its group", async () => {
  const fixed: Rule = { ...approved("U1"), approvers: { ...peopleOf(["U1", "U5"]), users: ["U1"] } };
  const spared = { ...fixed, when: { ...fixed.when, notWho: ofGroup("U3") } };
  const { groups, look, pins, app } = await openPins([spared]);
  groups.now = inGroup("U3", "U4");
  await look();
  expect(await pins()).toEqual({ approvers: ["U1"], notWho: ["U3"] });
  expect((await readPolicy(app)).proposals.at(-1)?.what).toContain("changed: <@U4> came.");
});

test("a list of which one part cannot be read takes nobody's right", async () => {
  const both = ofGroup("U3", "U4");
  const list = { ...both.list, rotations: [{ id: "R9", name: "gone" }] };
  const { groups, look, pins, entries } = await openPins([{ ...approved(), approvers: { ...both, list } }]);
  groups.now = inGroup("U3");
  await look();
  expect((await pins()).approvers).toEqual(["U3", "U4"]);
  expect(entries).toEqual([]);
});

test("a failure to propose is no word of a passkey: the next look tries again", async () => {
  const { app, groups, look } = await openPins([approved("U3")]);
  groups.now = inGroup("U3", "U4");
  const { identities } = app;
  app.identities = { ...identities, person: async () => Promise.reject(new Error("The store does not answer")) };
  await expect(look()).rejects.toThrow("The store does not answer");
  app.identities = identities;
  await look();
  expect((await readPolicy(app)).proposals.at(-1)?.what).toContain("<@U4> came");
});

test("a group loosens no rule of a workspace without an admin, also while Slack does not answer about who changed it", async () => {
  const { app, groups, look, pins, people } = await openPins([approved("U3")]);
  people.U1 = { linked: true };
  people.U2 = { linked: true };
  groups.now = inGroup("U3", "U4");
  await followGroups(app, "T1:U5");
  await look();
  expect((await readPolicy(app)).proposals).toMatchObject([{ by: "T1:U5", to: [] }]);
  await dropProposal(app, (await readPolicy(app)).proposals[0]?.id ?? "", ana);
  delete people.U5;
  await followGroups(app, "T1:U5");
  await look();
  expect((await readPolicy(app)).proposals).toMatchObject([{ by: "T1:U5", to: [] }]);
  expect((await pins()).approvers).toEqual(["U3"]);
});

test("people whom a rule spares are followed as well: one who comes is proposed, and one who goes is not", async () => {
  const { groups, look, pins, app } = await openPins([rule({ notWho: ofGroup("U3", "U4") }, "not-allowed")]);
  groups.now = inGroup("U3");
  await look();
  expect((await pins()).notWho).toEqual(["U3"]);
  groups.now = inGroup("U3", "U5");
  await look();
  expect((await pins()).notWho).toEqual(["U3"]);
  expect((await readPolicy(app)).proposals.at(-1)?.what).toContain("<@U5> came");
});

test("a group that Slack does not give, or without anybody, takes no approver away, and neither does one who left Slack", async () => {
  const { groups, look, pins, people, entries } = await openPins([approved("U3", "U4")]);
  groups.now = { unread: "no answer" };
  await look();
  groups.now = inGroup();
  await look();
  expect((await pins()).approvers).toEqual(["U3", "U4"]);
  groups.now = inGroup("U3");
  people.U4 = { deleted: true };
  await look();
  expect((await pins()).approvers).toEqual(["U3", "U4"]);
  // Slack does not answer about somebody: they did not leave it.
  delete people.U4;
  await look();
  expect((await pins()).approvers).toEqual(["U3"]);
  expect(entries).toHaveLength(1);
});

test("a rule about people without anybody stays one: it means nobody, or spares nobody", async () => {
  const { groups, look, pins } = await openPins([rule({ notWho: ofGroup("U3") }, "not-allowed")]);
  groups.now = inGroup();
  await look();
  expect((await pins()).notWho).toEqual([]);
});

test("an admin who is the only one loosens nothing by a group that a member changed, and by one of their own at once", async () => {
  const alone = await openPins([approved("U3")]);
  alone.people.U2 = {};
  alone.groups.now = inGroup("U3", "U4");
  await followGroups(alone.app, "T1:U5");
  await alone.look();
  expect((await readPolicy(alone.app)).proposals.at(-1)).toMatchObject({ by: "T1:U5", to: ["U1"] });
  const own = await openWorkspaceOf1();
  await followGroups(own.app, "T1:U1");
  await own.look();
  expect((await own.pins()).approvers).toEqual(["U3", "U4"]);
});

/** Ana is the only admin. */
async function openWorkspaceOf1() {
  const pins = await openPins([approved("U3")]);
  pins.people.U2 = {};
  pins.groups.now = inGroup("U3", "U4");
  return pins;
}

test("a looser change while rules take passkeys is not made by itself: the admins are notified once", async () => {
  const { app, groups, look, pins, noticeOf, entries } = await openPins([{ ...approved("U3"), passkey: true }], "on");
  groups.now = inGroup("U3", "U4");
  const ids: string[] = [];
  const { store } = app;
  app.store = {
    ...store,
    transact(step) {
      ids.push(...(step.timers ?? []).flatMap(({ id }) => /pinned-people:.+$/.exec(id) ?? []));
      return store.transact(step);
    },
  };
  await look();
  await look();
  expect((await pins()).approvers).toEqual(["U3"]);
  expect((await readPolicy(app)).proposals.at(-1)).toBeUndefined();
  expect(entries).toEqual([]);
  expect(ids).toHaveLength(1);
  expect(ids[0]).toMatch(/^pinned-people:[\w-]{22}$/);
  const [notice, ...others] = await noticeOf(ids[0] ?? "");
  expect(others).toHaveLength(1);
  expect(notice?.message.text).toBe(
    ":raised_hand: The people of the rule `r1` changed: <@U4> came. Destroying something: needs one approval, which only `@ops` can give, with a passkey. That loosens something and needs a passkey, so the rule keeps its people. To follow, set it again with `/rackbell policy`.",
  );
});

test("the people of a rotation are read again when its next override ends", async () => {
  const night = { id: "R1", name: "night" };
  const list = { users: [], groups: [], rotations: [night], agents: false };
  const { app, clock, look, pins, editor, entries } = await openPins([
    { ...rule({}, "one-approval"), approvers: { list, users: ["U3"] } },
  ]);
  const override = { id: "o1", to: "U4", instead: null, from: 0, by: "U1" };
  const until = clock.now() + 10 * minute;
  const rotation = {
    ...night,
    people: ["U3"],
    group: null,
    every: "day",
    zone: "UTC",
    anchor: 0,
    first: 0,
    by: "U1",
  } as const;
  await changeRotations(app, () => [
    {
      ...rotation,
      people: ["U3"],
      overrides: [
        { ...override, until: until - hour },
        { ...override, until: until + 5 * minute },
        { ...override, until },
      ],
    },
  ]);
  await look();
  const { proposals } = await readPolicy(app);
  const proposal = proposals.at(-1);
  expect(proposal?.what).toContain("<@U4> came");
  await dropProposal(app, proposal?.id ?? "", ana);
  expect(await look()).toBe(until);
  expect((await pins()).approvers).toEqual(["U3"]);
  // Somebody who takes over for a night has the right until its end.
  const saved = { ...rule({}, "one-approval"), approvers: { list, users: ["U3", "U4"] } };
  await changeRules(app, () => [saved], editor("U1", null));
  entries.length = 0;
  await look();
  expect((await pins()).approvers).toEqual(["U3", "U4"]);
  expect(entries).toEqual([]);
});
