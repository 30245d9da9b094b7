import { expect, test } from "vitest";
import { post } from "../posting.ts";
import { askToReinstall } from "../reinstalling.ts";
import { goAhead, type Story, said, startStory, writes } from "../story.ts";

// After a lost answer, nothing that was there before, or that another act made, proves the act.

const lost = { how: "500", method: "POST", applied: false } as const;
const digest = "0123456789abcdef".repeat(4);

test("an older snapshot of the same name is not taken for the one that was lost", async () => {
  const story = await startStory({ linked: ["ana"] });
  story.platform.faults.next({ ...lost, path: "/vps/{id}/snapshots" });
  await story.ana.type("/vps snapshot web-2 name=clean");
  await story.comesToSee(story.ana, "It was not done: there is no such snapshot");
  expect(writes(story)).toHaveLength(1);
});

function registering(name: string, sha256: string): string {
  return `/image register name=${name} url=https://images.example.com/debian.qcow2 sha256=${sha256}`;
}

test("an older image of the same name and digest is not taken for the one that was lost", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const made = await post(story, "/custom-images", {
    name: "again",
    sourceUrl: "https://images.example.com/debian.qcow2",
    sha256: digest,
  });
  expect(made.status).toBe(201);
  const request = await story.ask(ana, registering("again", digest), "Register image");
  platform.faults.next({ ...lost, path: "/custom-images" });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "It was not done: there is no such image");
});

test("a colleague's new image of the same name with other bytes is not taken for the one that was lost", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, registering("ours", digest), "Register image");
  platform.faults.next({ ...lost, path: "/custom-images" });
  await story.pressing(ana, request, goAhead, "outcome is unknown");
  const sourceUrl = "https://images.example.com/other.qcow2";
  expect(
    (await post(story, "/custom-images", { name: "ours", sourceUrl, sha256: digest.replace(/^0/, "f") })).status,
  ).toBe(201);
  await story.comesToSee(ana, "It was not done: there is no such image");
});

test.each([
  ["completed", "completed"],
  ["failed", "failed"],
  ["completed", null],
  ["failed", null],
  [null, null],
] as const)("a lost reinstall stays in doubt where one had %s before and the platform shows %s", async (was, is) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { os_installation_status: was });
  const request = await askToReinstall(story, "web-2");
  platform.faults.next({ ...lost, path: "/vps/{id}/reinstall" });
  await ana.press(request, goAhead);
  await story.sees(ana, "outcome is unknown");
  platform.change("web-2", { os_installation_status: is });
  await story.comesToSee(ana, "The platform shows no new installation on `web-2`. Check its system");
  expect(ana.sees().map(said).join()).not.toMatch(/It was not done|It was done/);
});

test("a lost renewal beside another service's new document stays in doubt", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/service renew web-1", "This will issue the next renewal");
  platform.faults.next({ ...lost, path: "/services/{id}/renew" });
  await story.pressing(ana, request, goAhead, "outcome is unknown");
  expect((await post(story, `/services/${platform.findVps("db-1").id}/renew`)).status).toBeLessThan(300);
  await story.comesToSee(ana, "does not show whether it is for `web-1`");
});

test("a machine that is being installed is offered no power action on its card", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps show web-2", "is running", "Reboot");
  story.platform.change("web-2", { os_installation_status: "in_progress" });
  const card = await story.ask(story.ana, "/vps show web-2", "is running");
  expect(said(card)).not.toMatch(/Reboot|Shut down|New password/);
});

test("a machine in a frozen cluster reads of the cluster, and not that its plan lacks the act", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ana.type("/vps reinstall frozen-1");
  await story.modal(story.ana, "The cluster of `frozen-1` is frozen");
});

test.each([
  [true, "It was done after all: `web-2` is `VPS M` now."],
  [false, "It was not done: `web-2` is still `VPS M`"],
] as const)(
  "a lost change to a plan of the same name (applied: %s) is found out by the plan's id",
  async (applied, end) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const to = platform.product("VPS S").id;
    platform.changeProduct("VPS S", { name: "VPS M" });
    const request = await story.ask(ana, `/service upgrade web-2 to=${to}`, "asks to", "The disk will shrink");
    platform.faults.next({ ...lost, path: "/services/{id}/upgrades", applied });
    await story.pressing(ana, request, goAhead, "outcome is unknown");
    await story.comesToSee(ana, end);
    expect(platform.find("web-2").product.id === to).toBe(applied);
  },
);

/** The id of a VPS which has the name and the host name of another one from now on. */
function renamedLike({ platform }: Story, name: string, own = "web-1"): string {
  const { id } = platform.findVps(own);
  const { hostname } = platform.findVps(name);
  platform.change(own, { name, hostname });
  return id;
}

test.each(["active", "terminated"] as const)(
  "a VPS can be renewed while a document of another one with the same name is open, which is %s",
  async (status) => {
    const story = await startStory({ linked: ["ana"] });
    const other = story.platform.findVps("web-2").id;
    const id = renamedLike(story, "web-2");
    story.platform.change(other, { status });
    const request = await story.ask(story.ana, `/service renew ${id}`, "This will issue the next renewal");
    await story.pressing(story.ana, request, goAhead, "The renewal of `web-2` was issued");
  },
);

test.each(["terminated", "cancelled"] as const)(
  "a lost renewal is found by the name of a VPS that was %s and rebuilt",
  async (status) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const ended = platform.findVps("db-1").id;
    const id = renamedLike(story, "db-1");
    platform.change(ended, { status });
    const request = await story.ask(ana, `/service renew ${id}`, "This will issue the next renewal");
    platform.faults.next({ ...lost, applied: true, path: "/services/{id}/renew" });
    await story.pressing(ana, request, goAhead, "outcome is unknown");
    await story.comesToSee(ana, "there is a new document for `db-1`", "Pay");
  },
);

test("a key of one project, which sees no namesake in another, has the platform decide if a document blocks its renewal", async () => {
  const story = await startStory({ linked: [] });
  await story.link(story.ana, story.platform.keys.bound.key);
  const request = await story.ask(story.ana, "/service renew web-2", "This will issue the next renewal");
  await story.pressing(story.ana, request, goAhead, "The platform said no");
});

test.each([
  ["/service renew B", "/renew", {}, "There is a new document. The platform does not show whether it is for `db-1`"],
  [
    "/service option add B option=Monitoring",
    "/options",
    { billingType: "recurring" },
    "does not show whether it is for `db-1`",
  ],
] as const)(
  "%s, lost, is not taken for done because a colleague did the same for another VPS of the same name",
  async (typed, path, body, end) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const other = platform.findVps("db-1");
    const id = renamedLike(story, "db-1");
    const optionId = platform.product(other.product.name).options.find(({ name }) => name === "Monitoring")?.id;
    const request = await story.ask(ana, typed.replace("B", id), "Your balance");
    platform.faults.next({ ...lost, path: `/services/{id}${path}` });
    await story.pressing(ana, request, goAhead, "outcome is unknown");
    expect((await post(story, `/services/${other.id}${path}`, { ...body, optionId })).status).toBeLessThan(300);
    await story.comesToSee(ana, end);
    expect(ana.sees().map(said).join()).not.toContain("It was done after all");
  },
);

test("a VPS that awaits payment offers no document of another one with the same name to be paid", async () => {
  const story = await startStory({ linked: ["ana"] });
  const id = renamedLike(story, "web-2", "waiting-1");
  const card = await story.ask(story.ana, `/vps show ${id}`, "Unpaid invoices");
  expect(JSON.stringify(card.blocks)).not.toContain("Pay…");
});
