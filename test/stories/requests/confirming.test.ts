import { expect, test } from "vitest";
import { createLog } from "../../../src/process/log.ts";
import { Request } from "../../../src/requests/request.ts";
import { openStore } from "../../../src/storage/open.ts";
import { raw } from "../../storage/raw.ts";
import { askToReinstall } from "../reinstalling.ts";
import { backOut, fileStore, goAhead, said, startStory, writes } from "../story.ts";

const _hour = 60 * 60_000;

test("a cancellation shows its losses, runs once at the press, and offers the way back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(
    ana,
    "/vps cancel web-1",
    "asks to",
    "its disk",
    "You can withdraw the cancellation until then",
  );
  expect(writes(story)).toEqual([]);
  const pressed = await ana.press(request, goAhead, { confirm: false });
  expect(pressed.confirm?.text).toContain("web-1");
  expect(pressed.confirm?.text).toContain("disk");
  expect(writes(story)).toEqual([]);
  const done = await story.pressing(
    ana,
    request,
    goAhead,
    ":white_check_mark:",
    "You can withdraw the cancellation until then",
  );
  expect(said(done)).toContain("Requested: ");
  expect(writes(story)).toMatchObject([{ method: "DELETE", path: `/vps/${platform.findVps("web-1").id}` }]);
  await story.pressing(ana, done, "Keep it", "its cancellation is withdrawn");
  expect(platform.findVps("web-1").cancellation).toBeNull();
});

test("an immediate cancellation names the addresses and says that there is no way back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const request = await story.ask(
    story.ana,
    "/vps cancel web-1 immediate=yes",
    "`192.0.2.2` and `2001:db8:0:1::2`",
    "cannot be undone",
  );
  const done = await story.pressing(story.ana, request, goAhead, "has ended", "no way back");
  expect(said(done)).not.toContain("Keep it");
});

test("of two presses in one second one runs the request, and the other is answered that it came second", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await Promise.all([ana.press(request, goAhead), ana.press(request, goAhead)]);
  await story.sees(ana, ":white_check_mark:", "You can withdraw the cancellation until then");
  await story.sees(ana, /pressed first|confirmed it/);
  expect(writes(story)).toHaveLength(1);
});

test("of two requests about one thing, pressed in one second, one runs, and the other says why not", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await story.ask(ana, "/vps capture web-1 name=one", "billed per GB");
  await ana.type("/vps capture web-1 name=two");
  await story.slack.until(
    () => ana.sees().filter((one) => said(one).includes("billed per GB")).length === 2,
    "the second",
  );
  const second = ana.lastSeen();
  platform.clearCalls();
  await Promise.all([ana.press(first, goAhead), ana.press(second, goAhead)]);
  await story.sees(ana, "Capture `web-1`, asked for by", "is being sent right now");
  await story.sees(ana, "Capturing");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("a press on a request that is over runs nothing and says how the request ended", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const stale = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, stale, goAhead, ":white_check_mark:", "You can withdraw the cancellation until then");
  await story.pressing(ana, stale, goAhead, "confirmed it, and it was done");
  await story.pressing(ana, stale, backOut, "confirmed it");
  expect(writes(story)).toHaveLength(1);
});

test("a snapshot that is taken meanwhile cancels the request to revert, which says that its snapshots changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps revert web-2 snapshot=clean", "asks to", "*Destroys snapshots*");
  await story.ask(ana, "/vps snapshot web-2 name=new-one", "Taking the snapshot");
  await story.comesToSee(ana, "is taken.");
  platform.clearCalls();
  await story.pressing(
    ana,
    request,
    goAhead,
    "Something changed",
    "*Destroys snapshots* changed: it was none",
    "`new-one`",
  );
  expect(writes(story)).toEqual([]);
});

test("a machine that stops meanwhile does not cancel the request to cancel its service", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.change(platform.findVps("web-1").id, { instance: { state: "stopped" } });
  await story.pressing(ana, request, goAhead, ":white_check_mark:", "You can withdraw the cancellation until then");
  expect(writes(story)).toHaveLength(1);
});

test("a request that is done, or refused for good, no longer keeps its sealed input", async () => {
  const url = fileStore();
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: url } });
  const { ana } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, request, goAhead, ":white_check_mark:", "You can withdraw the cancellation until then");
  const refused = await story.ask(ana, "/vps cancel web-2", "asks to");
  story.platform.faults.next({
    how: { status: 400, body: { success: false, code: "VALIDATION_ERROR", error: "Not possible" } },
    method: "DELETE",
  });
  await story.pressing(ana, refused, goAhead, "Not possible");
  await story.ask(ana, "/vps reboot web-2 force=yes", "Rebooting");
  await story.app.stop();
  const store = await openStore({ url, clock: story.clock, log: createLog({ level: "silent" }) });
  const stored = [];
  for await (const { value } of store.scan(raw("requests"))) stored.push(Request.parse(value));
  await store.close();
  expect(stored.map(({ command, input: { sealed } }) => [command, sealed]).toSorted()).toEqual([
    ["vps cancel", null],
    ["vps cancel", null],
    ["vps reboot", null],
  ]);
});

test("a request to delete a snapshot that is gone meanwhile is cancelled, and says that something changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const first = await story.ask(ana, "/vps snapshot delete web-1 snapshot=weekly-1", "asks to");
  const { snapshots } = platform.findVps("web-1");
  platform.change("web-1", { snapshots: snapshots.filter(({ name }) => name !== "weekly-1") });
  await story.pressing(ana, first, goAhead, "Something changed", /That snapshot is gone|no “weekly-1”/);
  expect(writes(story)).toHaveLength(0);
});

test("a cool-down reopens the request with the time to try again, and it still runs once then", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, clock } = story;
  const first = await askToReinstall(story, "web-1");
  await story.pressing(ana, first, goAhead, "Reinstalling");
  await story.comesToSee(ana, "is reinstalled");
  const second = await askToReinstall(story, "web-1");
  const reopened = await story.pressing(
    ana,
    second,
    goAhead,
    "limits how often this is possible",
    "It can be tried again",
  );
  clock.skip(5 * 60_000);
  await story.pressing(ana, reopened, goAhead, "Reinstalling");
  expect(writes(story)).toHaveLength(3);
});

test("a cancellation, revert or capture that cannot succeed is refused with its reason, and nothing is sent", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps cancel suspended-1", "is suspended", "cannot be cancelled");
  await story.ask(ana, "/vps cancel gone-1", "is terminated", "cannot be cancelled");
  await story.ask(ana, "/vps revert suspended-1 snapshot=old", /suspended/);
  await story.ask(ana, "/vps capture build-1 name=x", "has not built it yet", "Try again when it is built");
  await story.ask(ana, "/vps capture frozen-1 name=x", "frozen");
  await story.ask(ana, "/vps capture no-snapshots name=x", "cannot be captured");
  await story.ask(ana, "/vps cancel web-1 reason=bored", "at least two words");
  await story.ask(ana, "/vps revert db-1 snapshot=nightly.2", "cannot be restored now");
  expect(writes(story)).toEqual([]);
});

test("the list of approvals shows open requests, hides priced ones from others, and takes an approval", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/vps capture web-2 name=golden", "billed per GB");
  const mine = await story.ask(ana, "/rackbell approvals", "Open requests", "Not now");
  const theirs = await story.ask(ben, "/rackbell approvals", "Open requests");
  expect(said(theirs)).not.toContain("billed per GB");
  await story.pressing(ana, mine, goAhead, "You can withdraw the cancellation until then");
});

test("a press while Slack edits nothing still runs once, and the requester is notified", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.faults.fail("chat.update", "message_not_found", 2);
  await ana.press(request, goAhead);
  await story.seesIn("dm", ana, "You can withdraw the cancellation until then");
  expect(writes(story)).toHaveLength(1);
});

test("a press while Slack is slow to edit is not taken for a crash", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack, clock, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.faults.rateLimit("chat.update", 40);
  await ana.press(request, goAhead);
  await slack.until(() => slack.calls("chat.update").length > 0, "the edit to be tried");
  clock.skip(16_000);
  await story.comesToSee(ana, "· <@", "withdraw the cancellation until then");
  expect(writes(story)).toMatchObject([{ method: "DELETE", path: `/vps/${platform.findVps("web-1").id}` }]);
  const audit = await story.ask(ana, "/rackbell audit", "Audit entries");
  expect(said(audit)).not.toContain("unknown");
});
