import { describe, expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { manifestOf } from "../../../src/slack/manifest.ts";
import { becomesAdmin, passADay, passHours } from "../admins.ts";
import { type Actor, type Message, type Story, type StoryOptions, said, startStory } from "../story.ts";

const hour = 60 * 60_000;

/** Two admins of the workspace, ana and caro, both linked for more than a day, and a rule that one of them would loosen. */
async function ruled(options: StoryOptions = {}): Promise<Story & { id: string }> {
  const story = await startStory({ linked: ["ana", "ben", "caro"], ...options });
  const { ana, slack } = story;
  if (options.linked) slack.setRole("caro", "admin");
  else await becomesAdmin(story, "caro");
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  await passADay(story);
  const rules = await story.ask(ana, "/rackbell policy", "needs two approvals");
  const id = /`([0-9a-f]{8})`/.exec(said(rules))?.[1] ?? "";
  return Object.assign(story, { id });
}

/** In steps of ten minutes, until the actor gets the notification: a late one takes effect later, too. */
async function passUntil(story: Story, actor: Actor, text: string): Promise<void> {
  const isNotified = () => actor.sees("dm").some((message) => said(message).includes(text));
  for (let step = 0; step < 60 && !isNotified(); step += 1) await passHours(story, 1 / 6);
  await inDirect(story, actor, text);
}

function inDirect(story: Story, actor: Actor, ...texts: (string | RegExp)[]): Promise<Message> {
  return story.seesIn("dm", actor, ...texts);
}

function propose(story: Story & { id: string }, actor: Actor): Promise<Message> {
  return story.ask(actor, `/rackbell policy remove ${story.id}`, "another admin agrees", "Nothing changed yet");
}

/** The typed line that agrees with the change whose buttons a message has. */
function agree(message: Message): string {
  const [, change] = /(?:agree|change)\\":\\"([^"\\]+)/.exec(JSON.stringify(message.blocks)) ?? [];
  if (change === undefined) throw new Error("The message has no button of a change");
  return `/rackbell policy agree change=${change}`;
}

test("a looser rule waits for a second admin, who agrees with what their message shows", async () => {
  const story = await ruled();
  const { ana, ben, caro } = story;
  await story.ask(ben, `/rackbell policy remove ${story.id}`, "Only an admin");
  await propose(story, ana);
  await story.ask(ana, "/vps cancel web-1", "Two others than");
  const own = await story.ask(ana, "/rackbell policy", "proposed", "If nobody stops it");
  expect(JSON.stringify(own.blocks)).not.toContain("Agree");
  expect(JSON.stringify(own.blocks)).toContain("Stop the change");
  const message = await inDirect(story, caro, "proposes a looser rule", "Removed:");
  expect(JSON.stringify(message.blocks)).toContain("Agree");
  const typed = await story.ask(ana, "/rackbell policy agree", "Another person who is an admin must agree");
  expect(JSON.stringify(typed.blocks)).not.toContain('"Agree"');
  await story.ask(ana, agree(message), `Another admin than <@${ana.user.id}> must agree`);
  await story.pressing(caro, message, "Agree", "In effect now");
  await inDirect(story, ana, `<@${caro.user.id}> agreed with the looser rule`);
  await story.ask(ana, "/vps cancel web-2", "Only <@");
  const audit = said(await story.ask(ana, "/rackbell audit policy everyone=yes", "policy change proposed"));
  // Every change of the rules names the key of the admin who made, proposed or agreed with it.
  expect(audit.match(/\*policy change/g)?.length).toBe(audit.match(/ · key `(ana|caro)`/g)?.length);
  expect(audit).toContain(" · key `caro`");
});

test("while Slack does not answer for everybody, there is a second admin: nobody loosens a rule alone", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, slack } = story;
  const added = await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
  const rules = await story.pressing(ana, added, "The rules", "needs two approvals");
  const id = /`([0-9a-f]{8})`/.exec(said(rules))?.[1] ?? "";
  // Slack gives Ana's own right. Of the three linked members it gives the right of one, not of two.
  slack.faults.rateLimit("users.info", 1, 40, 2);
  await story.ask(ana, `/rackbell policy remove ${id}`, "another admin agrees", "Nothing changed yet");
  slack.faults.clear();
  await story.ask(ana, "/vps cancel web-1", "Two others than");
});

test("typing “agree” shows the changes that wait; one that takes effect ends the other, and all who saw it are notified", async () => {
  const story = await ruled();
  const { ana, ben, caro } = story;
  await propose(story, ana);
  const shown = await story.ask(caro, "/rackbell policy", "Removed:", "another admin must agree");
  await story.ask(ben, "/rackbell policy", "Removed:");
  await story.ask(caro, "/rackbell policy agree", "Nothing changed yet: read it");
  await story.ask(
    ana,
    "/rackbell policy add demand=allowed command=vps",
    "another admin agrees",
    "2 changes of the rules wait now",
  );
  const second = await inDirect(story, caro, "proposes a looser rule", "`/vps`");
  const both = said(await story.ask(caro, "/rackbell policy", "Removed:", "Added:"));
  expect(both.match(/Nothing changed yet: read it/g)).toHaveLength(2);
  await story.ask(caro, "/rackbell policy drop", "Several changes wait: stop the one that you mean.");
  await story.pressing(caro, second, "Agree", "In effect now");
  for (const actor of [ana, ben]) await inDirect(story, actor, `<@${caro.user.id}> changed the rules`, "Removed:");
  await story.pressing(caro, shown, "Agree", "No change of the rules waits");
  await story.ask(ana, "/vps cancel web-1", "Two others than");
});

test("the same change proposed again takes the place of the first, and a stricter rule ends it", async () => {
  const story = await ruled();
  const { ana, ben, caro } = story;
  await propose(story, ana);
  const shown = await story.ask(caro, "/rackbell policy", "Removed:");
  await story.ask(ben, "/rackbell policy", "Removed:");
  story.clock.skip(1_000);
  await propose(story, ana);
  for (const actor of [ben, caro]) await inDirect(story, actor, "proposed the same again");
  await story.pressing(caro, shown, "Agree", "Another change waits by now than the one that you were shown");
  await story.pressing(caro, shown, "Stop the change", "Another change waits by now than the one that you were shown");
  await story.ask(caro, "/rackbell policy add demand=not-allowed command=game", "In effect now");
  await inDirect(story, ana, `<@${caro.user.id}> changed the rules`);
  await story.ask(ana, "/vps cancel web-1", "Two others than");
});

test("a looser rule and the end of a protection wait side by side, each with its own message", async () => {
  const story = await ruled();
  const { ana, caro } = story;
  await story.ask(ana, "/rackbell protect db-1", "is protected now");
  await propose(story, ana);
  const lifting = await story.ask(ana, "/rackbell protect db-1 lift=yes", "another one must agree");
  const looser = await inDirect(story, caro, "proposes a looser rule");
  const lift = await inDirect(story, caro, "proposes the end of a protection");
  await story.ask(caro, "/rackbell policy", "Removed:", "The protection of `db-1` ends");
  await story.pressing(caro, looser, "Agree", "In effect now");
  await story.pressing(ana, lifting, "Do not lift it", "Rules and protections are as they were");
  await inDirect(story, caro, "stopped the end of a protection");
  await story.pressing(caro, lift, "Agree", "No change of the rules waits");
  await story.ask(ana, "/rackbell protect", "1 protected resource");
});

test("an admin who unlinks the other one still loosens nothing alone, and everybody concerned is notified", async () => {
  const story = await ruled();
  const { ana, caro } = story;
  const question = await story.ask(ana, "/rackbell members unlink @caro", "Unlink a member?");
  await story.pressing(ana, question, "Unlink a member", "key `caro` is erased here");
  await inDirect(story, caro, `<@${ana.user.id}>, an admin, erased your key \`caro\` here`);
  await propose(story, ana);
  const message = await inDirect(story, caro, "proposes a looser rule");
  await story.pressing(caro, message, "Stop the change", "The proposed change was dropped");
  await inDirect(story, ana, `<@${caro.user.id}> stopped the looser rule`);
  await story.ask(ana, "/vps cancel web-1", "Two others than");
});

test("an admin who lost the right still counts as a second admin for a time, and no longer after 30 days", async () => {
  const story = await ruled();
  const { ana, slack } = story;
  slack.setRole("caro", "member");
  await passHours(story, 2, 1);
  await propose(story, ana);
  await story.ask(ana, "/rackbell policy drop", "Rules and protections are as they were");
  story.clock.skip(30 * 24 * hour);
  await story.ask(ana, `/rackbell policy remove ${story.id}`, "In effect now");
});

test("an admin loosens a rule alone once the only other admin is deactivated", async () => {
  const story = await ruled();
  story.slack.deactivate("caro");
  await story.ask(story.ana, `/rackbell policy remove ${story.id}`, "In effect now");
});

test("a second Slack account of one person is no second admin, and agrees to nothing", async () => {
  const story = await ruled({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, dave, platform } = story;
  const second = platform.addKey({ owner: "ana", label: "ana again" });
  story.secrets.add(second.key);
  await story.link(dave, second.key);
  await becomesAdmin(story, "dave");
  await becomesAdmin(story, "ben");
  await passADay(story);
  await propose(story, ana);
  const message = await inDirect(story, dave, "proposes a looser rule");
  expect(JSON.stringify(message.blocks)).not.toContain("Agree");
  await story.ask(dave, agree(message), `Another admin than <@${ana.user.id}> must agree`);
  const others = await inDirect(story, ben, "proposes a looser rule");
  await story.pressing(ben, others, "Agree", "In effect now");
});

test("an admin right or a key that is younger than a day agrees to nothing", async () => {
  const story = await ruled();
  const { ana, ben, caro, slack, platform } = story;
  slack.setRole("ben", "admin");
  await propose(story, ana);
  const young = await inDirect(story, ben, "proposes a looser rule");
  await story.pressing(ben, young, "Agree", "seen you as an admin for less than 24 hours");
  await story.ask(caro, "/rackbell unlink force=yes", "erased here");
  await story.link(caro, platform.keys.caro.key);
  const anew = await inDirect(story, caro, "proposes a looser rule");
  await story.pressing(caro, anew, "Agree", "You linked your key less than 24 hours ago");
  await story.ask(ana, "/vps cancel web-1", "Two others than");
});

/** The second message to each admin, an hour before the rule takes effect. */
const lastWord = "takes effect in an hour";

test("a looser rule that nobody stopped takes effect after a day, once every admin got it twice", async () => {
  const story = await ruled();
  const { ana, caro } = story;
  await propose(story, ana);
  await inDirect(story, caro, "proposes a looser rule");
  await passHours(story, 22);
  await story.ask(ana, "/vps cancel web-1", "Two others than");
  expect(caro.sees("dm").map(said).join()).not.toContain(lastWord);
  await passUntil(story, caro, lastWord);
  await story.ask(ana, "/vps cancel mail", "Two others than");
  await passUntil(story, caro, "Nobody stopped the looser rule");
  await story.ask(ana, "/vps cancel web-2", "Only <@");
  await story.ask(ana, "/rackbell audit policy", "Nobody stopped it within 24 hours");
});

test("a looser rule whose last notification arrived late takes effect an hour after it, and not before", async () => {
  const story = await ruled();
  const { ana, caro, slack } = story;
  await propose(story, ana);
  await inDirect(story, caro, "proposes a looser rule");
  await passHours(story, 22);
  slack.faults.failHttp("chat.postMessage", 503, 2_000);
  await passHours(story, 4, 1);
  expect(caro.sees("dm").map(said).join()).not.toContain(lastWord);
  slack.faults.clear();
  await passUntil(story, caro, lastWord);
  await passHours(story, 2 / 3, 1 / 6);
  await story.ask(ana, "/vps cancel web-1", "Two others than");
  await passUntil(story, caro, "Nobody stopped the looser rule");
});

test("a looser rule that did not reach an admin takes no effect by itself", async () => {
  const story = await ruled();
  const { ana, slack } = story;
  slack.faults.failHttp("conversations.open", 503, 2_000);
  await propose(story, ana);
  await passHours(story, 30, 6);
  await story.ask(ana, "/vps cancel web-1", "Two others than");
});

test("a proposed change takes no effect by itself once its proposer's key was unlinked", async () => {
  const story = await ruled();
  const { ana, caro } = story;
  await propose(story, ana);
  const question = await story.ask(caro, "/rackbell members unlink @ana", "Unlink a member?");
  await story.pressing(caro, question, "Unlink a member", "key `ana` is erased here");
  await passHours(story, 24);
  await passUntil(story, caro, "no longer an admin with a linked key, so it took no effect");
  await story.ask(caro, "/vps cancel web-1", "Two others than");
});

test("an admin who lost the right a week ago can still stop a proposed change, and other members cannot", async () => {
  const story = await ruled();
  const { ana, ben, caro, slack } = story;
  slack.setRole("caro", "member");
  await passHours(story, 7 * 24);
  await propose(story, ana);
  await story.ask(ben, "/rackbell policy drop", "Only an admin of this workspace can stop");
  await story.ask(caro, "/rackbell policy drop", "Rules and protections are as they were");
});

test.each([
  ["another admin unlinks them", "ana", "/rackbell members unlink @caro"],
  ["they unlink themselves", "caro", "/rackbell unlink"],
] as const)("an admin of whose right nothing was seen yet still has a say after %s", async (_, name, command) => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], rules: ["demand=two-approvals risk=destroy"] });
  const { ana, caro, slack } = story;
  const rules = await story.ask(ana, "/rackbell policy", "needs two approvals");
  const manifest = JSON.stringify(manifestOf(registry));
  slack.manifest(JSON.parse(manifest.replace(',"user_change"', "")));
  slack.setRole("caro", "admin");
  await story.ask(story[name], `${command} force=yes`, /erased here/);
  await inDirect(story, name === "ana" ? caro : ana, ":unlock:", "key `caro`");
  slack.setRole("caro", "member");
  const id = /`([0-9a-f]{8})`/.exec(said(rules))?.[1] ?? "";
  await propose(Object.assign(story, { id }), ana);
});

describe("an admin who loosens a rule alone does it visibly", () => {
  const about = "demand=one-approval risk=destroy project=production in=#vault";

  /** Ana alone is an admin. Caro and ben are in #vault, dave is not; zoe is another customer of the platform. */
  async function lone(): Promise<Story & { zoe: Actor }> {
    const story = await startStory({ linked: ["ana", "ben", "caro"] });
    const { slack, platform } = story;
    slack.invite("vault", "rackbell");
    slack.kick("vault", "ben");
    slack.addUser("zoe");
    const zoe = slack.as("zoe");
    await story.link(zoe, platform.keys.zoe.key);
    await story.ask(story.ana, `/rackbell policy add ${about}`, "In effect now");
    return Object.assign(story, { zoe });
  }

  async function ruleOf({ ana, ask }: Story): Promise<string> {
    return /`([0-9a-f]{8})`/.exec(said(await ask(ana, "/rackbell policy", "needs one approval")))?.[1] ?? "";
  }

  test("in the approvals channel, with the rule before and after, mentioning nobody and naming no project or private channel", async () => {
    const story = await lone();
    const { ana, ben, slack, platform } = story;
    await story.ask(ana, "/rackbell approvals channel #ops", "are posted in");
    await story.ask(ana, `/rackbell policy remove ${await ruleOf(story)}`, "In effect now");
    const message = await story.sees(ben, "ana loosened the approval rules", "Before:", "needs one approval", "Now:");
    expect(message.mentions).toEqual([]);
    expect(said(message)).not.toContain("Production");
    expect(said(message)).not.toContain(platform.projectId("production"));
    expect(said(message)).not.toContain(slack.channels.vault?.id);
    expect(said(message)).toContain("a private channel");
    for (const actor of [ben, story.caro])
      expect(actor.sees("dm").filter((one) => said(one).includes("loosened"))).toEqual([]);
  });

  test("without that channel by direct message to the approvers, each of whom reads the names that they know", async () => {
    const story = await lone();
    const { ana, ben, caro, zoe, slack } = story;
    await story.ask(ana, `/rackbell policy remove ${await ruleOf(story)}`, "In effect now");
    const vault = `<#${slack.channels.vault?.id}>`;
    for (const [actor, project, channel] of [
      [ben, "Production", "a private channel"],
      [caro, "Production", vault],
      [zoe, "(not named here)", "a private channel"],
    ] as const) {
      const message = said(await inDirect(story, actor, "ana loosened the approval rules", "Before:"));
      expect(message, actor.user.name).toContain(project);
      expect(message, actor.user.name).toContain(channel);
    }
    expect(ana.sees("dm").filter((one) => said(one).includes("loosened"))).toEqual([]);
  });

  test("and a stricter rule is announced to nobody", async () => {
    const story = await lone();
    const { ana, ben } = story;
    await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy", "In effect now");
    await story.ask(ana, "/rackbell policy add demand=one-approval risk=change glass=yes", "In effect now");
    await inDirect(
      story,
      ben,
      "loosened the approval rules",
      "Before:* no rule about it",
      "Changing something at once",
    );
    expect(ben.sees("dm").filter((one) => said(one).includes("loosened"))).toHaveLength(1);
  });
});

test.each([
  ["risk=destroy", "Destroying something: needs the requester's confirmation."],
  ["risk=spend", "Spending money: needs the requester's confirmation."],
  ["risk=change", "Changing something at once: runs at once."],
  [
    'command="vps cancel"',
    "runs at once, and where it destroys or costs something it needs the requester's confirmation",
  ],
])("a rule that allows %s says where Rackbell still asks", async (when, words) => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, `/rackbell policy add demand=allowed ${when}`, words);
});
