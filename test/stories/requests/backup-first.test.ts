import { expect, test } from "vitest";
import {
  type Actor,
  backOut,
  goAhead,
  type Message,
  peer,
  pressInDetails,
  type Story,
  type StoryOptions,
  said,
  startStory,
  withControl,
  writeRoutes,
  writes,
} from "../story.ts";

const copyFirst = "request:copy";
const captured = "POST /vps/{id}/capture";
const ended = "DELETE /vps/{id}";

function shows(actor: Actor, ...texts: string[]): Message | undefined {
  return actor.sees().find((message) => texts.every((text) => said(message).includes(text)));
}

/** Ana's request to end web-1 with its backup running: a capture takes half a minute, and polling reads it every 15 seconds. */
async function copying(options: StoryOptions = {}, first: (story: Story) => void = () => {}) {
  const story = await startStory({ linked: ["ana", "ben"], pace: 8, ...options });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Back up first");
  platform.clearCalls();
  first(story);
  await story.pressing(ana, request, copyFirst, "Capturing", "Nothing else runs before");
  return { story, request };
}

test("a colleague approves with a backup first: one message shows backup and result, and offers the ways back", async () => {
  const story = await startStory({ linked: ["ana", "ben"], pace: 8, environment: peer });
  const { ana, ben, platform, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Back up first", "none made with Rackbell");
  await ana.press(request, "Details…");
  await story.modal(
    ana,
    "billed by its virtual size (100 GB)",
    "The platform does not name the price",
    "order a new server from the image, with new addresses. The new server needs room on the node that has the image, and that node may be full",
  );
  expect(JSON.stringify(ana.modal())).not.toMatch(/undo/i);
  platform.clearCalls();
  // The requester cannot approve by way of the copy either.
  expect(JSON.stringify(ana.modal())).not.toContain("request:copy");
  const details = await withControl(ben, request, copyFirst, slack.until);
  await story.pressing(ana, { ...request, blocks: details.blocks }, copyFirst, "a teammate has to approve it");
  const copy = await story.pressing(ben, request, copyFirst, "Capturing", "Store the disk as an image: web-1-");
  expect(copy.ts).toBe(request.ts);
  expect(writeRoutes(story)).toEqual([captured]);
  await story.comesToSee(ben, "You can withdraw the cancellation until then", "Order from the image");
  expect(writeRoutes(story)).toEqual([captured, ended]);
  const end = await story.sees(ben, "approved by", "Keep it", "Order from the image", "Check the backup");
  expect(end.ts).toBe(request.ts);
  // The requester is mentioned once more, since nobody watches for minutes.
  await story.sees(ana, "You can withdraw the cancellation until then", `<@${ana.user.id}>`);
  // The way back leads to a form that has the product and the image.
  await ana.press(end, "Order from the image…");
  await story.modal(ana, "Order", "VPS L", '"submit":{');
  await ana.closeModal();
  // From here on it is known how old the newest copy is.
  story.clock.skip(3 * 60 * 60_000);
  await ana.press(end, "Keep it");
  await story.sees(ana, "is kept");
  await story.ask(ana, "/vps cancel web-1", "asks to", /Last backup: `web-1-\d{8}-[0-9a-f]{6}`, 3 h( \d+ min)? old/);
}, 30_000);

test("a backup that fails destroys nothing, and the message gives the reason", async () => {
  const { story } = await copying({}, ({ platform }) => platform.failJob("capture", platform.findVps("web-1").id));
  const { ana, platform } = story;
  await story.comesToSee(ana, "The disk could not be read to its end", "`web-1` is as it was");
  expect(writeRoutes(story)).toEqual([captured]);
  expect(platform.findVps("web-1").cancellation).toBeNull();
});

test("a snapshot that cannot be restored is no backup, and stops the change of plan", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, platform } = story;
  const request = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "costs", "Back up first");
  platform.clearCalls();
  await story.pressing(ana, request, copyFirst, "Taking the snapshot");
  const taken = () =>
    platform.findVps("web-2").snapshots.some(({ name, status }) => /^web-2-/.test(name) && status === "available");
  await story.passes(taken, "the snapshot", 1_000);
  platform.change("web-2", { disk_job: "migration" });
  await story.passes(() => shows(ana, "does not let it be restored", "`web-2` is as it was"), "the end", 20_000);
  expect(writeRoutes(story)).toEqual(["POST /vps/{id}/snapshots"]);
});

test("a change during the backup stops the cancellation: nothing is destroyed, and the image can be ordered from", async () => {
  const { story } = await copying();
  const { ana, platform } = story;
  platform.change("web-1", { instance: { disk_gb: 200 } });
  const end = await story.comesToSee(ana, "*Disk* changed: it was 100 GB and is 200 GB now", "Order from the image");
  expect(said(end)).toMatch(/`web-1` is as it was\. The backup `web-1-\S+` exists/);
  expect(writeRoutes(story)).toEqual([captured]);
});

test("a backup that breaks before the cancellation begins stops the cancellation, and nothing is destroyed", async () => {
  const { story, request } = await copying();
  const { ana, platform } = story;
  // It is there, and its key's budget, or a stop of the app, lets time pass until the facts are read.
  platform.faults.hang(/\/custom-images\//);
  await story.passes(() => platform.calls().some(({ path }) => path.includes("/custom-images/")), "the look");
  for (const name of imagesOf(story)) platform.changeImage(name, { status: "error", error: "It was damaged" });
  platform.faults.resume();
  await story.comesToSee(ana, "failed: It was damaged", "`web-1` is as it was");
  expect(writeRoutes(story)).toEqual([captured]);
  // The message's old buttons do nothing any more.
  await story.pressing(ana, request, goAhead, "failed: It was damaged");
  expect(writeRoutes(story)).toEqual([captured]);
});

test("the requester can stop the act during its backup, a colleague cannot, and a second request must wait", async () => {
  const { story, request } = await copying();
  const { ana, ben } = story;
  await story.ask(ben, "/vps cancel web-1 immediate=yes", "is under way: a backup is made first");
  await story.pressing(ben, request, "Keep web-1", "or an admin can stop this");
  await story.pressing(ana, request, "Keep web-1", "stopped it after the backup began", "The backup continues");
  story.clock.skip(10 * 60_000);
  await story.ask(ben, "/vps cancel web-1", "asks to");
  expect(writeRoutes(story)).toEqual([captured]);
});

test("a backup whose answer is lost is checked, is not made twice, and the cancellation goes on", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.clearCalls();
  platform.faults.next({ how: "reset", method: "POST", path: "/vps/{id}/capture", applied: true });
  await story.pressing(ana, request, copyFirst, "I am checking the outcome");
  await story.comesToSee(ana, "Keep it", "Order from the image");
  expect(writeRoutes(story)).toEqual([captured, ended]);
});

test("a backup that never reached the platform is reported as not made, and nothing is destroyed", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.clearCalls();
  platform.faults.next({ how: "reset", method: "POST", path: "/vps/{id}/capture" });
  await story.pressing(ana, request, copyFirst, "I am checking the outcome");
  await story.comesToSee(ana, "The backup was not made", "there is no such image", "`web-1` is as it was.");
  expect(writeRoutes(story)).toEqual([captured]);
});

test("a backup whose outcome stays unknown stops the cancellation, and nothing is destroyed", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.clearCalls();
  platform.faults.next({ how: "reset", method: "POST", path: "/vps/{id}/capture", applied: true });
  await story.pressing(ana, request, copyFirst, "I am checking the outcome");
  platform.faults.next({ how: { status: 503, body: {} }, method: "GET", path: "/custom-images", times: 99 });
  await story.comesToSee(ana, "The outcome of the backup stays unknown", "billed", "`web-1` is as it was");
  expect(writeRoutes(story)).toEqual([captured]);
});

test("a refused backup leaves the request open, which can then be approved with a backup or without", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.clearCalls();
  platform.change("web-1", { instance: { state: "migrating" } });
  await pressInDetails(story, ana, request, copyFirst, "`web-1` is migrating at the moment", "Nothing changed");
  expect(writes(story)).toEqual([]);
  platform.change("web-1", { instance: { state: "running" } });
  const conflict = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  platform.faults.next({ how: conflict, method: "POST" });
  await story.pressing(
    ana,
    request,
    copyFirst,
    "The backup was not made",
    "The machine is busy",
    "`web-1` is as it was",
    "Back up first",
  );
  await story.pressing(ana, request, goAhead, "You can withdraw the cancellation until then");
  expect(writeRoutes(story)).toEqual([captured, ended]);
});

test.each<[string, (story: Story) => Promise<unknown> | unknown, string]>([
  [
    "the key is exchanged",
    (story) => story.link(story.ana, story.platform.addKey({ owner: "ana", label: "new" }).key),
    "no longer linked",
  ],
  ["the key is revoked", ({ platform }) => platform.revoke(platform.keys.ana), "no longer accepts the key"],
  ["the requester is made a guest", ({ slack }) => slack.setRole("ana", "guest"), "who asked"],
  [
    "a rule forbids it",
    (story) => story.ask(story.caro, '/rackbell policy add demand=not-allowed command="vps cancel"', "In effect now"),
    "A rule of this workspace does not allow it now",
  ],
  [
    "a rule wants others to approve it",
    (story) => story.ask(story.caro, "/rackbell policy add demand=one-approval risk=destroy", "In effect now"),
    "It needs more approvals now",
  ],
])(
  "while the backup is made %s: nothing is destroyed",
  async (_, happens, why) => {
    const { story } = await copying({ linked: ["ana", "ben", "caro"], environment: { ADMINS: "" } });
    story.slack.setRole("caro", "admin");
    await happens(story);
    await story.comesToSee(story.ben, why, "`web-1` is as it was");
    expect(writeRoutes(story)).toEqual([captured]);
  },
  20_000,
);

test("an act waits while its machine is in use, and destroys nothing if the backup is gone by then", async () => {
  const { story } = await copying();
  const { ana, ben, platform } = story;
  platform.faults.hang("/vps/{id}/reboot");
  await ben.type("/vps reboot web-1 force=yes");
  await story.comesToSee(ana, "is ready to use", "Rackbell now reads the facts again");
  const [name = ""] = imagesOf(story);
  platform.changeImage(name, { status: "error", error: "It was damaged" });
  platform.faults.resume();
  const lost = await story.comesToSee(
    ana,
    `The backup \`${name}\` cannot be used`,
    "`web-1` is as it was. It has no usable backup",
  );
  expect(said(lost)).not.toContain(`The backup \`${name}\` exists`);
  expect(writeRoutes(story)).toEqual([captured, "POST /vps/{id}/reboot"]);
});

test("the backup that one of two approvers chooses is made before the act", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    pace: 8,
    rules: ["demand=two-approvals risk=destroy"],
  });
  const { ana, ben, caro, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "Two others than");
  platform.clearCalls();
  await story.pressing(
    ben,
    request,
    copyFirst,
    "1 of 2",
    "First Rackbell captures `web-1`",
    `<@${ben.user.id}> chose the backup`,
  );
  const chosen = await story.sees(
    caro,
    "1 of 2",
    "First Rackbell captures `web-1`",
    `<@${ben.user.id}> chose the backup`,
  );
  await story.pressing(caro, chosen, copyFirst, "Capturing", `approved by <@${ben.user.id}> and <@${caro.user.id}>`);
  await story.comesToSee(ana, "Keep it", "Order from the image");
  expect(writeRoutes(story)).toEqual([captured, ended]);
});

test("a backup that a rule stops is not offered: the request quotes the rule, and a press for it is refused", async () => {
  const story = await startStory({ linked: ["ana", "ben"], pace: 8 });
  const { ana, ben } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "Back up first");
  await story.ask(ana, '/rackbell policy add demand=one-approval risk=spend over="50 EUR"', "In effect now");
  await pressInDetails(story, ben, request, copyFirst, "Others must approve the backup now", "over 50.00 EUR");
  const without = await story.ask(
    ana,
    "/vps cancel web-2",
    "asks to",
    "A rule asks for approval of the backup",
    "over 50.00 EUR",
    "Ask again with `backup-first=yes`",
    "ask for it apart, with `/vps capture`",
  );
  expect(said(without)).not.toContain("Back up first");
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
  expect(writeRoutes(story)).toEqual([ended]);
  await story.ask(ana, '/rackbell policy add demand=not-allowed command="vps capture"', "In effect now");
  const never = await story.ask(ana, "/vps cancel db-1", "asks to", "A rule does not allow the backup", "/vps capture");
  expect(said(never)).not.toMatch(/Back up first|ask for it apart/);
});

test("each act that destroys a disk offers a capture first where it is possible, and a change of plan a snapshot", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const command of [
    "/vps revert web-2 snapshot=clean",
    "/service cancel web-2",
    "/vps cancel web-2 immediate=yes",
  ])
    await story.ask(ana, command, "asks to", "Back up first", "Last backup");
  for (const noun of ["vps", "service"]) {
    await ana.type(`/${noun} reinstall web-1`);
    await story.modal(ana, "Operating system");
    await ana.choose("modal", "choose:image", "Debian 13");
    await ana.submit();
    const request = await story.sees(ana, "asks to", "*Reinstall `web-1`*", "This will erase", "Back up first");
    await story.pressing(ana, request, backOut, "was withdrawn");
  }
  const upgrade = await story.ask(ana, '/service upgrade web-2 to="VPS L"', "Back up first", "`clean`");
  await ana.press(upgrade, "Details…");
  await story.modal(ana, "can restore the disk, but not the plan");
  await ana.closeModal();
  // A machine that cannot be captured, or does not say, is offered no copy.
  for (const name of ["no-snapshots", "plugin-1", "metal-1"]) {
    const none = await story.ask(ana, `/service cancel ${name}`, "asks to");
    expect(said(none)).not.toContain("Back up first");
  }
});

test("the button “Keep it” disappears when the machine can no longer be kept", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, request, goAhead, "Keep it");
  clock.skip(Date.parse(platform.findVps("web-1").cancellation?.scheduled_date ?? "") - clock.now() - 60_000);
  await story.ask(ana, "/vps list", "VPS");
  expect(said(await story.sees(ana, "You can withdraw the cancellation until then"))).toContain("Keep it");
  clock.skip(60_000);
  await story.slack.until(() => {
    const end = shows(ana, "You can withdraw the cancellation until then");
    return end && !said(end).includes("Keep it");
  }, "the button to go");
  // A reply days later would say again that the cancellation can be withdrawn.
  await story.ask(ana, "/vps show web-2", "web-2");
  expect(ana.sees().filter((message) => said(message).includes("You can withdraw the cancellation"))).toHaveLength(1);
});

function imagesOf({ platform }: Story): string[] {
  return platform.calls().flatMap(({ body }) => /web-1-\d{8}-[0-9a-f]{6}/.exec(JSON.stringify(body ?? "")) ?? []);
}

test.each([
  ["nobody decides it again", async ({ clock }: Story) => clock.skip(2 * 60 * 60_000), "It expired"],
  [
    "its requester withdraws it",
    // The reply that it waits again follows its card, and has no button.
    async ({ ana, passes }: Story) => {
      const card = () => ana.sees().find(({ blocks }) => JSON.stringify(blocks).includes(backOut));
      await ana.press(await passes(card, "its card to wait again"), backOut);
    },
    "withdrawn",
  ],
])("after its act was refused, the end says that the backup exists: %s", async (_, end, words) => {
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  const { story } = await copying({}, ({ platform }) =>
    platform.faults.next({ how: busy, method: "DELETE", times: 5 }),
  );
  await story.comesToSee(story.ana, "The machine is busy", "exists, and stays");
  await end(story);
  const ending = await story.comesToSee(story.ana, words, "`web-1` is as it was. The backup", "exists, and stays");
  expect(said(ending)).not.toContain("Nothing was done");
});

test("a member who confirmed alone is notified that it waits again when the act is refused after its backup", async () => {
  const { story } = await copying({ linked: ["ana"] });
  const { ana, platform } = story;
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  platform.faults.next({ how: busy, method: "DELETE" });
  await story.comesToSee(ana, "awaits a confirmation again", "The machine is busy");
});
