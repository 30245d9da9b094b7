import { expect, test } from "vitest";
import { fileStore, goAhead, peer, said, startStory } from "../story.ts";
import { cooling, pathsOf, refused, writtenPaths } from "./machines.ts";

test("of three machines one fails, the message says which and why, and that one alone is tried again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: refused, method: "POST", path: pathsOf(story, "reboot", "web-2")[0] ?? "" });
  const request = await story.ask(ana, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes");
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "2 of 3 were done and 1 failed", "`web-2`", "Try the failed ones again");
  expect(said(ended)).toMatch(/`web-2`: .*being built/);
  await ana.press(ended, "Try the failed ones again");
  await story.comesToSee(ana, "`web-2` is done");
  expect(writtenPaths(story).toSorted()).toEqual(
    pathsOf(story, "reboot", "web-1", "web-2", "web-2", "db-1").toSorted(),
  );
});

/** Ana's reboot of three machines, of which web-2 and db-1 failed. */
async function twoFailed() {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, platform } = story;
  for (const path of pathsOf(story, "reboot", "web-2", "db-1"))
    platform.faults.next({ how: refused, method: "POST", path });
  const request = await story.ask(ana, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes");
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "1 of 3 was done and 2 failed", again);
  // A second press within some seconds is a double click, which another guard answers.
  story.clock.skip(60_000);
  return { story, ended, rebooted: () => writtenPaths(story).slice(3) };
}

const again = "Try the failed ones again";

test("failed machines are tried again once: whoever presses while that works is led to it, also after its end", async () => {
  const { story, ended, rebooted } = await twoFailed();
  const { ana, ben, platform, clock } = story;
  const [db1 = ""] = pathsOf(story, "reboot", "db-1");
  platform.faults.next({ how: cooling, method: "POST", path: db1 });
  await ana.press(ended, again);
  await story.comesToSee(ana, "1 of 2 done", "the platform asked to wait");
  for (const [actor, by] of [
    [ana, "you"],
    [ben, `<@${ana.user.id}>`],
  ] as const)
    await story.pressing(actor, ended, again, `Reboot 2 VPSes was requested by ${by}`, "is under way, so nothing new");
  clock.skip(900_000);
  await story.comesToSee(ana, "Reboot 2 VPSes", "All 2 are done");
  expect(rebooted()).toEqual([...pathsOf(story, "reboot", "web-2", "db-1"), db1]);
  await story.passes(() => !JSON.stringify(ana.sees()).includes(again), "the button to go");
  await story.pressing(ana, ended, { actionId: "request:again" }, "None of these is left: each was done since");
  expect(rebooted()).toHaveLength(3);
});

test("failed machines that a colleague tried again are left out of a question of before, and named", async () => {
  const { story, ended, rebooted } = await twoFailed();
  const { ana, ben } = story;
  const question = await story.pressing(ben, ended, again, "For each of 2 VPSes", "Only you see this");
  await ana.press(ended, again);
  await story.comesToSee(ana, "Reboot 2 VPSes", "All 2 are done");
  await ben.press(question, goAhead);
  const words = `Reboot 2 VPSes, asked by <@${ana.user.id}>, has done it. So it was left as it is.`;
  await story.comesToSee(ben, "0 of 2 were done and 2 left out", words);
  expect(rebooted().toSorted()).toEqual(pathsOf(story, "reboot", "web-2", "db-1").toSorted());
});

test("a machine that failed twice is tried again once, whichever of the two messages offers it", async () => {
  const { story, ended, rebooted } = await twoFailed();
  const { ana, platform, clock } = story;
  const [db1 = ""] = pathsOf(story, "reboot", "db-1");
  platform.faults.next({ how: refused, method: "POST", path: db1 });
  await ana.press(ended, again);
  const second = await story.comesToSee(ana, "1 of 2 was done and 1 failed");
  clock.skip(60_000);
  platform.faults.next({ how: cooling, method: "POST", path: db1 });
  await story.pressing(ana, ended, again, "0 of 1 done", "the platform asked to wait");
  await story.pressing(ana, second, again, "Reboot 1 VPS was requested by you", "is under way, so nothing new");
  clock.skip(900_000);
  await story.comesToSee(ana, "`db-1` is done");
  expect(rebooted()).toHaveLength(4);
  await story.passes(() => !JSON.stringify(ana.sees()).includes(again), "both buttons to go");
});

test("a machine with an unknown outcome is checked, its command is sent once, and the other machines go on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.faults.next({ how: "500", method: "POST", path: pathsOf(story, "stop", "web-2")[0] ?? "", applied: true });
  const request = await story.ask(ana, "/vps stop web-1 web-2 db-1", "For each of 3 VPSes");
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "All 3 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "stop", "web-1", "web-2", "db-1").toSorted());
});

test("a bulk start leaves out listed machines that were renamed, started or terminated since, and adds no others", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  platform.addVps(4, "old");
  const names = ["old-00001", "old-00002", "old-00003", "old-00004"];
  const ids = names.map((name) => platform.findVps(name).id);
  for (const name of names) platform.change(name, { instance: { state: "paused" } });
  await ana.type('/rackbell policy add demand=one-approval command="vps start"');
  await story.sees(ana, "rule");
  const request = await story.ask(ana, "/vps start status=paused text=old", "Start 4 VPSes", "asks to");
  platform.change("old-00001", { name: "new-name" });
  platform.change("old-00002", { instance: { state: "running" } });
  platform.change("old-00003", { status: "terminated" });
  platform.addVps(1, "older");
  platform.change("older-00001", { instance: { state: "paused" } });
  await ben.press(request, goAhead);
  const ended = await story.comesToSee(ben, "1 of 4 was done and 3 left out");
  expect(said(ended)).toContain("It was called `old-00001` and is called `new-name` now");
  // The reason is true of one moment, and the message stays.
  expect(said(ended)).toMatch(/• `old-00002`, [^:]*\d+:\d\d[^:]*: It was paused/);
  expect(said(ended)).toContain("It was paused and is running now");
  expect(writtenPaths(story)).toEqual([`/vps/${ids[3]}/start`]);
});

test("two who approve in one second approve once", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-2 db-1", "asks to", "Cancel 2 VPSes");
  await Promise.all([ben.press(request, goAhead), caro.press(request, goAhead)]);
  await story.comesToSee(ana, "All 2 are done");
  expect(writtenPaths(story)).toHaveLength(2);
});

test("a key that is revoked in the middle stops a bulk reboot, which says so and offers to go on with the rest", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(8, "box");
  const names = Array.from({ length: 8 }, (_, at) => `box-0000${at + 1}`);
  const request = await story.ask(ana, `/vps reboot ${names.join(" ")}`, "For each of 8 VPSes");
  await ana.press(request, goAhead);
  await expect.poll(() => writtenPaths(story).length).toBe(5);
  platform.revoke(platform.keys.ana);
  const ended = await story.comesToSee(ana, "no longer accepts the key", "3 were not begun", "Go on with");
  expect(said(ended)).toContain("Go on with the other 3");
  expect(writtenPaths(story)).toHaveLength(5);
});

test("a bulk stop ends after the number of failures in stop-after, and a press goes on with the rest", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(8, "box");
  const names = Array.from({ length: 8 }, (_, at) => `box-0000${at + 1}`);
  platform.faults.next({ how: refused, method: "POST", times: 2 });
  const request = await story.ask(ana, `/vps stop ${names.join(" ")} stop-after=1`, "after 1 failure");
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "It stopped after 1 failure", "Go on with the other");
  const sent = writtenPaths(story).length;
  expect(sent).toBeLessThan(8);
  const goOn = `Go on with the other ${8 - sent}`;
  const rest = await story.pressing(ana, ended, goOn, `Stop ${8 - sent} VPSes`);
  await story.pressing(ana, ended, goOn, "was requested by you", "awaits a decision, so nothing new was requested");
  await ana.press(rest, goAhead);
  await story.comesToSee(ana, `All ${8 - sent} are done`);
  expect(new Set(writtenPaths(story)).size).toBe(8);
});

test("a requester who stops a bulk reboot lets the machines under way finish; another member cannot stop it", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  platform.addVps(8, "box");
  const names = Array.from({ length: 8 }, (_, at) => `box-0000${at + 1}`);
  const request = await story.ask(ana, `/vps reboot ${names.join(" ")}`, "For each of 8 VPSes");
  await ana.press(request, goAhead);
  await expect.poll(() => writtenPaths(story).length).toBe(5);
  const running = await story.sees(ana, "5 under way, 3 to go");
  await story.pressing(ben, running, "request:stop", "or an admin can stop this");
  await ana.press(running, "request:stop");
  await story.comesToSee(ana, "stopped it", "5 of 8 were done and 3 were not begun");
  expect(writtenPaths(story)).toHaveLength(5);
});

test("a machine for which the platform asks to wait is tried again afterwards, and counts as no failure", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const cooling = {
    status: 429,
    headers: { "retry-after": "90" },
    body: { success: false, code: "ACTION_RATE_LIMITED", error: "Too many", retry_after_seconds: 90 },
  };
  platform.faults.next({ how: cooling, method: "POST", path: pathsOf(story, "reboot", "db-1")[0] ?? "" });
  const request = await story.ask(ana, "/vps reboot web-1 db-1", "For each of 2 VPSes");
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "1 of 2 done", "the platform asked to wait");
  await story.comesToSee(ana, "All 2 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "reboot", "web-1", "db-1", "db-1").toSorted());
});

test("a machine that cannot be read at its turn is read again, and is no failure by that", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const { id } = platform.findVps("db-1");
  const request = await story.ask(ana, "/vps reboot web-1 db-1", "For each of 2 VPSes");
  platform.faults.next({ how: "500", method: "GET", path: `/vps/${id}`, times: 4 });
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "All 2 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "reboot", "web-1", "db-1").toSorted());
});

test("a bulk stop goes on after a restart of the app, and each machine is stopped once", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana, platform } = story;
  platform.addVps(8, "box");
  const names = Array.from({ length: 8 }, (_, at) => `box-0000${at + 1}`);
  const request = await story.ask(ana, `/vps stop ${names.join(" ")}`, "For each of 8 VPSes");
  await ana.press(request, goAhead);
  await expect.poll(() => writtenPaths(story).length).toBe(5);
  await story.restart();
  await story.comesToSee(ana, "All 8 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "stop", ...names).toSorted());
});

test("a bulk stop whose key has few calls left waits for the next hour, and names its owner to the channel", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps stop web-1 web-2 db-1", "For each of 3 VPSes");
  for (const name of ["web-1", "web-2", "db-1"]) await story.ask(ana, `/vps show ${name}`, `*\`${name}\`*`);
  platform.settings.hourlyLimit = platform.calls().filter(({ key }) => key === "ana").length + 2;
  await story.ask(ana, "/vps show web-1", "is running");
  await ana.press(request, goAhead);
  await story.sees(ana, `the key of <@${ana.user.id}> has few calls left in this hour`);
  expect(writtenPaths(story)).toEqual([]);
  platform.settings.hourlyLimit = 1_000;
  story.clock.skip(60 * 60_000);
  await story.comesToSee(ana, "All 3 are done");
});

test("a bulk request stops before its next machine once its requester is a guest", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock, platform, slack } = story;
  platform.faults.next({ how: cooling, method: "POST", path: pathsOf(story, "reboot", "db-1")[0] ?? "" });
  const request = await story.ask(ana, "/vps reboot web-1 db-1", "For each of 2 VPSes");
  await ana.press(request, goAhead);
  await story.comesToSee(ben, "1 of 2 done", "the platform asked to wait");
  slack.setRole("ana", "guest");
  clock.skip(900_000);
  const ended = await story.comesToSee(ben, "It stopped before `db-1`", "1 of 2 was done and 1 was not begun");
  expect(said(ended)).toContain("who asked, is now a guest of this workspace");
  expect(said(ended)).toContain(":x:");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "reboot", "web-1", "db-1").toSorted());
});

test("a machine that has another host name or project by its turn is left out; a project that was renamed is the same", async () => {
  const story = await startStory({ linked: ["ana", "ben"], rules: ['demand=one-approval command="vps reboot"'] });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps reboot web-1 mail cache-1", "asks to", "3 VPSes");
  platform.renameProject("production", "Playground");
  platform.change("mail", { hostname: "db.example.test" });
  platform.change("cache-1", { project_id: platform.projectId("production") });
  await ben.press(request, goAhead);
  const ended = await story.comesToSee(ben, "1 of 3 was done and 2 left out");
  expect(said(ended)).toMatch(/Its host name was `[^`]+` and is `db.example.test` now/);
  expect(said(ended)).toContain("It was in `Default` and is in `Playground` now");
  expect(writtenPaths(story)).toEqual(pathsOf(story, "reboot", "web-1"));
});
