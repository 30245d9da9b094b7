import { expect, test } from "vitest";
import { passADay } from "../admins.ts";
import { createAuthenticator } from "../passkeys/authenticator.ts";
import { addressIn, keyOf, makeWith } from "../passkeys/passkeys.ts";
import { connect } from "../reseller/selling.ts";
import { type Actor, goAhead, type Message, type Story, said, startStory } from "../story.ts";

const panel = "https://panel.example/keys";

/** The channels of the workspace in which the app is at first. */
const channels = ["ops", "general"];

function textOf(view: unknown): string {
  return JSON.stringify(view ?? "");
}

async function homeOf({ slack }: Story, actor: Actor, ...texts: string[]): Promise<string> {
  await actor.openHome();
  await slack.until(() => texts.every((text) => textOf(actor.home()).includes(text)), `Home with ${texts.join(" + ")}`);
  return textOf(actor.home());
}

/** A workspace in which nothing is set up yet. */
async function freshStory(options: Parameters<typeof startStory>[0] = {}): Promise<Story> {
  const story = await startStory(options);
  for (const channel of channels) story.slack.kick(channel, "rackbell");
  return story;
}

/** Presses the button of a step in a card, fills in its form, and waits for the answer. */
async function inForm(
  story: Story,
  card: Message,
  label: string,
  values: Record<string, string | string[]>,
  ...texts: string[]
): Promise<void> {
  const { ana } = story;
  await ana.press(card, label);
  await story.modal(ana, ...Object.keys(values));
  await ana.fill(values);
  await ana.submit();
  await story.sees(ana, ...texts);
}

/** Opens the form of a rule, which is filled in already, and submits it. */
async function takesProposal(story: Story, card: Message, ...texts: string[]): Promise<void> {
  const { ana } = story;
  await ana.press(card, "Add a rule…");
  await story.modal(ana, "This means", ...texts);
  await ana.submit();
  await story.sees(ana, "In effect now", ...texts);
}

test("an admin does each step by one press, the card ticks it, and Home leads there until all are done", async () => {
  const story = await freshStory({
    linked: ["ana", "caro"],
    environment: { PASSKEYS: "on", PANEL_KEYS_URL: panel },
  });
  const { ana, slack, platform } = story;
  slack.addUsergroup("leads", ["ana", "caro"]);
  await story.link(ana, platform.reseller.keys.ana.key);
  await homeOf(story, ana, "0 of 8 steps done", "Invite Rackbell to your ops channel", "No channel gets requests");
  await ana.press("home", "Set up");
  await story.modal(ana, "0 of 8 steps done", "/invite @Rackbell");
  await ana.closeModal({ all: true });

  let card = await story.ask(ana, "/rackbell setup", "0 of 8 steps done", "Nobody is notified when a machine", panel);
  const comesTo = async (words: string) => {
    card = await story.pressing(ana, card, "Look again", words);
  };
  slack.invite("ops", "rackbell");
  await comesTo("1 of 8");
  const { reader } = platform.keys;
  story.secrets.add(reader.key);
  await inForm(story, card, "Set the key…", { "Customer monitoring key": reader.key }, "monitoring key is set");
  await comesTo("2 of 8");
  const secret = platform.reseller.signingSecret() ?? "";
  story.secrets.add(secret);
  await inForm(story, card, "Connect…", { "Signing secret": secret }, "The signing secret is set");
  await comesTo("no webhook arrived");
  const request = await story.pressing(ana, card, "Set webhook address…", "asks to");
  await ana.press(request, goAhead);
  await story.comesToSee(ana, "The test event arrived");
  await comesTo("3 of 8");
  const alerts = { Channel: "#ops", Mention: ["leads"] };
  await inForm(story, card, "Choose…", alerts, "Saved:", "gets");
  await comesTo("4 of 8");
  await inForm(story, card, "Choose a group…", { "User group that approves": "leads" }, "is mentioned when somebody");
  await comesTo("5 of 8");
  const rotation = { Rotation: "night", "People in their order": ["ana", "caro"] };
  await inForm(story, card, "New rotation…", rotation, "Saved: `night`");
  await comesTo("6 of 8");
  await takesProposal(story, card, "needs one approval");
  await comesTo("7 of 8");
  await homeOf(story, ana, "7 of 8 steps done", "Approve with passkeys");
  await passADay(story);
  const page = await story.pressing(ana, card, "Make a passkey", "The link is for you alone");
  await makeWith(story, addressIn(page.blocks), { key: keyOf(story, ana) }, createAuthenticator());
  await comesTo("No rule asks for a passkey");
  await takesProposal(story, card, "with a passkey");
  card = await story.pressing(ana, card, "Look again", "nothing is left to do");
  expect(textOf(card)).not.toContain("Look again");
  await ana.openHome();
  await slack.until(() => !textOf(ana.home()).includes("Set up Rackbell"), "Home without the set-up");
});

test("each step is ticked after its own command as well, and no more once that is undone", async () => {
  const story = await freshStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const group = slack.addUsergroup("leads", ["ana", "caro"]);
  const isTicked = async (title: string) => {
    const card = textOf(await story.ask(ana, "/rackbell setup", "Set up Rackbell"));
    return card.includes(`:white_check_mark: *${title}*`);
  };
  const reader = story.platform.keys.reader.key;
  story.secrets.add(reader);
  const steps: { title: string; does: () => Promise<unknown>; undoes: () => Promise<unknown> }[] = [
    {
      title: "Invite Rackbell to your ops channel",
      does: async () => slack.invite("general", "rackbell"),
      undoes: async () => slack.kick("general", "rackbell"),
    },
    {
      title: "Watch your own machines",
      does: () => connect(story, ana, { "Customer monitoring key": reader }, "monitoring key is set"),
      undoes: () => story.ask(ana, "/rackbell disconnect customer force=yes", "is erased here"),
    },
    {
      title: "Choose a channel for alerts, and whom they mention",
      async does() {
        slack.invite("ops", "rackbell");
        await story.ask(ana, "/rackbell alerts set #ops", "It mentions nobody");
        expect(await isTicked("Choose a channel for alerts, and whom they mention")).toBe(false);
        await story.ask(ana, `/rackbell alerts set #ops mention=@${group}`, "Saved:");
      },
      undoes: () => story.ask(ana, "/rackbell alerts stop #ops", "No longer"),
    },
    {
      title: "Say who approves",
      does: () => story.ask(ana, `/rackbell settings group=@${group}`, "is mentioned when somebody must approve"),
      undoes: () => story.ask(ana, "/rackbell settings group=none", "No user group approves"),
    },
    {
      title: "Say who is on call",
      does: () => story.ask(ana, "/rackbell oncall night people=@ana", "Saved:"),
      undoes: () => story.ask(ana, "/rackbell oncall night do=remove", "was removed"),
    },
    {
      title: "Add a first approval rule",
      does: () => story.ask(ana, "/rackbell policy add demand=confirm risk=destroy", "In effect now"),
      async undoes() {
        const id = /`([0-9a-f]{8})`/.exec(said(await story.ask(ana, "/rackbell policy", "The rules")))?.[1];
        await story.ask(ana, `/rackbell policy remove ${id}`, "In effect now");
      },
    },
  ];
  for (const { title, does, undoes } of steps) {
    expect(await isTicked(title), title).toBe(false);
    await does();
    expect(await isTicked(title), title).toBe(true);
    await undoes();
    expect(await isTicked(title), title).toBe(false);
  }
});

test("a step that makes no sense here says why, has no button, and does not count", async () => {
  const story = await freshStory({ linked: ["ana"], environment: { PUBLIC_URL: "" } });
  const { ana, slack, platform } = story;
  const first = await story.ask(
    ana,
    "/rackbell setup",
    "0 of 6 steps",
    "link your reseller key first",
    "Passkeys are off",
  );
  expect(textOf(first)).not.toMatch(/Connect…|Make a passkey/);
  // Without an address for webhooks, polling is the way.
  slack.invite("ops", "rackbell");
  await story.link(ana, platform.reseller.keys.ana.key);
  await connect(story, ana);
  await story.ask(ana, "/rackbell setup", "1 of 7 steps", "webhooks need `PUBLIC_URL`", "Connect…");
  const { reader } = platform.reseller.keys;
  await connect(story, ana, { "Reseller monitoring key": reader.key }, "monitoring key is set");
  await story.ask(ana, "/rackbell setup", "2 of 7 steps", ":white_check_mark: *Connect reselling*");
  await story.restart({ PASSKEYS: "on", PUBLIC_URL: "https://192.0.2.7" });
  expect(textOf(await story.ask(ana, "/rackbell setup", "is an IP address"))).not.toContain("Make a passkey");
});

test("a member is refused and reads whom to ask, and sees nothing of the set-up on Home", async () => {
  const story = await freshStory({ linked: ["ana", "ben"] });
  const { ana, ben, gus, zed } = story;
  const asks = `Only an admin of this workspace can do this. Nothing changed. Ask <@${ana.user.id}>.`;
  await story.ask(ben, "/rackbell setup", asks);
  expect(await homeOf(story, ben, "Inventory")).not.toMatch(/[Ss]et up|steps done/);
  await story.ask(gus, "/rackbell setup", "Guests of this workspace cannot use Rackbell");
  await story.askIn("#shared-partner", zed, "/rackbell setup", "Members of other organisations cannot use Rackbell");
  for (const outsider of [gus, zed])
    expect(await homeOf(story, outsider, "cannot use Rackbell")).not.toContain("Set up");
  // ADMINS replaces the workspace's own admins.
  await story.restart({ ADMINS: ben.user.id });
  await story.ask(ben, "/rackbell setup", "0 of 6 steps done");
  await story.ask(ana, "/rackbell setup", `Nothing changed. Ask <@${ben.user.id}>.`);
  expect(await homeOf(story, ana, "not linked a key")).not.toContain("steps done");
});

test("an old card and an old Home show and do nothing for somebody who is no admin any more", async () => {
  const story = await freshStory({ linked: ["ana", "caro"], environment: { PASSKEYS: "on" } });
  const { ana, caro, slack } = story;
  slack.setRole("caro", "admin");
  const card = await story.ask(caro, "/rackbell setup", "0 of 7 steps done");
  await homeOf(story, caro, "0 of 7 steps done", "As of ");
  await slack.until(() => !textOf(caro.home()).includes("Not read yet"), "Home to be read whole");
  slack.setRole("caro", "member");
  const refused = `Only an admin of this workspace can do this. Nothing changed. Ask <@${ana.user.id}>.`;
  for (const label of ["Look again", "Set the key…", "Choose…", "Add a rule…"])
    await story.pressing(caro, card, label, refused);
  // Every member reads the settings.
  await story.pressing(caro, card, "Choose a group…", "*Settings*");
  expect(caro.modal()).toBeUndefined();
  // Members see the form of a rotation, since they hand over their own shifts in it. A new one is refused.
  await inRefused(story, caro, card);
  await caro.press("home", "Set up");
  await story.modal(caro, refused);
  await caro.closeModal({ all: true });
  await slack.until(() => !textOf(caro.home()).includes("steps done"), "Home without the set-up");
  slack.deactivate("caro");
  await story.pressing(caro, card, "Look again", "This Slack account is deactivated");
});

async function inRefused(story: Story, actor: Actor, card: Message): Promise<void> {
  await actor.press(card, "New rotation…");
  await story.modal(actor, "People in their order");
  await actor.fill({ Rotation: "night", "People in their order": ["ana"] });
  await actor.submit();
  await story.sees(actor, "Only an admin of this workspace can change a rotation");
}

test("while Slack does not say where Rackbell is, the card says that, and Home is there all the same", async () => {
  const story = await startStory({ linked: ["ana"], slackRefuses: ["internal_error"] });
  const { ana, slack } = story;
  slack.faults.fail("users.conversations", "internal_error", 2);
  await story.ask(ana, "/rackbell setup", "0 of 6 steps done", "Slack does not say now");
  await homeOf(story, ana, "0 of 6 steps done");
  await story.ask(ana, "/rackbell setup", "1 of 6 steps done");
});

test("a member without a key reads one line with the panel's page of keys, on Home and after a command", async () => {
  const story = await startStory({ environment: { PANEL_KEYS_URL: panel } });
  const { ben } = story;
  const line = `You have not linked a key yet. Make a narrow one <${panel}|in the panel> and link it here`;
  for (const command of ["/vps list", "/rackbell whoami", "/rackbell help", "/rackbell search web-1"])
    await story.ask(ben, command, line, "Link a key");
  expect(await homeOf(story, ben, line, "Link a key")).not.toContain("steps done");
  await story.restart({ PANEL_KEYS_URL: "" });
  await story.ask(ben, "/vps list", "Make a narrow one in the panel (Profile, API Keys) and link it here");
});

test("a member comes to the card by no other way: a mention, direct messages, a repeat or a saved command", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, caro, slack } = story;
  const refused = `Only an admin of this workspace can do this. Nothing changed. Ask <@${ana.user.id}>.`;
  await story.ask(ana, "/rackbell save prepare = /rackbell setup", "Saved");
  await ben.say("@Rackbell setup", "#ops");
  await story.sees(ben, refused);
  await ben.say("first steps", "dm");
  await story.seesIn("dm", ben, refused);
  await story.ask(ben, "/rackbell help setup", "/rackbell setup");
  await story.ask(ben, "/rackbell saved prepare", "There is no saved command `prepare` that you can see");
  for (const message of [...ben.sees(), ...ben.sees("dm")]) expect(said(message)).not.toContain("steps done");
  slack.setRole("caro", "admin");
  await story.ask(caro, "/rackbell setup", "steps done");
  slack.setRole("caro", "member");
  const repeat = await story.ask(caro, "/rackbell again", "Nothing has run yet");
  await story.pressing(caro, repeat, "Set up the workspace", refused);
});
