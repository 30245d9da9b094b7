import { expect, test } from "vitest";
import { askToReinstall } from "../reinstalling.ts";
import { rest } from "../rest.ts";
import { fileStore, goAhead, type Story, said, startStory } from "../story.ts";

function sees(story: Story, text: string): boolean {
  return story.ana.sees().some((message) => said(message).includes(text));
}

function looks({ platform }: Story, path: string): number {
  return platform.calls().filter((call) => call.method === "GET" && call.path.includes(path)).length;
}

async function reinstall(story: Story, name: string) {
  const { ana } = story;
  await ana.press(await askToReinstall(story, name), goAhead);
  await story.sees(ana, "Reinstalling");
}

test("a snapshot's message is edited to its end and mentions the requester, as does a reply in its thread", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const started = await story.ask(ana, "/vps snapshot web-2 name=before-upgrade", "Taking the snapshot");
  await story.comesToSee(ana, "It took");
  const ended = () => ana.sees().filter((message) => said(message).includes("It took"));
  expect(ended().find(({ ts }) => ts === started.ts)?.mentions).toContain(`<@${ana.user.id}>`);
  const reply = await story.slack.until(
    () => ended().find(({ thread_ts }) => thread_ts === started.ts),
    "a reply in the thread",
  );
  expect(reply.mentions).toContain(`<@${ana.user.id}>`);
});

test.each<["snapshot" | "start", string, string]>([
  ["snapshot", "/vps snapshot web-2 name=doomed", "The snapshot `doomed` failed"],
  ["start", "/vps start worker-2", "in state error"],
])("a %s that fails is reported as failed", async (kind, command, words) => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const target = platform.findVps(kind === "start" ? "worker-2" : "web-2");
  platform.failJob(kind, target.id);
  await ana.type(command);
  await story.comesToSee(ana, ":x:", words);
});

test("a failed reinstall says that the data is lost and offers another try", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.failJob("reinstall", platform.findVps("web-2").id);
  await reinstall(story, "web-2");
  await story.comesToSee(ana, ":x: The reinstall of `web-2` failed");
  await story.sees(ana, ":x:", "The data on its disk is lost", "Reinstall…");
});

test("a reinstall for which the platform shows no installation is reported as in doubt, and not as done", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: "wrong-shape", method: "POST", path: "/vps/{id}/reinstall" });
  await reinstall(story, "web-2");
  await story.comesToSee(ana, "shows no new installation");
  await story.sees(ana, ":grey_question:", "Check its system before you try again");
  expect(sees(story, "is reinstalled")).toBeFalsy();
  expect(sees(story, "It took")).toBeFalsy();
});

test("a snapshot that is taken but cannot be restored is reported as taken, with a warning, and not as failed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  await story.ask(ana, "/vps snapshot web-2 name=held", "Taking the snapshot");
  // In the skip in which it is taken: the app may read it right after that.
  clock.after(2 * 60_000, () => platform.change("web-2", { disk_job: "migration" }));
  clock.skip(2 * 60_000);
  expect(platform.findVps("web-2").snapshots).toContainEqual(
    expect.objectContaining({ name: "held", status: "available" }),
  );
  await story.passes(() => sees(story, "does not let it be restored"), "the doubt to be told", 20_000);
  await story.sees(ana, ":grey_question:", "The snapshot `held` is taken");
  expect(sees(story, ":x:")).toBeFalsy();
});

test("Rackbell tracks a reinstall to its end across a restart, and sends the reinstall once", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  await reinstall(story, "web-2");
  await story.restart();
  await story.comesToSee(story.ana, "is reinstalled with Debian");
  expect(story.platform.calls().filter(({ method }) => method === "POST")).toHaveLength(1);
});

test("tracking says that the platform does not answer, and goes on when the platform is back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { platform } = story;
  await reinstall(story, "web-2");
  platform.faults.next({ how: "500", method: "GET", path: "/vps/{id}", times: 12 });
  await story.comesToSee(story.ana, "does not answer at the moment");
  await story.comesToSee(story.ana, "is reinstalled with Debian");
});

test("tracking of a start ends after its deadline, and the member is asked to check the machine", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  await story.ask(ana, "/vps start worker-2", "Starting");
  // Somebody stops it again from elsewhere: it will not come up.
  clock.skip(16_000);
  platform.change(platform.findVps("worker-2").id, { instance: { state: "paused" } });
  await story.passes(() => sees(story, "stopped checking"), "the end of the checks", 60_000);
  await story.sees(ana, ":grey_question:", "I stopped checking after 10 min", "check the resource yourself");
});

test("a key that is revoked ends the tracking of its reinstall, and the message and Home say so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, slack } = story;
  await reinstall(story, "web-2");
  platform.revoke(platform.keys.ana);
  await story.comesToSee(ana, "no longer accepts the key");
  await ana.openHome();
  await slack.until(() => JSON.stringify(ana.home() ?? {}).includes("refused this key"), "the Home tab to say it");
});

test("tracking with few calls left in the hour hardly reads, and goes on to its end in the next hour", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  await story.ask(ana, "/vps show web-2", "is running");
  platform.settings.hourlyLimit = 1_000;
  const used = platform.calls().filter(({ key }) => key === "ana").length;
  // 15 % left: slower, but it still looks.
  platform.settings.hourlyLimit = Math.ceil((used + 10) / 0.85);
  await reinstall(story, "web-2");
  platform.clearCalls();
  await story.comesToSee(ana, /The key of <@\w+> has few calls left in this hour|is reinstalled/);
  const before = looks(story, "/vps/");
  clock.skip(10 * 60_000);
  await rest(1_000);
  expect(looks(story, "/vps/") - before).toBeLessThanOrEqual(1);
  clock.skip(55 * 60_000);
  await story.comesToSee(ana, "is reinstalled with Debian");
});

test("the result of a snapshot goes to the direct messages if its message was deleted meanwhile", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await story.ask(ana, "/vps snapshot web-2 name=before", "Taking the snapshot");
  slack.faults.fail("chat.update", "message_not_found", 50);
  await story.comesToSeeIn("dm", ana, "is taken.");
});

test("a key that is replaced ends the tracking of its reinstall, and the message says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await reinstall(story, "web-2");
  const other = platform.addKey({ owner: "ana", label: "ana-2" });
  story.secrets.add(other.key);
  await story.link(ana, other.key);
  await story.comesToSee(ana, "no longer linked");
});
