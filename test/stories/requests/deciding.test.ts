import { expect, test } from "vitest";
import { fillOrder, orderCalls } from "../ordering.ts";
import { backOut, everybody, goAhead, peer, type Story, said, startStory, writes } from "../story.ts";

function deletions({ platform }: Story): number {
  return platform.calls().filter(({ method }) => method === "DELETE").length;
}

test("a form that leads to a request has a field for the reason, and a form that runs at once has none", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Why", "Operating system");
  await ana.closeModal();
  await ana.type("/vps snapshot web-2");
  await story.modal(ana, "Name");
  expect(JSON.stringify(ana.modal())).not.toContain('"Why"');
});

test("a key that was pasted as the reason is never shown", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Why", "Operating system");
  await ana.fill({ "Operating system": "Debian 13", Why: "because of rsk_0123abcd" });
  expect(JSON.stringify(await ana.submit())).toContain("Revoke it");
  await ana.closeModal();
  await story.ask(ana, "/rackbell approvals", "There are no open requests that you can see");
});

test("a request mentions the members who could approve it, and mentions them once more after a third of its time, unless it was withdrawn", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro, dave, clock, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  expect(said(request)).toContain(`<@${ben.user.id}>`);
  expect(said(request)).toContain(`<@${caro.user.id}>`);
  // A member whose key only reads cannot approve, and the requester is not mentioned.
  expect(said(request)).not.toContain(`<@${dave.user.id}>`);
  const withdrawn = await story.ask(ana, "/vps cancel web-2", "asks to");
  await story.pressing(ana, withdrawn, backOut, "withdrawn");
  clock.skip(20 * 60_000 + 1_000);
  const reminder = await slack.until(
    () => ben.sees().find((message) => said(message).includes("still awaits a decision")),
    "the second call in the thread",
  );
  expect(said(reminder)).toContain(`<@${ben.user.id}>`);
  clock.skip(20 * 60_000);
  await story.pressing(ben, request, goAhead, "approved by");
  expect(ben.sees().filter((message) => said(message).includes("still awaits"))).toHaveLength(1);
});

test("a second identical request points to the first one, and a request about another snapshot is a new one", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  await story.ask(ana, "/vps snapshot delete web-1 snapshot=weekly-1", "asks to");
  const pointer = await story.ask(
    ben,
    "/vps snapshot delete web-1 snapshot=weekly-1",
    `was requested by <@${ana.user.id}>`,
    "nothing new was requested",
  );
  await story.ask(ana, "/vps snapshot delete web-1 snapshot=weekly-2", "asks to", "weekly-2");
  // The first can be decided from there.
  await story.pressing(ben, pointer, goAhead, "approved by", "Deleting", "weekly-1");
  expect(deletions(story)).toBe(1);
});

test("two members who make the same request at the same time make one request", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro } = story;
  await Promise.all([ana.type("/vps cancel web-1"), ben.type("/vps cancel web-1")]);
  await story.slack.until(
    () => [ana, ben].some((actor) => actor.sees().some((one) => /nothing new was requested/.test(said(one)))),
    "one of them to be pointed at the other's",
  );
  await story.sees(caro, "asks to");
  await story.ask(caro, "/rackbell approvals", "Open requests", "web-1");
  expect(ana.sees().filter((message) => said(message).includes("asks to"))).toHaveLength(1);
});

test("a member without the scope asks a colleague, who makes the request, and whose key runs it; neither of the two can approve it", async () => {
  const story = await startStory({ linked: everybody, environment: peer });
  const { ana, ben, caro, dave, platform } = story;
  const refused = await story.ask(
    dave,
    '/vps reinstall web-2 reason="It is broken"',
    "needs the scope `services`",
    "Nothing was sent",
  );
  await story.pressing(dave, refused, "Ask someone who can…", "The member who takes it uses their own key");
  const offer = await story.sees(ana, "asks somebody to", "It is broken", "web-2");
  await ana.press(offer, "Take it…");
  await story.modal(ana, "Operating system", "It is broken");
  await ana.fill({ "Operating system": "Debian 13" });
  await ana.submit();
  const request = await story.sees(ben, "asks to", `<@${dave.user.id}>, who cannot do it`);
  const taken = await story.sees(dave, `<@${ana.user.id}> took this <!date^`, "It is broken", "web-2");
  expect(taken.ts).toBe(offer.ts);
  expect(said(taken)).not.toContain("Take it…");
  platform.setScopes(platform.keys.dave, ["read", "services", "destructive"]);
  await story.link(dave, platform.keys.dave.key).catch(() => null);
  await story.pressing(dave, request, goAhead, "a teammate has to approve it");
  await story.pressing(ana, request, goAhead, "You asked for this, so a teammate has to approve it");
  await story.pressing(caro, request, goAhead, "approved by");
  const sent = writes(story);
  expect(sent.map(({ key }) => key)).toEqual(["ana"]);
});

test("a member asks no colleague if nobody else has the scope: Rackbell says so and posts nothing", async () => {
  const story = await startStory({ linked: ["dave"] });
  const { dave } = story;
  const refused = await story.ask(dave, "/vps reboot web-2", "needs the scope");
  await story.pressing(dave, refused, "Ask someone who can…", "No linked member can do this");
  expect(JSON.stringify(dave.sees())).not.toContain("asks somebody");
});

test("an order that a colleague took over names the member who asked for it; that member cannot approve it", async () => {
  const story = await startStory({ linked: ["ana", "ben", "dave"], rules: ["demand=one-approval risk=spend"] });
  const { ana, ben, dave, platform } = story;
  const refused = await story.ask(dave, "/order new VPS S", "needs the scope");
  await story.pressing(dave, refused, "Ask someone who can…", "The member who takes it uses their own key");
  const offer = await story.sees(ana, "asks somebody to");
  await ana.press(offer, "Take it…");
  await fillOrder(story, ana);
  const request = await story.sees(ben, "× `VPS S`", `<@${dave.user.id}>, who cannot do it`);
  platform.setScopes(platform.keys.dave, ["read", "services", "orders"]);
  await story.pressing(dave, request, goAhead, "a teammate has to approve it");
  expect(orderCalls(story)).toEqual([]);
  await story.pressing(ben, request, goAhead, "approved by");
});
