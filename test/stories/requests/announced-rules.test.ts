import { expect, test } from "vitest";
import { becomesAdmin, passADay } from "../admins.ts";
import { type Actor, type Message, type Story, said, startStory } from "../story.ts";

const announcements = (actor: Actor, where = "#ops") =>
  actor.sees(where).filter((message) => /(changed|loosened) the approval rules/.test(said(message)));

async function withChannel(): Promise<Story> {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  await story.ask(story.ana, "/rackbell approvals channel #ops", "are posted in");
  return story;
}

/** The id of the rule that a list shows. */
async function idOf({ ana, ask }: Story, words: string): Promise<string> {
  return /`([0-9a-f]{8})`/.exec(said(await ask(ana, "/rackbell policy", words)))?.[1] ?? "";
}

test("a change of the rules is announced once in the channel of approvals, before and after, and mentions nobody", async () => {
  const story = await withChannel();
  const { ana, ben, caro } = story;
  await story.ask(ana, "/rackbell policy set demand=one-approval risk=destroy project=production", "In effect now");
  const added = await story.sees(ben, ":lock: ana changed the approval rules", "*Before:* no rule about it");
  expect(said(added)).toContain("*Now:* Destroying something in project (not named here): needs one approval.");
  expect(said(added)).toMatch(/\*Now:\*[\s\S]*\*Before:\*/);
  const id = await idOf(story, "needs one approval");
  const values = `demand=two-approvals risk=destroy approvers="<@${ben.user.id}> <@${caro.user.id}>" instead=${id}`;
  await story.ask(ana, `/rackbell policy set ${values}`, "In effect now");
  const changed = await story.sees(ben, "which only ben and caro can give", "*Before:* Destroying something");
  expect(changed.mentions).toEqual([]);
  expect(announcements(ben)).toHaveLength(2);
  // The same values again change nothing.
  await story.ask(ana, `/rackbell policy set ${values}`, "In effect now");
  await story.ask(ana, "/rackbell policy", "needs two approvals");
  expect(announcements(ben)).toHaveLength(2);
});

test("a looser rule is announced with the admin who agreed, when it is in effect and not before", async () => {
  const story = await withChannel();
  const { ana, ben, caro } = story;
  await becomesAdmin(story, "caro");
  await story.ask(ana, "/rackbell policy set demand=two-approvals risk=destroy", "In effect now");
  await passADay(story);
  await story.ask(ana, `/rackbell policy remove ${await idOf(story, "needs two approvals")}`, "it waits");
  expect(announcements(ben)).toHaveLength(1);
  const message: Message = await story.seesIn("dm", caro, "proposes a looser rule", "Removed:");
  await story.pressing(caro, message, "Agree", "In effect now");
  await story.sees(ben, ":unlock: ana loosened the approval rules, and caro agreed.", "*Now:* no rule about it");
});

test("nothing about the rules is said in a channel that another organisation reads", async () => {
  const story = await withChannel();
  const { ana, ben, slack } = story;
  if (slack.channels.ops) slack.channels.ops.is_ext_shared = true;
  story.clock.skip(2 * 60_000);
  await story.ask(ana, "/rackbell policy set demand=two-approvals risk=destroy", "In effect now");
  await story.ask(ana, "/rackbell policy", "needs two approvals");
  expect(announcements(ben)).toEqual([]);
});

test("a rule that one admin loosens alone comes to the others by direct message if another organisation reads the channel", async () => {
  const story = await withChannel();
  const { ana, ben, slack } = story;
  await story.ask(ana, "/rackbell policy set demand=two-approvals risk=destroy", "In effect now");
  await story.sees(ben, ":lock: ana changed the approval rules");
  const id = await idOf(story, "needs two approvals");
  if (slack.channels.ops) slack.channels.ops.is_ext_shared = true;
  story.clock.skip(2 * 60_000);
  await story.ask(ana, `/rackbell policy remove ${id}`, "In effect now");
  await story.seesIn("dm", ben, "ana loosened the approval rules", "*Before:* Destroying something");
  expect(announcements(ben)).toHaveLength(1);
});
