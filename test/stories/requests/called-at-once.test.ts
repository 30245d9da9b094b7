import { test } from "vitest";
import { type Actor, peer, said, startStory } from "../story.ts";

test("of two members who link a key at once, each is called to the request that had too few approvers", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    environment: peer,
    rules: ["demand=two-approvals risk=destroy"],
  });
  const { ana, ben, caro, slack } = story;
  for (const actor of [ben, caro]) await story.ask(actor, "/rackbell unlink force=yes", "erased here");
  await story.ask(ana, "/vps cancel web-1", "asks to");
  story.clock.skip(2 * 60_000);
  const isCalled = (actor: Actor) =>
    ana.sees().some((one) => said(one).includes(`<@${actor.user.id}>, you have now linked a key`));
  const release = slack.faults.hangApi("dnd.teamInfo", 1);
  const asked = slack.calls("dnd.teamInfo").length;
  await story.typeKey(ben);
  await slack.until(() => slack.calls("dnd.teamInfo").length > asked, "Slack to be asked who is in the channel");
  await story.link(caro);
  await slack.until(() => isCalled(caro), "caro to be called");
  release();
  await slack.until(() => isCalled(ben), "ben to be called, too");
});
