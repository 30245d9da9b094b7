import { describe, expect, test } from "vitest";
import { rest } from "../rest.ts";
import { type Actor, everybody, goAhead, type Message, type Story, said, startStory } from "../story.ts";

const mention = ({ user }: Actor) => `<@${user.id}>`;
const buys = "/service option add web-2 option=monitoring quantity=2";

async function startWith(names: (story: Story) => Actor[]): Promise<Story> {
  const story = await startStory({ linked: everybody });
  const approvers = names(story).map(mention).join(" ");
  await story.ask(
    story.ana,
    `/rackbell policy set demand=one-approval risk=spend approvers="${approvers}"`,
    "In effect now",
  );
  return story;
}

function direct(actor: Actor): Message[] {
  return actor.sees("dm").filter((message) => said(message).includes("Monitoring"));
}

describe("a member who only pays", () => {
  test("gets a short direct message with all that the decision needs, is mentioned nowhere else, and decides there", async () => {
    const story = await startWith(({ caro }) => [caro]);
    const { ana, ben, caro } = story;
    const card = await story.ask(ana, buys, "asks to");
    expect(said(card)).toContain("Asked in direct messages: @caro.");
    expect(card.mentions).not.toContain(mention(caro));
    const short = await story.seesIn("dm", caro, "asks you to approve");
    const [request] = [...story.requests.values()];
    for (const fact of [
      mention(ana),
      "web-2",
      "Production",
      ...(request?.review.loss ?? []),
      "It expires",
      "*Quantity*\n`2`",
      // The card in the channel has these because nobody can decide without them.
      "the platform does not show it before",
      "which only 1 named person can give",
    ])
      expect(said(short)).toContain(fact);
    expect(said(short).length).toBeLessThan(said(card).length);
    await story.pressing(ben, card, goAhead, "let only these people decide this");
    await caro.press(short, { actionId: goAhead });
    await story.sees(ana, "approved by", mention(caro));
    const after = await story.seesIn("dm", caro, "Monitoring", /^(?![\s\S]*asks you to approve)/);
    expect(after.ts).toBe(short.ts);
    expect(direct(caro)).toHaveLength(1);
    expect(direct(ben)).toHaveLength(0);
  });

  test("is reminded once, by a message of its own", async () => {
    const story = await startWith(({ caro }) => [caro]);
    const { ana, caro } = story;
    await story.ask(ana, buys, "asks to");
    await story.seesIn("dm", caro, "asks you to approve");
    story.clock.skip(21 * 60_000);
    await story.seesIn("dm", caro, "still awaits a decision");
    await story.ask(ana, "/rackbell approvals", "Monitoring");
    expect(direct(caro)).toHaveLength(2);
  });

  test("sees in the same message that somebody else decided it, and a late press changes nothing", async () => {
    const story = await startWith(({ ben, caro }) => [ben, caro]);
    const { ana, ben, caro } = story;
    const card = await story.ask(ana, buys, "asks to");
    const short = await story.seesIn("dm", caro, "asks you to approve");
    await story.seesIn("dm", ben, "asks you to approve");
    await ben.press(card, "request:deny");
    await story.modal(ben, "Deny the request");
    await ben.fill({ "Why?": "Not now." });
    await ben.submit();
    const after = await story.seesIn("dm", caro, "Not now.");
    expect(after.ts).toBe(short.ts);
    await caro.press(short, { actionId: goAhead });
    await rest(1_000);
    await story.seesIn("dm", caro, "denied it", "Nothing was done");
    expect([...story.requests.values()].map(({ state }) => state)).toEqual(["denied"]);
  });

  test("away has their stand-in asked, if the rule names that one", async () => {
    const story = await startWith(({ ben, caro }) => [ben, caro]);
    const { ana, ben, caro } = story;
    await story.ask(caro, '/rackbell away until="tomorrow 8:00" to=@dave or=@ben', "You are away");
    const card = said(await story.ask(ana, buys, "asks to"));
    expect(card).toContain("@dave, who was named, cannot decide it.");
    expect(card).toContain("@ben is notified for @caro");
    await story.seesIn("dm", ben, "asks you to approve");
    expect(direct(caro)).toHaveLength(0);
  });
});

test("a member who may not decide it any more gets no further message of it, with its product or its price", async () => {
  const story = await startWith(({ ben, caro }) => [ben, caro]);
  const { ana, ben, caro } = story;
  await story.ask(ana, buys, "asks to");
  await story.seesIn("dm", caro, "asks you to approve");
  await story.ask(caro, "/rackbell unlink force=yes", "erased here");
  const before = direct(caro).length;
  await story.ask(
    ana,
    `/rackbell policy set demand=one-approval risk=spend approvers="${mention(ben)}"`,
    "In effect now",
  );
  await story.seesIn("dm", ben, "a stricter rule is in effect");
  expect(direct(caro)).toHaveLength(before);
});

test("a member who may not decide it any more is not called when the platform refuses it", async () => {
  const story = await startWith(({ ben, caro }) => [ben, caro]);
  const { ana, ben, caro, platform } = story;
  await story.ask(ana, buys, "asks to");
  await story.seesIn("dm", caro, "asks you to approve");
  await story.ask(caro, "/rackbell unlink force=yes", "erased here");
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  platform.faults.next({ how: busy, method: "POST" });
  await ben.press(await story.seesIn("dm", ben, "asks you to approve"), goAhead);
  await story.seesIn("dm", ben, "awaits a decision again", "The machine is busy");
  await story.ask(ana, "/rackbell approvals", "Monitoring");
  expect(caro.sees("dm").map(said).join("\n")).not.toContain("awaits a decision again");
});

test("the direct message of a member who became a guest is edited no more, and the request ends as for all others", async () => {
  const story = await startWith(({ ben, caro }) => [ben, caro]);
  const { ana, ben, caro, slack, clock } = story;
  await story.ask(ana, buys, "asks to");
  const short = await story.seesIn("dm", caro, "asks you to approve");
  slack.setRole("caro", "guest");
  clock.skip(6 * 60_000);
  await ben.press(await story.seesIn("dm", ben, "asks you to approve"), goAhead);
  await story.comesToSee(ana, "Monitoring", ":white_check_mark:");
  await story.seesIn("dm", ben, "Monitoring", "Approved by");
  const now = caro.sees("dm").find(({ ts }) => ts === short.ts);
  expect(now && said(now)).toBe(said(short));
});
