import { expect, test } from "vitest";
import { tellCrashing } from "../crashing.ts";
import { goAhead, said } from "../story.ts";

/** How often each machine was sent something, by its path. */
function timesSent({ platform }: { platform: { calls(): { method: string; path: string }[] } }): number[] {
  const paths = platform
    .calls()
    .filter(({ method }) => method !== "GET")
    .map(({ path }) => path);
  return [...new Set(paths)].map((path) => paths.filter((each) => each === path).length);
}

/** One of the machines was read again, as happens just before it is sent anything. */
function isRead({ platform }: { platform: { calls(): { path: string }[] } }): boolean {
  return platform.calls().some(({ path }) => /^\/vps\/[^/]+$/.test(path));
}

const machines = ["web-1", "web-2", "db-1", "box-00001", "box-00002", "box-00003", "box-00004"];

test.each([
  ["while the first were read again", 0],
  ["when one was sent and not answered", 1],
  ["when some were done and others under way", 3],
  ["when all but the last were begun", 6],
])(
  "killed %s: the next start goes on, and each machine is sent it at most once",
  async (_, sent) => {
    const world = await tellCrashing();
    const { ana, platform, slack } = world;
    platform.addVps(4, "box");
    platform.clearCalls();
    const projectOf = (name: string) => platform.findVps(name).project_id;
    const before = new Map(machines.map((name) => [name, projectOf(name)]));
    if (sent === 0) platform.faults.hang("/vps/{id}");
    if (sent === 1) platform.faults.next({ how: "hang", method: "PATCH", applied: true });
    await ana.type(`/vps move ${machines.join(" ")} project=Empty`);
    const isUnderWay = () => isRead(world) && timesSent(world).length >= sent;
    await world.later(isUnderWay, `${sent} to be sent`);
    await world.kill();
    platform.faults.resume();
    await world.start();
    // What was cut off on its way never arrived: then it is told as not done, and is not.
    const isEnd = (text: string) => /All 7 are done|of 7 were done/.test(text) && text.includes("web-1");
    const ended = () => ana.sees().map(said).find(isEnd);
    await world.later(() => ended() !== undefined, "the end");
    const failed = machines.filter((name) => ended()?.includes(`${name}: failed`));
    expect(machines.filter((name) => projectOf(name) === before.get(name))).toEqual(failed);
    const times = timesSent(world);
    expect(times.filter((sent) => sent !== 1)).toEqual([]);
    expect(times.length).toBeGreaterThanOrEqual(machines.length - failed.length);
    expect(slack.state().violations).toEqual([]);
  },
  90_000,
);

test("killed with five under way that never arrived: they are looked into, done with the others, and counted as no failures", async () => {
  const world = await tellCrashing();
  const { ana, platform } = world;
  platform.addVps(4, "box");
  platform.clearCalls();
  platform.faults.next({ how: "hang", method: "PATCH", times: 5 });
  await ana.type(`/vps move ${machines.join(" ")} project=Empty`);
  await world.later(() => timesSent(world).length === 5, "five to be sent");
  await world.kill();
  await world.start();
  await world.sees(ana, "All 7 are done");
  expect(new Set(machines.map((name) => platform.findVps(name).project_id)).size).toBe(1);
}, 90_000);

test("killed while one was being cancelled, it goes on with the next, though it may stop after one failure; that one is not sent again", async () => {
  const world = await tellCrashing();
  const { ana, platform } = world;
  platform.faults.next({ how: "hang", method: "DELETE" });
  const request = await world.ask(ana, "/vps cancel web-1 db-1 stop-after=1", "asks to");
  await ana.press(request, goAhead);
  await world.later(() => timesSent(world).length === 1, "the first to be sent");
  await world.kill();
  await world.start();
  const ended = () => ana.sees().some((message) => said(message).includes("1 of 2 was done and 1 failed"));
  await world.later(ended, "the end", 40_000);
  expect(timesSent(world)).toEqual([1, 1]);
}, 90_000);
