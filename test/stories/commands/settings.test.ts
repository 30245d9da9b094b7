import { expect, test } from "vitest";
import { said, startStory } from "../story.ts";

test("the form of the settings writes what was changed in it alone, each with an entry of its own", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: { AGENTS: "on" } });
  const { ana, slack } = story;
  await story.ask(ana, "/rackbell settings approvals=#ops due=5", "5 days before a payment");
  await ana.press(await story.ask(ana, "/rackbell settings", "<#", "No channel gets a weekly report"), "Change…");
  await story.modal(ana, "Channel of the weekly report");
  // A colleague sets the same things meanwhile: the form was not asked to change them.
  await story.ask(ana, "/rackbell settings approvals=#general due=8", "8 days before a payment");
  await ana.fill({ "Renewals: days before": "11", "All agents": "off" });
  await ana.submit();
  await story.sees(ana, "8 days before a payment is due, and 11 days before a renewal", "switched off");
  const general = `<#${slack.channels.general?.id}>`;
  await story.ask(
    ana,
    "/rackbell settings",
    `posted in ${general}`,
    "8 days before a payment",
    "All agents are switched off",
  );
  const log = said(await story.ask(ana, "/rackbell audit", "*agents off*"));
  expect([...log.matchAll(/\*([a-z ]+)\*/g)].map(([, kind]) => kind).slice(0, 4)).toEqual([
    "agents off",
    "alert limits set",
    "alert limits set",
    "approvals channel set",
  ]);
});

test("a wrong value among several settings leaves all of them as they were", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell settings due=9 time=9am report=#ops", "this is no time");
  await story.ask(ana, "/rackbell settings due=9 balance=much", "an amount such as 50");
  await story.ask(ana, "/rackbell settings due=9 agents=off", "Agents are not switched on here");
  expect(said(await story.ask(ana, "/rackbell settings", "3 days before a payment"))).not.toContain("9 days");
});

test("a member who is no admin reads the settings, and is offered no change of them", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben } = story;
  const shown = await story.ask(ben, "/rackbell settings", "3 days before a payment");
  expect(JSON.stringify(shown)).not.toContain("Change…");
  await story.ask(ben, "/rackbell settings due=9", "Only an admin of this workspace can do this");
});

test("settings that are only shown say how it is, and not that anything changed now", async () => {
  const story = await startStory({ linked: ["ana"], environment: { AGENTS: "on" } });
  const { ana } = story;
  const first = await story.ask(ana, "/rackbell settings", "Requests appear in the channel where they are typed.");
  const all = "approvals=#ops group=@S0ONCALL due=5 balance=50 agents=off report=#general day=monday time=09:00";
  await story.ask(ana, `/rackbell settings ${all}`, "gets the weekly report");
  const later = await story.ask(ana, "/rackbell settings", "is mentioned when somebody must approve", "Change…");
  expect(said(later)).toContain("Requests to destroy are posted in <#");
  for (const shown of [first, later]) expect(said(shown)).not.toMatch(/\bnow\b/i);
});
