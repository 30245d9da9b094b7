import { expect, test } from "vitest";
import { passRound, read } from "../polled.ts";
import { startAlertStory, supplierLifts, supplierSuspends, cards as webhookCards } from "../reseller/alerting.ts";
import { reviewOf } from "../reseller/ordering.ts";
import { rest } from "../rest.ts";
import { type Actor, fileStore, goAhead, said } from "../story.ts";

const minute = 60_000;

function mentionOf({ user }: Actor): string {
  return `<@${user.id}>`;
}

/** The texts on somebody's phone that name this resource. */
function buzzes(actor: Actor, name: string): string[] {
  return actor.phone().flatMap(({ text }) => (text.includes(name) ? [text] : []));
}

test("an alert notifies the next while nobody takes it, its card says who and when, and the last step says that nobody did", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m then2=@dave after2=1h");
  const { ana, ben, caro, dave, clock } = story;
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ana, "is suspended", "Next: `@caro`", "if nobody takes it");
  expect(buzzes(ben, "mail.example.test")).toHaveLength(1);
  clock.skip(20 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", "mail.example.test");
  await story.sees(ana, "is suspended", `Rackbell notified ${mentionOf(caro)}`, "Next: `@dave`");
  clock.skip(40 * minute);
  await story.sees(ana, mentionOf(dave), "Nobody has taken this", "mail.example.test");
  clock.skip(40 * minute);
  await story.sees(ana, "Nobody has taken this by", "no further step follows");
  await story.pressing(ben, alert, "Take", `${mentionOf(ben)} took this`);
  for (const one of [ben, caro, dave]) expect(buzzes(one, "mail.example.test")).toHaveLength(1);
  const entries = said(await story.ask(ana, "/rackbell audit everyone=yes", "unanswered"));
  expect(entries).toContain("Rackbell itself");
  expect(entries).not.toContain("The operator of Rackbell");
  expect(entries.match(/Rackbell notified/g)).toHaveLength(3);
  await story.ask(ana, "/rackbell report preview", "Nobody took 1 alert or request by the end of all steps");
});

test("the form of a channel's alerts asks for the time after which the others are notified", async () => {
  const story = await startAlertStory("mention=@ben");
  const { ana, caro } = story;
  await ana.press(await story.ask(ana, "/rackbell alerts", "gets"), "Change…");
  await story.modal(ana, "Then notify", "After");
  await ana.fill({ "Then notify": ["caro"], After: "20m" });
  await ana.submit();
  await story.sees(ana, "Saved:", `Rackbell notifies ${mentionOf(caro)} after 20 min`);
});

test("a take holds the next step, one that goes back lets it come, and a recovery ends the wait", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m", { environment: { STORE_URL: fileStore() } });
  const { ana, ben, caro, clock } = story;
  const id = await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ana, "is suspended", "Next:");
  await story.pressing(ben, alert, "Take", `${mentionOf(ben)} took this`, "Next: `@caro`", "if it goes back");
  clock.skip(30 * minute);
  await story.restart();
  await story.sees(ana, "took this");
  expect(buzzes(caro, "mail.example.test")).toEqual([]);
  clock.skip(31 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this");
  await supplierLifts(story, id);
  const over = await story.sees(ana, "is no longer suspended", /^(?![\s\S]*Next:)/);
  expect(said(over)).not.toContain("Take");
  clock.skip(120 * minute);
  await story.pressing(caro, alert, "Take", "nobody needs to take it");
  expect(buzzes(caro, "mail.example.test")).toHaveLength(1);
  expect(webhookCards(story).filter((card) => said(card).includes("Nobody has taken"))).toEqual([]);
});

test("a take begins anew with an act of its member on the machine, although that did not mend it", async () => {
  const story = await read({ linked: ["ana", "ben"] });
  const { ana, ben, caro, platform, clock } = story;
  await story.ask(ana, "/rackbell alerts set #ops mention=@ben then=@caro after=20m", "Saved");
  platform.change("web-1", { instance: { state: "stopped" } });
  await passRound(story, { minutes: 6 });
  const alert = await story.sees(ben, "The machine of `web-1.example.test` has stopped", "Next: `@caro`");
  await story.pressing(ben, alert, "Take", `${mentionOf(ben)} took this`);
  clock.skip(30 * minute);
  await story.ask(ben, "/vps snapshot web-1 name=before-mending", "Taking the snapshot");
  await story.comesToSee(ben, "`before-mending` is taken");
  clock.skip(31 * minute);
  await passRound(story, { minutes: 6 });
  const again = "acted on it, and has it for another";
  await story.askUntil(ana, "/rackbell audit everyone=yes", "Audit entries of everybody", again);
  expect(buzzes(caro, "web-1")).toEqual([]);
  clock.skip(61 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", "web-1");
});

test("the steps after a mention of several machines come, too, and name the one that failed last", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m");
  const { ana, ben, caro, clock } = story;
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "mail.example.test", "is suspended", "Next:");
  for (const name of ["web-2.example.test", "worker-1.example.test"]) {
    clock.skip(minute);
    await supplierSuspends(story, name);
    await story.sees(ana, name, "is suspended");
  }
  clock.skip(4 * minute);
  await story.sees(ana, mentionOf(ben), "Not over yet", "web-2.example.test", "worker-1.example.test");
  clock.skip(21 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", "worker-1.example.test");
  expect(buzzes(caro, "worker-1.example.test")).toHaveLength(1);
});

test("the others of such a mention are mentioned anew when the last one recovered before its step, and steps follow", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m");
  const { ana, ben, caro, clock } = story;
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "mail.example.test", "is suspended", "Next:");
  clock.skip(minute);
  await supplierSuspends(story, "web-2.example.test");
  await story.sees(ana, "web-2.example.test", "is suspended");
  clock.skip(minute);
  const last = await supplierSuspends(story, "worker-1.example.test");
  await story.sees(ana, "worker-1.example.test", "is suspended");
  clock.skip(4 * minute);
  await story.sees(ana, mentionOf(ben), "Not over yet", "web-2.example.test", "worker-1.example.test");
  await supplierLifts(story, last);
  await story.sees(ana, "worker-1.example.test", "is no longer suspended");
  const before = buzzes(ben, "web-2.example.test").length;
  clock.skip(21 * minute);
  await story.sees(ana, mentionOf(ben), /^(?!.*worker-1).*Not over yet.*web-2/s);
  expect(buzzes(ben, "web-2.example.test")).toHaveLength(before + 1);
  expect(buzzes(ben, "worker-1.example.test")).toHaveLength(1);
  clock.skip(21 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", "web-2.example.test");
});

/** Two machines of one order, suspended one after the other: one alert shows both. */
async function startWithTwo(mentions: string) {
  const story = await startAlertStory(mentions);
  const { ana, platform } = story;
  const review = await reviewOf(story, ana, '"VPS S" customer=acme-bakery', { plan: { "How many": "2" } });
  const known = new Set(platform.reseller.sold().map(({ id }) => id));
  await story.pressing(ana, review, goAhead, "Ordered 2 × `VPS S`");
  await story.comesToSee(ana, "2 services are ready");
  await platform.reseller.webhooks.postDue();
  const [first, second] = ["shop-1.example.test", "shop-2.example.test"] as const;
  const made = platform.reseller.sold().filter(({ id }) => !known.has(id));
  for (const [at, hostname] of [first, second].entries()) platform.change(made[at]?.id ?? "", { hostname });
  for (const name of [first, second]) await supplierSuspends(story, name);
  await story.sees(ana, `\`${first}\` is suspended`, `\`${second}\` is suspended`, "Next: `@caro`");
  return { story, first, second };
}

test("the mute of one machine of an alert holds no step of another, and its card says which of them is muted", async () => {
  const { story, first: open, second: muted } = await startWithTwo("mention=@ben then=@caro after=20m");
  const { ana, ben, caro, clock } = story;
  await story.ask(ana, `/rackbell alerts mute ${muted} hours=5`, "are muted");
  const card = await story.sees(ana, `:mute: \`${muted}\` is muted until`, "Next: `@caro`");
  expect(said(card)).not.toContain("Muted until");
  clock.skip(21 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this");
  expect(buzzes(ben, open)).toHaveLength(1);
  await story.ask(ana, `/rackbell alerts mute ${open} hours=1`, "are muted");
  await story.sees(ana, `\`${muted}\` is suspended`, "Muted until");
});

test("a step names the machine that no mute silences, and still does after the mutes have changed", async () => {
  const { story, first: muted, second: open } = await startWithTwo("mention=@ben then=@caro after=20m");
  const { ana, caro, clock } = story;
  await story.ask(ana, `/rackbell alerts mute ${muted} hours=5`, "are muted");
  await story.sees(ana, `:mute: \`${muted}\` is muted until`, "Next: `@caro`");
  clock.skip(21 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", open);
  await story.ask(ana, `/rackbell alerts mute ${open} hours=1`, "are muted");
  await story.sees(ana, `\`${open}\` is suspended`, "Muted until");
  await rest(1_000);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", open);
  expect(buzzes(caro, muted)).toEqual([]);
});

test("a failure soon after a recovery has the steps of the one before, and a mention that follows does not begin them anew", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=2m");
  const { ana, ben, caro, clock } = story;
  const id = await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", "Next:");
  clock.skip(minute);
  await supplierLifts(story, id);
  await story.sees(ana, "is no longer suspended");
  clock.skip(minute / 2);
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", "Next: `@caro`");
  clock.skip(2 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this", "mail.example.test");
  clock.skip(2 * minute);
  await story.sees(ana, mentionOf(ben), "Not over yet", "mail.example.test");
  clock.skip(10 * minute);
  await story.sees(ana, "Nobody has taken this by", "no further step follows");
  expect(buzzes(caro, "mail.example.test")).toHaveLength(1);
});

test("somebody in Do Not Disturb is named and notified, and the next step comes at once", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m");
  const { ana, ben, caro, slack, clock } = story;
  slack.setQuiet("ben", clock.now() + 8 * 60 * minute);
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", mentionOf(ben));
  await story.sees(ana, mentionOf(caro), "Nobody has taken this");
  expect(ben.phone().at(-1)).toMatchObject({ silencedUntil: expect.any(Number) });
  expect(caro.phone().at(-1)).toMatchObject({ silencedUntil: null });
  const entries = said(await story.ask(ana, "/rackbell audit everyone=yes", "notified"));
  expect(entries).toContain("is in Do Not Disturb until");
});

test("without the scope for Do Not Disturb the next step comes at its time", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m", { without: ["dnd:read"] });
  const { ana, caro, slack, clock } = story;
  slack.setQuiet("ben", clock.now() + 8 * 60 * minute);
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", "Next: `@caro`");
  clock.skip(20 * minute);
  await story.sees(ana, mentionOf(caro), "Nobody has taken this");
});

test("a step of somebody who was deactivated notifies nobody, says so, and the next one comes at once", async () => {
  const story = await startAlertStory("mention=@ben then=@dave after=20m then2=@caro after2=1h");
  const { ana, caro, slack, clock } = story;
  slack.deactivate("dave");
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", "Next:");
  clock.skip(20 * minute);
  await story.sees(ana, "could be notified", "was deactivated in Slack");
  await story.sees(ana, mentionOf(caro), "Nobody has taken this");
});

test("somebody who is not in a public channel gets a direct message, and of a private one nothing", async () => {
  const story = await startAlertStory("mention=@ben then=@dave after=20m");
  const { ana, dave, slack, clock } = story;
  slack.kick("ops", "dave");
  clock.skip(2 * minute);
  await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", "Next:");
  clock.skip(20 * minute);
  await story.seesIn("dm", dave, "Nobody has taken this", "mail.example.test");
  expect(buzzes(dave, "mail.example.test")).toHaveLength(1);
});

test("steps follow a mention: without one they are refused, and `then=none` ends them", async () => {
  const story = await read();
  const { ana } = story;
  await story.ask(ana, "/rackbell alerts set #general then=@caro after=20m", "Name first whom an alert mentions");
  await story.ask(ana, "/rackbell alerts set #general mention=@ben then=@caro", "Say after which time");
  await story.ask(ana, "/rackbell alerts set #general mention=@ben then=@caro after=20m", "Saved", "after 20 min");
  await story.ask(ana, "/rackbell alerts set #general then=none", "Saved", /^(?![\s\S]*after 20)/);
  await passRound(story);
});

test("nobody is called to an alert that recovered while Slack was asked whom its step reaches", async () => {
  const story = await startAlertStory("mention=@ben then=@caro after=20m");
  const { ana, caro, clock, slack } = story;
  const id = await supplierSuspends(story, "mail.example.test");
  await story.sees(ana, "is suspended", "Next:");
  const release = slack.faults.hangApi("dnd.teamInfo");
  const asked = slack.calls("dnd.teamInfo").length;
  clock.skip(20 * 60_000);
  await slack.until(() => slack.calls("dnd.teamInfo").length > asked, "Slack to be asked");
  await supplierLifts(story, id);
  await story.sees(ana, "is no longer suspended");
  release();
  await rest(1_500);
  expect(caro.phone().map(({ text }) => text)).toEqual([]);
  expect(
    ana
      .sees()
      .map(said)
      .filter((text) => text.includes("Nobody has taken this")),
  ).toEqual([]);
});

test("nobody is mentioned anew for what recovered while Slack was asked whom the mention reaches", async () => {
  const story = await startAlertStory("mention=@ben");
  const { ana, ben, clock, slack } = story;
  const ids = [];
  for (const name of ["mail.example.test", "web-2.example.test"]) {
    ids.push(await supplierSuspends(story, name));
    await story.sees(ana, name, "is suspended");
    clock.skip(60_000);
  }
  const mentions = ben.phone().length;
  const release = slack.faults.hangApi("dnd.teamInfo");
  const asked = slack.calls("dnd.teamInfo").length;
  clock.skip(5 * 60_000);
  await slack.until(() => slack.calls("dnd.teamInfo").length > asked, "Slack to be asked");
  for (const id of ids) await supplierLifts(story, id);
  await slack.until(
    () => ana.sees().filter((one) => said(one).includes("is no longer suspended")).length >= 2,
    "both to be over",
  );
  release();
  await rest(1_500);
  expect(
    ben
      .phone()
      .slice(mentions)
      .map(({ text }) => text),
  ).toEqual([]);
});
