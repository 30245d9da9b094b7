import { expect, test } from "vitest";
import { type Actor, everybody, fileStore, goAhead, said, startStory } from "../story.ts";

const minute = 60_000;
const rule = "demand=one-approval risk=destroy notify=@ben then=@caro after=10m";

function mentionOf({ user }: Actor): string {
  return `<@${user.id}>`;
}

function buzzes(actor: Actor, text: string): number {
  return actor.phone().filter((one) => one.text.includes(text)).length;
}

test("a request notifies whom its rule names, then the next while nobody decides; a restart between two steps notifies nobody twice", async () => {
  const environment = { STORE_URL: fileStore(), APPROVAL_TTL: "2h" };
  const story = await startStory({ linked: everybody, rules: [rule], environment });
  const { ana, ben, caro, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", mentionOf(ben), "Next: `@caro`");
  expect(said(request)).not.toContain(mentionOf(caro));
  await story.restart();
  clock.skip(10 * minute);
  await story.sees(ana, mentionOf(caro), "still awaits a decision");
  await story.restart();
  await story.sees(ana, "asks to", `Rackbell notified ${mentionOf(caro)}`);
  expect([buzzes(ben, "web-1"), buzzes(caro, "web-1")]).toEqual([1, 1]);
  const entries = said(await story.ask(ana, "/rackbell audit", "escalated"));
  expect(entries).toContain(`Rackbell notified ${mentionOf(ben)}`);
  await story.pressing(caro, request, goAhead, ":white_check_mark:");
});

test("a step passes over a member who could not decide and says why; a member who is not notified finds the request", async () => {
  const story = await startStory({
    linked: everybody,
    rules: ["demand=one-approval risk=destroy notify=@ben then=@dave after=10m"],
    environment: { APPROVAL_TTL: "2h" },
  });
  const { ana, caro, clock } = story;
  await story.ask(ana, "/vps cancel web-1", "asks to", "Next: `@dave`");
  await story.ask(caro, "/rackbell approvals", "web-1");
  clock.skip(10 * minute);
  await story.sees(ana, "Nobody of `@dave` could be notified", "has no key with the scope `destructive`");
  await story.sees(ana, "Nobody has taken this, and no further step follows");
});

test("an approver in Do Not Disturb is named and notified, and the next step comes at once; a take holds it", async () => {
  const story = await startStory({ linked: everybody, rules: [rule], environment: { APPROVAL_TTL: "5h" } });
  const { ana, ben, caro, slack, clock } = story;
  slack.setQuiet("ben", clock.now() + 480 * minute);
  await story.ask(ana, "/vps cancel web-1", "asks to", mentionOf(ben));
  await story.sees(ana, mentionOf(caro), "still awaits a decision");
  slack.setQuiet("ben", null);
  clock.skip(2 * minute);
  const second = await story.ask(ana, "/vps cancel web-2", "asks to", "Next: `@caro`");
  await story.pressing(ben, second, "Take", "took this", "if it goes back");
  clock.skip(30 * minute);
  await story.sees(ana, "web-2", "took this");
  expect(buzzes(caro, "web-2")).toBe(0);
});

test("a member takes an act without a known outcome, so that one looks at it", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.faults.next({ how: "reset", method: "DELETE", applied: true });
  await story.pressing(ana, request, goAhead, ":grey_question:", "Do not ask again until");
  const unknown = await story.sees(ben, ":grey_question:", "Take");
  await story.pressing(ben, unknown, "Take", `${mentionOf(ben)} took this`);
});
