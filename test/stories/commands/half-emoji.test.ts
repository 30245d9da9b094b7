import { expect, test } from "vitest";
import { startStory } from "../story.ts";

/** Half of a surrogate pair, as a text has it that was cut in the middle of an emoji. */
const half = "\ud83d";

test.each(["socket", "http"] as const)(
  "a message with half of an emoji in it is read as a command is (%s)",
  async (mode) => {
    const { ana, sees, seesIn } = await startStory({ linked: ["ana"], mode });
    await ana.say(`@Rackbell show web${half}-1`, "#ops");
    await sees(ana, "web\ufffd-1");
    await ana.say(`vps show ${half}`, "dm");
    await seesIn("dm", ana, "\ufffd");
    await ana.say("vps show web-1", "dm");
    await seesIn("dm", ana, "is running");
  },
);

test("a machine whose name has half of an emoji in it is listed, shown and found, and hides no other", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { name: `shop-${half}` });
  await story.ask(ana, "/vps list", "shop-\ufffd", "web-1");
  await story.ask(ana, "/vps show shop-\ufffd", "shop-\ufffd");
  await story.ask(ana, "/vps show web-1", "is running");
  await ana.shortcut("act_on_this", await story.ben.say("shop-\ufffd is slow", "#ops"));
  await story.modal(ana, "shop-\ufffd");
});

test("a name that is typed into a form with half of an emoji in it reaches the platform", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/project create");
  await story.modal(ana, "Name");
  await ana.fill({ Name: `Shop ${half}` });
  await ana.submit();
  await story.sees(ana, "Shop \ufffd");
  expect(
    platform.calls().some(({ method, path, status }) => method === "POST" && path === "/projects" && status === 201),
  ).toBe(true);
});
