import { expect, test } from "vitest";
import { goAhead, said, startStory } from "../story.ts";

test("a field that the platform refuses comes back in the form, filled in and with its reason beside it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const body = {
    success: false,
    error: "Invalid input",
    code: "BAD_REQUEST",
    details: [{ field: "name", message: "is <!channel> reserved" }],
  };
  platform.faults.next({ how: { status: 400, body }, method: "POST", path: "/vps/{id}/snapshots" });
  const refused = await story.ask(ana, "/vps snapshot web-1 name=first-try description=weekly", "Invalid input");
  expect(said(refused)).toContain("Nothing changed");
  await ana.press(refused, "Correct it…");
  await story.modal(ana, "first-try", "weekly", "is &lt;!channel&gt; reserved");
  await ana.fill({ "Name of the snapshot": "second-try" });
  await ana.submit();
  await story.sees(ana, "Taking the snapshot", "second-try");
});

test("a choice that there is not comes back in the form, where it can be chosen", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const refused = await story.ask(ana, "/vps revert web-1 snapshot=never-taken", "never-taken");
  await ana.press(refused, "Correct it…");
  await story.modal(ana, "never-taken", "Snapshot");
  const name = story.platform.findVps("web-1").snapshots[0]?.name ?? "";
  await ana.choose("modal", "Snapshot", name);
  await ana.submit();
  await story.sees(ana, "asks to", "will be lost");
});

test("a password is not carried into the form that puts something else right", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const body = {
    success: false,
    error: "No",
    code: "BAD_REQUEST",
    details: [{ field: "password", message: "is too common" }],
  };
  platform.faults.next({ how: { status: 400, body }, method: "POST", path: "/vps/{id}/password" });
  await ana.type("/vps password web-1");
  await story.modal(ana, "New root password");
  await ana.fill({ "New root password": "correct-horse-battery" });
  await ana.submit();
  const question = await story.sees(ana, "The old root password ends.");
  const refused = await story.pressing(ana, question, goAhead, "is too common");
  expect(JSON.stringify(refused)).not.toContain("correct-horse");
  await ana.press(refused, "Correct it…");
  await story.modal(ana, "is too common");
  expect(JSON.stringify(ana.modal())).not.toContain("correct-horse");
});
