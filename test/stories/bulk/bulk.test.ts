import { expect, test } from "vitest";
import { type Actor, goAhead, type Message, peer, type Story, said, startStory } from "../story.ts";
import { pathsOf, writtenPaths } from "./machines.ts";

test("a bulk reboot needs one confirmation, which only the member sees, and is one message in the channel to its end", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes", "is interrupted");
  for (const name of ["web-1", "web-2", "db-1"]) expect(said(request)).toContain(name);
  expect(ben.sees().some((message) => said(message).includes("For each of 3 VPSes"))).toBe(false);
  expect(writtenPaths(story)).toEqual([]);
  await ana.press(request, goAhead);
  await story.comesToSee(ben, "All 3 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "reboot", "web-1", "web-2", "db-1").toSorted());
  const top = ben.sees().filter(({ thread_ts: thread, ts }) => thread === undefined || thread === ts);
  expect(top.filter((message) => said(message).includes("Reboot"))).toHaveLength(1);
});

test("a bulk start of a few named machines runs at once, since it interrupts nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const name of ["web-1", "web-2"]) platform.change(name, { instance: { state: "stopped" } });
  await story.ask(ana, "/vps start web-1, web-2", "Start 2 VPSes");
  await story.comesToSee(ana, "All 2 are done");
  expect(writtenPaths(story).toSorted()).toEqual(pathsOf(story, "start", "web-1", "web-2").toSorted());
});

test("a bulk start by a filter shows its machines first, and runs only after a press", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const name of ["web-1", "web-2"]) platform.change(name, { instance: { state: "paused" } });
  const request = await story.ask(ana, "/vps start status=paused", "Start 3 VPSes", "paused-1", "web-1", "web-2");
  expect(writtenPaths(story)).toEqual([]);
  await ana.press(request, goAhead);
  await story.passes(() => writtenPaths(story).length === 3, "all to be started");
});

test("a bulk reboot can be scheduled; at its time it leaves out a machine that was renamed since", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  const request = await story.ask(ana, "/vps reboot web-1 web-2 in=2h", "For each of 2 VPSes");
  await ana.press(request, goAhead);
  await story.sees(ana, ":calendar:");
  platform.change("web-2", { name: "web-two" });
  expect(writtenPaths(story)).toEqual([]);
  clock.skip(2 * 60 * 60_000);
  const ended = said(await story.comesToSee(ana, "1 of 2 was done")).replaceAll("They are `web-1` and `web-2`.", "");
  // The one that was left out comes first, though it was typed last.
  expect(ended.indexOf("web-2: left out")).toBeGreaterThan(-1);
  expect(ended.indexOf("web-2: left out")).toBeLessThan(ended.indexOf("web-1"));
  expect(writtenPaths(story)).toEqual(pathsOf(story, "reboot", "web-1"));
});

test("a move of several machines says where they move to, and what that means", async () => {
  const { ask, ana } = await startStory({ linked: ["ana"] });
  const to = "it moves to `Default`. It keeps running. From then on the approval rules of `Default` apply to it.";
  await ask(ana, "/vps move status=stopped project=Default", `For each of`, to);
});

const hour = 60 * 60_000;
const when = /\*When\*\s+(<!date\^\d+)/;

test("machines that were denied for a later time are asked for again with that time, and approved for it", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-2 db-1 in=5h", "asks to", "*When*");
  await deny(story, ben, request);
  const denied = await story.sees(ana, "Not like this.", "asked by");
  const again = await story.pressing(ana, denied, "Ask again", "asks to", "*When*");
  expect(said(again).match(when)?.[1]).toBe(said(request).match(when)?.[1]);
  await story.pressing(ben, again, goAhead, "It is scheduled for");
  expect(writtenPaths(story)).toEqual([]);
  clock.skip(5 * hour);
  await story.comesToSee(ana, "All 2 are done");
});

test("a start of machines that a rule cancelled before its time begins at that time, if it is asked for again", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  for (const name of ["web-1", "web-2"]) platform.change(name, { instance: { state: "stopped" } });
  await story.ask(ana, "/vps start web-1 web-2 in=5h", "It is scheduled for");
  await story.ask(ana, '/rackbell policy add demand=not-allowed command="vps start"', "In effect now");
  const cancelled = await story.sees(ana, "The rules of this workspace changed", "Ask again");
  const rules = said(await story.ask(ana, "/rackbell policy", "`/vps start`: is not allowed"));
  const [, rule] = /`(\w+)`[^`]*`\/vps start`: is not allowed/.exec(rules) ?? [];
  await story.ask(ana, `/rackbell policy remove ${rule}`, "In effect now");
  clock.skip(60_000);
  await story.pressing(ana, cancelled, "Ask again", "It is scheduled for", "Withdraw");
  expect(writtenPaths(story)).toEqual([]);
  clock.skip(5 * hour);
  await story.comesToSee(ana, "All 2 are done");
});

test("machines whose time has passed are asked for again with another time, or with none if nobody gives one", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-2 db-1 in=30m", "asks to", "*When*");
  await deny(story, ben, request);
  const denied = await story.sees(ana, "Not like this.", "asked by");
  clock.skip(hour);
  await ana.press(denied, "Ask again");
  await story.modal(ana, "When?", "The time of this request has passed");
  const time = Math.floor((clock.now() + 3 * hour) / 1_000);
  await ana.fill({ "When?": time });
  await ana.submit();
  const later = await story.sees(ana, "asks to", `<!date^${time}`);
  await deny(story, ben, later);
  await story.sees(ana, "Not like this.", `<!date^${time}`, "asked by");
  await ana.press(denied, "Ask again");
  await story.modal(ana, "When?");
  await ana.submit();
  const atOnce = await story.passes(
    () => ana.sees().findLast((one) => said(one).includes("asks to") && one.ts !== request.ts),
    "a request without a time",
  );
  expect(said(atOnce)).not.toContain("*When*");
});

async function deny({ modal }: Story, actor: Actor, request: Message): Promise<void> {
  await actor.press(request, "request:deny");
  await modal(actor, "Deny the request");
  await actor.fill({ "Why?": "Not like this." });
  await actor.submit();
}
