import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { manifestOf } from "../../../src/slack/manifest.ts";
import {
  type Actor,
  goAhead,
  type Message,
  peer,
  pressInDetails,
  type Story,
  said,
  startStory,
  writes,
} from "../story.ts";

test("another member approves, and it runs with the requester's key; neither the requester nor a second account of theirs can", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, caro, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Somebody other than");
  await story.pressing(ana, request, goAhead, "so a teammate has to approve it");
  const second = platform.addKey({ owner: "ana", label: "ana again" });
  story.secrets.add(second.key);
  await story.link(caro, second.key);
  await story.pressing(caro, request, goAhead, "same platform user");
  expect(writes(story)).toEqual([]);
  const done = await story.pressing(ben, request, goAhead, ":white_check_mark:");
  expect(said(done)).toContain(`asked by <@${ana.user.id}>, approved by <@${ben.user.id}>`);
  expect(writes(story)).toMatchObject([{ method: "DELETE", key: "ana" }]);
});

test("a member who is not linked, lacks the scope at the press, cannot see the resource, or is a guest is refused with the reason", async () => {
  const story = await startStory({ linked: ["ana", "dave"], environment: peer });
  const { ana, ben, caro, dave, gus, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ben, request, goAhead, "not linked a key yet");
  await story.pressing(dave, request, goAhead, "needs the scope `destructive`");
  await story.pressing(gus, request, goAhead, "Guests of this workspace");
  await story.link(caro, platform.keys.zoe.key);
  await story.pressing(caro, request, goAhead, "Your key cannot see the resource of this request");
  // Ben's scope is read live, and not as it was when he linked.
  await story.link(ben);
  platform.setScopes(platform.keys.ben, ["read"]);
  await story.pressing(ben, request, goAhead, "needs the scope `destructive`");
  platform.revoke(platform.keys.ben);
  await story.pressing(ben, request, goAhead, "no longer accepts your key");
  expect(writes(story)).toEqual([]);
});

test("a requester's key that was revoked is not called the approver's", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.revoke(platform.keys.ana);
  await story.pressing(ben, request, goAhead, `no longer accepts the key of <@${ana.user.id}>`);
  expect(writes(story)).toEqual([]);
});

test("of two approvers in one second one decides, and the other gets the name of the first", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await Promise.all([ben.press(request, goAhead), caro.press(request, goAhead)]);
  await story.sees(ana, ":white_check_mark:", "approved by");
  const late = [ben, caro].map((actor) => actor.sees().filter(({ ephemeralTo }) => ephemeralTo === actor.user.id));
  await story.slack.until(
    () => [ben, caro].some((actor) => actor.sees().some((one) => /pressed first|was approved by/.test(said(one)))),
    `one of them to be told; they see ${late.flat().map(said).join(" / ")}`,
  );
  expect(writes(story)).toHaveLength(1);
});

test("when nobody could approve, it says so at once, and no more once somebody has linked, who is called", async () => {
  const story = await startStory({ linked: ["ana", "dave"], environment: peer });
  const { ana, ben, caro } = story;
  const lacking = "Nobody else who is linked can approve this";
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", lacking);
  await story.link(ben);
  const called = await story.sees(ben, "you have now linked a key", "`web-1`");
  expect(called.mentions).toContain(`<@${ben.user.id}>`);
  expect(called.thread_ts).toBe(request.ts);
  await story.passes(() => ana.sees().every((message) => !said(message).includes(lacking)), "the notice to go");
  await story.link(caro);
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
  expect(ana.sees().filter((message) => said(message).includes("you have now linked a key"))).toHaveLength(1);
});

test("requests go to the channel that an admin named and can use, and mention the approver group there", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, slack } = story;
  const group = slack.addUsergroup("oncall", ["ben", "caro"]);
  const general = slack.channels.general?.id ?? "";
  await story.ask(ben, "/rackbell approvals channel #general", "Only an admin");
  await story.ask(ana, "/rackbell approvals channel #random", "none can be posted there", "/invite @Rackbell");
  await story.ask(ana, "/rackbell approvals channel #shared-partner", "Another organisation reads");
  const named = await story.ask(ana, "/rackbell approvals channel #general", `<#${general}>`);
  expect(said(named)).not.toContain("/invite");
  await ana.press(await story.ask(ana, "/rackbell approvals group", "No user group approves"), "Change…");
  await story.modal(ana, "User group that approves");
  await ana.fill({ "User group that approves": "oncall" });
  await ana.submit();
  await story.sees(ana, `<!subteam^${group}>`, "is mentioned");
  await story.ask(ana, `/rackbell approvals group @oncall`, group);
  await story.ask(ana, "/vps cancel web-1", `is in <#${general}>`);
  const request = await story.seesIn("#general", ben, "asks to");
  expect(request.mentions).toContain(`<!subteam^${group}>`);
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
});

test("of the approver group only those are mentioned who could decide it, and who is in Do Not Disturb is named", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, dave, slack, clock } = story;
  const group = slack.addUsergroup("oncall", ["ben", "caro", "dave"]);
  await story.ask(ana, "/rackbell approvals group @oncall", group);
  slack.setQuiet("caro", clock.now() + 4 * 60 * 60_000);
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "is in Do Not Disturb until");
  expect(request.mentions).not.toContain(`<!subteam^${group}>`);
  for (const actor of [ben, caro]) expect(request.mentions).toContain(`<@${actor.user.id}>`);
  expect(request.mentions).not.toContain(`<@${dave.user.id}>`);
});

test("an approver who is not in the channel gets a direct message of it, and one of each reminder, and decides by the list", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, slack } = story;
  slack.invite("vault", "rackbell");
  slack.kick("vault", "ben");
  await story.ask(ana, "/rackbell approvals channel #vault", "are posted in");
  await story.ask(ana, "/vps cancel web-1", "is in <#");
  const card = await story.seesIn("#vault", caro, "asks to", "Asked in direct messages: @ben.");
  expect(card.mentions).toContain(`<@${caro.user.id}>`);
  expect(card.mentions).not.toContain(`<@${ben.user.id}>`);
  await story.seesIn("dm", ben, "awaits a decision", "`/rackbell approvals` has its buttons");
  story.clock.skip(21 * 60_000);
  await story.seesIn("dm", ben, "still awaits a decision");
  expect(ben.sees("dm").filter((message) => said(message).includes("awaits a decision"))).toHaveLength(2);
  expect(caro.sees("dm")).toEqual([]);
  const list = await story.ask(ben, "/rackbell approvals", "web-1");
  await ben.press(list, goAhead);
  await story.seesIn("#vault", caro, "approved by", `<@${ben.user.id}>`);
});

test("a request that nobody else could see is not made, and the answer says why; a spend is its requester's alone", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana } = story;
  await story.askIn("#random", ana, "/vps cancel web-1", "nobody else could see this request", "/invite @Rackbell");
  await story.askIn("#shared-partner", ana, "/vps cancel web-1", "Another organisation reads");
  await story.askIn("dm", ana, "/vps cancel web-1", "These are direct messages");
  await story.ask(ana, "/rackbell approvals", "There are no open requests that you can see");
  const request = await story.ask(ana, "/vps capture web-2 name=golden", "billed per GB", "Only you see this");
  await story.pressing(ana, request, goAhead, "Capturing");
});

test("alone, a request from a channel without the app goes to the direct messages and works there", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.askIn("#random", ana, "/vps cancel web-1", "is in your direct messages", "/invite @Rackbell");
  const request = await story.seesIn("dm", ana, "asks to");
  await story.pressing(ana, request, goAhead, ":white_check_mark:");
});

test("a member who just became a guest can neither approve nor be approved, though Slack sent no event of it", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, slack } = story;
  const [first, second] = [
    await story.ask(ana, "/vps cancel web-1", "asks to"),
    await story.ask(ben, "/vps cancel web-2", "asks to"),
  ];
  const manifest = JSON.stringify(manifestOf(registry));
  slack.manifest(JSON.parse(manifest.replace(',"user_change"', "")));
  for (const name of ["ben", "caro"]) slack.setRole(name, "guest");
  await story.pressing(caro, first, goAhead, "Guests of this workspace");
  await story.pressing(ana, second, goAhead, `<@${ben.user.id}>, who asked`);
  expect(writes(story)).toEqual([]);
});

test("while Slack does not say who somebody is, nothing of theirs is approved, and they approve nothing", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.faults.failHttp("users.info", 503, 9);
  await story.pressing(ben, request, goAhead, "Slack", /[Nn]othing/);
  expect(writes(story)).toEqual([]);
  slack.faults.clear();
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
});

/** A key of ben's, the platform's user, linked by another Slack account. */
async function linkAsBen(story: Story, actor: Actor): Promise<void> {
  const second = story.platform.addKey({ owner: "ben", label: "ben again" });
  story.secrets.add(second.key);
  await story.link(actor, second.key);
}

/** Ana takes over what ben's key may not do. */
async function takenOver(story: Story, command: string): Promise<Message> {
  const { ana, ben, platform } = story;
  platform.setScopes(platform.keys.ben, ["read"]);
  await story.ask(ben, "/rackbell whoami", "ben");
  const refused = await story.ask(ben, command, "Nothing was", "Ask someone who can");
  await story.pressing(ben, refused, "Ask someone who can…", "The member who takes it uses their own key");
  const offer = await story.sees(ana, "asks somebody to");
  platform.setScopes(platform.keys.ben, ["read", "services", "destructive", "billing"]);
  return story.pressing(ana, offer, "Take it…", "asks to", `<@${ben.user.id}>, who cannot do it`);
}

test("the first requester can approve with no second Slack account, and the request does not mention that account", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, dave } = story;
  await linkAsBen(story, dave);
  const request = await takenOver(story, "/vps cancel web-1");
  expect(request.mentions).not.toContain(`<@${dave.user.id}>`);
  await story.pressing(ben, request, goAhead, "a teammate has to approve it");
  await story.pressing(dave, request, goAhead, `same platform user as <@${ben.user.id}>, who asked for this first`);
  expect(writes(story)).toEqual([]);
  await story.pressing(caro, request, goAhead, `asked by <@${ana.user.id}>, approved by <@${caro.user.id}>`);
});

test("the first requester still cannot approve after the colleague passed the request on to another one", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, platform } = story;
  for (const one of ["ben", "caro"] as const) {
    platform.setScopes(platform.keys[one], ["read"]);
    await story.ask(story[one], "/rackbell whoami", one);
  }
  const passOn = "Ask someone who can…";
  const refused = await story.ask(ben, "/vps cancel web-1", "Nothing was", passOn);
  await story.pressing(ben, refused, passOn, "The member who takes it uses their own key");
  const first = await story.sees(caro, `<@${ben.user.id}> asks somebody to`);
  const again = await story.pressing(caro, first, "Take it…", "Nothing was", passOn);
  await story.pressing(caro, again, passOn, "The member who takes it uses their own key");
  const second = await story.sees(ana, `<@${caro.user.id}> asks somebody to`);
  platform.setScopes(platform.keys.ben, ["read", "services", "destructive", "billing"]);
  const request = await story.pressing(ana, second, "Take it…", "asks to", `<@${ben.user.id}>, who cannot do it`);
  await story.pressing(ben, request, goAhead, "a teammate has to approve it");
  expect(writes(story)).toEqual([]);
});

test("the first requester cannot approve with a second Slack account after the first account was unlinked", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ben, dave } = story;
  const request = await takenOver(story, "/vps cancel web-1");
  await story.ask(ben, "/rackbell unlink force=yes", "erased here");
  await linkAsBen(story, dave);
  await story.pressing(dave, request, goAhead, `same platform user as <@${ben.user.id}>, who asked for this first`);
  expect(writes(story)).toEqual([]);
});

/** The ways in which ana puts another request in the place of the one that she took over. */
const replacements = [
  [
    "adds a product to it",
    "/order new VPS S cycle=monthly location=Madrid hostname=a.example.test",
    async (story: Story, request: Message) => {
      await pressInDetails(story, story.ana, request, "Add a product…", '"choose:product"');
      await story.ana.choose("modal", "choose:product", "VPS L");
      await story.modal(story.ana, '"submit":{');
    },
    "1 × `VPS L`",
  ],
  [
    "asks for less",
    "/service option add web-2 option=monitoring quantity=3",
    async (story: Story, request: Message) => {
      await pressInDetails(story, story.ana, request, { actionId: "request:narrow" }, "Enter a lower one");
      await story.ana.fill({ Quantity: "2" });
    },
    "2 ×",
  ],
] as const;

test.each(replacements)(
  "the first requester cannot approve what takes the place of the request after the colleague %s",
  async (_, command, change, shown) => {
    const story = await startStory({ linked: ["ana", "ben", "dave"], rules: ["demand=one-approval risk=spend"] });
    const { ana, ben, dave, platform } = story;
    const passOn = "Ask someone who can…";
    const refused = await story.ask(dave, command, "Nothing was", passOn);
    await story.pressing(dave, refused, passOn, "The member who takes it uses their own key");
    const offer = await story.sees(ana, "asks somebody to");
    await ana.press(offer, "Take it…");
    const isCard = (message: Message) => said(message).includes("who cannot do it");
    const hasForm = () => JSON.stringify(ana.modal() ?? null).includes('"submit":{');
    await story.slack.until(() => hasForm() || ana.sees().find(isCard), "the form or the request");
    if (hasForm()) await ana.submit();
    const first = await story.sees(ana, "asks to", `<@${dave.user.id}>, who cannot do it`);
    await change(story, first);
    await ana.submit();
    const second = await story.sees(ben, "asks to", shown, `<@${dave.user.id}>, who cannot do it`);
    platform.setScopes(platform.keys.dave, ["read", "services", "orders", "billing"]);
    await story.ask(dave, "/rackbell whoami", "dave");
    await story.pressing(dave, second, goAhead, "a teammate has to approve it");
    expect(writes(story)).toEqual([]);
    await story.pressing(ben, second, goAhead, `approved by <@${ben.user.id}>`);
  },
);

test("a member who links another's key over their own after the approval gave it as who they were, and it is taken back", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], rules: ["demand=two-approvals risk=destroy"] });
  const { ana, ben, caro, dave, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  const newer = platform.addKey({ owner: "ben", label: "newer" });
  const shared = platform.addKey({ owner: "dave", label: "shared" });
  for (const { key } of [newer, shared]) story.secrets.add(key);
  await story.link(ben, newer.key);
  expect(said(await story.sees(caro, "asks to", "web-1"))).toContain("1 of 2");
  await story.link(ben, shared.key);
  await story.sees(caro, `<@${ben.user.id}>, who approved this, no longer has the key linked`);
  await linkAsBen(story, dave);
  await story.pressing(dave, request, goAhead, "1 of 2");
  await story.pressing(ben, request, goAhead, "same platform user");
  expect(writes(story)).toEqual([]);
  await story.pressing(caro, request, goAhead, `approved by <@${dave.user.id}> and <@${caro.user.id}>`);
});

test("of two approvers who are linked as one user of the platform one counts", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, dave } = story;
  await linkAsBen(story, dave);
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.pressing(dave, request, goAhead, `<@${ben.user.id}> approved this`, "same platform user");
  expect(writes(story)).toEqual([]);
  await story.pressing(caro, request, goAhead, `approved by <@${ben.user.id}> and <@${caro.user.id}>`);
});

test("a taken-over request for several machines keeps its first requester when its failed part is requested again", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, dave, platform } = story;
  await linkAsBen(story, dave);
  const request = await takenOver(story, "/vps cancel web-1 web-2");
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is being built" } };
  platform.faults.next({ how: busy, method: "DELETE", path: `/vps/${platform.findVps("web-1").id}` });
  await caro.press(request, goAhead);
  const failedOne = () => ana.sees().find((message) => said(message).includes("Try the failed ones again"));
  const over = await story.passes(failedOne, "one of two to fail");
  const again = await story.pressing(ana, over, "Try the failed ones again", `<@${ben.user.id}>, who cannot do it`);
  await story.pressing(dave, again, goAhead, "who asked for this first");
});

test("those who decide and the requester are notified when an approved act is refused, or an approver unlinks", async () => {
  const refused = await startStory({ linked: ["ana", "ben", "caro"], rules: ["demand=one-approval risk=destroy"] });
  const request = await refused.ask(refused.ana, "/vps cancel web-1 immediate=yes", "asks to");
  const busy = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  refused.platform.faults.next({ how: busy, method: "DELETE" });
  await refused.ben.press(request, goAhead);
  const again = "awaits a decision again";
  const reply = said(
    await refused.sees(refused.ana, again, "The machine is busy", "Earlier approvals no longer count"),
  );
  for (const { user } of [refused.ana, refused.caro]) expect(reply).toContain(`<@${user.id}>`);
  refused.clock.skip(2 * 60 * 60_000);
  await refused.sees(refused.ana, "It expired before it had its approval.");

  const story = await startStory({ linked: ["ana", "ben", "caro"], rules: ["demand=two-approvals risk=destroy"] });
  const { ana, ben } = story;
  await story.pressing(ben, await story.ask(ana, "/vps cancel web-1 immediate=yes", "asks to"), goAhead, "1 of 2");
  await ben.press(await story.ask(ben, "/rackbell unlink", "Unlink"), "Unlink a key");
  await story.sees(ana, again, `<@${ben.user.id}>, who approved this`);
});
