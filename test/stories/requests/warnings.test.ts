import { expect, test } from "vitest";
import { askToReinstall } from "../reinstalling.ts";
import { type Message, startStory } from "../story.ts";

// A warning is on the card and in its dialog, and never a fact that waits behind *Details…*.

const crashed = "Files may be incomplete, as after a power cut.";

/** The texts of the dialogs of a message's buttons. */
function dialogsOf({ blocks }: Message): string {
  const elements = blocks.flatMap(({ elements: all }) => (Array.isArray(all) ? all : []));
  return elements.map(({ confirm }) => String(confirm?.text?.text)).join("\n");
}

test("a revert to a snapshot of a system that could not be frozen warns on the card and in the dialog", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  const request = await ask(ana, "/vps revert web-1 snapshot=weekly-1", "asks to", crashed);
  expect(dialogsOf(request)).toContain(crashed);
});

test("a revert to a snapshot of which its host did not say if the system was frozen says so on the card, and the list does", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"] });
  await ask(ana, "/vps snapshots web-1", "weekly-2", "frozen or not: unknown", "crash-consistent");
  await ask(ana, "/vps revert web-1 snapshot=weekly-2", "asks to", "System frozen", "unknown: files may be incomplete");
});

test("a reinstall says on its card that every SSH key of the account gets root", async () => {
  const story = await startStory({ linked: ["ana"] });
  const request = await askToReinstall(story, "web-2", "Every SSH key of the account will be authorised for root.");
  expect(dialogsOf(request)).toContain("authorised for root");
});
