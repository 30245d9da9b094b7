import { expect, test } from "vitest";
import type { View } from "../../../src/sandbox/slack/server.ts";
import { type Actor, type Message, peer, pressInDetails, type Story, said, startStory, writes } from "../story.ts";

// A press decides what its button or modal showed. If the request became another one meanwhile, it decides nothing and says so.

const minute = 60_000;
const move = "request:move";
const choose = "request:choose-backup";
const nothingDecided = "Nothing was decided. Press the button of the request again, or open `/rackbell approvals`.";

/** The requester picks another time, on the Details of the card. */
async function moves({ story, by, card }: { story: Story; by: Actor; card: Message }): Promise<void> {
  await pressInDetails(story, by, card, move);
  await story.modal(by, "When?");
  await by.fill({ "When?": Math.floor((story.clock.now() + 6 * minute) / 1_000) });
  await by.submit();
  await story.sees(by, /rescheduled it from|scheduled it for/);
  await by.closeModal({ all: true });
}

async function choosesBackup({ story, by, card }: { story: Story; by: Actor; card: Message }): Promise<void> {
  await pressInDetails(story, by, card, choose);
  await story.sees(by, "First Rackbell captures `web-1`");
  await by.closeModal({ all: true });
}

const start = () => startStory({ linked: ["ana", "ben", "caro"], environment: peer });

/** Lets the new time pass, and expects that nothing was sent. */
async function expectUndone({ story, by }: { story: Story; by: Actor }): Promise<void> {
  story.clock.skip(7 * minute);
  for (let time = 0; time < 3; time += 1) await story.ask(by, "/rackbell scheduled", "There are no scheduled acts");
  expect(writes(story)).toEqual([]);
}

test("the name of a protected machine that was typed for one time decides no other, and each modal names its time", async () => {
  const story = await start();
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell protect web-1", "is protected now");
  const card = await story.ask(ana, "/vps cancel web-1 in=20h", "asks to");
  await ben.press(card, "Approve…");
  await story.modal(ben, "Type its name: web-1", "It is for <!date");
  const timeIn = () => /It is for <!date\^(\d+)/.exec(JSON.stringify(ben.modal()))?.[1];
  const before = timeIn();
  await ben.fill({ "Type its name: web-1": "web-1" });
  await moves({ story, by: ana, card });
  await ben.submit();
  await story.sees(ben, "it is for <!date", "now and was for <!date", nothingDecided);
  // The card from before the move opens a modal with the new time, so that its name counts.
  await ben.press(card, "Approve…");
  await story.modal(ben, "Type its name: web-1", "It is for <!date");
  expect(Number(timeIn())).toBeLessThan(Number(before));
  await ben.closeModal({ all: true });
  await expectUndone({ story, by: ana });
});

/** The places that have the button that decides. */
const places: Record<string, (story: Story, actor: Actor, card: Message) => Promise<Message | View | undefined>> = {
  card: async (_, __, card) => card,
  list: async (story, actor) => story.ask(actor, "/rackbell approvals", "Open requests"),
  async home({ slack }, actor) {
    await actor.openHome();
    await slack.until(() => JSON.stringify(actor.home() ?? "").includes("request:press"), "the request on Home");
    return actor.home();
  },
  async details({ slack }, actor, card) {
    await actor.press(card, { actionId: "request:details" });
    await slack.until(() => JSON.stringify(actor.modal() ?? "").includes("request:press"), "the details");
    return actor.modal();
  },
};

const times = [
  [" in=20h", "now and was for <!date"],
  ["", "now and was to run at once"],
] as const;

test.each(Object.entries(places).flatMap(([name, place]) => times.map((time) => [name, ...time, place] as const)))(
  "a button of the %s that was drawn for “%s” decides nothing after a move, and names both times",
  async (_, when, words, place) => {
    const story = await start();
    const { ana, ben } = story;
    const card = await story.ask(ana, `/vps cancel web-1${when}`, "asks to");
    const shown = structuredClone(await place(story, ben, card));
    if (!shown) throw new Error("It has no button");
    await moves({ story, by: ana, card });
    await ben.press(shown, { actionId: "request:press" });
    await story.slack.until(() => hears(ben, "it is for <!date", words), "the two times");
    await expectUndone({ story, by: ana });
  },
);

/** All that the actor sees: the answer to a press in a modal or on Home is there. */
function hears({ sees, modals, home }: Actor, ...texts: string[]): boolean {
  const all = [...sees("#ops"), ...sees("dm")].map(said).join("\n") + JSON.stringify([...modals(), home() ?? ""]);
  return texts.every((text) => all.includes(text));
}

test("a dialog that named no backup takes none: its press decides nothing and names the backup with its price", async () => {
  const story = await start();
  const { ana, ben } = story;
  const card = await story.ask(ana, "/vps cancel web-1", "asks to");
  await choosesBackup({ story, by: ana, card });
  await story.pressing(
    ben,
    card,
    "Approve…",
    `<@${ana.user.id}> chose the backup, so Rackbell first captures \`web-1\``,
    "billed",
    nothingDecided,
  );
  expect(writes(story)).toEqual([]);
  // The button of now says so, and counts.
  const now = await story.sees(ben, "asks to", "First Rackbell captures `web-1`");
  await story.pressing(ben, now, "request:copy", "Capturing");
  await story.slack.until(() => writes(story).some(({ path }) => path.endsWith("/capture")), "the capture");
});

test("neither a typed name nor a reason for the override takes a backup, or leaves one out, that its modal did not show", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    rules: ["demand=one-approval risk=destroy glass=yes"],
  });
  const { ana, ben, caro, slack } = story;
  slack.setRole("caro", "admin");
  const card = await story.ask(ben, "/vps cancel web-1", "asks to", "*Override*");
  await pressInDetails(story, ana, card, "Override…");
  await story.modal(ana, "Run without approval");
  await choosesBackup({ story, by: ben, card });
  await ana.fill({ "Why?": "The site is down" });
  await ana.submit();
  await slack.until(() => hears(ana, "chose the backup, so Rackbell first captures", nothingDecided), "the refusal");
  expect(writes(story)).toEqual([]);
  await story.pressing(
    ben,
    await story.sees(ben, "asks to", "First Rackbell captures"),
    "request:withdraw",
    "was withdrawn by",
  );
  await story.ask(caro, "/rackbell protect web-1", "is protected now");
  const next = await story.ask(ben, "/vps cancel web-1", "asks to");
  await caro.press(next, "Approve…");
  await story.modal(caro, "Type its name: web-1");
  expect(JSON.stringify(caro.modal())).not.toContain("First Rackbell captures");
  await choosesBackup({ story, by: ben, card: next });
  await caro.fill({ "Type its name: web-1": "web-1" });
  await caro.submit();
  await story.sees(caro, "chose the backup, so Rackbell first captures", nothingDecided);
  expect(writes(story)).toEqual([]);
  // A button that took the backup opens a modal that says so.
  await pressInDetails(story, caro, next, "request:copy");
  await story.modal(caro, "Type its name: web-1", "First Rackbell captures `web-1`");
});

test("the typed number of machines decides for the time that its modal showed alone", async () => {
  const story = await start();
  const { ana, ben, platform } = story;
  platform.addVps(12, "crowd");
  const card = await story.ask(ana, "/vps cancel text=crowd in=20h", "asks to");
  await ben.press(card, "request:count");
  await story.modal(ben, "How many?");
  await moves({ story, by: ana, card });
  await ben.fill({ "Type 12 to schedule it": "12" });
  await ben.submit();
  await story.sees(ben, "it is for <!date", "now and was for <!date", nothingDecided);
  await expectUndone({ story, by: ana });
});

test("an approval by somebody else refuses nobody's press, and an override at once refuses none after a move", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    rules: ["demand=two-approvals risk=destroy glass=yes"],
  });
  const { ana, ben, caro, slack } = story;
  const card = await story.ask(ana, "/vps cancel web-1 in=20h", "asks to");
  await story.pressing(ben, card, "Approve…", "1 of 2");
  await story.pressing(caro, card, "Approve…", "It is scheduled for");
  slack.setRole("caro", "admin");
  const next = await story.ask(ben, "/vps cancel web-2 in=20h", "asks to");
  await pressInDetails(story, caro, next, "Override…");
  await story.modal(caro, "Run without approval");
  await moves({ story, by: ben, card: next });
  await caro.fill({ "Why?": "It floods the network" });
  await caro.submit();
  await story.sees(ben, "Emergency override");
  expect(writes(story)).toHaveLength(1);
});

test("an approval without a backup counts for none that a later approver chooses, and its approver is called again", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    pace: 8,
    rules: ["demand=two-approvals risk=destroy"],
  });
  const { ana, ben, caro, platform } = story;
  const card = await story.ask(ana, "/vps cancel web-1", "Two others than");
  platform.clearCalls();
  await story.pressing(ben, card, "Approve…", "1 of 2");
  await story.pressing(caro, card, "request:copy", `Approved by <@${caro.user.id}>: 1 of 2`, "First Rackbell captures");
  await story.sees(ben, "Earlier approvals no longer count", "awaits a decision again", `<@${ben.user.id}>`);
  expect(writes(story)).toEqual([]);
  const now = await story.sees(ben, "1 of 2", `<@${caro.user.id}> chose the backup`);
  await story.pressing(ben, now, "request:copy", "Capturing", `approved by <@${caro.user.id}> and <@${ben.user.id}>`);
});
