import { expect, test } from "vitest";
import { pressInDetails, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

test("a resold service is captured, then terminated, and can be ordered again from the copy", async () => {
  const story = await startResellerStory({ pace: 8 });
  const { ana } = story;
  const request = await story.ask(
    ana,
    "/reseller service terminate ACME-001",
    "Back up first",
    "none made with Rackbell",
  );
  await ana.press(request, "Details…");
  await story.modal(ana, "billed to you by its virtual size until it is deleted");
  await ana.closeModal();
  await pressInDetails(story, ana, request, "request:copy");
  const end = await story.comesToSee(ana, "is terminated and no longer billed", "Order from the image");
  // Before the act Rackbell tries which scopes the key still has, by calls that the platform refuses.
  const done = resellerWrites(story).filter(({ status }) => status !== null && status < 400);
  expect(done.map(({ method, path }) => `${method} ${path.split("/").at(-1)}`)).toEqual([
    "POST capture",
    expect.stringMatching(/^DELETE /),
  ]);
  await ana.press(end, "Order from the image…");
  await story.modal(ana, "Order to resell", "VPS M", '"submit":{');
  await ana.closeModal();
});

test("each act on a resold service offers what can be kept of its disk, and nothing where it is no VPS", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service restore ACME-001 backup=clean", "asks to", "Back up first");
  await story.ask(ana, '/reseller service upgrade ACME-001 to="VPS L"', "Back up first");
  const metal = await story.ask(ana, "/reseller service terminate BOR-002", "asks to");
  expect(said(metal)).not.toContain("Back up first");
});
