import { describe, expect, test } from "vitest";
import { peer, type Story, said, startStory } from "../story.ts";

const minute = 60_000;
const hour = 60 * minute;

/** A way in which a linked key stops to count, and the words that its member reads then. */
interface Ending {
  name: string;
  environment?: Record<string, string>;
  says: string;
  end: (story: Story) => Promise<void>;
}

const rejected: Ending = {
  name: "the platform rejected",
  says: "no longer accepts your key",
  async end({ ask, ben, platform }) {
    platform.revoke(platform.keys.ben);
    await ask(ben, "/vps list", "no longer accepts your key");
  },
};

const overdue: Ending = {
  name: "LINK_MAX_AGE made overdue",
  environment: { LINK_MAX_AGE: "1d" },
  says: "Link your key",
  end: async ({ clock }) => clock.skip(25 * hour),
};

/** Ben read the machines by his key before it ended; #vault is private, without him. */
async function afterItsEnd({ environment, end }: Ending): Promise<Story> {
  const story = await startStory({ linked: ["ben"], environment: { ...peer, ...environment } });
  const { ben, caro, dave, slack } = story;
  slack.invite("vault", "rackbell");
  slack.kick("vault", "ben");
  await story.ask(ben, "/vps list", "web-1");
  await ben.openHome();
  await slack.until(() => JSON.stringify(ben.home() ?? "").includes("web-1"), "Home to name web-1");
  await end(story);
  for (const member of [caro, dave]) await story.link(member);
  return story;
}

const cancelling = '/vps cancel web-1 reason="The deal is secret"';

describe.each([rejected, overdue])("a key that $name", (way) => {
  test("calls its member for no request, and shows them none, nor any machine", async () => {
    const story = await afterItsEnd(way);
    const { ben, caro, slack } = story;
    const card = await story.askIn("#vault", caro, cancelling, "asks to", "Nobody else who is linked can approve this");
    expect(said(card)).not.toContain(`<@${ben.user.id}>`);
    await story.ask(ben, "/rackbell approvals", "There are no open requests that you can see");
    await story.ask(ben, "/rackbell search web", way.says);
    await story.ask(ben, "/rackbell attention", way.says);
    const shown = JSON.stringify(ben.home());
    await ben.openHome();
    await slack.until(() => JSON.stringify(ben.home()) !== shown, "Home to be shown anew");
    expect(JSON.stringify([ben.home(), ben.sees("dm")])).not.toMatch(/web-1|The deal is secret/);
  });

  test("has nobody ask its member to run an act", async () => {
    const story = await afterItsEnd(way);
    const { caro, dave, platform } = story;
    platform.setScopes(platform.keys.caro, ["read"]);
    await story.ask(caro, "/rackbell whoami", "It has lost");
    const refused = await story.ask(dave, "/vps reboot web-1", "needs the scope `services`");
    await story.pressing(dave, refused, "Ask someone who can…", "No linked member can do this");
  });
});

test("a key that the platform accepts again shows and decides again after its next good answer", async () => {
  const story = await afterItsEnd(rejected);
  const { ben, caro, platform } = story;
  platform.keys.ben.revoked = false;
  await story.ask(ben, "/rackbell search web", "`web-1`");
  const card = await story.askIn("#vault", caro, cancelling, "asks to");
  expect(said(card)).not.toContain("Nobody else");
  await story.seesIn("dm", ben, "Cancel `web-1`");
  await story.ask(ben, "/rackbell approvals", "The deal is secret");
});

test("one of two keys that the platform rejected is said in a search, and the other key still finds", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.link(ana, platform.reseller.keys.ana.key);
  platform.revoke(platform.keys.ana);
  await story.ask(ana, "/vps list", "no longer accepts your key");
  const found = await story.ask(ana, "/rackbell search a", "did not search with your key", "result");
  expect(said(found)).not.toContain("web-1");
});

test("a revocation that Home alone meets counts as well", async () => {
  const story = await startStory({ linked: ["ben", "caro"], environment: peer });
  const { ben, caro, platform, slack } = story;
  platform.revoke(platform.keys.ben);
  await ben.openHome();
  await slack.until(() => JSON.stringify(ben.home() ?? "").includes("refused this key"), "Home to say it");
  await story.ask(caro, "/vps cancel web-1", "asks to", "Nobody else who is linked can approve this");
});

test("a revocation that only the name list's own reading meets counts, and that reading ends", async () => {
  const story = await startStory({ linked: ["ben", "caro"], environment: peer });
  const { ben, caro, clock, platform, slack } = story;
  const refused = () => platform.calls().filter(({ status }) => status === 401);
  for (const member of [ben, caro]) await story.ask(member, "/vps list", "web-1");
  platform.revoke(platform.keys.ben);
  clock.skip(11 * minute);
  await slack.until(() => refused().length > 0, "the list to be read again");
  await story.askIn("#ops", caro, "/vps cancel web-1", "asks to", "Nobody else who is linked can approve this");
  platform.clearCalls();
  clock.skip(11 * minute);
  await slack.until(() => platform.calls().some(({ key }) => key === "caro"), "Caro's list to be read again");
  expect(refused()).toEqual([]);
});
