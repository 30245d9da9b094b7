import { expect, onTestFinished, test } from "vitest";
import { admit } from "../../../src/members/access/access.ts";
import { isAdmin } from "../../../src/messages/admins.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { createPracticeSlack } from "../../../src/sandbox/slack/server.ts";
import { createClient, peopleFor } from "../../messages/chat/callers.ts";

async function open({ admins = [] }: { admins?: string[] } = {}) {
  const clock = createSandboxClock();
  const slack = await createPracticeSlack({ clock });
  onTestFinished(() => slack.close());
  const client = createClient({ apiUrl: slack.apiUrl, clock, token: slack.botToken });
  const people = await peopleFor(client, { clock, team: slack.teamId });
  const ana = slack.user("ana").id;
  return { slack, ana, app: { people, namedAdmins: admins } };
}

test("an admin check asks Slack anew, although the app still remembers the member's former role", async () => {
  const { slack, ana, app } = await open();
  expect((await app.people.person(ana)).admin).toBe(true);
  slack.setRole("ana", "member");
  expect((await app.people.person(ana)).admin).toBe(true);
  expect(await isAdmin(app, ana)).toBe(false);
  slack.setRole("ana", "admin");
  expect(await isAdmin(app, ana)).toBe(true);
});

test("a fresh check of a member asks Slack anew, and refuses a member who has become a guest", async () => {
  const { slack, ana, app } = await open();
  await admit(app, ana);
  slack.setRole("ana", "guest");
  await admit(app, ana);
  await expect(admit(app, ana, { fresh: true })).rejects.toThrow("Guests of this workspace cannot use Rackbell");
});

test("only the members whom the configuration names are admins, not the admins of the workspace", async () => {
  const { ana, app } = await open({ admins: ["U0NAMED"] });
  expect(await isAdmin(app, "U0NAMED")).toBe(true);
  expect(await isAdmin(app, ana)).toBe(false);
});
