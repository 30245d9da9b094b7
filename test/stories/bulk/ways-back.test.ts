import { expect, test } from "vitest";
import { keepTargets } from "../../../src/requests/facets/bulk/targets.ts";
import { bulkBlocks } from "../../../src/requests/facets/bulk/view.ts";
import { stateNames, states } from "../../../src/requests/states.ts";
import { bulkOf, openApp, requestOf } from "../../requests/requests.ts";
import { goAhead, type Story, said, startStory } from "../story.ts";
import { cooling, pathsOf, refused, writtenPaths } from "./machines.ts";

/** Everything that can end the right to go on in the middle, with the reason that the end names. */
const obstacles: [what: string, happen: (story: Story) => unknown, reason: RegExp][] = [
  [
    "a rule that forbids it",
    (story) => addRule(story, "demand=not-allowed"),
    /^A rule of this workspace does not allow it now\. The rule: .*is not allowed/,
  ],
  [
    "a rule that wants an approval",
    (story) => addRule(story, "demand=one-approval"),
    /^It needs more approvals now\. The rule:/,
  ],
  [
    "an account that is suspended",
    ({ platform }) => platform.changeUser("ben", { suspended: true }),
    /^The account of .* is suspended/,
  ],
  [
    "an API that is switched off",
    ({ platform }) => (platform.settings.api = false),
    /^The platform's operator has switched this off/,
  ],
];

function addRule(story: Story, demand: string): Promise<unknown> {
  return story.ask(story.ana, `/rackbell policy add ${demand} command="vps reboot"`, "In effect now");
}

test.each(obstacles)(
  "%s stops a bulk request, which ends without a tick and names the reason",
  async (_, happen, reason) => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ben, platform, clock } = story;
    platform.faults.next({ how: cooling, method: "POST", path: pathsOf(story, "reboot", "db-1")[0] ?? "" });
    const request = await story.ask(ben, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes");
    await ben.press(request, goAhead);
    await story.comesToSee(ben, "2 of 3 done", "the platform asked to wait");
    await happen(story);
    clock.skip(900_000);
    const ended = said(await story.comesToSee(ben, "2 of 3 were done and 1 was not begun", "Go on with the other 1"));
    expect(ended.split("It stopped before `db-1`: ")[1]).toMatch(reason);
    expect(ended).toContain(":x:");
    expect(ended).not.toContain(":white_check_mark:");
  },
);

/** All by which the key of the requester goes in the middle, with the reason that everybody reads. */
const removals: [what: string, happen: (story: Story) => unknown, reason: (story: Story) => string][] = [
  [
    "was deactivated in Slack",
    ({ slack }) => slack.deactivate("ben"),
    () => "The one who asked for it was deactivated.",
  ],
  [
    "unlinked their key",
    (story) => story.ask(story.ben, "/rackbell unlink force=yes", "erased here"),
    () => "The key that it was asked with was unlinked.",
  ],
  [
    "lost their key by an admin",
    (story) => story.ask(story.ana, `/rackbell members unlink <@${story.ben.user.id}> force=yes`, "erased here"),
    ({ ana }) => `<@${ana.user.id}>, an admin, unlinked the key that it was asked with.`,
  ],
  [
    "linked another key",
    (story) => story.link(story.ben, story.platform.addKey({ owner: "ben", label: "ben-2" }).key),
    () => "The key that it was asked with was replaced.",
  ],
];

test.each(removals)(
  "a bulk request whose requester %s begins no more machines, and everybody reads that reason",
  async (_, happen, reason) => {
    const story = await startStory({ linked: ["ana", "ben"] });
    const { ana, ben, platform } = story;
    platform.faults.next({ how: cooling, method: "POST", path: pathsOf(story, "reboot", "db-1")[0] ?? "" });
    const request = await story.ask(ben, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes");
    await ben.press(request, goAhead);
    await story.comesToSee(ana, "2 of 3 done", "the platform asked to wait");
    await happen(story);
    const ended = said(await story.comesToSee(ana, "2 of 3 were done and 1 was not begun"));
    expect(ended).toContain(`${reason(story)} 2 of 3 were done`);
    expect(writtenPaths(story)).toHaveLength(3);
  },
);

test("an account that lost the permission is refused once, and the others are not begun", async () => {
  const story = await startStory({ linked: ["ana", "ben"] });
  const { ben, platform } = story;
  const request = await story.ask(ben, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  await ben.press(request, goAhead);
  await story.comesToSee(ben, "no longer allows `vps cancel`", "1 failed and 2 were not begun");
  expect(writtenPaths(story)).toHaveLength(1);
});

test("a bulk request that left one out ends with a warning, and not with a tick", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps reboot web-1 web-2", "For each of 2 VPSes");
  platform.change("web-2", { name: "web-two" });
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "1 of 2 was done and 1 left out");
  expect(said(ended)).toContain(":warning:");
  expect(said(ended)).not.toContain(":white_check_mark:");
});

test("a finished cancellation of several offers to keep them all, for as long as one can be kept", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1 web-2", "For each of 2 VPSes");
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "All 2 are done", "Keep all 2");
  await story.pressing(ana, ended, "Keep all 2", "All 2 are done");
  expect(writtenPaths(story).toSorted().slice(-2)).toEqual(
    ["web-1", "web-2"].map((name) => `/vps/${platform.findVps(name).id}`).toSorted(),
  );
  for (const name of ["web-1", "web-2"]) expect(platform.findVps(name).cancellation).toBeNull();
});

test("all of a cancellation are kept, though one was renamed; one that is gone is left out by name, and asks first", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1 web-2 db-1", "For each of 3 VPSes");
  await ana.press(request, goAhead);
  const ended = await story.comesToSee(ana, "All 3 are done", "Keep all 3");
  platform.change("web-2", { name: "web-two" });
  platform.remove("db-1");
  const gone = `Left out: the key of <@${ana.user.id}> does not list \`db-1\` any more.`;
  const asked = await story.pressing(ana, ended, "Keep all 3", "For each of 2 VPSes", gone);
  expect(said(asked)).toContain("They are `web-1` and `web-two`.");
  await ana.press(asked, goAhead);
  await story.comesToSee(ana, "Keep 2 VPSes", "All 2 are done");
  for (const name of ["web-1", "web-two"]) expect(platform.findVps(name).cancellation).toBeNull();
});

/** A change of one of two machines that failed, with the words about it. */
const since: [what: string, happen: (story: Story) => void, words: (story: Story) => string][] = [
  [
    "was renamed",
    ({ platform }) => platform.change("web-2", { name: "web-two" }),
    () => "`web-2` is called `web-two` now",
  ],
  [
    "is gone",
    ({ platform }) => platform.remove("web-2"),
    ({ ana }) => `he key of <@${ana.user.id}> does not list \`web-2\` any more`,
  ],
];

/** Machines of so many pages that a few are read one by one. */
const fleet = 450;

test.each(since.flatMap((row) => [0, fleet].map((others) => [row[0], others, row] as const)))(
  "failed machines are tried again without one that %s since, which is named; %i others are there",
  async (_, others, [, happen, words]) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    if (others > 0) platform.addVps(others, "fleet");
    for (const path of pathsOf(story, "reboot", "web-2", "db-1"))
      platform.faults.next({ how: refused, method: "POST", path });
    const request = await story.ask(ana, "/vps reboot web-1 web-2 db-1", "For each of 3 VPSes");
    await ana.press(request, goAhead);
    const ended = await story.comesToSee(ana, "1 of 3 was done and 2 failed");
    happen(story);
    const asked = await story.pressing(ana, ended, "Try the failed ones again", /Left out: [`t]/, words(story));
    await ana.press(asked, goAhead);
    await story.comesToSee(ana, "`db-1` is done");
    expect(writtenPaths(story).slice(3)).toEqual(pathsOf(story, "reboot", "db-1"));
    await story.pressing(ana, ended, "Try the failed ones again", `${words(story)}. Nothing was requested.`);
  },
);

test("a stop of several offers to start them all again, and a restart has no way back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await ana.press(await story.ask(ana, "/vps stop web-1 web-2", "For each of 2 VPSes"), goAhead);
  await story.comesToSee(ana, "All 2 are done", "Start all 2");
  await ana.press(await story.ask(ana, "/vps reboot db-1 mail", "For each of 2 VPSes"), goAhead);
  const restarted = await story.comesToSee(ana, "Reboot 2 VPSes", "All 2 are done");
  expect(said(restarted)).not.toMatch(/\ball 2\b/);
});

test("a way back that is pressed again while it works leads to the first press", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform, clock } = story;
  await ana.press(await story.ask(ana, "/vps stop web-1 web-2", "For each of 2 VPSes"), goAhead);
  const ended = await story.comesToSee(ana, "All 2 are done", "Start all 2");
  const [path = ""] = pathsOf(story, "start", "web-2");
  platform.faults.next({ how: cooling, method: "POST", path });
  await story.pressing(ana, ended, "Start all 2", "1 of 2 done", "the platform asked to wait");
  clock.skip(60_000);
  await story.pressing(ana, ended, { actionId: "request:way-back" }, "Start 2 VPSes was requested by you", "under way");
  clock.skip(900_000);
  await story.comesToSee(ana, "Start 2 VPSes", "All 2 are done");
  expect(writtenPaths(story).slice(2)).toEqual([...pathsOf(story, "start", "web-1", "web-2"), path]);
});

const targets = Array.from({ length: 12 }, (_, at) => ({
  id: `vps-${at}`,
  name: `box-${at}`,
  state: "running",
  project: null,
  hostname: null,
  address: null,
  addressIs: "none" as const,
  location: null,
  place: null,
  preconditions: {},
  price: null,
}));

test("a bulk request has only buttons that fit its state", async () => {
  const { app } = await openApp();
  await keepTargets(app, "r1", targets);
  for (const state of stateNames) {
    const accepted = states[state].accepted;
    const outcomes = targets.map((_, at) => (!accepted || at > 10 ? "waiting" : "failed"));
    const request = requestOf({ state, target: null, bulk: bulkOf(outcomes) });
    const words = said({ text: "", blocks: await bulkBlocks(app, request) });
    const ended = accepted && state !== "working";
    for (const [label, shown] of [
      ["Go on with the other 1", ended],
      ["Go on with", ended],
      ["Try the failed ones again", ended],
      ["the file has them", accepted],
      ["All 12 as a file", accepted],
    ] as const)
      expect(words.includes(label), `${state}: ${label}`).toBe(shown);
  }
});

test("a request that was narrowed lists what was taken out, and counts the rest of it", async () => {
  const { app } = await openApp();
  await keepTargets(app, "r1", targets);
  const outcomes = targets.map((_, at) => (at === 0 ? ("waiting" as const) : ("taken out" as const)));
  const request = requestOf({ state: "denied", target: null, bulk: bulkOf(outcomes) });
  const words = said({ text: "", blocks: await bulkBlocks(app, request) });
  for (const name of ["box-1", "box-8"]) expect(words).toContain(`• \`${name}\`: taken out`);
  expect(words).toContain("and 3 others that were taken out");
});
