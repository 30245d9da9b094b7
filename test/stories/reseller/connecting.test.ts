import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { said, startStory } from "../story.ts";
import { connect, resellerWrites, startResellerStory } from "./selling.ts";

const otherSecret = () => randomBytes(32).toString("hex");

test("a signing secret is proven by a call that harms nothing, before it is kept", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  platform.clearCalls();
  await connect(story, ana);
  expect(resellerWrites(story).map(({ method, path }) => `${method} ${path}`)).toEqual([
    "POST /reseller/webhooks/test",
  ]);
  await story.ask(ana, "/rackbell audit", "connected", "The signing secret is set");
});

test("a secret that the platform does not accept is not kept, nor one that is none", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  await connect(story, ana, { "Signing secret": otherSecret() }, "does not accept it", "Nothing of it was kept");
  platform.clearCalls();
  await connect(story, ana, { "Signing secret": platform.reseller.keys.ben.key }, "is not a signing secret");
  expect(platform.calls()).toEqual([]);
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "not connected to the reseller account yet");
});

test("to prove a secret an admin needs a reseller key of their own that may", async () => {
  const story = await startStory();
  const { ana, platform } = story;
  const secret = { "Signing secret": platform.reseller.signingSecret() ?? "" };
  await connect(story, ana, secret, "You have none");
  await story.link(ana, platform.reseller.keys.reader.key);
  await connect(story, ana, secret, "needs the scope `account`", "Nothing of it was kept");
});

test("the audit finds what was disconnected, and a removed window, by the commands that do it", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/rackbell disconnect force=yes", "is erased here");
  await story.ask(ana, '/rackbell audit "rackbell disconnect"', "*disconnected*");
  await story.ask(ana, "/rackbell maintenance web-1 22:00-23:30", "under maintenance");
  const list = await story.ask(ana, "/rackbell maintenance", "Remove…");
  await story.pressing(ana, list, "Remove…", "Removed:");
  await story.ask(ana, '/rackbell audit "rackbell maintenance"', "*window removed*");
});

test("a key that works in the background may read, and nothing else", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const { keys } = platform.reseller;
  await connect(story, ana, { "Reseller monitoring key": keys.ben.key }, "the scope `read` alone", "`destructive`");
  await connect(
    story,
    ana,
    { "Customer monitoring key": platform.keys.ben.key },
    "the scope `read` alone",
    "`billing`",
  );
  await connect(story, ana, { "Customer monitoring key": keys.reader.key }, "not a key of the customer API");
  await connect(story, ana, { "Reseller monitoring key": keys.revoked.key }, "does not know that key");
  const both = { "Reseller monitoring key": keys.reader.key, "Customer monitoring key": platform.keys.reader.key };
  await connect(story, ana, both, "The reseller monitoring key is set", "The customer monitoring key is set");
  const state = said(await story.ask(ana, "/rackbell connect check", "Connection"));
  expect(state.match(/works\./g)).toHaveLength(3);
  expect(state).toContain(`\`${keys.reader.key.slice(4, 12)}\``);
});

test("a key that a member works with reads for nobody else, and one that reads for all is linked by nobody", async () => {
  const story = await startResellerStory();
  const { ana, ben, dave, platform } = story;
  const { keys } = platform.reseller;
  await story.link(dave, platform.keys.dave.key);
  await story.link(dave, keys.dave.key);
  const members = { "Reseller monitoring key": keys.dave.key, "Customer monitoring key": platform.keys.dave.key };
  const refused = said(await connect(story, ana, members, "needs a key of its own"));
  expect(refused.match(/A member has linked this key.*?Nothing of it was kept\./g)).toHaveLength(2);
  await story.ask(ana, "/rackbell alerts look", "No monitoring key is set");

  const own = { "Reseller monitoring key": keys.reader.key, "Customer monitoring key": platform.keys.reader.key };
  await connect(story, ana, own, "The reseller monitoring key is set", "The customer monitoring key is set");
  for (const { key } of [keys.reader, platform.keys.reader]) {
    await ben.type("/rackbell link");
    await story.modal(ben, "API key");
    await ben.fill({ "API key": key });
    expect(await ben.submit()).toMatchObject({
      errors: { key: expect.stringContaining("This key is the workspace's") },
    });
    await ben.closeModal();
  }
  // A key that the workspace no longer uses can be linked by its owner.
  await story.ask(ana, "/rackbell disconnect customer force=yes", "The customer monitoring key is erased here");
  await story.link(ben, platform.keys.reader.key);
});

test("one that is refused undoes no other that was given with it", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  const given = {
    "Signing secret": otherSecret(),
    "Reseller monitoring key": platform.reseller.keys.reader.key,
  };
  const answer = said(await connect(story, ana, given, "The reseller monitoring key is set"));
  expect(answer).toContain("does not accept it");
});

test("a secret that was rotated is noticed, reported to the member who wanted to change something, and can be replaced", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  story.secrets.add(platform.reseller.rotateSecret());
  await story.ask(
    ana,
    "/reseller service suspend ACME-002 force=yes",
    "probably rotated in the portal",
    "Nothing changed",
  );
  await story.ask(ana, "/rackbell connect check", "could not be proven", "rotated");
  const replaced = await connect(story, ana);
  expect(said(replaced)).toContain("in the place of the one before");
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
});

test("disconnecting erases, and says what no call can undo at the supplier", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await connect(story, ana, { "Reseller monitoring key": platform.reseller.keys.reader.key }, "monitoring key is set");
  await story.ask(ana, "/rackbell disconnect reseller force=yes", "The reseller monitoring key is erased here");
  await story.ask(
    ana,
    "/rackbell disconnect force=yes",
    "The signing secret is erased here",
    "still sends webhooks here",
    "portal",
  );
  await story.ask(ana, "/rackbell disconnect force=yes", "nothing to erase");
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "not connected");
});

test("a platform that does not answer proves nothing, and nothing is kept", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  platform.faults.next({ how: "reset", path: "/reseller/webhooks/test" });
  const secret = { "Signing secret": platform.reseller.signingSecret() ?? "" };
  await connect(story, ana, secret, "is not set", "Nothing of it was kept");
  await story.ask(ana, "/rackbell connect check", "The signing secret is not set");
});

test("before the account is connected no button offers a change of resold services, and help says what is missing", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana } = story;
  const before = said(await story.ask(ana, "/reseller service show ACME-002", "mail.example.test"));
  expect(before).not.toMatch(/^(Stop|Restart|Suspend|Terminate)…?$/m);
  await story.ask(ana, "/rackbell help", "an admin connects the account");
  await connect(story, ana);
  const after = said(await story.ask(ana, "/reseller service show ACME-002", "mail.example.test", "Terminate"));
  expect(after).toMatch(/^Terminate…?$/m);
});
