import { expect, test } from "vitest";
import { type Actor, said, startStory } from "../story.ts";

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

const refusedList = "could not search the dedicated servers: the platform refuses to list them";

test("a list that the platform refuses keeps no name from being found in the others, and is named where nothing is found", async () => {
  const { ana, ask, platform } = await startStory({ linked: ["ana"] });
  platform.settings.modules.inventory = false;
  await ask(ana, "/rackbell show web-1", "is running");
  await ask(ana, "/rackbell reboot web-1", "eboot");
  await ask(ana, "/rackbell star web-1", "web-1");
  const searched = said(await ask(ana, "/rackbell search web-1", "result"));
  expect(searched).toContain(refusedList);
  expect(searched).not.toContain("Not read in time");
  for (const typed of ["/rackbell reboot nothing-like-it", "/rackbell star nothing-like-it"]) {
    const nothing = said(await ask(ana, typed, "nothing called"));
    expect(nothing).toContain("Rackbell finds nothing called");
    expect(nothing).toContain(refusedList);
  }
});

test("the lists of documents that a member may not see keep no machine from being found", async () => {
  const { ana, ask, platform } = await startStory({ linked: ["ana"] });
  const body = { success: false, code: "FORBIDDEN", error: "Insufficient permissions" };
  for (const path of ["/invoices", "/proformas"])
    platform.faults.next({ how: { status: 403, body }, method: "GET", path, times: 50 });
  await ask(ana, "/rackbell show web-1", "is running");
  const nothing = said(await ask(ana, "/rackbell star nothing-like-it", "nothing called"));
  expect(nothing).toContain("could not search the invoices and proformas: the platform refuses to list them");
});

test("a name is refused with the platform's own words where it refuses every list", async () => {
  const { ana, ask, platform } = await startStory({ linked: ["ana"] });
  platform.settings.api = false;
  await ask(ana, "/rackbell star web-1", /switched (it )?off|disabled/i);
});
