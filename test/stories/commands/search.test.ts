import { expect, test } from "vitest";
import { type Actor, startStory } from "../story.ts";

const find = "find_anything";

function texts(found: { text: string; group?: string }[]): string[] {
  return found.map(({ text, group }) => `${group}: ${text}`);
}

async function open(ana: Actor, modal: (actor: Actor, ...texts: string[]) => Promise<void>): Promise<void> {
  await ana.shortcut(find);
  await modal(ana, "Find anything");
}

test.each(["socket", "http"] as const)(
  "anywhere in Slack, a part of a name finds what it is and opens it (%s)",
  async (mode) => {
    const { ana, modal } = await startStory({ linked: ["ana"], mode });
    await open(ana, modal);
    expect(texts(await ana.suggest("modal", { actionId: "find" }, "web-"))).toEqual(
      expect.arrayContaining(["VPS: web-1", "VPS: web-2"]),
    );
    await ana.choose("modal", { actionId: "find" }, "web-1");
    await modal(ana, "is running", "Reboot");
    await ana.closeModal();
    await modal(ana, "Find anything");
  },
);

test("the search finds by a name, an address and the beginning of an id, each resource once under its kind", async () => {
  const { ana, platform, modal } = await startStory({ linked: ["ana"] });
  const { id } = platform.findVps("web-2");
  await open(ana, modal);
  const find = async (typed: string) => texts(await ana.suggest("modal", { actionId: "find" }, typed));
  expect(await find("metal-1")).toEqual(["dedicated server: metal-1"]);
  expect(await find("deploy")).toContain("SSH key: deploy");
  expect(await find(id.slice(0, 8))).toEqual(["VPS: web-2"]);
  expect(await find("192.0.2.7")).toEqual(["VPS: web-2"]);
  expect(await find("no such thing")).toEqual([]);
});

test("a reboot from the search is reported in the member's direct messages, and its card cannot be shown to a channel", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, modal } = story;
  await open(ana, modal);
  await ana.choose("modal", { actionId: "find" }, "web-1");
  await modal(ana, "is running");
  expect(JSON.stringify(ana.modal())).not.toContain("Show to channel");
  await ana.press("modal", "Reboot");
  await story.modal(ana, /ebooting/);
  await story.seesIn("dm", ana, "ebooting");
});

test("without a key the modal says how to link one, and an outsider is refused", async () => {
  const { ben, gus, zed, modal } = await startStory();
  await ben.shortcut(find);
  await modal(ben, "You have not linked a key yet");
  await gus.shortcut(find);
  await modal(gus, "Guests");
  await zed.shortcut(find);
  await modal(zed, "other organisations");
});
