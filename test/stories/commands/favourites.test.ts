import { expect, test } from "vitest";
import { passNameOn } from "../renamed.ts";
import { fileStore, said, startStory } from "../story.ts";

test("a card is starred by its button, which then takes it away again, and a stale star says that nothing changed", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running", "Add to favourites");
  await story.pressing(ana, card, "Add to favourites", "`web-1` is among your favourites now");
  await story.pressing(ana, card, "Add to favourites", "already", "Nothing changed");
  const starred = await story.ask(ana, "/vps show web-1", "Remove from favourites");
  await story.pressing(ana, starred, "Remove from favourites", "is no favourite of yours any more");
  await story.pressing(ana, starred, "Remove from favourites", "not any more. Nothing changed");
  await story.ask(ana, "/rackbell favourites", "no favourites yet");
});

test("a favourite is named by its kind where two kinds have the name, and a name that means nothing is said", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell favourite vps web-1", "`web-1` is among your favourites now");
  await story.ask(ana, "/rackbell favourite no-such-thing", "nothing called “no-such-thing”");
  const list = said(await story.ask(ana, "/rackbell favourites", "1 favourite"));
  expect(list).toContain("`web-1`");
});

test("a favourite that is starred twice stays one, and only the word remove takes it away", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell star web-1", "`web-1` is among your favourites now");
  await story.ask(ana, "/rackbell star web-1", "already. Nothing changed");
  await story.ask(ana, "/rackbell star", "*1 favourite*", "`web-1`");
  await story.ask(ana, "/rackbell star web-1 remove=yes", "no favourite of yours any more");
  await story.ask(ana, "/rackbell star web-1 remove=yes", "not any more. Nothing changed");
  await story.ask(ana, "/rackbell favourites", "no favourites yet");
  await ana.type("/rackbell favourite remove");
  await story.modal(ana, "Remove it");
});

test("favourites are each member's own, survive a restart, and what is gone at the platform can be taken away", async () => {
  const story = await startStory({ linked: ["ana", "ben"], environment: { STORE_URL: fileStore() } });
  const { ana, ben, platform } = story;
  await story.ask(ana, "/rackbell favourite vps web-2", "is among your favourites now");
  await story.restart();
  await story.ask(ben, "/rackbell favourites", "no favourites yet");
  platform.faults.next({ how: { status: 404, body: { success: false, error: "Not found" } }, path: "/vps", times: 50 });
  const list = await story.ask(ana, "/rackbell favourites", "`web-2`");
  await story.pressing(ana, list, "Take away", "no favourite of yours any more");
});

test("there is room for twenty favourites, and the next one says so", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.addVps(20, "many");
  for (let at = 1; at <= 20; at += 1)
    await story.ask(ana, `/rackbell favourite vps many-${String(at).padStart(5, "0")}`, "now");
  await story.ask(ana, "/rackbell favourite vps web-1", "no room for more", "Nothing changed");
});

test("a search finds all kinds by a part of a name, address or id, shows each thing once, and opens it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const found = await story.ask(ana, "/rackbell search web-", "for “web-”", "`web-1`");
  expect(said(found).match(/`web-1`/g)).toHaveLength(1);
  await story.pressing(ana, found, "Open", "is running");
  await story.ask(ana, "/rackbell search <!channel>", "1 result", "&lt;!channel&gt;");
  await story.ask(ana, "/rackbell search no-such-thing", "Nothing that you can see", "no-such-thing");
});

test("a favourite follows its machine when that is renamed and another one gets its name", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/rackbell star web-1", "`web-1` is among your favourites now");
  passNameOn(story, "web-1", "web-2");
  await story.ask(ana, "/rackbell star web-1 remove=yes", "not any more. Nothing changed");
  const listed = await story.ask(ana, "/rackbell star", "*1 favourite*", "`db-9`");
  await story.pressing(ana, listed, "Take away", "`db-9` is no favourite of yours any more");
});
