import { expect, test } from "vitest";
import { rest } from "../rest.ts";
import { goAhead, peer, pressInDetails, type Story, said, startStory } from "../story.ts";

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;

test("an admin sees who is linked, with which key, and unlinks somebody in one press that asks first", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, platform } = story;
  await story.ask(ben, "/rackbell members", "Only an admin");
  await story.ask(ben, "/rackbell members unlink @ana", "Only an admin");
  await story.ask(ana, "/vps list", "web-1");
  const list = await story.ask(ana, "/rackbell members", "2 members have linked a key");
  const [, ofAna, ofBen] = said(list).split(/(?=<@U\w+>\n)/);
  const [own, others] = ofAna?.startsWith(`<@${ana.user.id}>`) ? [ofAna, ofBen] : [ofBen, ofAna];
  expect(own).toMatch(/key `ana` · `read`.* · linked .*, last used </);
  expect(others).toMatch(/key `ben` · .* · linked .*, not used yet/);

  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  const removed = await story.pressing(
    ana,
    list,
    { blockId: `row:${ben.user.id}:0`, label: "Unlink…" },
    "key `ben` is erased here",
  );
  expect(said(removed)).toContain("revoke it in the panel");
  await story.sees(ben, "an admin, unlinked the key that it was asked with");
  expect(platform.calls().filter(({ method }) => method === "DELETE")).toHaveLength(0);
  await story.ask(ben, "/vps list", "You have not linked a key yet");
  await story.ask(ana, "/rackbell audit everyone=yes", "*unlinked* · `rackbell members unlink`", ben.user.id);
  await story.ask(ana, "/rackbell members unlink @ben", "has linked no key");
  await story.ask(ana, "/rackbell members unlink somebody", "Choose the member from Slack's list");
  expect(said(request)).toContain("asks to");
});

test("the last use of a key is shown to the minute in which its member used it", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ana, ben, clock } = story;
  for (const minutes of [0, 7, 31]) {
    clock.skip(minutes * 60_000);
    const from = Math.floor(clock.now() / 60_000) * 60;
    await story.ask(ben, "/vps list", "web-1");
    const until = clock.now() / 1_000;
    const list = said(await story.ask(ana, "/rackbell members", "members have linked a key"));
    const [, used = ""] = new RegExp(`<@${ben.user.id}>[^@]*last used <!date\\^(\\d+)`).exec(list) ?? [];
    expect(Number(used)).toBeGreaterThanOrEqual(from);
    expect(Number(used)).toBeLessThanOrEqual(until);
  }
});

test("a deactivated member loses their key within about an hour even if Slack sends no event, and the other members keep theirs", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"] });
  const { ana, ben, slack, clock } = story;
  slack.deactivate("ben", { silent: true });
  clock.skip(hour);
  const checked = clock.now();
  await story.passes(
    () => story.log.join("").includes("A deactivated member's key was erased"),
    "the key to be erased",
  );
  expect(clock.now() - checked).toBeLessThan(hour / 4);
  const list = said(await story.ask(ana, "/rackbell members", "2 members have linked a key"));
  expect(list).not.toContain(ben.user.id);
  await story.ask(ana, "/rackbell audit everyone=yes", "*key erased*", "The member was deactivated");
});

test("a link that is too old must be renewed, and tracking waits for the renewal and then goes on", async () => {
  const story = await startStory({ linked: ["ana"], environment: { LINK_MAX_AGE: "1d" } });
  const { ana, clock, platform } = story;
  await story.ask(ana, "/rackbell whoami", "To be linked anew");
  clock.skip(day - 60_000);
  await story.ask(ana, "/vps snapshot web-2 name=nightly", "nightly");
  clock.skip(2 * 60_000);
  const refused = await story.ask(ana, "/vps list", "Link your key `ana` again", "asks for that after");
  await story.comesToSee(ana, `<@${ana.user.id}> must link their key again`);
  await ana.press(refused, "Link it again");
  await story.modal(ana, "API key");
  await ana.fill({ "API key": platform.keys.ana.key });
  await ana.submit();
  await story.sees(ana, "is linked");
  await story.comesToSee(ana, /Snapshot.*:white_check_mark:/s);
  await story.ask(ana, "/vps list", "web-1");
});

test("a request whose requester's link is too old does not run until the requester links their key again", async () => {
  const environment = { LINK_MAX_AGE: "1d", APPROVALS: "peer", APPROVAL_TTL: "2d" };
  const story = await startStory({ linked: ["ana"], environment });
  const { ana, ben, clock, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  clock.skip(day);
  await story.link(ben);
  await story.pressing(ben, request, goAhead, "must link their key again", "Nothing changed");
  expect(platform.calls().filter(({ method }) => method === "DELETE")).toHaveLength(0);
  await story.link(ana);
  await story.pressing(ben, request, goAhead, ":white_check_mark:");
});

/** All ways in which a member ceases to be one. */
const leaving: Record<string, (slack: Story["slack"]) => void> = {
  "became a guest": (slack) => slack.setRole("ben", "guest"),
  "became a guest of one channel": (slack) => slack.setRole("ben", "single-channel guest"),
  "became a member of another organisation": (slack) => slack.setRole("ben", "stranger"),
  "was deactivated": (slack) => slack.deactivate("ben"),
};

test.each(Object.keys(leaving))(
  "a member who %s gets no message of what they set up before, and their key reads nothing for it",
  async (way) => {
    const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
    const { ana, ben, caro, clock, platform, slack } = story;
    await story.ask(ana, "/rackbell oncall night people=@ana,@ben day=daily zone=UTC", "Saved");
    await story.ask(ben, "/rackbell watch vps web-1", "I watch `web-1`");
    await story.ask(ben, "/vps snapshot web-2 name=nightly", "nightly");
    await story.ask(ben, "/vps reboot web-2 in=2h force=yes", "scheduled");
    const request = await story.ask(ben, "/vps cancel web-1", "asks to");
    await pressInDetails(story, caro, request, { actionId: "request:defer" });
    await story.modal(caro, "Defer the request");
    await caro.fill({ "Until when?": Math.floor((clock.now() + 5 * hour) / 1_000), "Why?": "After the release." });
    await caro.submit();
    await story.sees(ben, "deferred your request until");
    leaving[way]?.(slack);
    await story.passes(() => story.slack.calls("users.info").length > 0, "Slack says who ben is");
    await rest(500);
    platform.clearCalls();
    const before = ben.sees("dm").length;
    slack.setStatus("ben", { text: "On vacation", emoji: ":palm_tree:", expiration: 0 });
    platform.change("web-1", { instance: { state: "stopped" } });
    for (const time of [6 * minute, 6 * minute, 2 * hour, 3 * hour, day, day]) {
      clock.skip(time);
      await rest(300);
    }
    expect(platform.calls().filter(({ key }) => key === "ben")).toEqual([]);
    expect(ben.sees("dm").slice(before).map(said)).toEqual([]);
  },
);
