import { expect, test } from "vitest";
import { fileStore, said, startStory } from "../story.ts";

test("nothing is said to be well that was not read: the answer names the lists that are missing, and the reason", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana, platform } = story;
  await story.ask(ana, "/rackbell attention reseller order", "No reseller order needs your attention.");
  await story.restart();
  platform.faults.next({ how: "500", method: "GET", times: Number.POSITIVE_INFINITY });
  const answer = said(await story.ask(ana, "/rackbell attention", "No resource is known to need your attention"));
  expect(answer).toContain("Not read yet: VPSes");
  expect(answer).toContain("Not all of it could be read.");
  platform.faults.resume();
  await story.ask(ana, "/rackbell attention", "resources need attention");
});

test("a list that the platform refuses does not keep the rest from being known, and is named", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const { ana, platform, slack } = story;
  const refused = "could not search the dedicated servers: the platform refuses to list them";
  platform.settings.modules.inventory = false;
  const some = said(await story.ask(ana, "/rackbell attention", "need attention", refused));
  expect(some).not.toMatch(/Not (all of it could be read|read yet)/);
  await story.ask(ana, "/rackbell attention dedicated server", "No dedicated server needs your attention.", refused);
  await ana.openHome();
  await slack.until(() => JSON.stringify(ana.home() ?? "").includes(refused), "Home to name the list");
  expect(JSON.stringify(ana.home() ?? "")).not.toMatch(/Not (all of it could be read|read yet)/);
  await story.restart();
  platform.settings.api = false;
  await story.ask(ana, "/rackbell attention", "could not read all of them", "Not all of it could be read");
});

test("a kind that there is not is refused with the kinds that there are", async () => {
  const story = await startStory({ linked: ["ana"] });
  for (const typed of ["vms", "virtual servers"])
    await story.ask(story.ana, `/rackbell attention ${typed}`, `There is no kind “${typed}”`, "VPS, dedicated server");
});

test("a member without a key is told to link one in place of an answer about nothing", async () => {
  const story = await startStory();
  for (const command of [
    "/rackbell attention",
    "/rackbell search web",
    "/rackbell favourite web-1",
    "/rackbell watch web-1",
    "/rackbell maintenance web-1 22:00-23:00",
  ])
    await story.ask(story.ben, command, "You have not linked a key yet", "Link a key");
});

test("a member whose key must be linked again is told so in place of hearing that all is well", async () => {
  const story = await startStory({ linked: ["ana"], environment: { LINK_MAX_AGE: "1d" } });
  story.clock.skip(25 * 60 * 60_000);
  await story.ask(story.ana, "/rackbell attention", "Link your key", "again");
});
