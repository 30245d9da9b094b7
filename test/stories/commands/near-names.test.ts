import { expect, test } from "vitest";
import { said, startStory } from "../story.ts";

// Names as people type them.

function buttons(message: Parameters<typeof said>[0]): string[] {
  return said(message).split("\n");
}

test("the beginning of several names offers each, and a press goes on with it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  const offer = await story.ask(ana, "/vps show web", "no VPS called `web`", "Did you mean one of these?");
  for (const name of ["web-1", "web-2"]) expect(buttons(offer).some((label) => label.startsWith(name))).toBe(true);
  await story.pressing(ana, offer, { index: 0 }, /is running|is stopped/);
});

test.each([
  ["/vps show wbe-1", "web-1"],
  ["/vps show web1", "web-1"],
  ["/vps web-1.exam", "web-1"],
  ["/service show arena", "arena-1"],
])("%s offers %s", async (typed, name) => {
  const story = await startStory({ linked: ["ana"] });
  const offer = await story.ask(story.ana, typed, "Did you mean");
  expect(buttons(offer).some((label) => label.startsWith(name))).toBe(true);
});

test("a near name is never acted on: a stop of a misspelt name sends nothing, and its button asks first", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const offer = await story.ask(ana, "/vps stop wbe-2 force=yes", "Did you mean this one?", "Nothing was done");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
  const { confirm } = await ana.press(offer, { index: 0 }, { confirm: false });
  expect(confirm?.title).toContain("Stop");
});

test.each(["/vps web-1", "/rackbell vps web-1", "/dedicated metal-1"])("%s shows it", async (typed) => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, typed, "Refresh");
});

test("an address pasted from the panel or the platform finds its machine", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const { id } = platform.findVps("web-1");
  await story.ask(ana, `/vps show https://panel.example.com/services/${id}?tab=backups`, "`web-1`", "is running");
  await story.ask(ana, `/vps ${platform.url}/vps/${id}`, "`web-1`", "Refresh");
});

test("several names at once are several answers, for what only reads", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/vps show web-1 web-2, db-1");
  for (const name of ["web-1", "web-2", "db-1"]) await story.sees(ana, `*\`${name}\`* is`);
  await story.ask(ana, "/sshkey delete deploy staging", "You have no SSH key called “deploy staging”");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
});

test("one name of several that means nothing is reported, and nothing is guessed", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps show web-1 nowhere-at-all", "You have no VPS called “nowhere-at-all”");
});

test("a misspelt verb is still a misspelt verb", async () => {
  const story = await startStory({ linked: ["ana"] });
  await story.ask(story.ana, "/vps lst", "I don't know “lst”", "/vps list");
  await story.ask(story.ana, "/vps rebot web-1", "I don't know “rebot”", "/vps reboot");
});

/** The codes of the customer API, and statuses without one. Customer spec section 7. */
const refusals = [
  ...["SCOPE_REQUIRED", "ACCOUNT_SUSPENDED", "FEATURE_DISABLED", "PERMISSION_DENIED", "PROJECT_SCOPE_MISMATCH"],
  ...["UNKNOWN_PROJECT", "RATE_LIMITED", "ACTION_RATE_LIMITED", "CONFLICT", "NOT_FOUND", "SOMETHING_NEW"],
]
  .map((code) => ({ status: 409, code }))
  .concat([400, 403, 404, 424, 429].map((status) => ({ status, code: "SOMETHING_NEW" })));

test.each([
  ["/vps reboot web-2 force=yes", "POST", "/vps/{id}/reboot"],
  ["/vps stats web-2", "GET", "/vps/{id}/stats"],
  ["/vps show web-2", "GET", "/vps/{id}"],
])(
  "each refusal of %s names web-2, so that the answers to several commands are told apart",
  async (typed, method, path) => {
    const story = await startStory({ linked: ["ana"] });
    for (const { status, code } of refusals) {
      const body = { success: false, code, error: "Power control is switched off for this product" };
      story.platform.faults.next({ how: { status, body }, method, path, times: 3 });
      expect(said(await story.ask(story.ana, typed, ":warning:")), `${status} ${code}`).toContain("`web-2`");
      story.platform.faults.resume();
      story.clock.skip(3_600_000);
    }
  },
);
