import { expect, test } from "vitest";
import { fileStore, goAhead, type Story, type StoryOptions, said, startStory, writes } from "../story.ts";

/** #ops starts in Production from then on. */
async function started(options: StoryOptions = {}): Promise<Story> {
  const story = await startStory({ linked: ["ana", "ben"], ...options });
  await story.ask(story.ana, "/rackbell channel project=production", "start in project `Production`");
  story.platform.clearCalls();
  return story;
}

function readsOf(story: Story, path: string) {
  return story.platform.calls().filter((call) => call.method === "GET" && call.path === path);
}

test("lists typed in a channel start in its project, which the answer says, unless another project or channel is named", async () => {
  const story = await started();
  const { ben, platform } = story;
  const list = said(
    await story.ask(ben, "/vps list", "By this channel's default: project `Production`", "project=all"),
  );
  expect(list).toContain("`web-1`");
  expect(list).not.toContain("worker-1");
  expect(readsOf(story, "/vps").map(({ project }) => project)).toEqual([platform.projectId("production")]);
  await story.ask(ben, "/service list text=worker", "There are no services", "in project `Production` only");
  expect(said(await story.ask(ben, "/vps list project=all", "VPSes"))).not.toContain("default");
  expect(said(await story.ask(ben, "/vps list project=staging", "in project staging"))).not.toContain("default");
  expect(said(await story.askIn("#general", ben, "/vps list", "VPSes"))).not.toContain("default");
});

test("the pages and filters of such a list stay in the channel's project", async () => {
  const story = await started();
  const { ben, platform } = story;
  platform.addVps(120, "shop");
  for (let at = 1; at <= 120; at += 1)
    platform.change(`shop-${String(at).padStart(5, "0")}`, { project_id: platform.projectId("production") });
  const list = await story.ask(ben, "/vps list", "page 1 of 2", "By this channel's default");
  await story.pressing(ben, list, "Next", "By this channel's default");
});

test("an empty list says that it was the channel's project alone, and a deleted project so, and both offer to look everywhere", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell channel project=empty", "start in project");
  const none = await story.ask(ana, "/vps list", "There are no VPSes", "only, this channel's default");
  await story.pressing(ana, none, "Look everywhere", "web-1.example.test");
  const request = await story.ask(ana, "/project delete empty", "asks to");
  await ana.press(request, goAhead);
  await story.sees(ana, "no longer work");
  const answer = await story.ask(ana, "/vps list", "Your key sees no project", "Nothing was done");
  await story.pressing(ana, answer, "Look everywhere", "VPSes");
  await story.ask(ana, "/vps show web-1", "Your key sees no project");
});

test("a name that is not in the channel's project is never taken from another: it is looked for there at a press alone", async () => {
  const story = await started();
  const { ben, platform } = story;
  await story.ask(ben, "/vps show web-1", "is running", "By this channel's default: project `Production`");
  const none = await story.ask(ben, "/vps show worker-1", "no VPS `worker-1` in project `Production`");
  await story.pressing(ben, none, "Look everywhere", "`worker-1`* is");
  await story.ask(ben, "/vps show worker-1 project=all", "`worker-1`* is");
  // An id means its machine, in whichever project that is.
  await story.ask(ben, `/vps show ${platform.find("worker-1").id}`, "`worker-1`* is");
  const near = await story.ask(ben, "/vps show web-11", "Close to it");
  expect(said(near)).toContain("`web-1`");
  const refused = await story.ask(ben, "/vps reboot worker-1 force=yes", "Nothing was done");
  expect(writes(story)).toEqual([]);
  await story.pressing(ben, refused, "Look everywhere", "`worker-1`* is");
  expect(writes(story)).toEqual([]);
  await ben.type("/vps reinstall worker-1");
  await story.modal(ben, "no VPS `worker-1` in project `Production`");
});

test("of two machines of one name the channel's is meant, and the request to destroy it is pinned to that project and says so", async () => {
  const story = await started();
  const { ben, platform } = story;
  const its = platform.find("web-2");
  platform.change("worker-1", { name: "twin" });
  platform.change("web-2", { name: "twin", project_id: platform.projectId("production") });
  const request = await story.ask(ben, '/vps cancel twin reason="Not needed"', "asks to", "Production");
  expect(said(request)).not.toContain("Staging");
  expect(said(request)).toContain("in project `Production`");
  await ben.press(request, goAhead);
  await story.sees(ben, "Keep it");
  const ended = writes(story);
  expect(ended).toHaveLength(1);
  expect(ended[0]?.path).toContain(its.id);
  await story.askIn("#general", ben, "/vps show twin", "means more than one");
});

test("the default is not used for a member who works in a project of their own, nor for one whose key sees no such project", async () => {
  const story = await started();
  const { ben, caro, platform } = story;
  await story.ask(ben, "/project use staging", "You now work in");
  const list = await story.ask(ben, "/vps list", "is not used: you work in `Staging`");
  await story.ask(
    ben,
    "/vps reboot nowhere-at-all",
    "You have no VPS called",
    "is not used: you work in `Staging`",
    "Nothing was done.",
  );
  expect(said(list)).not.toContain("`web-1`");
  await story.ask(ben, "/vps show web-1", "no VPS called", "is not used");
  const { key } = platform.addKey({ owner: "zoe", label: "zoe" });
  story.secrets.add(key);
  await story.link(caro, key);
  const refused = await story.ask(caro, "/vps list", "Your key sees no project", "Nothing was done");
  expect(said(refused)).not.toContain("There are no VPSes");
  await story.pressing(caro, refused, "Look everywhere", "outsider-1");
});

test("a channel's default filters apply to lists that have such filters, and the list says so; no list knows another status", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell channel status=runnning", "there is no “runnning”", "running");
  await story.ask(ana, '/rackbell channel status=" "', "give one such as running, or none to clear it");
  await story.ask(ana, "/rackbell channel", "has no default");
  for (const status of ["stop", "unpaid", "Awaiting_Payment", "completed"])
    await story.ask(ana, `/rackbell channel status=${status}`, `start with status ${status}`);
  await story.ask(ana, "/rackbell channel status=stopped sort=name", "status stopped");
  const list = said(await story.ask(ana, "/vps list", "stopped VPSes", "By this channel's default: status stopped"));
  expect(list).not.toContain("`web-1`");
  await story.ask(ana, "/vps list status=running", "running VPSes");
  await story.ask(ana, "/vps list status=all", "web-1.example.test");
  const services = said(await story.ask(ana, "/service list", "services"));
  expect(services).not.toContain("status stopped");
});

test("everybody sees the default, admins alone set it, and it is on record", async () => {
  const story = await started();
  const { ana, ben } = story;
  await story.ask(ben, "/rackbell channel", "start in project `Production`", `Set by <@${ana.user.id}>`);
  await story.ask(ben, "/rackbell channel project=staging", "Only an admin");
  await story.ask(ana, "/rackbell channel project=nowhere", "There is no project `nowhere`", "Nothing changed");
  await story.ask(ana, '/rackbell audit about="rackbell channel"', "start in project `Production`");
  const shown = await story.ask(ana, "/rackbell channel", "Clear it");
  await story.pressing(ana, shown, "Clear it", "has no default any more");
  expect(said(await story.ask(ben, "/vps list", "VPSes"))).not.toContain("default");
});

test("the app's direct messages have no default, and a channel's survives a restart", async () => {
  const story = await started({ environment: { STORE_URL: fileStore() } });
  const { ana } = story;
  await ana.say("channel project=staging", "dm");
  await story.seesIn("dm", ana, "A default belongs to a channel");
  await ana.say("vps list", "dm");
  expect(said(await story.seesIn("dm", ana, "VPSes"))).not.toContain("default");
  await story.restart();
  await story.ask(ana, "/vps list", "By this channel's default");
});

test("a saved command, the last command and a corrected one reach nothing that the typed words are refused in the channel", async () => {
  const story = await started();
  const { ben } = story;
  const refused = ["no VPS `worker-1` in project `Production`", "Nothing was done"];
  await story.ask(ben, "/vps reboot worker-1 force=yes", ...refused);
  const again = await story.ask(ben, "/rackbell again", "Your last command");
  await story.pressing(ben, again, "Reboot worker-1", ...refused);
  await story.ask(ben, "/rackbell save nightly = /vps reboot worker-1 force=yes", "Saved");
  const saved = await story.ask(ben, "/rackbell run nightly", "Nothing has run yet");
  await story.pressing(ben, saved, "Reboot VPS", ...refused);
  const mistyped = await story.ask(ben, "/vps rebot worker-1", "/vps reboot worker-1");
  await story.pressing(ben, mistyped, "/vps reboot worker-1", ...refused);
  expect(writes(story)).toEqual([]);
});

test("a saved list has the filters of the channel in which it is run", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell channel status=running", "running");
  await story.ask(ana, "/rackbell save all = /vps list", "Saved");
  const saved = await story.ask(ana, "/rackbell run all", "Nothing has run yet");
  await story.pressing(ana, saved, "List VPSes", "By this channel's default: status running");
});
