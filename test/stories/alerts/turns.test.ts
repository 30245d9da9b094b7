import { expect, test } from "vitest";
import { startAlertStory, supplierSuspends } from "../reseller/alerting.ts";
import { type Actor, fileStore, said } from "../story.ts";

const day = 24 * 60 * 60_000;
const turn = "Your turn in the rotation `night` begins";

/** The direct messages of turns on somebody's phone. */
function turnsOf(actor: Actor): string[] {
  return actor.phone().flatMap(({ text }) => (text.includes("in the rotation `night` begins") ? [text] : []));
}

test("the person whose turn begins gets one direct message with what waits and what they may see of it, also over a restart", async () => {
  const story = await startAlertStory("", {
    linked: ["ana", "ben", "dave"],
    environment: { STORE_URL: fileStore() },
  });
  const { ana, ben, dave, slack, clock } = story;
  slack.invite("vault", "rackbell");
  await story.ask(ana, "/rackbell alerts add #vault", "Saved");
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben,@dave day=daily zone=UTC", "Saved");
  await supplierSuspends(story, "mail.example.test");
  for (const channel of ["#ops", "#vault"])
    await story.passes(
      () => ana.sees(channel).some((one) => said(one).includes("is suspended")),
      `the alert in ${channel}`,
    );
  clock.skip(day);
  const first = said(await story.seesIn("dm", ben, turn, `<@${ben.user.id}> is on call until`, "Nobody has taken"));
  expect(first.match(/1 alert in <#/g)).toHaveLength(2);
  await story.restart();
  clock.skip(day);
  const second = said(await story.seesIn("dm", dave, turn, "Nobody has taken"));
  expect(second.match(/1 alert in <#/g)).toHaveLength(1);
  clock.skip(day);
  await story.seesIn("dm", ana, turn);
  expect([ana, ben, dave].map((one) => turnsOf(one).length)).toEqual([1, 1, 1]);
});

test("a turn of somebody who is away notifies their stand-in, and without one the admin who set the rotation", async () => {
  const story = await startAlertStory("", { linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, clock } = story;
  const until = `until=${new Date(clock.now() + 20 * day).toISOString()}`;
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben day=daily zone=UTC", "Saved");
  await story.ask(ben, `/rackbell away ${until} to=@caro`, "You are away");
  clock.skip(day);
  await story.seesIn(
    "dm",
    caro,
    "A turn in the rotation `night` begins",
    `<@${ben.user.id}> is on call`,
    "you are their stand-in",
  );
  clock.skip(day);
  await story.seesIn("dm", ana, turn);
  await story.ask(caro, `/rackbell away ${until}`, "You are away");
  clock.skip(day);
  await story.seesIn("dm", ana, `<@${ben.user.id}> is on call`, "without a stand-in. Nobody else was notified");
  expect([ana, ben, caro].map((one) => turnsOf(one).length)).toEqual([1, 0, 1]);
});

test("somebody who takes over a turn at once, and the person who gets it back, each get one message of it", async () => {
  const story = await startAlertStory("", { linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, slack, clock } = story;
  const until = `until=${new Date(clock.now() + 5 * day).toISOString()}`;
  await story.ask(ana, "/rackbell oncall night people=@ben day=daily zone=UTC", "Saved");
  await story.seesIn("dm", ben, turn);
  const set = await story.ask(ana, `/rackbell oncall night who=@caro ${until}`, "Saved");
  await story.seesIn("dm", caro, turn, `<@${ana.user.id}> set it.`);
  await story.pressing(ana, set, "End it", "Ended in `night`");
  await slack.until(() => turnsOf(ben).length === 2, "the turn that came back");
  await story.seesIn("dm", caro, "Ended in `night`");
  slack.deactivate("ben");
  await story.seesIn("dm", ana, "In the rotation `night`, which you set", "Nobody is on call");
  const onCall = (one: Actor) => one.phone().filter(({ text }) => text.includes("`night`")).length;
  expect([ana, ben, caro].map(onCall)).toEqual([1, 2, 2]);
});

test("the message to the next person on call does not count the requests of the one who was deactivated", async () => {
  const story = await startAlertStory("", { linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, slack, clock } = story;
  await story.ask(ana, "/rackbell policy add demand=one-approval risk=destroy", "In effect now");
  await story.ask(ana, "/rackbell oncall night people=@ben,@caro day=daily zone=UTC", "Saved");
  await story.seesIn("dm", ben, turn);
  await story.ask(ben, '/vps cancel web-1 immediate=yes reason="the customer left"', "asks to");
  slack.deactivate("ben");
  await story.sees(ana, "The one who asked for it was deactivated");
  clock.skip(3_000);
  expect(said(await story.seesIn("dm", caro, turn))).not.toContain("waits for a decision");
});

test("the status and Home say who is on call, and which alerts wait that nobody has taken, to those who read their channel", async () => {
  const story = await startAlertStory("none", { linked: ["ana", "ben", "dave"] });
  const { ana, ben, dave, slack } = story;
  slack.invite("vault", "rackbell");
  await story.ask(ana, "/rackbell alerts add #vault", "Saved");
  await story.ask(ana, "/rackbell oncall night people=@ana,@ben zone=UTC", "Saved");
  await supplierSuspends(story, "mail.example.test");
  const alert = await story.seesIn("#vault", ana, "is suspended");
  await story.ask(ana, "/rackbell policy add demand=one-approval risk=destroy", "In effect now");
  await story.ask(ben, '/vps cancel web-1 immediate=yes reason="the customer left"', "asks to");
  const words = ["is on call until", "Nobody has taken 1 alert in <#"];
  await story.ask(ana, "/rackbell status", ...words, "1 request waits for a decision: `/rackbell approvals`");
  expect(said(await story.ask(dave, "/rackbell status", "is on call until"))).not.toContain("Nobody has taken");
  await ana.openHome();
  await slack.until(() => words.every((one) => JSON.stringify(ana.home() ?? "").includes(one)), "Home with the alert");
  await story.pressing(ben, alert, "Take", "took this");
  expect(said(await story.ask(ana, "/rackbell status", "is on call until"))).not.toContain("Nobody has taken");
});
