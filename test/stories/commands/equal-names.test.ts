import { expect, test } from "vitest";
import { controlsOf } from "../../../src/sandbox/slack/blocks/controls.ts";
import { post } from "../posting.ts";
import { goAhead, said, startStory } from "../story.ts";

const long = "long-".padEnd(200, "name-");
const wild = "<!channel> *bold* & _slanted_";

test("two servers of one name are never guessed between: the member picks, is asked, and only the picked one is touched", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const posts = () => platform.calls().flatMap(({ method, path }) => (method === "POST" ? [path] : []));
  const picker = await story.ask(ana, "/vps reboot twin", "means more than one VPS");
  const own = platform.findVps("twin", 0);
  const [address = ""] = own.ip_addresses.map(({ address }) => address);
  const which = ["in project `Default`", address];
  const question = await story.pressing(ana, picker, { index: 0 }, "Reboot `twin`?", "interrupted", ...which);
  expect(posts()).toEqual([]);
  await ana.press(question, "Reboot twin");
  await story.sees(story.ben, "Rebooting", ...which);
  expect(posts()).toEqual([`/vps/${own.id}/reboot`]);
});

test("servers of one long name are told apart on the buttons that ask which one is meant", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const id of ["web-1", "web-2"].map((name) => platform.findVps(name).id)) platform.change(id, { name: long });
  const picker = await story.ask(ana, `/vps reboot ${long}`, "means more than one VPS");
  // The practice platform has one of that name already.
  expect(new Set(controlsOf(picker.blocks).map(({ label }) => label))).toHaveLength(3);
});

test("a server whose name only looks like another's is never taken for it, in a command or a list", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  for (const id of ["web-1", "web-2"].map((name) => platform.findVps(name).id))
    platform.change(id, { hostname: "same.example.test", ip_addresses: [] });
  platform.change(platform.findVps("web-2").id, { name: "web-1\u200b" });
  const list = said(await story.ask(ana, "/vps list web-1", "2 VPSes"));
  expect(new Set(list.match(/id [0-9a-f]{8}…/g)).size).toBe(2);
  const picker = await story.ask(ana, "/vps cancel web-1", "means more than one VPS");
  expect(new Set(said(picker).match(/id [0-9a-f]{8}…/g)).size).toBe(2);
  const { id } = platform.findVps("web-1");
  await story.ask(ana, `/vps show ${id}`, "is running");
  await story.ask(ana, "/rackbell again", `/vps show ${id}`);
});

test("two images that look alike are told apart in a list and in the form of an order, by their ids if by nothing else", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const made = (name: string, host: string, digit: string) =>
    post(story, "/custom-images", { name, sourceUrl: `https://${host}/a.qcow2`, sha256: digit.repeat(64) });
  await made("base-2026", "images.example.com", "a");
  await made("base-2026\u200b", "evil.example.net", "b");
  await made("base-2026\u2800", "evil.example.net", "c");
  const list = said(await story.ask(ana, "/image list base", "3 images"));
  expect(list).toContain("from images.example.com");
  expect(list).toContain("from evil.example.net");
  expect(new Set(list.match(/id [0-9a-f]{8}…/g)).size).toBe(2);
  await ana.type("/order new");
  await story.modal(ana, '"choose:product"');
  await ana.choose("modal", "choose:product", "VPS M");
  await story.modal(ana, "*`VPS M`*", '"submit":{');
  const options = await ana.suggest("modal", "System", "base");
  expect(options.map(({ text }) => text)).toEqual(["base-2026", "base-2026", "base-2026"]);
  expect(new Set(options.map(({ description }) => description)).size).toBe(3);
  await story.ask(ana, "/image delete base-2026", "means more than one image");
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
