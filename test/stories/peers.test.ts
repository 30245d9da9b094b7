import { expect, test } from "vitest";
import { createRegistry } from "../../src/operation/registry.ts";
import { operations } from "../../src/operations/index.ts";
import { manifestOf } from "../../src/slack/manifest.ts";
import { backOut, goAhead, type Story, said, tell } from "./story.ts";

const peer = { APPROVALS: "peer" };

function writes({ platform }: Story): string[] {
  return platform
    .calls()
    .filter(({ method }) => method !== "GET")
    .map(({ key, method }) => `${method} with the key of ${key}`);
}

test("another member approves, and it runs with the requester's key", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to", "Somebody other than");
  const done = await story.pressing(ben, request, goAhead, ":white_check_mark:");
  expect(said(done)).toContain(`asked by <@${ana.user.id}>, approved by <@${ben.user.id}>`);
  expect(writes(story)).toEqual(["DELETE with the key of ana"]);
});

test("the requester cannot approve their own, nor a second Slack account of the same platform user", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, caro, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ana, request, goAhead, "so a teammate has to approve it");
  const second = platform.addKey({ owner: "ana", label: "ana again" });
  story.secrets.add(second.key);
  await story.link(caro, second.key);
  await story.pressing(caro, request, goAhead, "same user of the platform");
  expect(writes(story)).toEqual([]);
});

test("who is not linked, lacks the scope, cannot see it, or is a guest is refused with the reason", async () => {
  const story = await tell({ linked: ["ana", "dave"], environment: peer });
  const { ana, ben, caro, dave, gus, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ben, request, goAhead, "not linked a key yet");
  await story.pressing(dave, request, goAhead, "needs the scope `destructive`");
  await story.pressing(gus, request, goAhead, "Guests of this workspace");
  await story.link(caro, platform.keys.zoe.key);
  await story.pressing(caro, request, goAhead, "Your key cannot see `web-1`");
  expect(writes(story)).toEqual([]);
});

test("the approver's scope is read live at the press, not as it was when they linked", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.setScopes(platform.keys.ben, ["read"]);
  await story.pressing(ben, request, goAhead, "needs the scope `destructive`");
  platform.revoke(platform.keys.ben);
  await story.pressing(ben, request, goAhead, "no longer accepts your key");
  expect(writes(story)).toEqual([]);
});

test("a requester's key that was revoked is not called the approver's", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.revoke(platform.keys.ana);
  await story.pressing(ben, request, goAhead, `no longer accepts the key of <@${ana.user.id}>`);
  expect(writes(story)).toEqual([]);
});

test("of two approvers in one second one decides, and the other is told who", async () => {
  const story = await tell({ linked: ["ana", "ben", "caro"], environment: peer });
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

test("when nobody could approve, it says so at once", async () => {
  const story = await tell({ linked: ["ana", "dave"], environment: peer });
  await story.ask(story.ana, "/vps cancel web-1", "asks to", "Nobody else who is linked could approve this");
});

test("requests go to the channel that an admin named, and mention the approver group there", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  const group = slack.addUsergroup("oncall", ["ben", "caro"]);
  const general = slack.channels.general?.id ?? "";
  await story.ask(ben, "/rackbell approvals channel #general", "Only an admin");
  const named = await story.ask(ana, "/rackbell approvals channel #general", `<#${general}>`);
  expect(said(named)).not.toContain("/invite");
  await story.ask(ana, `/rackbell approvals group @oncall`, group);
  await story.ask(ana, "/vps cancel web-1", `is in <#${general}>`);
  const request = await story.seesIn("#general", ben, "asks to");
  expect(request.mentions).toContain(`<!subteam^${group}>`);
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
});

test("in its form the approver group is given by its id, and a name says where it can be typed", async () => {
  const story = await tell({ linked: ["ana"], environment: peer });
  const { ana, slack } = story;
  const group = slack.addUsergroup("oncall", ["ben"]);
  await ana.type("/rackbell approvals group");
  await story.modal(ana, "/rackbell approvals group @oncall");
  await ana.fill({ "User group": "@oncall" });
  expect(await ana.submit()).toMatchObject({ errors: { group: expect.stringContaining("as you type the command") } });
  await ana.fill({ "User group": group });
  await ana.submit();
  await story.sees(ana, `<!subteam^${group}>`, "is now mentioned");
});

test("naming a channel where the app is not, or that others read, says at once that no request can stand there", async () => {
  const story = await tell({ linked: ["ana"], environment: peer });
  await story.ask(story.ana, "/rackbell approvals channel #random", "none can be posted there", "/invite @Rackbell");
  await story.ask(story.ana, "/rackbell approvals channel #shared-partner", "Another organisation reads");
});

test("where nobody else could see it, nothing is asked and the way out is told", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana } = story;
  await story.askIn("#random", ana, "/vps cancel web-1", "nobody else could see this request", "/invite @Rackbell");
  await story.askIn("#shared-partner", ana, "/vps cancel web-1", "Another organisation reads");
  await story.askIn("dm", ana, "/vps cancel web-1", "These are direct messages");
  await story.ask(ana, "/rackbell approvals", "Nothing waits");
});

test("alone, a request from a channel without the app goes to the direct messages and works there", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana } = story;
  await story.askIn("#random", ana, "/vps cancel web-1", "is in your direct messages", "/invite @Rackbell");
  const request = await story.seesIn("dm", ana, "asks to");
  await story.pressing(ana, request, goAhead, ":white_check_mark:");
});

test("spending stays the requester's own affair", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana } = story;
  const request = await story.ask(ana, "/vps capture web-2 name=golden", "billed per GB", "Only you see this");
  await story.pressing(ana, request, goAhead, "Capturing");
});

test("who was made a guest since they linked can approve nothing", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.pressing(ben, request, backOut, "or an admin can withdraw");
  slack.setRole("ben", "guest");
  await slack.until(
    () => slack.deliveries("events_api").some(({ outcome }) => outcome === "acknowledged"),
    "the event",
  );
  await story.pressing(ben, request, goAhead, "Guests of this workspace");
  expect(writes(story)).toEqual([]);
});

test("who was made a guest a moment ago approves nothing and has nothing approved, though Slack's word of it never came", async () => {
  const story = await tell({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro, slack } = story;
  const [first, second] = [
    await story.ask(ana, "/vps cancel web-1", "asks to"),
    await story.ask(ben, "/vps cancel web-2", "asks to"),
  ];
  const manifest = JSON.stringify(manifestOf(createRegistry(operations)));
  slack.manifest(JSON.parse(manifest.replace(',"user_change"', "")));
  for (const name of ["ben", "caro"]) slack.setRole(name, "guest");
  await story.pressing(caro, first, goAhead, "Guests of this workspace");
  await story.pressing(ana, second, goAhead, `<@${ben.user.id}>, who asked`);
  expect(writes(story)).toEqual([]);
});

test("what a member asked who has been made a guest since is approved by nobody", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  slack.setRole("ben", "guest");
  await story.pressing(ana, request, goAhead, `<@${ben.user.id}>, who asked`);
  expect(writes(story)).toEqual([]);
});

test("while Slack does not tell who somebody is, nothing of theirs is approved, and they approve nothing", async () => {
  const story = await tell({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  slack.faults.failHttp("users.info", 503, 9);
  await story.pressing(ben, request, goAhead, "Slack", /[Nn]othing/);
  expect(writes(story)).toEqual([]);
  slack.faults.clear();
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
});
