import { expect, test } from "vitest";
import { findControl } from "../../../src/sandbox/slack/blocks/controls.ts";
import { carry } from "../carry.ts";
import { startFor } from "../carrying.ts";
import { newPublicKey } from "../public-keys.ts";
import { askToReinstall } from "../reinstalling.ts";
import { goAhead, said, startStory, writeRoutes, writes } from "../story.ts";

const answers = [
  ["500", "fault of its own"],
  ["html", "does not follow its contract"],
  ["half-json", "does not follow its contract"],
  ["empty", "does not follow its contract"],
  ["wrong-shape", "does not follow its contract"],
  ["reset", "could not be reached"],
] as const;

test.each(answers)(
  "a read that the platform answers with %s says so, and to try again in a minute, and speaks of no change",
  async (how, words) => {
    const story = await startStory({ linked: ["ana"] });
    story.platform.faults.next({ how, path: "/vps", times: 5 });
    const answer = await story.ask(story.ana, "/vps list", words, "Try again in a minute");
    expect(said(answer)).not.toMatch(/chang|outcome|was (not )?done|\bsent\b|twice/i);
  },
);

test("a read that the platform never answers is given up, and says that the answer took too long", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.hang("/vps");
  await ana.type("/vps list");
  await story.comesToSee(ana, "took too long to answer");
  platform.faults.resume();
  await story.ask(ana, "/vps list", "VPSes");
});

test("while the platform hangs, every command and button is still acknowledged at once", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running");
  platform.faults.hang();
  await ana.type("/vps list");
  await ana.press(card, "Refresh");
  await ana.type("/vps reinstall web-2");
  await ana.openHome();
  expect(slack.deliveries().filter(({ outcome }) => outcome !== "acknowledged")).toEqual([]);
});

// The platform's answer, whether the write took effect, and the words that the member must see in the end.
const changes = [
  ["500", true, "is taken"],
  ["500", false, "It was not done: there is no such snapshot"],
  ["html", true, "is taken"],
  ["half-json", true, "is taken"],
  ["empty", false, "It was not done"],
  ["reset", true, "is taken"],
  ["reset", false, "It was not done"],
] as const;

test.each(changes)("a change answered with %s, applied: %s, is sent once and found out", async (how, applied, end) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how, method: "POST", path: "/vps/{id}/snapshots", applied });
  await story.ask(
    ana,
    "/vps snapshot web-2 name=before",
    ":grey_question:",
    "outcome is unknown",
    "I am checking the outcome",
  );
  await story.comesToSee(ana, end);
  expect(writeRoutes(story)).toEqual(["POST /vps/{id}/snapshots"]);
  expect(platform.findVps("web-2").snapshots).toHaveLength(applied ? 2 : 1);
});

test("a change that takes effect a minute after it was sent is never called not done: the wait is from the end of the attempt", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const path = "/vps/{id}/snapshots";
  platform.faults.next({ how: "late", method: "POST", path, applied: false, lateMs: 60_000 });
  await ana.type("/vps snapshot web-2 name=before");
  await story.comesToSee(ana, "is taken");
  expect(ana.sees().map(said).join()).not.toContain("not done");
  expect(said(await story.ask(ana, "/rackbell audit", "Audit entries"))).not.toContain("It was not done");
});

const destroys = [
  ["500", true, "It was done after all"],
  ["500", false, "It was not done"],
  ["html", true, "It was done after all"],
  ["half-json", false, "It was not done"],
  ["reset", true, "It was done after all"],
  ["reset", false, "It was not done"],
  ["wrong-shape", true, "It was done after all"],
] as const;

test.each(destroys)(
  "a cancellation answered with %s, applied: %s, is never sent twice and is found out",
  async (how, applied, end) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1", "asks to");
    platform.faults.next({ how, method: "DELETE", applied });
    await story.pressing(ana, request, goAhead, ":grey_question:", "Do not ask again until");
    await story.ask(ana, "/vps cancel web-1", "its outcome is still unknown");
    await story.comesToSee(ana, end);
    expect(writes(story)).toHaveLength(1);
    expect(platform.findVps("web-1").cancellation !== null).toBe(applied);
  },
);

const registering = `/image register name=ours url=https://images.example.com/a.qcow2 sha256=${"0123456789abcdef".repeat(4)}`;
const done = "It was done after all";

/** A typed act, the fault in place of the answer, the write that it hits, and the words at the end. */
const lostActs = [
  ["/image delete golden-web", "500", "DELETE", /./, `${done}: the image is gone`],
  ["/image delete golden-web", "reset", "DELETE", /./, `${done}: the image is gone`],
  ["/project delete empty", "500", "DELETE", /./, `${done}: the project is gone`],
  ["/project delete empty", "html", "DELETE", /./, `${done}: the project is gone`],
  ["/sshkey delete deploy", "500", "DELETE", /./, "no longer stored."],
  ['/service option remove web-1 option="Daily backup"', "500", "DELETE", /./, "no longer has it"],
  ["/service cancel arena-1 immediate=yes", "reset", "POST", /\/cancel$/, done],
  [registering, "reset", "POST", /^\/custom-images$/, done],
  ["/game stop arena-1 force=yes", "reset", "POST", /\/power/, "As requested"],
  ["/reseller service start db-2.example.test", "500", "POST", /\/power$/, "As requested"],
  [
    "/reseller service suspend ACME-001 force=yes",
    "500",
    "POST",
    /\/suspend$/,
    `${done}: \`web-2.example.test\` is suspended`,
  ],
  ["/reseller service backup ACME-001 name=before-move", "500", "POST", /\/backups$/, done],
  ["/reseller game backup create BOR-003 body=name=today", "reset", "POST", /\/backups/, done],
  ["/reseller customer create delta", "reset", "POST", /\/customers$/, "the customer exists"],
] as const;

test.each(lostActs)(
  "%s, done and answered with %s, is found out and is sent once",
  async (typed, how, method, path, end) => {
    const story = await startFor(typed, {});
    const { ana, platform } = story;
    platform.faults.next({ how, method, path, applied: true });
    const answer = await story.ask(ana, typed, /asks to|Register image|outcome is unknown/);
    if (findControl(answer.blocks, goAhead)) await ana.press(answer, goAhead);
    await story.comesToSee(ana, end);
    expect(writes(story).filter((call) => call.method === method && path.test(call.path))).toHaveLength(1);
  },
);

/** Acts that add something of a name that is there already. */
const namesakes = [
  [
    '/reseller customer create borealis name="New Bakery"',
    /^\/reseller\/customers$/,
    "There is a customer with the id `borealis` already",
  ],
  [`/sshkey add name=deploy public="${newPublicKey()}"`, /^\/ssh-keys$/, "the key is not stored"],
] as const;

test.each(namesakes)(
  "%s, lost, is not taken for done because something of that name was there before",
  async (typed, path, end) => {
    const story = await startFor(typed, {});
    const { ana, platform } = story;
    platform.faults.next({ how: "reset", method: "POST", path });
    const withoutText = (body: unknown) =>
      JSON.parse(JSON.stringify(body).replaceAll(/"public_key":"[^"]*"/g, '"public_key":null'));
    platform.faults.next({ how: { rewrite: withoutText }, method: "GET", path, times: 1_000 });
    await story.ask(ana, typed, "outcome is unknown");
    await story.comesToSee(ana, `It was not done: ${end}`);
  },
);

test("a customer whose lost creation shows another name stays in doubt, and a key that shows no text, too", async () => {
  for (const [typed, path, end] of [
    [
      "/reseller customer create delta name=Delta",
      /^\/reseller\/customers$/,
      "Its name or e-mail address is another one",
    ],
    [`/sshkey add name=office public="${newPublicKey()}"`, /^\/ssh-keys$/, "The platform does not show its text"],
  ] as const) {
    const story = await startFor(typed, {});
    const { ana, platform } = story;
    platform.faults.next({ how: "reset", method: "POST", path, applied: true });
    const changed = (body: unknown) =>
      JSON.parse(
        JSON.stringify(body)
          .replaceAll(/"public_key":"[^"]*"/g, '"public_key":null')
          .replaceAll('"Delta"', '"Gamma"'),
      );
    platform.faults.next({ how: { rewrite: changed }, method: "GET", path, times: 1_000 });
    await story.ask(ana, typed, "outcome is unknown");
    await story.comesToSee(ana, "The outcome stays unknown", end);
  }
});

test.each([
  ["/image delete golden-web", "500", "/image list", "5 images"],
  ["/sshkey delete deploy", "reset", "/sshkey list", "2 SSH keys"],
] as const)("%s, lost and answered with %s, is reported as not done", async (command, how, list, shown) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, command, "asks to");
  platform.faults.next({ how, method: "DELETE" });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "It was not done");
  await story.ask(ana, list, shown);
});

test.each([true, false])(
  "a reinstall that is answered too late (applied: %s) is reported as it ended or as unknown, and is sent once",
  async (applied) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const request = await askToReinstall(story, "web-2");
    platform.faults.next({ how: applied ? "late" : "hang", method: "POST", applied, lateMs: 40_000 });
    await ana.press(request, goAhead);
    await story.comesToSee(ana, applied ? "is reinstalled" : "The platform shows no new installation");
    expect(writes(story)).toHaveLength(1);
    const offer = await story.seesIn("dm", ana, ...(applied ? [] : ["only if", "took effect"]), "only you can open it");
    await ana.press(offer, "Reveal");
    await story.modal(ana, "New root password");
  },
);

test("a new password whose outcome stays unknown is reported as unknown, and can still be revealed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: "500", method: "POST", path: "/vps/{id}/password", applied: true });
  const question = await carry(story, ana, "/vps password web-1", goAhead, {});
  await story.pressing(ana, question, goAhead, ":grey_question:");
  await story.comesToSee(ana, "outcome stays unknown");
  const offer = await story.seesIn("dm", ana, "only if", "took effect", "only you can open it");
  await ana.press(offer, "Reveal");
  await story.modal(ana, "New root password");
  expect(writes(story)).toHaveLength(1);
});

test("a refusal by the platform is shown as one, with its reason or the note that nothing changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps snapshot worker-3 name=one-more", "The platform said no", "Nothing changed");
  await story.ask(ana, "/vps reboot build-1 force=yes", "no machine yet", "Its id is right");
  await story.ask(ana, "/vps start suspended-1", "The platform said no", "Nothing changed");
  await story.ask(ana, "/vps reboot frozen-1 force=yes", "The platform said no");
  await story.ask(ana, "/vps keep web-1", "is not cancelled");
});

test("a command past the hourly rate limit says when it can be tried again, and works then", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  platform.settings.hourlyLimit = 1;
  await story.ask(ana, "/vps list", "hourly call limit of your key is used up", "It can be tried again <!date^");
  clock.skip(60 * 60_000);
  platform.settings.hourlyLimit = 1_000;
  await story.ask(ana, "/vps list", "VPSes");
});

test("a suspended account, a switched-off API and a removed permission each have their own answer", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  await story.ask(ben, "/vps reboot web-2 force=yes", "The platform said no", "Nothing changed");
  platform.suspendAccount("ana");
  await story.ask(ana, "/vps reboot web-1 force=yes", "suspended, so it can only read");
  platform.settings.api = false;
  await story.ask(ana, "/vps list", "switched this off");
});

test("the same change asked twice in a moment runs once, and may be asked again after a refusal", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await Promise.all([ana.type("/vps reboot web-1 force=yes"), ana.type("/vps reboot web-1 force=yes")]);
  await story.sees(ana, "was requested a moment ago", "Nothing was done twice");
  await story.sees(ana, "Rebooting");
  expect(writes(story)).toHaveLength(1);
  await story.ask(ana, "/vps start suspended-1", "The platform said no");
  await story.ask(ana, "/vps start suspended-1", "The platform said no");
});
