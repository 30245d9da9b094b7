import { expect, test } from "vitest";
import { goAhead, said, startStory } from "../story.ts";

const long = "long-".padEnd(200, "name-");
const wild = "<!channel> *bold* & _slanted_";

test("two servers of one name are never guessed between: the member picks, is asked, and only the picked one is touched", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const posts = () => platform.calls().flatMap(({ method, path }) => (method === "POST" ? [path] : []));
  const picker = await story.ask(ana, "/vps reboot twin", "means more than one VPS");
  const { confirm } = await ana.press(picker, { index: 0 }, { confirm: false });
  expect(confirm?.text).toContain("interrupted");
  expect(posts()).toEqual([]);
  await ana.press(picker, { index: 0 });
  await story.sees(ana, "Rebooting");
  expect(posts()).toEqual([`/vps/${platform.findVps("twin", 0).id}/reboot`]);
});

test("a name that is the beginning of another's id means the machine of that name", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const web1 = platform.findVps("web-1");
  const named = platform.findVps(web1.id.slice(0, 8));
  const card = await story.ask(ana, `/vps show ${web1.id.slice(0, 8)}`, "is running");
  await story.details(ana, card, named.id);
  const other = await story.ask(ana, `/vps show ${web1.id.slice(0, 9)}`, "is running");
  await story.details(ana, other, web1.id);
});

test("a name of 200 characters is shown short, found whole, and fits every message, dialog and picker", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const card = await story.ask(ana, `/vps show ${long}`, "is running");
  await ana.press(card, "Reboot");
  await story.sees(ana, "Rebooting");
  const request = await story.ask(ana, `/vps cancel ${long} immediate=yes`, "asks to", "will be lost");
  const pressed = await ana.press(request, goAhead, { confirm: false });
  expect(pressed.confirm?.title.length).toBeLessThanOrEqual(100);
});

test("a machine called <!channel> mentions nobody, links nothing and formats nothing, wherever it appears", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps list channel", "*1 VPS*");
  const card = await story.ask(ana, `/vps show "${wild}"`, "is running");
  expect(said(card)).toContain("`&lt;!channel&gt; *bold* &amp; _slanted_`");
  await ana.press(card, "Show to channel");
  await story.sees(ana, "shows");
  const request = await story.ask(ana, `/vps cancel "${wild}"`, "asks to");
  await story.pressing(ana, request, goAhead, "You can withdraw the cancellation until then");
  await story.ask(ana, `/vps show "${wild}x"`, "You have no VPS called");
  for (const message of ana.sees()) {
    expect(message.mentions.filter((mention) => mention.startsWith("<!"))).toEqual([]);
    expect(message.links).toEqual([]);
  }
});

test("a machine that was renamed since its name was learnt is not touched under its old name", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/vps show web-1", "is running");
  platform.change(platform.findVps("web-1").id, { name: "old-web-1" });
  await story.ask(ana, "/vps reboot web-1 force=yes", "as `old-web-1` now", "nothing was done");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(0);
  await story.ask(ana, "/vps reboot old-web-1 force=yes", "Rebooting");
});

test("a machine that was renamed since a form listed it is not touched under the name that was chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/vps show web-1", "is running");
  await ana.type("/vps snapshot");
  await story.modal(ana, "Name of the snapshot");
  platform.change(platform.findVps("web-1").id, { name: "old-web-1" });
  await ana.fill({ VPS: "web-1", "Name of the snapshot": "before" });
  await ana.submit();
  await story.sees(ana, "as `old-web-1` now", "nothing was done");
  expect(platform.calls().filter(({ method }) => method === "POST")).toHaveLength(0);
  await ana.type("/vps snapshot");
  await story.modal(ana, "Name of the snapshot");
  await ana.fill({ VPS: "old-web-1", "Name of the snapshot": "before" });
  await ana.submit();
  await story.sees(ana, "snapshot", "`before`");
});

test("an unknown name says so and how else to name one, and a name or search of thousands of characters is answered in a sentence", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  await ask(
    ana,
    "/vps reboot nowhere",
    "You have no VPS called “nowhere”. Rackbell read the list of your 49 VPSes just now.",
    "Give its name, host name, address or id",
    "first 8 characters",
  );
  await ask(ana, `/vps show ${"x".repeat(3_900)}`, "You have no VPS called");
  await ask(ana, `/vps list ${"y".repeat(3_900)}`, "at most 250 characters");
});
