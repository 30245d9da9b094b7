import { expect, test } from "vitest";
import type { Identities } from "../../src/members/identities/identities.ts";
import type { Links } from "../../src/members/identities/link.ts";
import { personOf } from "../../src/members/identities/person.ts";
import type { SlackUser } from "../../src/members/slack-user.ts";
import {
  checkAdminRight,
  hasOtherAdmin,
  noteLeavingAdmin,
  requireSettledAdmin,
  secondAdmins,
} from "../../src/messages/admins.ts";
import { SlackRefused, SlackUnanswered } from "../../src/messages/chat/errors.ts";
import { customerLink } from "../members/identities/links.ts";
import { openMemory } from "../storage/memory.ts";

const minute = 60_000;
const day = 24 * 60 * minute;

type Answer = Partial<SlackUser> | Error;

function linked(slackUser: string): Links {
  const member = `T1:${slackUser}`;
  const customer = customerLink({
    member,
    slackUser,
    keyId: `key of ${slackUser}`,
    keyLabel: "",
    scopes: [],
    user: { id: slackUser, name: slackUser, email: "" },
  });
  return { member, customer, reseller: null };
}

/** Ana decides about a rule; `others` have linked a key, and Slack answers so about them. */
async function open(others: Record<string, Answer>, named: string[] = []) {
  const { store, clock } = await openMemory();
  const answers = new Map<string, Answer>(Object.entries({ UANA: { admin: true }, ...others }));
  const links = new Map(["UANA", ...Object.keys(others)].map((user) => [`T1:${user}`, linked(user)]));
  const none = (member: string) => ({ member, customer: null, reseller: null });
  const identities: Pick<Identities, "all" | "links" | "person"> = {
    all: async () => [...links.values()],
    links: async (member) => links.get(member) ?? none(member),
    person: async (member) => personOf(links.get(member) ?? none(member)),
  };
  const people = {
    async person(id: string): Promise<SlackUser> {
      const answer = answers.get(id) ?? {};
      if (answer instanceof Error) throw answer;
      return { id, name: id, admin: false, outsider: null, deleted: false, zone: "UTC", ...answer };
    },
  };
  return { app: { store, clock, people, identities, namedAdmins: named }, answers, links, clock };
}

const unanswered = new SlackUnanswered("users.info", { maybeApplied: false, why: "Slack asks to slow down" });

test.each<[string, Answer, boolean]>([
  ["an admin", { admin: true }, true],
  ["no admin", {}, false],
  ["somebody of whom Slack tells nothing", unanswered, true],
  ["somebody whom the app may not ask about", new SlackRefused("users.info", "missing_scope"), true],
  ["somebody whom Slack no longer knows", new SlackRefused("users.info", "user_not_found"), false],
  ["a deactivated admin", { admin: true, deleted: true }, false],
])("%s who has linked a key: whether that is a second admin", async (_, answer, counts) => {
  const { app } = await open({ UCARO: answer });
  expect((await secondAdmins(app, "T1:UANA")) !== null).toBe(counts);
});

test("of those whom the configuration names only these count, and who is unlinked is notified all the same", async () => {
  const { app } = await open({ UBEN: unanswered, UCARO: unanswered }, ["UANA", "UCARO", "UZOE"]);
  expect((await secondAdmins(app, "T1:UANA"))?.toSorted()).toEqual(["UANA", "UCARO", "UZOE"]);
  const alone = await open({ UBEN: unanswered }, ["UANA"]);
  expect(await secondAdmins(alone.app, "T1:UANA")).toBeNull();
});

test("an admin who was unlinked while Slack did not answer still counts, for 30 days", async () => {
  const { app, links, answers, clock } = await open({ UCARO: unanswered });
  expect(await noteLeavingAdmin(app, { member: "T1:UCARO", slackUser: "UCARO" })).toBe(true);
  links.delete("T1:UCARO");
  answers.set("UCARO", {});
  clock.skip(30 * day - minute);
  expect(await secondAdmins(app, "T1:UANA")).toContain("UCARO");
  clock.skip(2 * minute);
  expect(await secondAdmins(app, "T1:UANA")).toBeNull();
});

test("an admin right that was lost in between is as young as its return", async () => {
  const { app, answers, clock } = await open({ UCARO: { admin: true } });
  const [caro, ana] = [
    { member: "T1:UCARO", slackUser: "UCARO" },
    { member: "T1:UANA", slackUser: "UANA" },
  ];
  await checkAdminRight(app, caro);
  clock.skip(2 * day);
  await requireSettledAdmin(app, caro, ana);
  answers.set("UCARO", {});
  await checkAdminRight(app, caro);
  answers.set("UCARO", { admin: true });
  await checkAdminRight(app, caro);
  clock.skip(day - minute);
  await expect(requireSettledAdmin(app, caro, ana)).rejects.toThrow("as an admin for less than 24 hours");
  clock.skip(2 * minute);
  await requireSettledAdmin(app, caro, ana);
});

test("another admin counts only once Slack has answered for them", async () => {
  const { app, answers } = await open({ UCARO: unanswered });
  expect(await hasOtherAdmin(app, "T1:UANA")).toBe(false);
  answers.set("UCARO", { admin: true });
  expect(await hasOtherAdmin(app, "T1:UANA")).toBe(true);
});
