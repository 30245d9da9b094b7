import { expect, test } from "vitest";
import { setAway } from "../../../src/members/people/away.ts";
import type { PeopleList } from "../../../src/members/people/people-list.ts";
import type { SlackGroups, SlackUser } from "../../../src/members/slack-user.ts";
import { type CheckPerson, namedPeople, type ReachApp, reachPeople } from "../../../src/policy/responsibility/reach.ts";
import { moment } from "../../../src/views/format.ts";
import { openMemory } from "../../storage/memory.ts";

const hour = 60 * 60_000;
const none: PeopleList = { users: [], groups: [], rotations: [], agents: false };
const ops = { id: "S1", name: "ops" };
const members: Record<string, Partial<SlackUser>> = {
  ...{ U1: { name: "ana" }, U2: { name: "ben" }, U3: { name: "caro" } },
  ...{ U4: { name: "dave", deleted: true }, U5: { name: "eve", outsider: "guest" } },
};

/** A workspace of five people of whom Dave has left and Eve is a guest. `quiet`: until when Do Not Disturb silences them. */
async function openReach({ groups, quiet = {} }: { groups?: SlackGroups; quiet?: Record<string, number> } = {}) {
  const { store, clock } = await openMemory();
  const person = async (id: string): Promise<SlackUser> => {
    const known = members[id];
    if (!known) throw new Error("Slack does not answer");
    return { id, name: id, admin: false, outsider: null, deleted: false, zone: "UTC", ...known };
  };
  const app: ReachApp = {
    store,
    clock,
    people: {
      person,
      groups: async () => groups ?? Promise.reject(new Error("unused")),
      everybody: async () => [],
      quiet: async (users) =>
        new Map(users.flatMap((user) => (quiet[user] === undefined ? [] : [[user, quiet[user]]]))),
      channel: async () => Promise.reject(new Error("unused")),
      members: async () => Promise.reject(new Error("unused")),
    },
  };
  const reach = (list: Partial<PeopleList>, check: CheckPerson = async () => ({ direct: false })) =>
    reachPeople(app, { ...none, ...list }, check);
  const until = clock.now() + hour;
  const away = (slackUser: string, to: string[]) =>
    setAway(app, { slackUser, since: until - hour, until, to, reason: null });
  return { app, reach, away, until };
}

const one = (slackUser: string, change: object = {}) => ({
  ...{ mention: `<@${slackUser}>`, slackUser, insteadOf: null, quietUntil: null, direct: false },
  ...change,
});

test("each person of a list is notified once, in the channel or directly, with the time until which they do not hear it", async () => {
  const { reach } = await openReach({ quiet: { U2: 5 } });
  const check: CheckPerson = async (user) => ({ direct: user === "U3" });
  expect(await reach({ users: ["U1", "U2", "U3", "U1"] }, check)).toEqual({
    notified: [one("U1"), one("U2", { quietUntil: 5 }), one("U3", { direct: true })],
    skipped: [],
  });
  expect(await reach({})).toEqual({ notified: [], skipped: [] });
});

test("somebody who left, is a guest or may not see it is passed over by name, without a mention", async () => {
  const { reach } = await openReach();
  const check: CheckPerson = async (user) => (user === "U2" ? { why: "has linked no key" } : { direct: false });
  const { notified, skipped } = await reach({ users: ["U1", "U2", "U4", "U5"] }, check);
  expect(notified).toEqual([one("U1")]);
  expect(skipped.toSorted()).toEqual([
    ...["ben has linked no key.", "dave was deactivated in Slack.", "eve is a guest of this workspace."],
  ]);
});

test("while Slack does not answer about somebody, they count as there, and are named by their id", async () => {
  const { app, reach } = await openReach();
  expect((await reach({ users: ["U9"] })).notified).toEqual([one("U9")]);
  expect((await reach({ users: ["U9"] }, async () => ({ why: "has linked no key" }))).skipped).toEqual([
    "U9 has linked no key.",
  ]);
  expect(await namedPeople(app, { ...none, users: ["U1", "U9"], groups: [ops] })).toBe("`@ana`, `@U9` and `@ops`");
  expect(await namedPeople(app, { ...none, users: ["U1"] })).toBe("`@ana`");
  expect(await namedPeople(app, { ...none, groups: [ops] })).toBe("`@ops`");
  expect(await namedPeople(app, none)).toBe("nobody");
});

test("a stand-in is notified for somebody who is away, once, and one who left, or may not see it, stands in for nobody", async () => {
  const { reach, away, until } = await openReach();
  await away("U1", ["U2"]);
  expect((await reach({ users: ["U1", "U2"] })).notified).toEqual([one("U2", { insteadOf: "ana" })]);
  expect((await reach({ users: ["U2", "U1"] })).notified).toEqual([one("U2")]);
  const hidden: CheckPerson = async (user) => (user === "U2" ? { why: "cannot see it" } : { direct: false });
  expect(await reach({ users: ["U1"] }, hidden)).toEqual({
    notified: [],
    skipped: [`ana is away until ${moment(until)}, and has no stand-in who could act.`],
  });
  await away("U1", ["U4", "U3"]);
  expect((await reach({ users: ["U1"] })).notified).toEqual([one("U3", { insteadOf: "ana" })]);
});

test("somebody is checked once, however often they are named, and one who left is not asked about", async () => {
  const { reach, away } = await openReach();
  const asked: string[] = [];
  const check: CheckPerson = async (user) => {
    asked.push(user);
    return { direct: false };
  };
  await away("U1", ["U4", "U2"]);
  await reach({ users: ["U1", "U2", "U3"] }, check);
  expect(asked.toSorted()).toEqual(["U2", "U3"]);
});

test("a group is mentioned as a whole where that notifies just its people, else each of them is", async () => {
  const group = (users: string[]) => ({
    groups: {
      groups: [
        { id: "S1", handle: "ops", users },
        { id: "S2", handle: "all", users: ["U1", "U2", "U3"] },
      ],
    },
  });
  const mention = "<!subteam^S1>";
  const whole = await openReach(group(["U1", "U2"]));
  expect((await whole.reach({ users: ["U3"], groups: [ops] })).notified).toEqual([
    ...[one("U3"), one("U1", { mention }), one("U2", { mention })],
  ]);
  const direct: CheckPerson = async (user) => ({ direct: user === "U2" });
  expect((await whole.reach({ groups: [ops] }, direct)).notified).toEqual([one("U1"), one("U2", { direct: true })]);
  const hidden: CheckPerson = async (user) => (user === "U2" ? { why: "cannot see it" } : { direct: false });
  expect((await whole.reach({ groups: [ops] }, hidden)).notified).toEqual([one("U1")]);
  // Somebody beside the group is notified in the channel as well.
  expect((await whole.reach({ users: ["U3"], groups: [ops] }, direct)).notified).toContainEqual(one("U1"));
  const both = await whole.reach({ groups: [{ id: "S2", name: "all" }, ops] });
  expect(both.notified.map((person) => person.mention)).toEqual([mention, mention, "<!subteam^S2>"]);
  await whole.away("U1", ["U3"]);
  expect((await whole.reach({ groups: [ops] })).notified).toEqual([one("U3", { insteadOf: "ana" }), one("U2")]);
  // The mention of the group would not name the one for whom they are notified.
  const standIns = await openReach(group(["U2"]));
  await standIns.away("U1", ["U2"]);
  expect((await standIns.reach({ users: ["U1"], groups: [ops] })).notified).toEqual([one("U2", { insteadOf: "ana" })]);
  const empty = await openReach(group([]));
  expect(await empty.reach({ users: ["U1"], groups: [ops] })).toMatchObject({ notified: [one("U1")] });
});

test("a group whose people Slack does not give is mentioned as a whole, beside the people of the list", async () => {
  const { reach } = await openReach({ groups: { unread: "no scope" } });
  expect(await reach({ users: ["U1"], groups: [ops] })).toEqual({
    notified: [
      one("U1"),
      { mention: "<!subteam^S1>", slackUser: null, insteadOf: null, quietUntil: null, direct: false },
    ],
    skipped: [],
  });
  expect(await reach({ users: ["U1"] })).toEqual({ notified: [one("U1")], skipped: [] });
});

test("a rotation that is gone, or has nobody, is named among those who were passed over", async () => {
  const { reach } = await openReach();
  expect(await reach({ rotations: [{ id: "R1", name: "night" }] })).toEqual({
    notified: [],
    skipped: ["There is no rotation `night` any more."],
  });
});
