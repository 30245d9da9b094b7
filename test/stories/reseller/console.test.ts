import { expect, test } from "vitest";
import { type Story, said } from "../story.ts";
import { startResellerStory } from "./selling.ts";

/** The text of the modal that shows the one-time secret of the newest offer. */
async function revealed({ ana, seesIn, modal }: Story): Promise<string> {
  const offer = await seesIn("dm", ana, "only you can open it");
  await ana.press(offer, "Reveal");
  await modal(ana, "Shown once");
  return JSON.stringify(ana.modal());
}

test("a console link is revealed to its requester, listed under its label, and revoked by a press", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const made = await story.ask(
    ana,
    '/reseller service console-cast ACME-001 label="Acme desk" minutes=30',
    "A link to the console of `web-2.example.test` is made",
    "Anybody who has it can use the console",
  );
  const modal = await revealed(story);
  expect(modal).toMatch(/"url":"https:\/\/console\.practice\.example\/cast\/[0-9a-f]{48}"/);
  const list = said(await story.ask(ana, "/reseller service console-casts ACME-001", "1 live console link"));
  expect(list).toContain("Acme desk");
  await story.pressing(ana, made, "Revoke it", "opens nothing more");
  await story.ask(ana, "/reseller service console-casts ACME-001", "There is no live link");
});

test("a link that was opened says until when it serves, and revoking it leaves the open stream", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller service console-cast BOR-002", "is made");
  const { id } = platform.find("metal-1");
  const [, cast] =
    said(await story.ask(ana, "/reseller service console-casts BOR-002", "to be opened by")).match(
      /([0-9a-f]{8}-[0-9a-f-]{27})/,
    ) ?? [];
  platform.reseller.openCast(id, cast ?? "");
  await story.ask(ana, "/reseller service console-casts BOR-002", "opened", "ends");
  await story.ask(
    ana,
    `/reseller service console-cast revoke BOR-002 link=${cast}`,
    "continues until its time is over",
  );
});

const refused = [
  ["console-cast suspended-1", "is suspended"],
  ["console-cast gone-1", "is terminated"],
  ["console-cast arena-1", "No reachable platform runs"],
  ["console-cast plugin-1", "Only a VPS"],
  ["console-cast shared-1", "switched off"],
  ["console-cast web-1.example.test open=600", "give a time with its unit"],
  ["console-cast web-1.example.test open=59s", "give a time with its unit"],
  ["console-cast web-1.example.test open=8d", "give a time with its unit"],
  ["console-cast web-1.example.test minutes=721", "it must be at most 720"],
  ["console db-2", "not running"],
  ["console metal-2", "no management controller"],
  ["console session db-2", "not running"],
] as const;

test("a console or a link that cannot be had is refused with the reason", async () => {
  const story = await startResellerStory();
  for (const [words, sentence] of refused) {
    const command = words.includes(".test") ? words : `${words}.example.test`;
    await story.ask(story.ana, `/reseller service ${command}`, sentence);
  }
});

test("a dedicated server's console that is offered while its agent is offline comes with that warning", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const open = "You can open the console of `metal-1.example.test`";
  expect(said(await story.ask(ana, "/reseller service console BOR-002", open))).not.toContain("offline");
  const rewrite = (body: unknown) =>
    JSON.parse(JSON.stringify(body).replace('"agent_online":true', '"agent_online":false'));
  platform.faults.next({ how: { rewrite }, method: "GET", path: /console$/ });
  // The same act within seconds is a double press.
  story.clock.skip(5_000);
  await story.ask(ana, "/reseller service console BOR-002", open, "its agent is offline: it may not open");
});

test("links are off for everybody where the supplier has switched peer connections off", async () => {
  const story = await startResellerStory();
  story.platform.reseller.settings.peerConnections = false;
  await story.ask(story.ana, "/reseller service console-cast ACME-001", "only the operator can switch it on");
});

test("a VPS's console comes as its parts, once", async () => {
  const story = await startResellerStory();
  await story.ask(story.ana, "/reseller service console ACME-001", "Slack cannot show the console");
  const modal = await revealed(story);
  expect(modal).toContain("wss://console.practice.example/");
  expect(modal).toContain("VNC password");
});

test("a session for a viewer of one's own comes as its parts, once", async () => {
  const story = await startResellerStory();
  await story.ask(story.ana, "/reseller service console session ACME-001", "A one-time console session");
  expect(await revealed(story)).toContain("Token of the session");
});

test("a session of a VPS names its end as a time", async () => {
  const story = await startResellerStory();
  await story.ask(story.ana, "/reseller service console ACME-001", /is open until <!date\^/);
});

test("a dedicated server's console says whether it can be opened, and how", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service console BOR-002", "with a link for a browser", "Make a link…");
  await story.ask(
    ana,
    "/reseller service console metal-broken-controller.example.test",
    "cannot be opened now",
    "agent does not answer",
  );
});

test("the link of a provider's own console is revealed to its requester", async () => {
  const story = await startResellerStory();
  await story.ask(story.ana, "/reseller service console BOR-004", "opened its console");
  expect(await revealed(story)).toContain("https://console.practice.example/p/");
});
