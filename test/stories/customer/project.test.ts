import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { ordersMade, reviewOf } from "../ordering.ts";
import { newPublicKey } from "../public-keys.ts";
import { goAhead, peer, said, startStory, writes } from "../story.ts";

test("projects are listed with what they hold, opened, made, and changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const list = await story.ask(ana, "/project list", "4 projects");
  expect(said(list)).toContain("empty · nothing");
  await story.ask(ana, "/project show production", /has \d+ services/);
  const made = await story.ask(ana, '/project create "Big customer" color=#336699', "`big-customer`");
  await story.ask(
    ana,
    "/project change big-customer name=Bigger slug=bigger",
    "is called `Bigger` now",
    "`bigger`",
    "`big-customer` → `bigger`",
  );
  const card = await story.ask(ana, "/project show bigger", "has nothing", "#336699");
  await ana.press(card, "Change…");
  await story.modal(ana, "New name");
  expect(await ana.submit()).toMatchObject({ errors: { name: expect.stringContaining("at least one new value") } });
  await ana.fill({ "New description": "For one customer" });
  await ana.submit();
  await story.sees(ana, "has a new description");
  expect(made.mentions).toEqual([`<@${ana.user.id}>`]);
});

test("a name, slug or colour that no project can have is refused before anything is sent, and a taken slug in plain words", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const [command, words] of [
    ["/project create x slug=Not_Fine", "lowercase letters"],
    [`/project create x slug=${"s".repeat(41)}`, "at most 40"],
    [`/project create ${"n".repeat(81)}`, "at most 80"],
    [`/project create x color=${"c".repeat(21)}`, "at most 20"],
  ] as const)
    await story.ask(ana, command, words);
  expect(writes(story)).toEqual([]);
  await story.ask(ana, "/project create Other slug=staging", "Another project has this slug", "Nothing changed");
  await story.ask(ana, "/project change empty slug=staging", "Another project has this slug");
});

test.each([
  [true, "It was done after all"],
  [false, "It was not done"],
])("a project whose creation was lost (done: %s) is not taken for an earlier one of its name", async (applied, end) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/project create Twin", "is created");
  platform.faults.next({ how: "500", method: "POST", path: "/projects", applied });
  await ana.type("/project create Twin slug=other-twin");
  await story.comesToSee(ana, end);
});

test("an order into another project than the member's own is headed with it, and goes to it alone", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  platform.settings.shapes.otherProject = "refused";
  await story.ask(ana, "/project use staging", "You now work in");
  const review = await reviewOf(story, ana, "VPS M project=production");
  expect(said(review)).not.toContain("Staging");
  await ana.press(review, goAhead);
  const ordered = await story.sees(ben, "Ordered", "in project `Production`");
  expect(said(ordered)).not.toContain("Staging");
  const [made] = ordersMade(story);
  expect(made?.project_id).toBe(platform.findVps("web-1").project_id);
});

test("a project that holds things is not asked to be deleted before it is said where they go", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const offer = await story.ask(ana, "/project delete staging", "still has", "services", "1 image");
  expect(writes(story)).toEqual([]);
  await ana.press(offer, "Move all to Production…");
  const request = await story.sees(ana, "asks to", "move to `Production`");
  await ana.press(request, goAhead);
  await story.sees(ana, "`Staging` is deleted", "have moved");
  expect(platform.find("worker-1").project_id).toBe(platform.projectId("production"));
});

test("a service that came into a project after the request keeps it from being deleted", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/project delete empty", "asks to");
  platform.change("mail", { project_id: platform.projectId("empty") });
  await ana.press(request, goAhead);
  await story.sees(ana, "still has 1 service");
  expect(writes(story)).toEqual([]);
});

test("a project that the platform finds not empty stays, and the answer gives the count", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/project delete empty", "asks to");
  platform.faults.next({
    how: { status: 409, body: { success: false, code: "CONFLICT", error: "The project still has 3 resources" } },
    method: "DELETE",
  });
  await ana.press(request, goAhead);
  await story.sees(ana, "still has 3 resources", "Nothing changed");
});

test("the default project is not deleted", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const offer = await story.ask(ana, "/project delete default", "still has");
  await ana.press(offer, "Move all to Production…");
  await ana.press(await story.sees(ana, "asks to"), goAhead);
  await story.sees(ana, "default project cannot be deleted", "Nothing changed");
});

test("a key that may not delete gets the scope, and a bound key that it cannot", async () => {
  const story = await startStory({ linked: ["dave"] });
  await story.ask(story.dave, "/project delete empty", "needs the scope `destructive`");
  await story.link(story.ana, story.platform.keys.bound.key);
  await story.ask(
    story.ana,
    "/project create x",
    "Your key belongs to one project, and this is about another",
    "Nothing changed",
  );
  await story.ask(story.ana, "/project use production", "You now work in");
  await story.ask(story.ana, "/project use staging", "There is no project `staging`");
});

test("things are chosen in the form and moved in one go", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/project move empty");
  await story.modal(ana, "Services");
  expect(await ana.submit()).toMatchObject({ errors: { services: expect.stringContaining("at least one") } });
  await ana.choose("modal", "choose:services", ["web-1", "metal-1"]);
  await ana.choose("modal", "choose:keys", ["deploy"]);
  await ana.submit();
  await story.sees(ana, "Moved 2 services and 1 SSH key into `Empty project`");
  expect(platform.find("web-1").project_id).toBe(platform.projectId("empty"));
});

test("things are moved by name from the command, and never by a guess between two", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/project move empty services=web-1,mail images=golden-web", "Moved 2 services and 1 image");
  const [order] = story.platform.orders();
  await story.ask(ana, `/project move empty orders=${order?.number}`, "Moved 1 order into `Empty project`");
  expect(story.platform.orders().find(({ id }) => id === order?.id)?.project_id).toBe(
    story.platform.projectId("empty"),
  );
  await story.ask(ana, "/project move empty services=twin", "could be");
  await story.ask(ana, "/project move empty services=nothing-like-it", "There is no “nothing-like-it”");
  expect(writes(story)).toHaveLength(2);
});

test("the answer names a service that the platform skipped", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const outsider = platform.find("outsider-1").id;
  await story.ask(
    ana,
    `/project move empty services=web-1,${outsider}`,
    "Moved 1 service into",
    `did not find \`${outsider}\``,
  );
  await story.ask(ana, `/project move empty services=${outsider}`, "Nothing was moved");
});

test("a member who works in a project sees only what is in it, and every answer says so", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const offer = await story.ask(ana, "/project use", "You work in all projects");
  await ana.press(offer, "Staging");
  await story.sees(ana, "You now work in the project `Staging`");
  platform.clearCalls();
  const list = await story.ask(ana, "/vps list", "VPSes");
  expect(said(list)).toContain("You work in project `Staging`");
  expect(platform.calls().findLast(({ path }) => path === "/vps")?.project).toBe(platform.projectId("staging"));
  await story.ask(ana, "/vps show web-1", "no VPS called", "You work in project `Staging`");
  await story.ask(ana, "/vps show worker-1", "is running", "You work in project `Staging`");
  await story.ask(ana, "/vps reboot worker-1 force=yes", "Rebooting", "in project `Staging`");
  const theirs = await story.ask(ben, "/vps show web-1", "is running");
  expect(said(theirs)).not.toContain("You work in");
  await story.ask(ana, "/rackbell whoami", "Staging");
  await story.ask(ana, "/project use all", "You work in all projects again");
  await story.ask(ana, "/vps show web-1", "`web-1`* is running");
});

test("the chosen project outlives a restart", async () => {
  const folder = await mkdtemp(join(tmpdir(), "rackbell-"));
  onTestFinished(() => rm(folder, { recursive: true }));
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: `sqlite:${join(folder, "kept.db")}` } });
  await story.ask(story.ana, "/project use staging", "You now work in");
  await story.restart();
  await story.slack.connected();
  await story.ask(story.ana, "/vps show web-1", "no VPS called");
});

test("a key that is added while working in a project is added to it, unless another project is chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/project use staging", "You now work in");
  for (const [name, project] of [
    ["one", undefined],
    ["two", "Production"],
  ] as const) {
    await ana.type("/sshkey add");
    await story.modal(ana, "Public key");
    await ana.fill({ Name: name, "Public key": newPublicKey() });
    if (project) await ana.choose("modal", "choose:project", project);
    await ana.submit();
    await story.sees(ana, `\`${name}\``, "is stored");
  }
  const ids = [platform.projectId("staging"), platform.projectId("production")];
  expect(writes(story).map(({ project, body }) => ({ project, body }))).toMatchObject(
    ids.map((id) => ({ project: id, body: { projectId: id } })),
  );
});

test("a request runs, and a reboot is tracked, in the project that it was made in, wherever its requester works by then", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/project use staging", "You now work in");
  const request = await story.ask(ana, "/image delete broken-capture", "asks to", "in project `Staging`");
  await story.ask(ana, "/vps reboot worker-1 force=yes", "Rebooting");
  await story.ask(ana, "/project use production", "You now work in the project `Production`");
  platform.clearCalls();
  await ana.press(request, goAhead);
  await story.sees(ana, "`broken-capture` is deleted", "in project `Staging`");
  expect(writes(story)).toMatchObject([{ method: "DELETE", project: platform.projectId("staging") }]);
  await story.comesToSee(ana, "running again");
});

test("a peer who works elsewhere can still approve", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  await story.ask(ben, "/project use staging", "You now work in");
  await story.ask(ana, "/image delete golden-web", "asks to");
  platform.clearCalls();
  await ben.press(await story.sees(ben, "asks to"), goAhead);
  await story.sees(ana, "`golden-web` is deleted");
  expect(writes(story)).toMatchObject([{ project: null, key: "ana" }]);
});

test("when the chosen project is deleted, every command says so and offers the way out", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/project use empty", "You now work in");
  await ana.press(await story.ask(ana, "/project delete empty", "asks to"), goAhead);
  await story.sees(ana, "that were bound to it no longer work");
  const answer = await story.ask(ana, "/vps list", "no longer exists");
  await ana.press(answer, "Work in all projects");
  await story.sees(ana, "You work in all projects again");
  await story.ask(ana, "/vps list", /\d+ VPSes/);
});

test("an unknown project is named with those that there are; without a key it is said how to link", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/project use nowhere", "There is no project `nowhere`", "`Staging`", "Nothing changed");
  await story.ask(story.ben, "/project use staging", "not linked a key yet");
});

test("a member who works in one project moves what is in another, and a platform that takes no contradiction takes each move", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.settings.shapes.otherProject = "refused";
  await story.ask(ana, "/project use staging", "You now work in");
  await story.ask(ana, "/project move staging services=web-1", "Moved 1 service");
  expect(platform.find("web-1").project_id).toBe(platform.projectId("staging"));
  await story.ask(ana, "/vps move web-1 project=production", "moved from `Staging` to `Production`");
  await story.ask(ana, "/project use production", "You now work in");
  await story.ask(ana, "/service move web-1 project=staging", "is in the project `Staging` now");
  expect(platform.find("web-1").project_id).toBe(platform.projectId("staging"));
});
