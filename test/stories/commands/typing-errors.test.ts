import { expect, test } from "vitest";
import { carry } from "../carry.ts";
import { goAhead, type Story, said, startStory, writes } from "../story.ts";

function typedPasswords(story: Story, password: string): string {
  story.secrets.add(password);
  return password;
}

test("an unknown verb names the nearest, a value that does not fit those that do, and nothing is sent", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps lst", "I don't know “lst”", "/vps list");
  await story.ask(ana, "/vps rebot web-1", "I don't know “rebot”", "/vps reboot");
  await story.ask(ana, "/vps xyzzy", "You have no VPS called “xyzzy”", "/vps help shows all commands");
  await story.ask(ana, "/billing show xyzzy", "no invoice or proforma called “xyzzy”", "/billing help shows");
  await story.ask(ana, "/billing start", "I don't know “start” for /billing", "/billing help shows");
  await story.ask(ana, "/vps list colour=red", "I don't know colour=", "status=");
  await story.ask(ana, "/vps show web-1 constructor=x", "I don't know constructor= here.");
  await story.ask(ana, "/vps power web-1 action=explode", "must be one of start, stop");
  for (const [name, words] of [
    ["-starts-with-a-dash", "beginning with a letter or digit"],
    ["with/slash", "letters, digits, dots"],
    ["ü", "letters, digits, dots"],
    ["x".repeat(121), "at most 120"],
  ] as const)
    await story.ask(ana, `/vps snapshot web-2 name=${name}`, words);
  expect(writes(story)).toEqual([]);
  // The platform alone knows which names it reserves.
  await story.ask(ana, "/vps snapshot web-2 name=auto-1", "The platform said no", "Nothing changed");
});

test("a mistyped verb or sub-noun has a button for each near command, with all that was typed, and only a press goes on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const mistyped = await story.ask(ana, "/vps rebot web-1", "I don't know “rebot” for /vps");
  await story.pressing(ana, mistyped, "/vps reboot web-1", "Reboot `web-1`?");
  // A verb that stays wrong after the near sub-noun has no button.
  const both = await story.ask(ana, "/reseller servce lst", "I don't know “servce” for /reseller");
  expect(JSON.stringify(both.blocks)).not.toContain("invoke:");
  const list = await story.ask(ana, "/reseller service lst", "I don't know “lst” for /reseller service");
  await story.pressing(ana, list, "/reseller service list", "link");
  // The name decides the noun, and the member still confirms the verb.
  const without = await story.ask(ana, "/rackbell rebot web-1", "I don't know “rebot” for /rackbell");
  expect(JSON.stringify(without.blocks)).toContain("/vps reboot web-1");
  expect(writes(story)).toEqual([]);
});

test("a too short password is reported under its field, and one that is used stands nowhere afterwards", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.type("/vps password web-1");
  await story.modal(ana, "New root password");
  await ana.fill({ "New root password": typedPasswords(story, "sh0rt!!") });
  expect(JSON.stringify(await ana.submit())).toContain("t least 8 characters");
  expect(writes(story)).toEqual([]);
  await ana.fill({ "New root password": typedPasswords(story, "correct-Horse-7battery") });
  await ana.submit();
  const question = await story.sees(ana, "The old root password ends.");
  await story.pressing(ana, question, goAhead, "accepted the new password");
  await story.ask(ana, "/rackbell audit", "vps password");
});

test("a generated password is shown to its requester alone, until they erase it or the hour from their first look is over", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, clock } = story;
  for (const name of ["web-1", "web-2"]) {
    const question = await carry(story, ana, `/vps password ${name}`, goAhead, {});
    await story.pressing(ana, question, goAhead, "accepted the new password", name);
  }
  const offers = await story.slack.until(() => {
    const found = ana.sees("dm").filter((message) => said(message).includes("only you can open it"));
    return found.length === 2 && found;
  }, "both passwords to be offered");
  const [first, second] = offers;
  if (!first || !second) return;
  await ana.press(first, "Reveal");
  await story.modal(ana, "Shown once", "```");
  await ana.submit();
  const answer = await story.seesIn(
    "dm",
    ana,
    "New root password of `web-",
    "you have it, so Rackbell erased its copy",
  );
  expect(said(answer)).not.toContain("Reveal");
  await ana.press(first, "Reveal");
  await story.modal(ana, "You acknowledged this secret");
  await ana.closeModal();
  clock.skip(23 * 60 * 60_000);
  await ana.press(second, "Reveal");
  await story.modal(ana, "Shown once", "```");
  await ana.closeModal();
  clock.skip(61 * 60_000);
  await ana.press(second, "Reveal");
  await story.modal(ana, "Rackbell erased it");
});

test("in a channel where the app is not, the answer reaches the caller and says how to invite it", async () => {
  const story = await startStory({ linked: ["ana"], slackRefuses: ["not_in_channel"] });
  const { ana, ben } = story;
  const moved = await story.askIn(
    "#random",
    ana,
    "/vps move mail project=Staging",
    "only you see this",
    "/invite @Rackbell",
  );
  expect(moved.ephemeralTo).toBeDefined();
  expect(ben.sees("#random")).toEqual([]);
});

test("in an externally shared channel nothing is posted, and nothing is shared", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, zed } = story;
  await story.askIn("#shared-partner", ana, "/vps move mail project=Staging", "Another organisation reads");
  const card = await story.askIn("#shared-partner", ana, "/vps show web-1", "is running");
  await story.pressing(ana, card, "Show to channel", "Another organisation reads");
  await story.askIn("#shared-partner", ana, "/vps cancel web-1", "direct messages with me", "Another organisation");
  expect(zed.sees("#shared-partner")).toEqual([]);
});

test("an archived channel, and one that Slack closed for another reason, do not swallow what was done", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  slack.faults.fail("chat.postMessage", "restricted_action_read_only_channel", 1);
  await story.ask(ana, "/vps move mail project=Staging", "moved from", "Slack does not let me post");
  slack.faults.fail("chat.postMessage", "is_archived", 1);
  await story.ask(ana, "/vps move mail project=Default", "moved from", "archived");
  const audit = await story.ask(ana, "/rackbell audit", "vps move");
  expect(said(audit)).not.toContain("refused");
});

test("every message has words of its own beside its blocks", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps list", "VPSes");
  await story.ask(ana, "/vps show web-1", "is running");
  await story.ask(ana, "/vps snapshots web-1", "3 of 5");
  await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/vps reboot nowhere", "You have no VPS");
  for (const message of ana.sees()) expect(message.text.trim().length).toBeGreaterThan(8);
});

test("used-up response URLs do not lose the answer", async () => {
  const story = await startStory({ linked: ["ana"] });
  story.slack.faults.failResponseUrls(404, 1);
  await story.ask(story.ana, "/vps show web-1", "is running");
});

test("a button of an older version, and a press twice acknowledged, each get a plain answer", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, slack } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running");
  slack.faults.loseAck(1);
  await ana.press(card, "Reboot").catch(() => null);
  await ana.press(card, "Reboot");
  await story.sees(ana, "was requested a moment ago");
  const sent = () => story.platform.calls().filter(({ method }) => method === "POST");
  await slack.until(() => sent().length > 0, "the reboot to be sent");
  expect(sent()).toHaveLength(1);
});
