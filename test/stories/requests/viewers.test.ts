import { expect, test } from "vitest";
import { controlsOf } from "../../../src/sandbox/slack/blocks/controls.ts";
import { type Actor, goAhead, type Message, peer, type Story, said, startStory } from "../story.ts";
import { answered, toldTo } from "../told.ts";

/** All that only those may read who see the whole of the request. */
const details = /The deal is secret|will be lost then|203\.0\.113|its disk/;

type Sight = "whole" | "named" | "waiting" | "hidden";

/** A person, and all of the request that Rackbell may tell them. */
interface Viewer {
  kind: string;
  actor: Actor;
  sight: Sight;
}

/** Everybody with an opinion on a request of ben's in #vault. Those who are no members any more linked a key of his account before. */
async function gather(
  other: { id: string; name: string } | null,
): Promise<{ story: Story; request: Message; viewers: Viewer[] }> {
  const story = await startStory({ linked: ["ana", "ben", "caro", "dave"], environment: peer });
  const { slack, platform, ana, ben, caro, dave } = story;
  slack.invite("vault", "rackbell");
  slack.addUser("boss", { role: "admin" });
  slack.setRole("ana", "member");
  platform.changeUser("zoe", { account: other });
  const joins = async (name: string, key: string | null) => {
    slack.addUser(name, { channels: ["ops", "vault"] });
    const actor = slack.as(name);
    if (key !== null) await story.link(actor, key);
    return actor;
  };
  const colleague = (label: string) => platform.addKey({ owner: "dave", label }).key;
  const [zoe, uma] = [await joins("zoe", platform.keys.zoe.key), await joins("uma", null)];
  const gia = await joins("gia", colleague("gia"));
  const sol = await joins("sol", colleague("sol"));
  const pat = await joins("pat", colleague("pat"));
  const dan = await joins("dan", colleague("dan"));
  const request = await story.askIn("#vault", ben, '/vps cancel web-1 in=3h reason="The deal is secret"', "asks to");
  slack.setRole("gia", "guest");
  slack.setRole("sol", "single-channel guest");
  slack.setRole("pat", "stranger");
  slack.deactivate("dan", { silent: true });
  // Longer than Rackbell believes what Slack said of a person.
  story.clock.skip(6 * 60_000);
  const nobodys: [string, Actor][] = [
    ["a member of the channel with a key of another customer", zoe],
    ["a member of the channel who linked no key", uma],
    ["somebody who was made a guest", gia],
    ["somebody who was made a guest of one channel", sol],
    ["somebody of another organisation", pat],
    ["a deactivated member", dan],
  ];
  const viewers: Viewer[] = [
    { kind: "the requester", actor: ben, sight: "whole" },
    { kind: "an approver", actor: caro, sight: "whole" },
    { kind: "the owner of the team", actor: ana, sight: "whole" },
    { kind: "a colleague outside the channel", actor: dave, sight: "named" },
    { kind: "an admin without a key", actor: slack.as("boss"), sight: "waiting" },
    ...nobodys.map(([kind, actor]) => ({ kind, actor, sight: "hidden" as const })),
  ];
  return { story, request, viewers };
}

/** Every way to the request that a person can try. The buttons are those of its message, which somebody may have had before. */
async function tryAllWays(story: Story, { actor, sight }: Viewer, request: Message): Promise<void> {
  // Slack itself takes no text of a deactivated member.
  if (!actor.user.deleted) {
    await answered(story, actor, () => actor.type("/rackbell approvals"));
    await answered(story, actor, () => actor.type("/rackbell scheduled"));
    await answered(story, actor, () => actor.openHome());
  }
  const buttons = controlsOf(request.blocks).map(({ action_id }) => action_id);
  expect(buttons).toContain("request:details");
  // Those who see all of it would decide it.
  const tried =
    sight === "whole" ? ["request:details"] : buttons.filter((id) => sight !== "waiting" || id !== "request:withdraw");
  for (const actionId of tried) {
    await answered(story, actor, () => actor.press(request, { actionId }));
    if (actor.modal()) await actor.closeModal({ all: true });
  }
}

test.each([
  ["without a team", null],
  ["with another team's account", { id: "0b6a7d1e-7f0c-4c55-9b7e-2f4f1f6f7a10", name: "Elsewhere" }],
])(
  "a private request tells nobody more than they may see, whatever way they try; another customer is %s",
  async (_, other) => {
    const { story, request, viewers } = await gather(other);
    expect(said(request)).not.toContain(`<@${story.slack.as("zoe").user.id}>`);
    for (const viewer of viewers) {
      const { kind, actor, sight } = viewer;
      const shownInChannel = sight === "whole";
      await tryAllWays(story, viewer, request);
      const told = toldTo(actor);
      if (shownInChannel) expect(told, kind).toMatch(details);
      else expect(told, kind).not.toMatch(details);
      if (sight === "named") expect(told, kind).toContain("web-1");
      // Their own Home lists the resources that their key sees.
      if (sight === "waiting") expect(told, kind).toContain(`A request of <@${story.ben.user.id}>`);
      if (sight === "hidden" || sight === "waiting") expect(told, kind).not.toContain("Cancel `web-1`");
    }
    // Nothing that they pressed decided anything, and a reminder calls nobody else either.
    const now = await story.seesIn("#vault", story.caro, "asks to", "Approve…");
    expect(said(now)).not.toContain("took this");
    const reminder = await story.comesToSeeIn("#vault", story.caro, "still awaits a decision");
    for (const { kind, actor, sight } of viewers)
      if (sight !== "whole") expect(said(reminder), kind).not.toContain(`<@${actor.user.id}>`);
    expect(said(reminder)).toContain(`<@${story.caro.user.id}>`);
  },
);

test("of two customers without a team, neither is called for the other's request, sees it, or decides it", async () => {
  const story = await startStory({ linked: ["ben"], environment: peer });
  const { slack, platform, ben } = story;
  slack.addUser("zoe");
  const zoe = slack.as("zoe");
  platform.changeUser("ben", { account: null });
  await story.link(zoe, platform.keys.zoe.key);
  await story.link(ben);
  await story.ask(story.ana, "/rackbell policy add demand=one-approval risk=change", "In effect now");
  // It has no resource yet that a key of another customer could not see.
  const request = await story.ask(ben, "/project create deal", "asks to", "Nobody else who is linked can approve this");
  expect(said(request)).not.toContain(`<@${zoe.user.id}>`);
  await story.ask(zoe, "/rackbell approvals", "There are no open requests that you can see");
  await zoe.press(request, "Details…");
  await story.modal(zoe, "You cannot see that request");
  await zoe.closeModal({ all: true });
  await story.pressing(zoe, request, goAhead, "Your key cannot see the resource");
});

test("a requester who was made a guest withdraws nothing, and reads nothing by an old button", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: peer });
  const { ana, ben, slack } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  slack.setRole("ben", "guest");
  for (const actionId of ["request:withdraw", "request:details", "request:deny"])
    await story.pressing(ben, request, { actionId }, "Guests of this workspace cannot use Rackbell");
  await story.ask(ana, "/rackbell approvals", "Cancel `web-1`", "Approve…");
});
