import { expect, test } from "vitest";
import { writes } from "../story.ts";
import { confirm, counted, pressForLink, protectedStory, register } from "./passkeys.ts";

/**
 * The rule needs a passkey for what is bought in `Production`. A move is no purchase: it takes one only because it leaves the rule. A smaller
 * disk is bought and loses data, so that one needs another person's passkey there, and the move as much.
 */
const rule = (demand: "confirm" | "one-approval") => ({
  rule: `demand=${demand} risk=spend project=production passkey=yes`,
});

test.each([
  ["/project move default services=web-1", "/project move production services=web-1", 1],
  ["/vps move web-1 project=default", "/vps move web-1 project=production", 1],
  ["/vps move web-1 web-2 project=default", "/vps move web-1 web-2 project=production", 2],
])(
  "%s needs a passkey, as a rule about the old project does, and the way back takes none",
  async (out, back, moves) => {
    const { story, devices } = await protectedStory(rule("confirm"));
    const { ana, caro } = story;
    const card = await story.ask(ana, out, "This needs a passkey", "the move needs as much");
    const address = await pressForLink(story, caro, card);
    expect(writes(story)).toEqual([]);
    expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
    await story.passes(() => writes(story).length === moves, "the move");
    await ana.type(back);
    await story.passes(() => writes(story).length === 2 * moves, "the way back");
  },
);

test("deleting a project whose rule needs a passkey takes one, since its resources go to another project", async () => {
  const { story, devices } = await protectedStory(rule("one-approval"));
  const { ana, caro } = story;
  await story.ask(ana, "/project delete empty", "Somebody other than");
  const card = await story.ask(ana, "/project delete production to=staging", "This needs a passkey");
  const address = await pressForLink(story, caro, card);
  expect(writes(story)).toEqual([]);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
  await story.sees(ana, "is deleted");
});

test("the passkeys of a member who unlinked their key and then left are removed within about an hour", async () => {
  const { story } = await protectedStory();
  const { ana, ben, slack } = story;
  await register(story, ben);
  await story.ask(ben, "/rackbell unlink force=yes", "erased here");
  slack.deactivate("ben", { silent: true });
  story.clock.skip(60 * 60_000);
  await story.passes(
    () => story.log.join("").includes("A deactivated member's passkeys were removed"),
    "the passkeys to be removed",
  );
  await story.ask(ana, "/rackbell audit everyone=yes", "*passkey removed*", "The member was deactivated");
});
