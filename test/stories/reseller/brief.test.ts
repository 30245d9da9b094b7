import { expect, test } from "vitest";
import { said } from "../story.ts";
import { replies, startAlertStory, supplierSuspends } from "./alerting.ts";

test("a brief has what happened, the notes, what was pressed, who has it, and what the platform says now, for the presser alone", async () => {
  const story = await startAlertStory("", { linked: ["ana", "ben"], partners: ["ana", "ben"] });
  const { ana, ben } = story;
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  await ben.say("@Rackbell note the queue <!channel> is full of *spam*", "#ops", alert.ts);
  await story.sees(ben, "Noted", "Brief me");
  await story.pressing(ben, alert, "Take", "took this");
  await story.pressing(ana, alert, "Unsuspend", "Unsuspend `mail.example.test`", "is no longer suspended");
  const brief = await story.pressing(ben, alert, "Brief me", "Brief of `mail.example.test`", "The platform says now");
  expect(brief.ephemeralTo).toBe(ben.user.id);
  const text = said(brief);
  const order = ["is suspended", `<@${ben.user.id}>: the queue`, "reseller service unsuspend"];
  expect(order.map((words) => text.indexOf(words)).toSorted((a, b) => a - b)).toEqual(
    order.map((words) => text.indexOf(words)),
  );
  expect(text).not.toContain("<!channel>");
  expect(text).toContain(`<@${ben.user.id}> took this`);
  expect(text).toContain("Only you see this");
  const notified = ana.phone().length;
  await ben.press(brief, "Show to channel");
  await story.slack.until(
    () => replies(story).find((one) => said(one).includes("shows a brief") && one.thread_ts === alert.ts),
    "the brief in the thread",
  );
  // It names those who took it, and notifies nobody once more.
  expect(ana.phone()).toHaveLength(notified);
});

test("a brief shows a reader without a key the events alone, and names no request of another channel in this one", async () => {
  const story = await startAlertStory("", { linked: ["ana"], partners: ["ana"] });
  const { ana, caro } = story;
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(caro, "`mail.example.test` is suspended", "by webhook,");
  await story.askIn("dm", ana, "/reseller service terminate mail.example.test", "Only <@");
  const brief = said(
    await story.pressing(caro, alert, "Brief me", "Brief of `mail.example.test`", "could not be read"),
  );
  expect(brief).toContain("is suspended");
  expect(brief).not.toContain("reseller service terminate");
  const own = said(await story.pressing(ana, alert, "Brief me", "Brief of `mail.example.test`", "service terminate"));
  expect(own).toContain("The platform says now");
  await ana.press(await story.sees(ana, "Only you see this, with your key."), "Show to channel");
  const shown = await story.slack.until(() => replies(story).find((one) => said(one).includes("shows a brief")), "it");
  expect(said(shown)).not.toContain("reseller service terminate");
  // The card that a key reads is its member's: the channel reads the state alone.
  expect(own).toContain("Costs you");
  expect(said(shown)).toContain("The platform says now");
  expect(said(shown)).not.toContain("Costs you");
});

test("a brief does not read what a rule forbids its presser to read, and shows the rule in its place", async () => {
  const story = await startAlertStory("", { linked: ["ana", "ben"], partners: ["ana", "ben"] });
  const { ana, ben } = story;
  await story.ask(
    ana,
    '/rackbell policy add demand=not-allowed risk=read command="reseller service show"',
    "In effect",
  );
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  const brief = said(await story.pressing(ben, alert, "Brief me", "Brief of `mail.example.test`", "does not allow it"));
  expect(brief).not.toContain("Costs you");
  await ben.press(await story.sees(ben, "Only you see this, with your key."), "Show to channel");
  const shown = await story.slack.until(() => replies(story).find((one) => said(one).includes("shows a brief")), "it");
  expect(said(shown)).toContain("does not allow it");
});

test("a note outside of an alert's thread, or with a key in it, is refused with a sentence", async () => {
  const story = await startAlertStory();
  const { ben } = story;
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.sees(ben, "`mail.example.test` is suspended", "by webhook,");
  await ben.say("@Rackbell note it is down", "#ops");
  await story.sees(ben, "belongs in the thread of an alert", "Nothing was noted");
  await ben.say("@Rackbell note", "#ops", alert.ts);
  await story.sees(ben, "Write the note after the word");
  const brief = said(await story.pressing(ben, alert, "Brief me", "Brief of `mail.example.test`"));
  expect(brief).not.toContain(":memo:");
});
