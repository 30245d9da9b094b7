import { expect, test } from "vitest";
import { passNameOn } from "../renamed.ts";
import { startResellerStory } from "../reseller/selling.ts";
import { rest } from "../rest.ts";
import { type Actor, fileStore, type Message, type Story, said, startStory } from "../story.ts";

const minute = 60_000;

/** Direct messages about what is watched. */
function toldTo(actor: Actor): Message[] {
  return actor.sees("dm").filter((message) => said(message).includes("You asked for this"));
}

/** All texts so far, together. */
function newsTo(actor: Actor): string {
  return toldTo(actor).map(said).join("\n");
}

/** Lets minutes pass one by one, each with time for real requests, and looks whether `seen` holds. */
async function until(story: Story, seen: () => boolean): Promise<void> {
  await story.passes(seen, "what is watched for", minute / 4);
}

async function passes(story: Story, minutes: number): Promise<void> {
  for (let at = 0; at < minutes; at += 1) {
    story.clock.skip(minute);
    await rest(1_000);
  }
}

/** Lets time pass until ana's watch has seen the state. */
async function seenAs(story: Story, state: string): Promise<void> {
  for (let at = 0; at < 40; at += 1) {
    await passes(story, 3);
    if (said(await story.ask(story.ana, "/rackbell watches", "You watch")).includes(state)) return;
  }
  throw new Error(`The watch has not seen ${state}`);
}

function reads(story: Story, id: string): number {
  return story.platform.calls().filter(({ method, path }) => method === "GET" && path === `/vps/${id}`).length;
}

test("a member who watches a machine gets a direct message when it stops, and a button that ends the watch", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const card = await story.ask(ana, "/vps show web-1", "Watch");
  await story.pressing(ana, card, "Watch", "I watch `web-1` for you until");
  platform.change("web-1", { instance: { state: "stopped" } });
  await until(story, () => toldTo(ana).length === 1);
  const [notification] = toldTo(ana);
  expect(newsTo(ana)).toContain("`web-1` is *stopped*; it was running");
  if (notification) await story.pressing(ana, notification, "Stop watching", "I no longer watch `web-1`");
  platform.change("web-1", { instance: { state: "running" } });
  await passes(story, 20);
  expect(toldTo(ana)).toHaveLength(1);
});

test("a watcher gets no message of their own act through Rackbell, and one of another's act names its requester", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  await story.ask(ana, "/vps stop web-1 force=yes", "Stopping");
  await seenAs(story, "stopped");
  expect(toldTo(ana)).toEqual([]);
  await story.ask(ben, "/vps start web-1", "Starting");
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain(`<@${ben.user.id}> asked for it here`);
});

test("a watcher gets a message of a machine that stops by itself right after their own reboot has ended", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  await story.ask(ana, "/vps reboot web-1 force=yes", "Rebooting");
  await story.comesToSee(ana, "`web-1` is running again");
  platform.change("web-1", { instance: { state: "stopped" } });
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("`web-1` is *stopped*; it was running");
});

test("a watcher gets a message of a stop in the panel while their own request still needs an approval", async () => {
  const rules = ['demand=two-approvals command="vps stop"'];
  const story = await startStory({ linked: ["ana", "ben", "caro"], rules });
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  const request = await story.ask(ana, "/vps stop web-1 force=yes", "Two others than");
  await ben.press(request, "request:press");
  await story.sees(ana, "One more member must approve it");
  platform.change("web-1", { instance: { state: "stopped" } });
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("`web-1` is *stopped*; it was running");
});

test("a watcher gets no message while the platform is down, and one of the changes meanwhile once it is back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  platform.faults.next({ how: "500", path: /^\/vps/, times: 3 });
  await passes(story, 15);
  expect(toldTo(ana)).toEqual([]);
  platform.change("web-1", { instance: { state: "error" } });
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("its machine is in error");
});

test("a machine that goes to and fro causes one message, and later one with the number of its changes", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  for (const state of ["stopped", "running", "stopped", "running"] as const) {
    platform.change("web-1", { instance: { state } });
    await passes(story, 6);
  }
  const says = /changed (\d times|once) since my last message/;
  await until(story, () => toldTo(ana).some((message) => says.test(said(message))));
  expect(toldTo(ana).length).toBeLessThanOrEqual(3);
});

test("a watch goes on after a restart, reports once what changed meanwhile, and ends by itself after its days", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1 days=1", "I watch `web-1`");
  platform.change("web-1", { status: "suspended", name: "<!channel>" });
  await story.restart();
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("`&lt;!channel&gt;`: *suspended*");
  story.clock.skip(24 * 60 * minute);
  await until(story, () => toldTo(ana).length === 2);
  expect(newsTo(ana)).toContain("I no longer watch");
  await story.ask(ana, "/rackbell watches", "You watch nothing");
});

test("two members who act as one user of one account share what is read", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  const { key } = platform.addKey({ owner: "ana", label: "second" });
  story.secrets.add(key);
  await story.link(ben, key);
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  await story.ask(ben, "/rackbell watch vps web-1", "I watch `web-1`");
  const { id } = platform.find("web-1");
  platform.clearCalls();
  platform.change("web-1", { instance: { state: "stopped" } });
  await until(story, () => toldTo(ana).length === 1 && toldTo(ben).length === 1);
  expect(reads(story, id)).toBe(1);
});

test("a resource that is gone at the platform ends its watch, and the watcher is notified", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  const notFound = { status: 404, body: { success: false, error: "Not found", code: "NOT_FOUND" } };
  platform.faults.next({ how: notFound, path: "/vps/{id}", times: 10 });
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("The platform does not show it any more");
  await story.ask(ana, "/rackbell watches", "You watch nothing");
});

test("a revoked key ends what is watched with it, and so does unlinking, each with its reason", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  await story.ask(ben, "/rackbell watch vps web-1", "I watch `web-1`");
  await story.ask(ana, "/rackbell watch vps web-2", "I watch `web-2`");
  platform.revoke(platform.keys.ana);
  await until(story, () => toldTo(ana).length === 2);
  expect(newsTo(ana)).toContain("no longer accepts the key");
  // The first refusal is enough.
  expect(platform.calls().filter(({ status }) => status === 401)).toHaveLength(1);
  await ben.type("/rackbell unlink force=yes");
  await until(story, () => toldTo(ben).length === 1);
  expect(newsTo(ben)).toContain("no longer linked");
});

test("a watcher is notified when a resold VPS passes the limit that they set, and when it is under it again", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const card = await story.ask(ana, "/reseller service show web-1.example.test", "Watch usage…");
  await ana.press(card, "Watch usage…");
  await story.modal(ana, "Limit in percent");
  await ana.fill({ Figure: "cpu", "Limit in percent": "90" });
  await ana.submit();
  await story.sees(ana, "and when CPU is at 90 % or more");
  // The platform stays busy until the message comes: a slow machine that loses a read must not use up the story's only ones.
  platform.faults.next({
    how: using(95),
    path: "/reseller/services/{serviceId}/stats",
    times: Number.POSITIVE_INFINITY,
  });
  await until(story, () => toldTo(ana).length === 1);
  platform.faults.resume();
  await until(story, () => toldTo(ana).length === 2);
  const [over = "", under = ""] = toldTo(ana).map(said);
  expect(over).toContain("*CPU 95 %*, over your limit of 90 %");
  expect(under).toContain("under 90 % again");
});

test("the limit of a watch ends where its form leaves the figure empty or has no limit chosen, and stays where nothing is said of it", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana } = story;
  const typed = "/rackbell watch reseller service web-1.example.test";
  await story.ask(ana, `${typed} figure=cpu above=90`, "and when CPU is at 90 % or more");
  await story.ask(ana, typed, "and when CPU is at 90 % or more");
  const ends: Record<string, string | null>[] = [{ Figure: null, "Limit in percent": null }, { Figure: "none" }];
  for (const given of ends) {
    const listed = await story.ask(ana, "/rackbell watches", "and when CPU is at 90 % or more");
    await ana.press(listed, "Change…");
    await story.modal(ana, "No limit");
    await ana.fill(given);
    const seen = new Set(ana.sees().map(({ ts }) => ts));
    await ana.submit();
    const answer = await story.slack.until(
      () => ana.sees().find((one) => !seen.has(one.ts) && said(one).includes("It has no limit of use")),
      "the answer to this form",
    );
    expect(said(answer)).toContain("I watch `web-1.example.test`");
    expect(said(answer)).not.toContain("CPU");
    expect(said(await story.ask(ana, "/rackbell watches", "You watch 1 resource"))).not.toContain("CPU");
    await story.ask(ana, `${typed} figure=cpu above=90`, "and when CPU is at 90 % or more");
  }
  const listed = await story.ask(ana, "/rackbell watches", "and when CPU is at 90 % or more");
  await ana.press(listed, "Change…");
  await story.modal(ana, "No limit");
  await ana.fill({ "Limit in percent": "" });
  expect(JSON.stringify(await ana.submit())).toContain("ive the limit of the figure, or none");
});

test("a figure of use can only be watched where the contract names it, and where it can be read", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana } = story;
  const usage = "figure=cpu above=90";
  await story.ask(ana, `/rackbell watch usage vps web-1 ${usage}`, "gives no usage figures");
  await story.ask(ana, `/rackbell watch usage reseller service plugin-1.example.test ${usage}`, "Nothing changed");
  await story.ask(ana, "/rackbell watches", "You watch nothing");
});

/** Stats of a VPS whose CPU is so busy, in percent. */
function using(usage: number) {
  const stats = { status: "running", cpu: { usage, cores: 4 }, memory: null, disk: null, network: null };
  return { status: 200, body: { success: true, data: { platform: "native", collecting: false, series: [], stats } } };
}

test("there is room for 25 watches, and all of them together take under a fifth of the key's hour", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(25, "many");
  for (let at = 1; at <= 25; at += 1)
    await story.ask(ana, `/rackbell watch vps many-${String(at).padStart(5, "0")}`, "I watch");
  await story.ask(ana, "/rackbell watch vps web-1", "which is the most");
  platform.clearCalls();
  await passes(story, 60);
  expect(platform.calls().length).toBeGreaterThan(0);
  expect(platform.calls().length).toBeLessThan(200);
});

test("a watch that is pressed twice goes on, loses no change since the last poll, and a stale stop says that nothing changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const card = await story.ask(ana, "/vps show web-1", "Watch");
  const first = await story.pressing(ana, card, "Watch", "I watch `web-1`");
  platform.change("web-1", { instance: { state: "stopped" } });
  await story.pressing(ana, card, "Watch", "I watch `web-1`");
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("`web-1` is *stopped*; it was running");
  await story.pressing(ana, first, "Stop watching", "I no longer watch");
  await story.pressing(ana, first, "Stop watching", "Nothing changed");
});

test("a member whose key was revoked gets nothing of what another reads as the same user", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, platform } = story;
  const second = platform.addKey({ owner: "ana", label: "second" });
  story.secrets.add(second.key);
  await story.link(ben, second.key);
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  await story.ask(ben, "/rackbell watch vps web-1", "I watch `web-1`");
  platform.revoke(second);
  await story.ask(ben, "/vps show web-1", "no longer accepts your key");
  platform.change("web-1", { instance: { state: "stopped" } });
  await until(story, () => toldTo(ana).length === 1 && toldTo(ben).length > 0);
  expect(newsTo(ana)).toContain("is *stopped*");
  expect(newsTo(ben)).toContain("no longer accepts the key");
  expect(newsTo(ben)).not.toContain("stopped");
});

test("another reseller key ends what the one before watched, and the watcher reads why", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const card = await story.ask(ana, "/reseller service show web-1.example.test", "Watch");
  await story.pressing(ana, card, "Watch", "I watch");
  const { key } = platform.reseller.addKey({ label: "second" });
  story.secrets.add(key);
  await story.link(ana, key);
  await until(story, () => toldTo(ana).length === 1);
  expect(newsTo(ana)).toContain("You have linked another reseller key since");
});

test("of several who see with the same eyes each watch ends in its own time", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, caro, clock, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch");
  for (const other of [ben, caro]) {
    await story.link(other, platform.addKey({ owner: "ana", label: `ana for ${other.user.name}` }).key);
    await story.ask(other, "/rackbell watch vps web-1 days=1", "I watch");
  }
  clock.skip(25 * 60 * 60_000);
  for (const other of [ben, caro]) await until(story, () => newsTo(other).includes("I no longer watch `web-1`"));
  await story.ask(ana, "/rackbell watches", "You watch 1 resource");
});

test("a watch follows its machine when that is renamed and another one gets its name, and neither is taken for the other", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  passNameOn(story, "web-1", "web-2");
  await story.ask(ana, "/rackbell unwatch web-1", "You do not watch that");
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  const listed = said(await story.ask(ana, "/rackbell watches", "You watch 2 resources"));
  expect(listed).toContain("`db-9`");
  expect(listed.match(/`web-1`/g)).toHaveLength(1);
  await story.ask(ana, "/rackbell unwatch web-1", "I no longer watch `web-1`");
  await story.ask(ana, "/rackbell unwatch vps db-9", "I no longer watch `db-9`");
  platform.change("db-9", { name: "twin" });
  for (const at of [0, 1]) await story.ask(ana, `/rackbell watch ${platform.findVps("twin", at).id}`, "I watch `twin`");
  await story.ask(ana, "/rackbell unwatch twin", "can mean more than one", "Say which");
  await story.ask(
    ana,
    `/rackbell unwatch vps ${platform.findVps("twin", 0).id.slice(0, 8)}`,
    "I no longer watch `twin`",
  );
});

test("the message of a watch that ends names its machine as it was last called", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell watch vps web-1", "I watch `web-1`");
  platform.change("web-1", { name: "db-9", instance: { state: "stopped" } });
  await until(story, () => newsTo(ana).includes("`db-9` is *stopped*"));
  const notFound = { status: 404, body: { success: false, error: "Not found", code: "NOT_FOUND" } };
  platform.faults.next({ how: notFound, path: "/vps/{id}", times: 10 });
  await until(story, () => newsTo(ana).includes("I no longer watch `db-9`"));
});
