import { expect, test } from "vitest";
import { askToReinstall } from "../reinstalling.ts";
import { type Actor, goAhead, peer, said, startStory } from "../story.ts";

const hour = 60 * 60_000;

test("a one-time secret is for its member alone: nobody can take it, no step follows, and nobody else is notified until it is erased", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    environment: peer,
    rules: ["demand=one-approval risk=destroy notify=@caro then=@ben after=20m"],
  });
  const { ana, ben, caro, dave, clock, slack } = story;
  const request = await askToReinstall(story, "web-2");
  await story.pressing(caro, request, goAhead, "approved");
  await story.comesToSee(ana, "is reinstalled");
  const offer = await story.seesIn("dm", ana, "New root password of `web-2`: only you can open it");
  const heard = (one: Actor) => one.phone().length;
  const before = [ben, caro, dave].map(heard);
  expect(said(offer)).not.toMatch(/\bTake\b|Next:/);
  await ana.press(offer, "Reveal");
  await story.modal(ana, "New root password");
  const inChannels = () => Object.values(slack.state().channels).flat().map(said);
  const texts = inChannels().length;
  clock.skip(30 * 60_000);
  clock.skip(hour);
  await story.seesIn("dm", ana, "New root password of `web-2`: its time is over, so Rackbell erased its copy");
  expect([ben, caro, dave].map(heard)).toEqual(before);
  expect(inChannels()).toHaveLength(texts);
  expect(inChannels().filter((text) => /Nobody has taken|took this/.test(text))).toEqual([]);
});
