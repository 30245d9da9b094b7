import { expect, test } from "vitest";
import { startResellerStory } from "../reseller/selling.ts";
import { rest } from "../rest.ts";
import { type Actor, goAhead, type Story, startStory } from "../story.ts";

/** All texts of a member's Home, in reading order. */
function textOf(actor: Actor): string {
  return JSON.stringify(actor.home() ?? "");
}

async function openWhole(story: Story, actor: Actor): Promise<string> {
  await actor.openHome();
  await story.slack.until(
    () => textOf(actor).includes("As of ") && !textOf(actor).includes("Not read yet"),
    "Home to be shown whole",
  );
  return textOf(actor);
}

function isInOrder(text: string, ...parts: string[]): boolean {
  const places = parts.map((part) => text.indexOf(part));
  return places.every((place, at) => place >= 0 && (at === 0 || place > (places[at - 1] ?? 0)));
}

/** Somebody with three machines of their own, and nothing wrong. */
async function quiet(): Promise<Story> {
  const story = await startStory();
  const { key } = story.platform.addKey({ owner: "zoe", label: "quiet" });
  story.secrets.add(key);
  await story.link(story.ana, key);
  return story;
}

test("Home begins with ordering, lists and the search, and then approvals, alerts, bills and the inventory", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const overdue = platform.bill("Late", 1_000);
  platform.fallDue(overdue.id, -3);
  platform.change("web-2", { status: "suspended", name: "<!channel>" });
  await story.ask(ana, "/vps cancel web-1", "asks to");
  const home = await openWhole(story, ana);
  const ways = ["Order…", "List…", "Find…"];
  const parts = ["*Approvals*", "Cancel `web-1`", "resources need attention", "Due in the next 14 days", "*Inventory*"];
  expect(isInOrder(home, ...ways, ...parts, "You act as")).toBe(true);
  const rows = (ana.home()?.blocks ?? []).map((block) => JSON.stringify(block).match(/"type":"button"/g)?.length ?? 0);
  expect(Math.max(...rows)).toBeLessThanOrEqual(4);
  // The label of its button is plain text, in which nothing mentions.
  expect(home).not.toMatch(/"mrkdwn","text":"[^"]*<!channel>/);
});

test("with nothing wrong and nothing waiting Home says that nothing needs attention", async () => {
  const story = await quiet();
  expect(await openWhole(story, story.ana)).toContain("Nothing needs your attention");
});

test("a document that is overdue is among the problems, however many machines failed, and is paid from there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const { id } of platform.documents()) platform.fallDue(id, -2);
  expect(await openWhole(story, ana)).toContain("due for payment since");
  await ana.press("home", "Pay…");
  await story.modal(ana, "from the credit balance");
});

test("Home shows known data at once without a call of the platform, and new data after a press of Refresh", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack, clock } = story;
  await openWhole(story, ana);
  await rest(1_000);
  platform.clearCalls();
  platform.faults.hang();
  // Home is there already: what counts is that it is drawn once more.
  const drawn = () => slack.calls("views.publish").length;
  const once = drawn();
  await ana.openHome();
  await slack.until(() => drawn() > once, "Home to be drawn again");
  await rest(1_000);
  expect(platform.calls()).toEqual([]);
  platform.change("web-1", { status: "suspended", name: "a-1" });
  // Old enough for a press, and not for an opening.
  clock.skip(60_000);
  const twice = drawn();
  await ana.openHome();
  await slack.until(() => drawn() > twice, "the old Home to be drawn");
  expect(textOf(ana)).not.toContain("`a-1`: *suspended*");
  platform.faults.resume();
  await ana.press("home", "Refresh");
  await slack.until(() => textOf(ana).includes("`a-1`: *suspended*"), "Home to show what was read anew");
});

test("Home shows what an earlier opening was still reading when Refresh was pressed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack, clock } = story;
  await openWhole(story, ana);
  platform.change("web-1", { status: "suspended", name: "a-1" });
  clock.skip(5 * 60_000);
  platform.clearCalls();
  platform.faults.hang();
  const drawn = () => slack.calls("views.publish").length;
  const once = drawn();
  await ana.openHome();
  await slack.until(() => drawn() > once, "the old Home to be drawn");
  const release = slack.faults.hangApi("views.publish");
  await ana.press("home", "Refresh");
  await slack.until(() => drawn() > once + 1, "Refresh to draw the old data");
  // All is read between the first drawing of Refresh and its own look at what is old.
  platform.faults.resume();
  await slack.until(() => platform.calls().length > 0, "the lists to be read");
  await rest(2_000);
  release();
  await slack.until(() => textOf(ana).includes("`a-1`: *suspended*"), "Home to show what was read");
});

test("Home that is opened right after a payment no longer asks for it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  const { number } = platform.bill("Late", 1_000);
  expect(await openWhole(story, ana)).toContain(number);
  const question = await story.ask(ana, `/billing pay ${number}`, "from the credit balance");
  await story.pressing(ana, question, goAhead, "is paid");
  await ana.openHome();
  await slack.until(() => !textOf(ana).includes(number), "Home to leave out what is paid");
});

test("while the platform is down, Home shows known data with its age, and says that not all could be read", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack, clock } = story;
  await openWhole(story, ana);
  clock.skip(5 * 60_000);
  platform.faults.next({ how: "500", times: 100 });
  await ana.openHome();
  await slack.until(() => textOf(ana).includes("Not all of it could be read"), "Home to say what is missing");
  expect(textOf(ana)).toContain("As of ");
  expect(textOf(ana)).toContain("`broken-1`");
});

test("with both keys linked each resource has one line, and a favourite is shown as one's own machine", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  await story.ask(ana, "/rackbell favourite vps web-2", "is among your favourites now");
  const own = await openWhole(story, ana);
  await story.link(ana, platform.reseller.keys.ana.key);
  await ana.openHome();
  await slack.until(
    () => textOf(ana).includes("/reseller service list") && !textOf(ana).includes("Not read yet"),
    "Home to be shown with both keys",
  );
  const both = textOf(ana);
  const needing = (home: string) => /([0-9]+) resources need attention/.exec(home)?.[1];
  expect(needing(both)).toBe(needing(own));
  expect(both).toContain(":star: `web-2` running · VPS");
  // The counts below it as well: a machine that is resold is no second one.
  expect(both).toContain("VPSes*: ");
  expect(both).not.toContain("resold services*");
});

test("a key with few calls left reads nothing for Home, which shows known data", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack, clock } = story;
  await openWhole(story, ana);
  clock.skip(5 * 60_000);
  // Less than a fifth of it is left after what was read so far.
  platform.settings.hourlyLimit = platform.calls().length + 3;
  await story.ask(ana, "/vps show web-1", "is running");
  platform.clearCalls();
  const before = ana.home()?.hash;
  await ana.openHome();
  await slack.until(() => ana.home()?.hash !== before, "Home to be drawn");
  expect(textOf(ana)).toContain("resources need attention");
  await story.ask(ana, "/rackbell favourites", "no favourites");
  expect(platform.calls()).toEqual([]);
});

test("Home lists a favourite with its state, and opens it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: "<!channel>" });
  await story.ask(ana, `/rackbell favourite ${platform.find("<!channel>").id}`, "among your favourites now");
  const home = await openWhole(story, ana);
  expect(home).toContain(":star: `&lt;!channel&gt;` running");
  await ana.press("home", `invoke:vps show:favourite ${platform.find("<!channel>").id}`);
  await story.modal(ana, "is running");
});

test("the search on Home finds as one types, and opens what is chosen over Home", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await openWhole(story, ana);
  await ana.press("home", "Find…");
  await story.modal(ana, "Find anything");
  await ana.choose("modal", "Name, address or id", "web-1");
  await story.modal(ana, "is running");
});

test("Home lists a member's scheduled snapshot, and the member withdraws it there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await story.ask(ana, "/vps snapshot web-1 name=one in=2h", "scheduled for");
  expect(await openWhole(story, ana)).toContain("*Scheduled*");
  await ana.press("home", "Withdraw");
  await slack.until(() => !textOf(ana).includes("*Scheduled*"), "Home to show that nothing is scheduled");
});

test("a member with only a reseller key sees resold services on Home, and nothing of a customer account", async () => {
  const story = await startResellerStory({ partners: ["ana"] });
  const { ana, platform } = story;
  const home = await openWhole(story, ana);
  expect(home).toContain("resold services*");
  expect(home).not.toContain("VPSes");
  expect(home).not.toContain("You act as");
  expect(platform.calls().filter(({ path }) => !path.startsWith("/reseller/"))).toEqual([]);
});

test("Home shows a member no resource of another member's account", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben } = story;
  await openWhole(story, ana);
  const { key } = story.platform.addKey({ owner: "zoe", label: "other" });
  story.secrets.add(key);
  await story.link(ben, key);
  expect(await openWhole(story, ben)).not.toContain("broken-1");
});

test("the problems that have no room on Home are one press away, each kind by itself", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(12, "down");
  for (let at = 1; at <= 12; at += 1)
    platform.change(`down-000${String(at).padStart(2, "0")}`, { status: "suspended" });
  const home = await openWhole(story, ana);
  const total = Number(/([0-9]+) resources need attention/.exec(home)?.[1]);
  const [, label = "", rest = ""] = /"(and ([0-9]+) VPSes)"/.exec(home) ?? [];
  expect(Number(rest)).toBeGreaterThan(1);
  await ana.press("home", label);
  await story.modal(ana, "VPSes need attention", "page 1 of", "Open");
  await ana.press("modal", "Next");
  await story.modal(ana, "page 2 of");
  await ana.closeModal({ all: true });
  await story.ask(ana, "/rackbell attention", `${total} resources need attention`);
  await story.ask(ana, "/rackbell attention dedicated server", "1 dedicated server needs attention", "metal-suspended");
});

test("a drawing of Home that Slack put off does not take the place of a newer one", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock } = story;
  await openWhole(story, ana);
  await rest(1_000);
  slack.faults.rateLimit("views.publish", 10);
  const before = slack.calls("views.publish").length;
  await ana.openHome();
  await slack.until(() => slack.calls("views.publish").length > before, "the first drawing to be put off");
  await rest(1_000);
  await story.ask(ana, "/rackbell favourite vps web-1", "is among your favourites now");
  await ana.press("home", "Refresh");
  await slack.until(() => textOf(ana).includes(":star: `web-1`"), "Home to show the favourite");
  await rest(1_000);
  clock.skip(11_000);
  await rest(1_000);
  expect(textOf(ana)).toContain(":star: `web-1`");
});
