import { expect, test } from "vitest";
import { registry } from "../../../src/operations/index.ts";
import { rest } from "../rest.ts";
import {
  type Actor,
  goAhead,
  type Message,
  peer,
  type Story,
  said,
  startStory,
  withControl,
  writeRoutes,
  writes,
} from "../story.ts";

const copyFirst = "request:copy";
const choose = "request:choose-backup";
const leave = "request:leave-backup";
const both = ["POST /vps/{id}/capture", "DELETE /vps/{id}"];
const order = "First Rackbell captures `web-1` (billed for 100 GB; the platform names no price), then it cancels it.";

async function listed(story: Story): Promise<string> {
  return said(await story.ask(story.ana, "/rackbell approvals", /Open requests|You can see no open requests/));
}

/** All that the *Details…* of a request with the backup say and offer to one reader. */
async function detailsOf({ modal }: Story, actor: Actor, request: Message): Promise<string> {
  await actor.press(request, "Details…");
  await modal(actor, order);
  const shown = JSON.stringify(actor.modal());
  await actor.closeModal();
  return shown;
}

test("the backup that the requester asks for stands on the card with its price, and one approval covers both", async () => {
  const story = await startStory({ linked: ["ana", "ben"], pace: 8, environment: peer });
  const { ana, ben, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1 backup-first=yes", "asks to", order);
  expect(await listed(story)).toContain(order);
  expect(await detailsOf(story, ben, request)).not.toContain("Approve, back up first");
  platform.clearCalls();
  await story.pressing(ben, request, copyFirst, "Capturing", `approved by <@${ben.user.id}>`);
  await story.comesToSee(ana, "You can withdraw the cancellation until then", "Order from the image");
  expect(writeRoutes(story)).toEqual(both);
});

test("a requester who chooses the backup later, or takes it back, voids the approvals, and the approvers are called again", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    pace: 8,
    rules: ["demand=two-approvals risk=destroy"],
  });
  const { ana, ben, caro, slack, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "Two others than");
  await story.pressing(ben, request, goAhead, "1 of 2");
  const details = await withControl(ana, request, choose, slack.until);
  await story.pressing(
    ana,
    { ...request, blocks: details.blocks },
    choose,
    "The approvals so far no longer count",
    order,
  );
  await story.sees(ana, "awaits a decision again", order, `<@${ben.user.id}>`);
  await ana.closeModal({ all: true });
  await story.pressing(ben, await story.sees(ben, "asks to", order), copyFirst, "1 of 2");
  // Nobody but the requester has the choice.
  await story.pressing(
    caro,
    { ...request, blocks: details.blocks },
    choose,
    "can choose the backup before any approval",
  );
  const taken = await withControl(ana, await story.sees(ana, "1 of 2"), leave, slack.until);
  await story.pressing(ana, { ...request, blocks: taken.blocks }, leave, "took the backup back, so none comes first");
  platform.clearCalls();
  await story.pressing(ben, request, goAhead, "1 of 2");
  await story.pressing(caro, request, goAhead, "You can withdraw the cancellation until then");
  expect(writeRoutes(story)).toEqual(["DELETE /vps/{id}"]);
  const log = said(await story.ask(ana, "/rackbell audit everyone=yes", "web-1"));
  expect(log).toContain("backup chosen");
  expect(log).toContain("backup taken back");
});

test("the backup that an approver chose is not the requester's to take back", async () => {
  const story = await startStory({
    linked: ["ana", "ben", "caro"],
    pace: 8,
    rules: ["demand=two-approvals risk=destroy"],
  });
  const { ana, ben, slack } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "Two others than");
  const offered = await withControl(ana, request, choose, slack.until);
  await ana.closeModal({ all: true });
  await story.pressing(ben, request, copyFirst, "1 of 2", `<@${ben.user.id}> chose the backup`);
  expect(await detailsOf(story, ana, request)).not.toContain("Do not back up first");
  const forged = JSON.parse(JSON.stringify(offered.blocks).replaceAll(choose, leave));
  await story.pressing(ana, { ...request, blocks: forged }, leave, "so it comes first in any case");
});

test("a refused backup that the requester asked for is tried again at the next press, and never left out", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1 backup-first=yes", order);
  platform.clearCalls();
  const conflict = { status: 409, body: { success: false, code: "CONFLICT", error: "The machine is busy" } };
  platform.faults.next({ how: conflict, method: "POST" });
  await story.pressing(ana, request, copyFirst, "The backup was not made", "The machine is busy", order);
  await story.pressing(ana, request, copyFirst, "Capturing");
  await story.comesToSee(ana, "Order from the image");
  expect(writeRoutes(story)).toEqual(["POST /vps/{id}/capture", ...both]);
});

test.each<[string, string, (story: Story) => Promise<unknown> | unknown, string[]]>([
  [
    "a rule forbids the backup",
    "/vps cancel web-1",
    (story) => story.ask(story.caro, '/rackbell policy add demand=not-allowed command="vps capture"', "In effect now"),
    ["A rule does not allow the backup", "vps capture"],
  ],
  [
    "the key lacks the scope",
    "/vps cancel web-1",
    (story) =>
      story.link(
        story.ana,
        story.platform.addKey({ owner: "ana", label: "narrow", scopes: ["read", "destructive"] }).key,
      ),
    ["does not allow `/vps capture`", "needs the scope `services`"],
  ],
  [
    "the list of images cannot be read",
    "/vps cancel web-1",
    ({ platform }) => platform.faults.next({ how: { status: 503, body: {} }, path: "/custom-images", times: 9 }),
    ["could not find out if a backup is possible first"],
  ],
])(
  "a request says why it has no backup first, and one that asks for it is not made: %s",
  async (_, act, happens, words) => {
    const story = await startStory({ linked: ["ana", "ben", "caro"], environment: { ...peer, ADMINS: "" } });
    story.slack.setRole("caro", "admin");
    await happens(story);
    const none = await story.ask(story.ana, `${act} backup-first=yes`, ...words, "Nothing was requested", "Leave out");
    expect(said(none)).not.toContain("asks to");
    const card = await story.ask(story.ana, act, "asks to", ...words);
    expect(said(card)).not.toContain("is in *Details*.");
  },
);

test("nothing is requested where no backup can come first, of several machines either, and their card says why", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(
    ana,
    "/service cancel metal-1 backup-first=yes",
    "has no backup to take before this act",
    "Nothing was",
  );
  await story.ask(ana, "/service cancel no-snapshots backup-first=yes", "cannot back up `no-snapshots`", "Nothing was");
  await story.ask(ana, "/vps reboot web-1 backup-first=yes", "I don't know backup-first= here");
  await story.ask(
    ana,
    "/vps cancel web-1 web-2 backup-first=yes",
    "Several at once are not backed up first",
    "Nothing was",
  );
  await story.ask(ana, "/vps cancel web-1 web-2", "asks to", "Ask for one at a time with `backup-first=yes`");
  expect(writes(story)).toEqual([]);
});

test("a rule that wants approval of the backup alone makes others approve both, and the card quotes it", async () => {
  const story = await startStory({
    linked: ["ana", "ben"],
    pace: 8,
    rules: ['demand=one-approval risk=spend over="50 EUR"'],
  });
  const { ana, ben, platform } = story;
  const request = await story.ask(
    ana,
    "/vps cancel web-1 backup-first=yes",
    "asks to",
    order,
    "The rule for the backup",
    "over 50.00 EUR",
    "Somebody other than",
  );
  platform.clearCalls();
  await story.pressing(ana, request, copyFirst, "a teammate has to approve it");
  await story.pressing(ben, request, copyFirst, "Capturing");
  await story.comesToSee(ana, "Order from the image");
  expect(writeRoutes(story)).toEqual(both);
});

test("a scheduled act takes the backup that was asked for when its time comes", async () => {
  const story = await startStory({ linked: ["ana"], pace: 8 });
  const { ana, clock, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1 in=2h backup-first=yes", "asks to", order);
  platform.clearCalls();
  await story.pressing(ana, request, copyFirst, "It is scheduled for", order);
  clock.skip(2 * 60 * 60_000);
  await story.comesToSee(ana, "Order from the image");
  expect(writeRoutes(story)).toEqual(both);
});

test.each([
  ["more approvals", "demand=two-approvals", {}, "It needs more approvals now"],
  ["other approvers", "demand=one-approval approvers=@caro", {}, "A rule names other approvers now"],
  ["a passkey", "demand=confirm passkey=yes", { PASSKEYS: "on" }, "It was not decided with a passkey"],
  ["no such backup", "demand=not-allowed", {}, "does not allow the backup before it now"],
])("a scheduled act is cancelled when a new rule about its backup wants %s", async (_, demand, passkeys, why) => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: { ...peer, ...passkeys } });
  const { ana, ben, clock } = story;
  const request = await story.ask(ana, "/vps cancel web-1 in=2h backup-first=yes", "asks to", order);
  await story.pressing(ben, request, copyFirst, "It is scheduled for", order);
  await story.ask(ana, `/rackbell policy add ${demand} command="vps capture"`, "In effect now");
  await story.sees(ana, "The rules of this workspace changed", why, "`/vps capture`");
  clock.skip(3 * 60 * 60_000);
  await rest(2_000);
  expect(writes(story)).toEqual([]);
});

test("a scheduled act starts neither its backup nor itself where the rule about the backup applies at that time alone", async () => {
  const rule = 'demand=two-approvals command="vps capture" window=outside';
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer, rules: [rule] });
  const { ana, ben, clock } = story;
  await story.ask(ana, "/rackbell maintenance web-1 00:00-23:59 every=day", "is under maintenance");
  const request = await story.ask(ana, "/vps cancel web-1 in=2h backup-first=yes", "asks to", order);
  await story.pressing(ben, request, copyFirst, "It is scheduled for", order);
  const windows = said(await story.ask(ana, "/rackbell maintenance list", "Maintenance windows"));
  await story.ask(ana, `/rackbell maintenance remove ${/`([0-9a-f]{8})`/.exec(windows)?.[1]}`, "Removed");
  clock.skip(2 * 60 * 60_000);
  await story.sees(ana, "it did not start", "It needs more approvals now", "`/vps capture`");
  expect(writes(story)).toEqual([]);
});

test("a pending act needs what a new rule about its backup wants, and ends where the rule forbids the backup", async () => {
  const story = await startStory({ linked: ["ana", "ben", "caro"], environment: peer });
  const { ana, ben, caro } = story;
  await story.ask(ana, "/vps cancel web-1 backup-first=yes", "asks to", "Somebody other than");
  const add = '/rackbell policy add command="vps capture"';
  await story.ask(ana, `${add} demand=two-approvals`, "In effect now");
  const card = await story.sees(ben, "Two others than", "The rule for the backup", "needs two approvals");
  await story.pressing(ben, card, copyFirst, "1 of 2");
  await story.ask(ana, `${add} demand=not-allowed`, "In effect now");
  await story.sees(caro, "no longer allows the backup before it", "`/vps capture`");
  expect(writes(story)).toEqual([]);
});

test("the snapshot before a change of plan costs nothing, and the card says what it does not bring back", async () => {
  const story = await startStory({ linked: ["ana"] });
  const words = "First Rackbell takes a snapshot of `web-2` (no charge; it restores the disk, not the plan)";
  await story.ask(story.ana, '/service upgrade web-2 to="VPS L" backup-first=yes', words, "then it upgrades it");
  expect(writes(story)).toEqual([]);
});

test("the form of every act with a backup before it has the choice in words", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const offering = registry.all.filter((one) => one.api !== "app" && one.backupFirst !== undefined);
  expect(offering.map(({ command }) => command)).toContain("vps reinstall");
  for (const { command, input } of offering) expect(Object.keys(input.shape), command).toContain("backup-first");
  await ana.type("/vps reinstall web-2");
  await story.modal(ana, "Back up first", "Yes, take a backup before the act");
  await ana.choose("modal", "choose:image", "Debian 13");
  await ana.fill({ "Back up first": true });
  await ana.submit();
  await story.sees(ana, "asks to", "First Rackbell captures `web-2`", "then it reinstalls it");
  expect(platform.calls().filter(({ method }) => method !== "GET")).toEqual([]);
});
