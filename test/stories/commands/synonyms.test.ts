import { expect, test } from "vitest";
import { startResellerStory } from "../reseller/selling.ts";
import { said, startStory, writes } from "../story.ts";

test("a word of another product runs something harmless; a change is offered by its own name, and runs at a press", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps usage web-1", "CPU");
  await story.ask(story.ana, "/vps status web-1", "is running");
  const offered = await story.ask(story.ana, "/vps halt web-1", "by another name", "/vps stop web-1");
  expect(writes(story)).toEqual([]);
  const question = await story.pressing(story.ana, offered, "/vps stop web-1", "Stop `web-1`?");
  expect(writes(story)).toEqual([]);
  await story.pressing(story.ana, question, "Stop web-1", "*Stop `web-1`*");
  expect(story.platform.calls().filter(({ path }) => path.endsWith("/stop"))).toHaveLength(1);
});

test("a change by another name is offered under a noun of two words, of another noun and in capitals, and does nothing before the press", async () => {
  const story = await startResellerStory({ linked: ["ana"] });
  for (const [typed, real] of [
    ["/reseller service cancel ACME-002", "/reseller service terminate ACME-002"],
    ["/vps renew web-1", "/service renew web-1"],
    ["/vps ON db-2", "/vps start db-2"],
  ] as const) {
    await story.ask(story.ana, typed, "by another name", real);
    expect(writes(story), typed).toEqual([]);
  }
  expect(story.ben.sees("#ops").some((message) => said(message).includes("asks to"))).toBe(false);
});

test("a word that two commands of the noun know offers both, and without a noun the name decides", async () => {
  const story = await startStory({ linked: ["ana"] });
  const typed = await story.ask(story.ana, "/vps delete web-1", "by another name");
  expect(said(typed)).toContain("/vps cancel web-1");
  await story.ana.say("@Rackbell terminate web-2", "#ops");
  await story.sees(story.ana, "by another name", "/vps cancel web-2");
});
