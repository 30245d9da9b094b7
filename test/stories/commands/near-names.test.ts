import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
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

test("a near name is offered; the name, with or without a verb, and an address from the panel or the platform find the machine", async () => {
  const { ana, ask, platform } = await startStory({ linked: ["ana"] });
  for (const [typed, name] of [
    ["/vps show wbe-1", "web-1"],
    ["/vps show web1", "web-1"],
    ["/vps web-1.exam", "web-1"],
    ["/service show arena", "arena-1"],
  ] as const) {
    const offer = await ask(ana, typed, "Did you mean");
    expect(buttons(offer), typed).toContainEqual(expect.stringMatching(`^${name}`));
  }
  for (const typed of ["/vps web-1", "/rackbell vps web-1", "/dedicated metal-1"]) await ask(ana, typed, "Refresh");
  const { id } = platform.findVps("web-1");
  await ask(ana, `/vps show https://panel.example.com/services/${id}?tab=backups`, "`web-1`", "is running");
  await ask(ana, `/vps ${platform.url}/vps/${id}`, "`web-1`", "Refresh");
});

test("several names at once are several answers, for what only reads, and one that means nothing is reported", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await ana.type("/vps show web-1 web-2, db-1");
  for (const name of ["web-1", "web-2", "db-1"]) await story.sees(ana, `*\`${name}\`* is`);
  await story.ask(ana, "/vps show web-1 nowhere-at-all", "You have no VPS called “nowhere-at-all”");
  await story.ask(ana, "/sshkey delete deploy staging", "You have no SSH key called “deploy staging”");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
});

test("a near name is never acted on: a stop of a misspelt name sends nothing, and its button asks first", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const offer = await story.ask(ana, "/vps stop wbe-2 force=yes", "Did you mean this one?", "Nothing was done");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
  await story.pressing(ana, offer, { index: 0 }, "Stop `web-2`?", "stays off");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
});

/** The codes of the customer API, and statuses without one. Customer spec section 7. */
const refusals = [
  ...["SCOPE_REQUIRED", "ACCOUNT_SUSPENDED", "FEATURE_DISABLED", "PERMISSION_DENIED", "PROJECT_SCOPE_MISMATCH"],
  ...["UNKNOWN_PROJECT", "RATE_LIMITED", "ACTION_RATE_LIMITED", "CONFLICT", "NOT_FOUND", "SOMETHING_NEW"],
]
  .map((code) => ({ status: 409, code }))
  .concat([400, 403, 404, 424, 429].map((status) => ({ status, code: "SOMETHING_NEW" })));

test("each refusal of a command names its machine, so that the answers to several commands are told apart", async () => {
  const { ana, ask, clock, platform } = await startStory({ linked: ["ana"] });
  for (const [typed, method, path] of [
    ["/vps reboot web-2 force=yes", "POST", "/vps/{id}/reboot"],
    ["/vps stats web-2", "GET", "/vps/{id}/stats"],
    ["/vps show web-2", "GET", "/vps/{id}"],
  ] as const)
    for (const { status, code } of refusals) {
      const body = { success: false, code, error: "Power control is switched off for this product" };
      platform.faults.next({ how: { status, body }, method, path, times: 3 });
      expect(said(await ask(ana, typed, ":warning:")), `${typed} ${status} ${code}`).toContain("`web-2`");
      platform.faults.resume();
      clock.skip(3_600_000);
    }
});

const nobodysId = "11111111-1111-1111-1111-111111111111";
/** Of two kinds the platform has no route for one: their list has words of its own. A mod is asked for in a form first. */
const others = ["sshkey show", "reseller customer show", "reseller game mod show"];
const lookups = registry.all.filter(
  ({ command, target }) => target !== null && command.endsWith(" show") && !others.includes(command),
);

test("an id that the platform does not find for this key is answered with the id, the reasons and a way on", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.link(ana, platform.reseller.keys.ana.key);
  const typed = [...lookups.map(({ command }) => command), "vps cancel", "vps reboot", "service renew"];
  for (const command of typed)
    await story.ask(
      ana,
      `/${command} ${nobodysId}`,
      `with the id \`${nobodysId}\``,
      "cannot see it",
      "Nothing was done.",
    );
});

test("a change says that nothing was done, where a name is nothing, one of several is near to another, or a read fails", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, ask, platform } = story;
  const near = await ask(ana, "/vps reboot web-1 wbe-2", "no VPS called `wbe-2`", "Did you mean", "Nothing was done");
  const label = buttons(near).find((one) => one.startsWith("web-2")) ?? "";
  await story.pressing(ana, near, label, "Reboot 2 VPSes");
  await ask(ana, "/vps reboot web-1 nowhere-at-all", "You have no VPS called “nowhere-at-all”", "Nothing was done.");
  await ask(ana, "/vps stop nowhere-at-all force=yes", "You have no VPS called", "Nothing was done.");
  for (const status of [401, 429, 500]) {
    const body = { success: false, code: status === 401 ? "UNAUTHORIZED" : "SOMETHING", error: "Not now" };
    platform.faults.next({ how: { status, body }, method: "GET", times: 20 });
    expect(said(await ask(ana, "/vps stop web-2 force=yes", ":warning:")), String(status)).toContain(
      "Nothing was done.",
    );
    platform.faults.resume();
  }
  expect(said(await ask(ana, "/vps show nowhere-at-all", "You have no VPS called"))).not.toContain("Nothing was done");
  expect(platform.calls().filter(({ method }) => method === "POST")).toEqual([]);
});
