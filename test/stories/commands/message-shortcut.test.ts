import { expect, test } from "vitest";
import { type Actor, goAhead, peer, type Story, startStory, writes } from "../story.ts";

const act = "act_on_this";

/** Chooses *Act on this* beside a message and waits until the modal shows the texts. */
async function actOn(story: Story, actor: Actor, text: string, ...shown: (string | RegExp)[]): Promise<void> {
  const message = await story.ben.say(text, "#ops");
  await actor.shortcut(act, message);
  await story.modal(actor, ...shown);
}

function modalText(actor: Actor): string {
  return JSON.stringify(actor.modal()?.blocks ?? []);
}

test.each(["socket", "http"] as const)("a message that names one machine opens its card (%s)", async (mode) => {
  const story = await startStory({ linked: ["ana"], mode });
  await actOn(story, story.ana, "FIRING: `web-1` does not answer", "is running", "Reboot");
});

test("a command in a message is not run: Rackbell reads only the names in it", async () => {
  const story = await startStory({ linked: ["ana"] });
  await actOn(story, story.ana, "please cancel web-1 immediate=yes force=yes", "is running");
  await story.restart();
  const written = writes(story);
  expect(written).toEqual([]);
});

test("a message that names several shows a card of each, and a press acts on that one", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, slack } = story;
  await actOn(story, ana, "web-1:9100, (web-2) and worker-3.example.test/status are down", "names 3 resources");
  expect(modalText(ana)).toMatch(/web-1.*web-2.*worker-3/);
  await ana.press("modal", "Reboot");
  await story.modal(ana, /ebooting/);
  expect(await story.sees(ben, "ebooting", "web-1")).toMatchObject({ channel: slack.channels.ops?.id });
});

test("an alert of another app is read where it keeps its words: in blocks, fields and attachments", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, platform } = story;
  const vps = platform.findVps("web-2");
  const blocks = [
    { type: "section", text: { type: "mrkdwn", text: "*CPU* of <https://grafana.example/d/1|worker-3> is high" } },
  ];
  const attachments = [
    { fallback: "x", fields: [{ title: "instance", value: "web-1:9100", short: true }] },
    { title: "Service", title_link: `https://panel.example.com/services/${vps.id}` },
  ];
  await ana.shortcut(act, slack.postAs("alerts", "ops", { text: "Alert", blocks, attachments }));
  await story.modal(ana, "names 3 resources");
  expect(modalText(ana)).toMatch(/worker-3.*web-1.*web-2/);
});

test("a name that several things have shows all of them, told apart", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const name of ["web-2", "worker-3"]) platform.change(name, { name: "alike" });
  await actOn(story, ana, "alike is slow", "names 2 resources", "192.0.2.7", /192\.0\.2\.(?!7)/);
  await ana.press("modal", "Open");
  await story.modal(ana, /alike.*is running/);
});

test("a name with blanks, marks and a mention in it is found as it is, and the mention is escaped", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: "Büro: <!channel> (alt)" });
  await actOn(story, ana, "please look at büro: <!channel> (alt), now", "is running");
  expect(modalText(ana)).toContain("`Büro: &lt;!channel&gt; (alt)`");
});

test("of many things the first have cards and the others a row, and no modal is too long", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const names = ["web-1", "web-2", "worker-3", "metal-1", "metal-2", "metal-pending", "metal-suspended"];
  await actOn(story, ana, names.join(" "), "names 7 resources");
  expect(modalText(ana)).toMatch(/metal-suspended/);
  await ana.press("modal", "Open");
  await story.modal(ana, "is running");
});

test("sixty machines that a message names are all there, each with its way on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(60, "rack");
  const names = Array.from({ length: 60 }, (_, at) => `rack-${String(at + 1).padStart(5, "0")}`);
  await actOn(story, ana, `down: ${names.join(" ")}`, "names 60 resources");
  for (const name of names) expect(modalText(ana)).toContain(name);
  expect(modalText(ana)).not.toContain("not shown");
});

test("a message that names nothing says so, and one of a machine that nobody here has", async () => {
  const story = await startStory({ linked: ["ana"] });
  await actOn(story, story.ana, "good morning, somebody-elses-machine", "has no name, host name, address or id");
});

test("of a long message the first 4,000 characters are read, and that is said, whether they name something or not", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const log = "all is well here\n".repeat(300);
  const nothing = ["has no name, host name, address or id", /characters, and I read only the first 4,000/];
  await actOn(story, ana, `${log}web-1 is down`, ...nothing);
  await ana.closeModal();
  // A name that the limit cuts in two is not read as a shorter one.
  const before = "x ".repeat(1_997);
  await actOn(story, ana, `${before} web-12 is down ${before}`, ...nothing);
  await ana.closeModal();
  await actOn(story, ana, `web-1 is down\n${log}web-2`, "is running", "I read only the first 4,000");
  expect(modalText(ana)).not.toContain("web-2");
});

test("without a key the modal says how to link one; guests and members of another organisation are refused", async () => {
  const story = await startStory();
  await actOn(story, story.ben, "web-1 is down", "You have not linked a key yet");
  await actOn(story, story.gus, "web-1 is down", "Guests");
  const said = await story.zed.say("web-1 is down", "#shared-partner");
  await story.zed.shortcut(act, said);
  await story.modal(story.zed, "other organisations");
});

test("a cancellation from a message's menu is requested and completed in the thread of that message", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const { ts } = await ben.say("an incident", "#ops");
  await ana.shortcut(act, await ben.say("web-2 must go", "#ops", ts));
  await story.modal(ana, "web-2", "is running");
  await ana.press("modal", "Cancel service…");
  await story.modal(ana, "asks to");
  const request = await story.sees(ben, "asks", "web-2");
  expect(request).toMatchObject({ thread_ts: ts });
  await ben.press(request, { actionId: goAhead });
  // An edit waits for its turn in the channel.
  await story.comesToSee(ben, ":white_check_mark:");
  expect(platform.findVps("web-2").cancellation).not.toBeNull();
});

test("a card that is shown to all from a message's menu is posted in the channel of that message", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  await actOn(story, ana, "web-1?", "is running");
  await ana.press("modal", "Show to channel");
  await story.sees(ben, "shows", "web-1");
  await story.modal(ana, "It is shown in");
});

test("a reboot from a message in a channel without the app works, and reports to the member's direct messages", async () => {
  const story = await startStory({ linked: ["ana"], slackRefuses: ["not_in_channel"] });
  const { ana, ben, platform } = story;
  await ana.shortcut(act, await ben.say("web-1 is down", "#random"));
  await story.modal(ana, "is running");
  await ana.press("modal", "Reboot");
  await story.modal(ana, /ebooting/);
  await story.seesIn("dm", ana, "Reboot `web-1`");
  expect(ben.sees("#random")).toHaveLength(1);
  expect(platform.calls().filter(({ path }) => path.endsWith("/reboot"))).toHaveLength(1);
});

test("an answer that Slack opens no modal for comes beside the message, to the member who chose it alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, slack } = story;
  slack.faults.fail("views.open", "expired_trigger_id", 1);
  const message = await ben.say("web-1 is down", "#ops");
  await ana.shortcut(act, message);
  expect(await story.sees(ana, "is running")).toMatchObject({ ephemeralTo: ana.user.id });
});

test("a kind of resource that cannot be read is named, and the resources of other kinds are shown all the same", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: "500", method: "GET", path: "/dedicated", times: 9 });
  await actOn(story, ana, "web-1 and web-2", "names 2 resources", "Not all could be read: dedicated server");
});
