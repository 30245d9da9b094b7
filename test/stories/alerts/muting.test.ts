import { expect, test } from "vitest";
import { cards, passRound, read, replies } from "../polled.ts";
import { type Actor, said, startStory } from "../story.ts";

test("alerts are called unmuted only if they are: the answer names the mutes that go on, with a button to end each", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts mute web-1 hours=0", "Alerts about `web-1` were not muted. Nothing changed.");
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#ops hours=4", "are muted in <#");
  const other = await story.ask(
    ana,
    "/rackbell alerts mute Web-1 hours=0",
    "There is no such mute",
    "`web-1` are muted",
  );
  await story.pressing(ana, other, "Unmute", "Alerts about `web-1` in <#", "are no longer muted.");

  await story.ask(ana, "/rackbell alerts mute hours=4", "All alerts are muted in all channels");
  await story.ask(ana, "/rackbell alerts mute db-1 hours=4", "are muted in all channels");
  const covered = await story.ask(
    ana,
    "/rackbell alerts mute db-1 hours=0",
    "That mute has ended. Others of the same alerts go on:",
    "All alerts are muted in all channels",
  );
  expect(said(covered)).not.toContain("db-1");
  await story.pressing(ana, covered, "Unmute", "Alerts are no longer muted.");
  await story.ask(ana, "/rackbell alerts mute web-2 hours=1", "are muted");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=0", "Alerts about `web-1` were not muted.");
});

test("0 hours end a mute also where its form has an end in it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts mute hours=4", "All alerts are muted");
  await ana.press(await story.ask(ana, "/rackbell alerts", "All alerts are muted"), "Change…");
  await story.modal(ana, "0 ends the silence");
  await ana.fill({ Hours: "0" });
  await ana.submit();
  await story.sees(ana, "Alerts are no longer muted.");
});

test("an hour of a digest that was typed twice is one hour", async () => {
  const story = await startStory({ linked: ["ana"] });
  const answer = await story.ask(story.ana, "/rackbell alerts mode #ops how=digest hours=8,8,17", "each day at");
  expect(said(answer).match(/<!date\^\d+\^\{time\}/g)).toHaveLength(2);
});

test("a mute can be ended in a channel that Rackbell has left", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#general hours=4", "muted in <#");
  slack.kick("general", "rackbell");
  story.clock.skip(20 * 60_000);
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#general hours=4", "Nothing was set");
  await story.ask(ana, "/rackbell alerts mute web-1 channel=#general hours=0", "are no longer muted.");
});

test("a mute shows on the alert and in its thread, names the machine and not its id, and ends by its menu or by any name of the machine", async () => {
  const story = await read();
  const { ana, ben, platform } = story;
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  const alert = await story.sees(ben, "The machine of `web-1.example.test` has stopped");
  await ana.choose(alert, "More…", "Mute for 1 hour");
  const answer = said(await story.sees(ana, "are muted in all channels"));
  expect(answer).toContain("`web-1.example.test`");
  expect(answer).not.toContain(platform.find("web-1").id);
  const muted = () => cards(story).find((card) => said(card).includes("Muted until"));
  expect(said(await story.passes(muted, "the mute on the alert"))).toContain("by `@ana`");
  await story.passes(() => replies(story).find((reply) => reply.includes("muted `web-1.example.test`")), "the answer");
  await ana.choose(await story.passes(muted, "the muted alert"), "More…", "Unmute");
  await story.sees(ana, "are no longer muted");
  await story.passes(() => muted() === undefined, "the alert without the mute");
  await ana.choose(await story.passes(() => cards(story)[0], "the alert"), "More…", "Mute for 1 hour");
  await story.passes(muted, "the mute on the alert again");
  await story.ask(ana, "/rackbell alerts unmute web-1", "Alerts about `web-1` are no longer muted");
  await story.passes(() => muted() === undefined, "the alert without the second mute");
  await story.ask(ana, "/rackbell alerts mute hours=1", "All alerts are muted");
  await ana.choose(await story.passes(muted, "the alert in a mute of everything"), "More…", "Unmute");
  await story.passes(() => muted() === undefined, "the alert without the mute of everything");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=1", "Alerts about `web-1` are muted");
  await story.passes(muted, "the second mute on the alert");
  await story.ask(ana, "/rackbell alerts unmute web-1", "are no longer muted");
  await story.ask(ben, "/rackbell alerts unmute web-1", "Only an admin");
  // A mute and a window have the name that the machine had when they were set: the alert has its own.
  const at = (ms: number) => new Date(story.clock.now() + ms).toISOString().slice(11, 16);
  await story.ask(ana, `/rackbell maintenance web-1 ${at(50 * minute)}-${at(180 * minute)}`, "are muted then");
  const answers = () => replies(story).filter((reply) => reply.includes("muted `web-1.example.test`"));
  await story.passes(() => answers().length > 3, "the answer to the window");
  expect(replies(story).filter((reply) => reply.includes("muted `web-1` until"))).toEqual([]);
});

test("a mute that ends by itself leaves the alert, and a name that is nothing is asked about", async () => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell alerts mute web-11 hours=1", "Nothing is called “web-11”", "Did you mean “web-1”");
  platform.settings.modules.inventory = false;
  story.clock.skip(11 * 60_000);
  const refused = "could not search the dedicated servers";
  await story.ask(ana, "/rackbell alerts mute web-11 hours=1", "Nothing is called “web-11”", refused);
  platform.settings.modules.inventory = true;
  await story.ask(ana, "/rackbell alerts unmute web-11", "were not muted");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story)[0], "the alert");
  await story.ask(ana, "/rackbell alerts mute hours=1", "All alerts are muted");
  await story.passes(() => cards(story, "Muted until")[0], "the mute on the alert");
  story.clock.skip(61 * 60_000);
  await story.passes(() => cards(story, "Muted until").length === 0, "the alert without the mute");
});

const minute = 60_000;

/** The texts on somebody's phone about web-1. */
function buzzes(actor: Actor): string[] {
  return actor.phone().flatMap(({ text }) => (text.includes("web-1") ? [text] : []));
}

test("a failure in a mute that is not over at its end is an alert then: it mentions people, and its steps begin", async () => {
  const story = await read();
  const { ana, ben, caro, platform, clock } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=1", "are muted");
  platform.change("web-1", { instance: { state: "stopped" } });
  platform.change("db-1", { instance: { state: "error" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "db-1").length === 1, "the alert that is not muted");
  expect(cards(story, "web-1")).toEqual([]);
  clock.skip(50 * minute);
  await story.ask(ana, "/rackbell alerts mute web-1 hours=1", "are muted");
  clock.skip(10 * minute);
  await passRound(story, { minutes: 6 });
  expect(buzzes(ben)).toEqual([]);
  clock.skip(50 * minute);
  const card = await story.passes(() => cards(story, "web-1")[0], "the alert at the end of the mute");
  expect(said(card)).toMatch(/has stopped[\s\S]*Not over yet: since/);
  expect(buzzes(ben)).toHaveLength(1);
  expect(buzzes(caro)).toEqual([]);
  clock.skip(21 * minute);
  await story.passes(() => buzzes(caro)[0], "the next step");
  expect(buzzes(ben)).toHaveLength(1);
});

test("a machine that fails and recovers in a mute is no alert, and the removal of a maintenance window alerts the others", async () => {
  const story = await read();
  const { ana, ben, platform, clock } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben", "Saved");
  const at = (ms: number) => new Date(clock.now() + ms).toISOString().slice(11, 16);
  await story.ask(ana, `/rackbell maintenance web-1 ${at(61 * minute)}-${at(180 * minute)}`, "are muted then");
  await story.ask(ana, "/rackbell alerts mute db-1 hours=1", "are muted");
  clock.skip(70 * minute);
  platform.change("web-1", { instance: { state: "error" } });
  platform.change("db-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  platform.change("db-1", { instance: { state: "running" } });
  await passRound(story, { minutes: 6 });
  expect(cards(story, "web-1")).toEqual([]);
  const list = await story.ask(ana, "/rackbell maintenance", "Maintenance windows", "web-1");
  const id = /`([0-9a-f]{8})`/.exec(said(list))?.[1] ?? "";
  await story.ask(ana, `/rackbell maintenance remove ${id}`, "Removed");
  await story.passes(() => cards(story, "web-1")[0], "the alert after the window");
  await story.passes(() => buzzes(ben)[0], "its mention");
});

test("the end of a mute lets the steps of an alert go on at once", async () => {
  const story = await read();
  const { ana, caro, platform, clock } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "has stopped")[0], "the alert");
  await story.ask(ana, "/rackbell alerts mute web-1 hours=10", "are muted");
  clock.skip(25 * minute);
  await passRound(story, { minutes: 6 });
  expect(buzzes(caro)).toEqual([]);
  await story.ask(ana, "/rackbell alerts unmute web-1", "are no longer muted");
  await story.passes(() => buzzes(caro)[0], "the next step");
});

const address = "192.0.2.2";

test.each([
  ["its address", address],
  ["its kind and name", "vps web-1"],
])("a mute by %s silences the machine, is called by its name, and ends by each of its names", async (_how, words) => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, `/rackbell alerts mute ${words} hours=1`, "Alerts about `web-1` are muted");
  platform.change("web-1", { instance: { state: "stopped" } });
  platform.change("db-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "db-1")[0], "the alert that is not muted");
  expect(cards(story, "web-1")).toEqual([]);
  await story.ask(ana, `/rackbell alerts unmute ${address}`, "are no longer muted");
  await story.passes(() => cards(story, "web-1")[0], "the alert after the mute");
});

test("a mute stays with its machine: neither a new name of it nor another machine of its name changes what is silent", async () => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell alerts mute web-1 hours=24", "are muted");
  platform.change("web-1", { name: "front-1", hostname: "front-1.example.test" });
  platform.change("web-2", { name: "web-1", hostname: "web-1.example.test" });
  await passRound(story);
  platform.change("front-1", { instance: { state: "stopped" } });
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "web-1.example.test")[0], "the alert of the machine that is not muted");
  expect(cards(story, "front-1")).toEqual([]);
  await story.ask(ana, "/rackbell alerts", "Alerts about `front-1` are muted");
  await story.ask(ana, "/rackbell alerts unmute web-1", "Alerts about `web-1` were not muted");
  await story.ask(ana, "/rackbell alerts unmute front-1", "Alerts about `front-1` are no longer muted");
  await story.passes(() => cards(story, "front-1")[0], "the alert after the mute");
});

test("a mute by the name of two machines asks which, and silences the one that is said", async () => {
  const story = await read();
  const { ana, platform } = story;
  platform.change("web-2", { name: "web-1", hostname: "web-1.staging.test" });
  await passRound(story);
  const [first, second] = [platform.find("web-1", 0).id, platform.find("web-1", 1).id];
  const [which, other] = [first, second].map((id) => `vps ${id.slice(0, 13)}`);
  await story.ask(ana, "/rackbell alerts mute web-1 hours=4", "can mean more than one", which ?? "", other ?? "");
  await story.ask(ana, `/rackbell alerts mute ${which} hours=4`, "Alerts about `web-1` are muted");
  for (const id of [first, second]) platform.change(id, { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "has stopped")[0], "the alert of the other machine");
  expect(cards(story, "has stopped")).toHaveLength(1);
});

test("an admin without a key mutes by a name of the event log, and no address or event that covers nothing", async () => {
  const story = await read();
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell alerts mute service.suspended hours=1", "Nothing is called “service.suspended”");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  await story.passes(() => cards(story, "has stopped")[0], "the alert");
  await story.ask(ana, "/rackbell unlink force=yes", "erased here");
  await story.ask(ana, "/rackbell alerts mute 192.0.2.99 hours=1", "Nothing is called “192.0.2.99”", "could read");
  await story.ask(ana, "/rackbell alerts mute web-1.example.test hours=1", "`web-1.example.test` are muted");
  await story.passes(() => cards(story, "Muted until")[0], "the mute on the alert");
});

test("a subscription takes no address, which no event has, and says of a name that it is nothing yet", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const field of ["about", "except"])
    await story.ask(ana, `/rackbell alerts set #ops ${field}=${address}`, "Events do not have", "Write “web-1”");
  const unused = await story.ask(ana, "/rackbell alerts set #ops about=192.0.2.99", "Nothing is called “192.0.2.99”");
  expect(said(unused)).not.toContain("Saved");
  const saved = said(await story.ask(ana, "/rackbell alerts set #ops about=web-1", "Saved"));
  expect(saved).not.toContain("Nothing is called");
  await story.link(ana, story.platform.reseller.keys.ana.key);
  await story.ask(ana, "/rackbell alerts set #ops about=web-11", "Saved", "Nothing is called “web-11”", "“web-1”");
  const mail = "it@acme-bakery.example.test";
  await story.ask(ana, `/rackbell alerts set #ops about=${mail}`, "Saved", "about `acme-bakery` alone");
});

test("an open alert says that its machine is under maintenance as soon as the window opens", async () => {
  const story = await read({ linked: ["ana", "ben"] });
  const { ana, ben, platform, clock } = story;
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  const alert = await story.sees(ben, "The machine of `web-1.example.test` has stopped");
  const hour = (ms: number) => `${String(new Date(clock.now() + ms).getUTCHours()).padStart(2, "0")}:00`;
  await story.ask(
    ana,
    `/rackbell maintenance web-1 ${hour(2 * 3_600_000)}-${hour(4 * 3_600_000)}`,
    "is under maintenance",
  );
  clock.skip(2.2 * 3_600_000);
  const card = await story.sees(ana, "Muted until");
  expect(card.ts).toBe(alert.ts);
});
