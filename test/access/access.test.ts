import { expect, onTestFinished, test } from "vitest";
import { createAccess } from "../../src/access/access.ts";
import { createPeople, peopleChanges } from "../../src/chat/people.ts";
import { createIdentities } from "../../src/identities/identities.ts";
import { createWorkspaceSecrets } from "../../src/identities/workspace.ts";
import { createLog } from "../../src/log.ts";
import { createPlatform } from "../../src/platform/platform.ts";
import { createSandboxClock } from "../../src/sandbox/clock.ts";
import { createPracticeSlack } from "../../src/sandbox/slack/server.ts";
import { openStore } from "../../src/storage/open.ts";
import { createSeal } from "../../src/storage/seal.ts";
import { createClient } from "../chat/callers.ts";

const log = createLog({ level: "silent" });

/** A workspace whose word of a change never reaches the app: what is remembered of a person stays. */
async function open({ admins = [] }: { admins?: string[] } = {}) {
  const clock = createSandboxClock();
  const slack = await createPracticeSlack({ clock });
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  const platform = createPlatform({ url: "http://127.0.0.1:9", clock, log });
  onTestFinished(async () => {
    await platform.close();
    await slack.close();
    await store.close();
  });
  const seal = createSeal({ key: Buffer.alloc(32, 7) });
  const workspace = createWorkspaceSecrets({ store, seal });
  const identities = createIdentities({ foundation: { store, seal, clock, log }, platform, workspace });
  const client = createClient({ apiUrl: slack.apiUrl, clock, token: slack.botToken });
  const changes = store.keyv(peopleChanges);
  const people = createPeople({ client, changes, clock, log, workspace: { team: slack.teamId, enterprise: null } });
  const ana = slack.user("ana").id;
  return { slack, people, ana, access: createAccess({ people, identities, admins, linkMaxAgeMs: null, clock }) };
}

test("who is an admin is asked at that moment, whatever is remembered of them", async () => {
  const { slack, people, ana, access } = await open();
  expect((await people.person(ana)).admin).toBe(true);
  slack.setRole("ana", "member");
  expect((await people.person(ana)).admin).toBe(true);
  expect(await access.isAdmin(ana)).toBe(false);
  slack.setRole("ana", "admin");
  expect(await access.isAdmin(ana)).toBe(true);
});

test("who presses is asked about at that moment: a guest by now is refused", async () => {
  const { slack, ana, access } = await open();
  await access.admit(ana);
  slack.setRole("ana", "guest");
  await access.admit(ana);
  await expect(access.admit(ana, { fresh: true })).rejects.toThrow("Guests of this workspace cannot use Rackbell");
});

test("where the admins are named, they are these, whoever runs the workspace", async () => {
  const { ana, access } = await open({ admins: ["U0NAMED"] });
  expect(await access.isAdmin("U0NAMED")).toBe(true);
  expect(await access.isAdmin(ana)).toBe(false);
});
