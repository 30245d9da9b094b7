import { expect, test } from "vitest";
import { cards, startAlertStory, supplierSuspends } from "../reseller/alerting.ts";
import { said, startStory } from "../story.ts";

const day = 24 * 60 * 60_000;

function untilIn({ clock }: { clock: { now: () => number } }, days: number): string {
  return `until=${new Date(clock.now() + days * day).toISOString()}`;
}

test("an admin makes a rotation by its form, and everybody sees who is on call, who is next and when", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  const none = await story.ask(ana, "/rackbell oncall", "There are no rotations yet");
  await ana.press(none, "New rotation…");
  await story.modal(ana, "People in their order", "New turn on");
  expect(ana.modal()?.title).toMatchObject({ text: "Set a rotation" });
  expect(JSON.stringify(ana.modal())).not.toContain("Instead of");
  await ana.fill({ Rotation: "night", "People in their order": ["ana", "ben"], "New turn on": "monday" });
  await ana.submit();
  await story.sees(ana, "Saved: `night`", "take turns", "each Monday at 09:00");
  const seen = await story.ask(ben, "/rackbell oncall", `<@${ana.user.id}> is on call until`, `then <@${ben.user.id}>`);
  expect(said(seen)).toContain("You are next on call from");
  expect(JSON.stringify(seen)).not.toContain("Change…");
  await story.ask(ben, "/rackbell oncall night people=@ben", "Only an admin");
  story.clock.skip(7 * day);
  await story.ask(ben, "/rackbell oncall night", `<@${ben.user.id}> is on call until`);
  await story.ask(ana, "/rackbell audit", "rotation added");
});

test("a changed rotation keeps who is on call, and a form that is sent as it came changes nothing", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, caro } = story;
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben day=daily time=8:30 zone=UTC", "each day at 08:30");
  story.clock.skip(day);
  const listed = await story.ask(ana, "/rackbell oncall", `<@${ben.user.id}> is on call`);
  await ana.press(listed, "Change…");
  await story.modal(ana, "08:30", "daily");
  const seen = ana.sees().length;
  await ana.submit();
  await story.slack.until(() => ana.sees().length > seen, "the answer to the form");
  expect(said(await story.ask(ana, "/rackbell oncall", "is on call"))).toBe(said(listed));
  await story.ask(ana, "/rackbell oncall night people=@caro,@ben,@ana", `<@${ben.user.id}> is on call until`);
  await story.ask(caro, "/rackbell oncall", `then <@${ana.user.id}>`);
  await story.ask(ana, "/rackbell oncall night zone=Mars", "there is none of that name");
  await story.ask(ana, "/rackbell oncall night time=25:00", "this is no time");
  await story.ask(ana, '/rackbell oncall "two words" people=@ana', "one word");
  await story.ask(ana, "/rackbell oncall day", "To make it, name its people");
});

test("a member hands over their own shift until a time, both know it, and nobody else's shift can be handed over so", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro } = story;
  await story.ask(ana, "/rackbell oncall night people=@ben,@ana day=daily zone=UTC", "Saved");
  const listed = await story.ask(ben, "/rackbell oncall", `<@${ben.user.id}> is on call`, "Hand over…");
  await ben.press(listed, "Hand over…");
  await story.modal(ben, "Instead of", "Is on call for that time");
  expect(JSON.stringify(ben.modal())).not.toContain("New turn");
  await ben.closeModal({ all: true });
  const until = untilIn(story, 20);
  await story.ask(ben, `/rackbell oncall night who=@caro of=@ana ${until}`, "your own shifts alone");
  await story.ask(ben, `/rackbell oncall night who=@ben ${until}`, "somebody else than the person");
  await story.ask(
    ben,
    `/rackbell oncall night who=@caro ${until}`,
    `<@${caro.user.id}> is on call instead of <@${ben.user.id}>`,
  );
  await story.seesIn("dm", caro, "Your turn in the rotation `night` begins", `<@${ben.user.id}> set it.`);
  const now = await story.ask(
    ana,
    "/rackbell oncall",
    `<@${caro.user.id}> is on call, instead of <@${ben.user.id}>`,
    `then <@${ana.user.id}>`,
  );
  await story.pressing(ana, now, "End it", "Ended in `night`");
  await story.seesIn("dm", caro, "Ended in `night`");
  await story.ask(ana, "/rackbell oncall", `<@${ben.user.id}> is on call until`);
  await story.ask(ana, `/rackbell oncall night who=@dave ${until}`, "has linked no key yet", "instead of everybody");
});

test("people who left are skipped with a sentence, and a rotation that is left empty says that nobody is on call", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, caro, slack } = story;
  await story.ask(ana, "/rackbell oncall night people=@ben,@caro zone=UTC", `<@${ben.user.id}> is on call`);
  slack.deactivate("ben");
  await story.ask(
    ana,
    "/rackbell oncall",
    `<@${caro.user.id}> is on call.`,
    "was deactivated in Slack, so their turns are skipped",
  );
  await story.ask(ana, `/rackbell oncall night who=@ben ${untilIn(story, 2)}`, "they cannot be on call");
  slack.deactivate("caro");
  const empty = await story.ask(ana, "/rackbell oncall", "Nobody is on call");
  const { confirm } = await ana.press(empty, "Remove", { confirm: false });
  expect(confirm?.text).toContain("Alerts that mention it");
  await story.pressing(ana, empty, "Remove", "was removed");
});

test("the people of a user group take turns, and somebody who comes to it has a turn, too", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ben, caro, slack } = story;
  const group = slack.addUsergroup("night-shift", ["ben"]);
  await story.ask(
    ana,
    "/rackbell oncall night people=@night-shift",
    "the people of `@night-shift` take turns",
    `<@${ben.user.id}> is on call`,
  );
  slack.changeUsergroup(group, ["ben", "caro"]);
  await story.askUntil(story.ana, "/rackbell oncall", "is on call", `then <@${caro.user.id}>`);
  // Slack gives no group that is switched off: its people stay as they were last read.
  slack.changeUsergroup(group, []);
  const off = await story.askUntil(story.ana, "/rackbell oncall", "is on call", "Slack has no user group");
  expect(said(off)).toContain(`<@${ben.user.id}> is on call until`);
});

test("an alert mentions the person of a rotation who is on call at that time, and not the next one", async () => {
  const story = await startAlertStory();
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben day=daily zone=UTC", "Saved");
  await story.ask(ana, "/rackbell alerts set #ops mention=night", "the rotation `night`");
  await supplierSuspends(story, "mail.example.test");
  const mentioned = await story.passes(
    () => story.ana.sees("#ops").find((one) => said(one).includes("is suspended") && one.mentions.length > 0),
    "the mention of the person on call",
  );
  expect(mentioned.mentions).toEqual([`<@${ana.user.id}>`]);
  expect(said(mentioned)).not.toContain(ben.user.id);
});

test("Home shows who is on call, and when the reader is next", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben zone=UTC", "Saved");
  await ben.openHome();
  await story.slack.until(
    () => JSON.stringify(ben.home() ?? "").includes("You are next on call from"),
    "Home with the rotation",
  );
  expect(JSON.stringify(ben.home())).toContain(`<@${ana.user.id}> is on call until`);
});

test("without usergroups:read a rotation of a group is refused with the reason, and an alert still mentions the group", async () => {
  const story = await startAlertStory("", { without: ["usergroups:read"], slackRefuses: ["missing_scope"] });
  const { ana, ben, slack } = story;
  const group = slack.addUsergroup("night-shift", ["ben"]);
  const refused = await story.ask(ana, "/rackbell oncall night people=@night-shift", "`usergroups:read` is missing");
  expect(said(refused)).toContain("Name its people one by one. Nothing changed.");
  await story.ask(ana, "/rackbell alerts set #ops mention=@night-shift", "Saved", "`usergroups:read` is missing");
  await story.ask(ana, "/rackbell oncall night people=@ben", `<@${ben.user.id}> is on call`);
  await supplierSuspends(story, "mail.example.test");
  await story.passes(
    () => cards(story).some((one) => said(one).includes(`<!subteam^${group}>`)),
    "the mention of the group",
  );
});
