import { expect, test } from "vitest";
import { askToReinstall } from "../reinstalling.ts";
import { rest } from "../rest.ts";
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
  // A skip while Slack's answer is on its way would look like a Slack that does not answer.
  await rest(1_000);
  const inChannels = () => Object.values(slack.state().channels).flat().map(said);
  const texts = inChannels().length;
  clock.skip(30 * 60_000);
  clock.skip(hour);
  await story.seesIn("dm", ana, "New root password of `web-2`: its time is over, so Rackbell erased its copy");
  expect([ben, caro, dave].map(heard)).toEqual(before);
  expect(inChannels()).toHaveLength(texts);
  expect(inChannels().filter((text) => /Nobody has taken|took this/.test(text))).toEqual([]);
});

const reveals = (one: Actor) => one.sees("dm").filter((message) => said(message).includes("Reveal"));

test("after a name that was mistyped, is ambiguous, or has a time beside it, a press makes the password and its member can reveal it", async () => {
  const { ana, platform, ...story } = await startStory({ linked: ["ana"] });
  platform.change("web-2", { name: "web-1" });
  const offered = [
    ['/vps reinstall db1 image="Debian 13"', "Did you mean", "db-1"],
    ['/vps reinstall web-1 image="Debian 13"', "means more than one", "web-1"],
  ] as const;
  for (const [at, [typed, question, name]] of offered.entries()) {
    const choice = await story.ask(ana, typed, question);
    const request = await story.pressing(ana, choice, { index: 0 }, `Reinstall \`${name}\``);
    await ana.press(request, goAhead);
    await story.passes(() => reveals(ana).length > at, "the password is offered");
  }
  const timed = await story.ask(ana, '/vps reinstall db-1 at 03:00 image="Debian 13"', "A time needs its equals sign");
  expect(said(timed)).toContain('/vps reinstall db-1 image="Debian 13" at=03:00');
});

test("a password that a member typed is not in the button that asks a colleague", async () => {
  const { ben, platform, ...story } = await startStory({ linked: ["ana", "ben"] });
  await ben.type("/vps reinstall web-2");
  await story.modal(ben, "Operating system", "New root password");
  await ben.fill({ "Operating system": "Debian 13", "New root password": "Tr0ub4dor-and-33" });
  platform.setScopes(platform.keys.ben, ["read"]);
  await story.ask(ben, "/rackbell whoami", "ben");
  await ben.submit();
  expect(JSON.stringify(await story.sees(ben, "Ask someone who can"))).not.toContain("Tr0ub4dor-and-33");
});
