import fc from "fast-check";
import { expect, test } from "vitest";
import { type PeopleList, peopleText, peopleWords } from "../../../src/members/people/people-list.ts";
import { peopleMention, resolvePeople } from "../../../src/members/people/resolve-people.ts";
import { chosenPeople, readPeopleList, splitPeople } from "../../../src/members/people/typed-people.ts";
import type { SlackGroups, SlackUser } from "../../../src/members/slack-user.ts";

const standing = { admin: false, outsider: null, deleted: false, zone: "UTC" };
const users: SlackUser[] = [
  { ...standing, id: "UANA0001", name: "Ana" },
  { ...standing, id: "UBEN0001", name: "Ben Ops" },
  { ...standing, id: "UGUEST01", name: "Gus", outsider: "guest" },
  { ...standing, id: "ULEFT001", name: "Lea", deleted: true },
];
const inUse: SlackGroups = { groups: [{ id: "SOPS0001", handle: "ops", users: ["UBEN0001", "ULEFT001"] }] };

function appWith(groups: SlackGroups = inUse) {
  return {
    store: { keyv: () => ({ get: async () => undefined }) },
    people: {
      groups: async () => groups,
      everybody: async () => users.slice(0, 1),
      async person(id: string) {
        const found = users.find((user) => user.id === id);
        if (!found) throw new Error("Slack does not know them");
        return found;
      },
    },
    identities: {
      all: async () => users.map(({ id }) => ({ member: id, customer: { slackUser: id }, reseller: null })),
    },
  } as never;
}

const read = (text: string, groups?: SlackGroups) => readPeopleList(appWith(groups), text, { field: "to" });

test("any text can be split into people, and each word is there once", () => {
  fc.assert(
    fc.property(fc.string({ unit: "binary" }), (text) => {
      const words = splitPeople(text);
      expect(new Set(words.map(({ is, word }) => `${is} ${word}`)).size).toBe(words.length);
      for (const { word } of words) expect(word).not.toMatch(/[\s,;]/);
    }),
  );
});

const id = (first: string) => fc.stringMatching(/^[A-Z0-9]{6,9}$/).map((rest) => `${first}${rest}`);
const name = fc.stringMatching(/^[a-z][a-z0-9-]{0,10}$/).filter((word) => word !== "agents");

test("a list is read again from its own text, in each way in which Slack writes a mention", () => {
  fc.assert(
    fc.property(fc.uniqueArray(id("U")), fc.uniqueArray(id("S")), fc.uniqueArray(name), (people, groups, rotations) => {
      const list: PeopleList = {
        users: people,
        groups: groups.map((one) => ({ id: one, name: one })),
        rotations: rotations.map((one) => ({ id: one, name: one })),
        agents: false,
      };
      const wanted = [
        ...people.map((word) => ({ is: "user", word })),
        ...groups.map((word) => ({ is: "group", word })),
        ...rotations.map((word) => ({ is: "name", word })),
      ];
      expect(splitPeople(peopleText(list))).toEqual(wanted);
      const inSlack = [
        ...people.map((one) => `<@${one}|ana>`),
        ...groups.map((one) => `<!subteam^${one}|@ops>`),
        ...rotations,
      ];
      expect(splitPeople(inSlack.join(", "))).toEqual(wanted);
    }),
  );
});

test("people and groups are found by their names, in capitals or not", async () => {
  const list = await read("@ana, BenOps ops <@UANA0001>");
  expect(list).toEqual({
    users: ["UANA0001", "UBEN0001"],
    groups: [{ id: "SOPS0001", name: "ops" }],
    rotations: [],
    agents: false,
  });
  expect(peopleWords(list)).toBe("<@UANA0001>, <@UBEN0001> and `@ops`");
  expect(await peopleMention(appWith(), list, 0)).toBe("<@UANA0001> <@UBEN0001> <!subteam^SOPS0001>");
});

test("a list refuses a name that nobody has, two people of one name, guests, and agents where they have no place", async () => {
  await expect(read("@nobody")).rejects.toThrow("“nobody”");
  await expect(read(" , ")).rejects.toThrow("at least one");
  await expect(read("<@UGUEST01>")).rejects.toThrow("is a guest");
  await expect(read("agents")).rejects.toThrow("“agents”");
  await expect(read("ana", { groups: [{ id: "SANA0001", handle: "ana", users: [] }] })).rejects.toThrow("choose one");
  const many = Array.from({ length: 51 }, (_, at) => `@U${String(at).padStart(8, "0")}`).join(" ");
  await expect(read(many)).rejects.toThrow("at most 50");
  expect(await readPeopleList(appWith(), "agents", { field: "who", agents: true })).toMatchObject({ agents: true });
});

test("people who left are left out of a group with a sentence, and a group that Slack does not give is one as well", async () => {
  const list = await read("ops @UANA0001");
  expect(await resolvePeople(appWith(), list, 0)).toEqual({
    users: ["UANA0001", "UBEN0001"],
    unread: [],
    leftOut: ["Lea was deactivated in Slack."],
  });
  const { users: left, unread } = await resolvePeople(appWith({ groups: [] }), list, 0);
  expect(left).toEqual(["UANA0001"]);
  expect(unread).toEqual(["Slack has no user group `@ops` in use any more."]);
  expect(await resolvePeople(appWith({ unread: "no scope" }), list, 0)).toMatchObject({
    users: ["UANA0001"],
    unread: [expect.stringContaining("`usergroups:read`")],
  });
});

test("a form shows the people of a list by name, those who have linked no key as well", async () => {
  const choices = await chosenPeople(appWith(), "@UANA0001 @SOPS0001 @UGUEST01 @UNONE001");
  expect(choices.map(({ label }) => label)).toEqual(["@Ana", "@ops (group)", "@Gus", "@UNONE001"]);
});
