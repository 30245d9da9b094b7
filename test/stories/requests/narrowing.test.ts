import { describe, expect, test } from "vitest";
import { type Actor, goAhead, type Message, peer, type Story, said, startStory, withControl } from "../story.ts";

const narrowButton = { actionId: "request:narrow" };

async function openNarrow(story: Story, actor: Actor, request: Message): Promise<void> {
  await actor.press(await withControl(actor, request, narrowButton, story.slack.until), narrowButton);
  await story.modal(actor, "Narrow the request");
}

describe("a request is narrowed", () => {
  test("an approver takes a machine out: a new request takes its place, and earlier approvals do not count for it", async () => {
    const story = await startStory({
      linked: ["ana", "ben", "caro"],
      rules: ["demand=two-approvals risk=destroy"],
    });
    const { ana, ben, caro } = story;
    const request = await story.ask(ana, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
    await story.pressing(caro, request, goAhead, "1 of 2");
    await openNarrow(story, ben, request);
    await ben.fill({ "These stay in it": ["web-1", "web-2"], "Why?": "The database stays." });
    await ben.submit();
    const narrower = await story.sees(
      ana,
      "For each of 2 VPSes",
      `<@${ben.user.id}> took \`db-1\` out: The database stays.`,
    );
    expect(said(narrower)).not.toContain("1 of 2");
    await story.sees(ana, `<@${ana.user.id}>`, "It goes on as a new request", "Nothing was done");
    const ids = new Set([...story.requests.values()].filter(({ bulk }) => bulk !== null).map(({ id }) => id));
    expect(ids.size).toBe(2);
    await story.pressing(ben, narrower, goAhead, "1 of 2");
    await story.pressing(caro, narrower, goAhead, "approved by");
    const ran = () => [...story.requests.values()].filter(({ part, state }) => part !== null && state === "done");
    await story.passes(() => ran().length === 2, "both machines to be cancelled");
    expect(ran().map(({ target }) => target?.name)).not.toContain("db-1");
    await story.pressing(caro, request, goAhead, "It goes on as a new request");
  });

  test("one of those that stay was renamed meanwhile: the narrower request leaves it out by name", async () => {
    const story = await startStory({ linked: ["ana", "ben"], environment: peer });
    const { ana, ben, platform } = story;
    const request = await story.ask(ana, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
    platform.change("web-2", { name: "web-two" });
    await openNarrow(story, ben, request);
    await ben.fill({ "These stay in it": ["web-1", "web-2"], "Why?": "The database stays." });
    await ben.submit();
    await story.sees(ana, "`web-1`: ", "Left out: `web-2` is called `web-two` now.", "took `db-1` out");
  });

  test("the requester takes one out of their own, and who may not decide it cannot", async () => {
    const story = await startStory({ linked: ["ana", "ben", "dave"], environment: peer });
    const { ana, dave } = story;
    const request = await story.ask(ana, "/vps cancel web-1 web-2", "For each of 2 VPSes");
    await dave.press(request, { actionId: "request:details" });
    await story.slack.until(() => dave.modal(), "the details of dave");
    expect(JSON.stringify(dave.modal())).not.toContain("request:narrow");
    await openNarrow(story, ana, request);
    await ana.fill({ "These stay in it": ["web-1"], "Why?": "One is enough." });
    await ana.submit();
    await story.sees(ana, "Cancel 1 VPS", "took `web-2` out");
  });

  test("of what costs money, an approver lowers the amount: the payer alone asks for less, and confirms the price anew", async () => {
    const story = await startStory({
      linked: ["ana", "ben"],
      rules: ['demand=one-approval command="service option add"'],
    });
    const { ana, ben } = story;
    const request = await story.ask(ana, "/service option add web-2 option=monitoring quantity=3", "asks to", "3 ×");
    await openNarrow(story, ben, request);
    await ben.fill({ Quantity: "2", "Why?": "Two will do." });
    await ben.submit();
    const ended = await story.sees(
      ana,
      "would approve 2 in place of 3: Two will do.",
      "can confirm the new price",
      "asked by",
    );
    await story.pressing(ben, ended, "Ask again…", `Only <@${ana.user.id}>, who asked`);
    await ana.press(ended, "Ask again…");
    await story.modal(ana, "Quantity");
    expect(JSON.stringify(ana.modal())).toContain('"initial_value":"2"');
    await ana.submit();
    const again = await story.sees(ana, "asks to", "2 ×");
    expect(again.ts).not.toBe(request.ts);
  });

  test("of several that cost money, an approver takes one out: the card lists it, and the payer asks again for the others", async () => {
    const story = await startStory({
      linked: ["ana", "ben"],
      rules: ['demand=one-approval command="service renew"'],
    });
    const { ana, ben } = story;
    const request = await story.ask(ana, "/service renew web-1 db-1", "asks to", "EUR");
    await openNarrow(story, ben, request);
    await ben.fill({ "These stay in it": ["db-1"], "Why?": "One is enough." });
    await ben.submit();
    const ended = await story.sees(ana, "took `web-1` out", "can confirm the new price", "asked by");
    expect(said(ended)).toContain("• `web-1`: taken out");
    expect(said(ended)).not.toContain("`db-1`:");
    expect([...story.requests.values()].map(({ state }) => state)).toEqual(["denied"]);
    await story.pressing(ana, ended, "Ask again", "Renew 1 service");
    const [, again] = [...story.requests.values()];
    expect([again?.state, again?.requester.slackUser]).toEqual(["pending", ana.user.id]);
  });
});
