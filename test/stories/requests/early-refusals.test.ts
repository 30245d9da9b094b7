import { expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { connect } from "../reseller/selling.ts";
import { backOut, goAhead, said, startStory, writeRoutes, writes } from "../story.ts";

// A member reads of a certain refusal before they fill in a form, and before anybody gets a request.

test("a form that would be refused for certain says so in place of its fields", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.change("web-2", { os_installation_status: "in_progress" });
  const stopped = "is stopped, and a password can be set only while the VPS runs";
  for (const [command, words, field] of [
    ["/vps password worker-2", stopped, "New root password"],
    ["/service password worker-2", stopped, "New root password"],
    ["/vps reinstall frozen-1", "frozen", "Operating system"],
    ["/service upgrade web-2", "is being installed at the moment", null],
    ["/service options change web-2", "is being installed at the moment", null],
  ] as const) {
    await ana.type(command);
    await story.modal(ana, words);
    if (field) expect(JSON.stringify(ana.modal()), command).not.toContain(field);
    await ana.closeModal();
  }
  expect(writes(story)).toEqual([]);
});

test.each(["vps", "service"])(
  "/%s cancel of what ends already says when, and how to keep it; at once is another matter",
  async (noun) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana } = story;
    const answer = await story.ask(ana, `/${noun} cancel db-2`, "`db-2` ends", "already", "Nothing changed");
    expect(said(answer).split("\n")).toContain("Keep it");
    await story.ask(ana, `/${noun} cancel db-2 immediate=yes`, "asks to", "Cancel db-2 now");
    expect(writes(story)).toEqual([]);
  },
);

test.each(["unpaid", "pending"])(
  "a renewal beside a document that is %s leads to that one, and sends nothing",
  async (status) => {
    const story = await startStory({ linked: ["ana"] });
    const { ana, platform } = story;
    const request = await story.ask(ana, "/service renew db-1", "the next renewal");
    await story.pressing(ana, request, goAhead, "was issued");
    if (status === "pending") platform.payLater(platform.documents().at(-1)?.id ?? "");
    const answer = await story.ask(
      ana,
      "/service renew db-1",
      "An invoice for `db-1` is open already",
      "Nothing was sent",
    );
    expect(said(answer).split("\n")).toContain("Pay…");
    expect(writeRoutes(story)).toEqual(["POST /services/{id}/renew"]);
  },
);

test("a refusal that comes twice in the same words ends the request; one that passes leaves it open", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const conflict = { status: 409, body: { success: false, code: "CONFLICT", error: "The limit of images is reached" } };
  const request = await story.ask(ana, "/vps capture web-2 name=one", "billed per GB");
  platform.faults.next({ how: conflict, method: "POST", times: 2 });
  const reopened = await story.pressing(ana, request, goAhead, "The limit of images is reached", "Not now");
  const closed = await story.pressing(ana, reopened, goAhead, ":x:", "The limit of images is reached");
  expect(said(closed).split("\n")).not.toContain("Not now");
});

test("a snapshot that failed says the platform's reason, and what a member wrote stays a description", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const list = said(await story.ask(ana, "/vps snapshots web-1", "3 of 5"));
  expect(list).toContain("Before the move to Debian 13");
  expect(list).toMatch(/complete <!date/);
  platform.failJob("snapshot", platform.findVps("web-2").id);
  await story.ask(ana, "/vps snapshot web-2 name=late description=mine", "Taking the snapshot");
  const end = await story.passes(
    () =>
      ana
        .sees()
        .map(said)
        .find((text) => text.includes("The snapshot `late` failed")),
    "the failure",
  );
  expect(end).toContain("failed: The host could not take the snapshot.");
  expect(end).toContain("Description: `mine`");
});

test("a member can type a system's id, in the form and in the command, when a server's systems cannot be read", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const unreadable = { status: 200, body: { success: true, data: { images: [{ os: 7.5 }] } } };
  platform.faults.next({ how: unreadable, path: "/dedicated/{id}/os-images", times: 20 });
  await ana.type("/dedicated reinstall metal-1");
  await story.modal(ana, "could not be read: type what it is called there");
  await ana.fill({ "Operating system": "debian-13" });
  await ana.submit();
  await story.sees(ana, "asks to", "`debian-13`, which is unknown: the list cannot be read", "Erase metal-1");
  await story.ask(ana, "/dedicated reinstall metal-2 image=ubuntu-24", "asks to", "`ubuntu-24`");
});

test("the red button of a request names the act and the thing, and the other the way out", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana } = story;
  for (const [command, press, back] of [
    ["/vps cancel web-2", "Cancel web-2", "Keep web-2"],
    ["/vps cancel web-2 immediate=yes", "Cancel web-2 now", "Keep web-2"],
    ["/service cancel web-2", "Cancel web-2", "Keep web-2"],
    ["/vps revert web-1 snapshot=weekly-1", "Revert web-1", "Keep web-1 as it is"],
    ["/vps snapshot delete web-1 snapshot=weekly-1", "Delete snapshot weekly-1", "Keep weekly-1"],
    ["/service restore plugin-1 backup=daily-1", "Overwrite plugin-1", "Keep plugin-1 as it is"],
    ["/service run plugin-1 action=rebuild-network", "Run rebuild-network on plugin-1", "Leave it as it is"],
    ['/dedicated reinstall metal-1 image="Debian 13"', "Erase metal-1", "Keep metal-1"],
    ["/image delete golden-web", "Delete", "Keep golden-web"],
  ] as const) {
    const request = await story.ask(ana, command, "asks to");
    const labels = said(request).split("\n");
    expect(
      labels.find((label) => label.startsWith(press)),
      command,
    ).toBeDefined();
    expect(labels, command).toContain(back);
    const { confirm } = await ana.press(request, goAhead, { confirm: false });
    expect(confirm?.title, command).toContain(press);
    expect(confirm?.title, command).toMatch(/-/);
    expect(confirm?.deny, command).toBe(back.slice(0, 30));
    expect(confirm?.confirm, command).not.toMatch(/^(OK|Yes|Cancel)$/);
    await story.pressing(ana, request, backOut, "withdrawn");
  }
  expect(writes(story)).toEqual([]);
});

const own = operations.filter((operation) => operation.api === "app");

test("the summary of an act of admins says so, and no other summary does", () => {
  for (const { command, summary, admins } of own)
    expect([command, summary.startsWith("For admins: ")]).toEqual([command, admins === true || lastingSay(command)]);
});

/** An admin of the last 30 days still has a say in a change of the rules. */
function lastingSay(command: string): boolean {
  return command === "rackbell policy drop";
}

test("a member who is no admin reads so before a form or question of an admins' act opens, and is offered none", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben } = story;
  for (const { command } of own.filter(({ admins }) => admins === true)) {
    await story.ask(ben, `/${command}`, "Only an admin of this workspace can do this");
    expect([command, ben.modal()]).toEqual([command, undefined]);
  }
  for (const { command } of own.filter(({ admins }) => admins === "to change"))
    await story.ask(ben, `/${command}`, /has no default|No channel gets/);
  const adminsOnly = own.filter(({ admins }) => admins === true).map(({ command }) => command);
  await story.ask(ben, "/rackbell alerts", "No channel gets alerts");
  for (const command of adminsOnly) expect(JSON.stringify(ben.sees())).not.toContain(`invoke:${command}:`);
});

/** The values that only an admin gives to a command that everybody may use, each as it is typed. */
const adminsValues: Record<string, string> = {
  "rackbell alerts do": "/rackbell alerts look",
  "rackbell agents turn": "/rackbell agents off",
  "rackbell policy agree": "/rackbell policy agree change=1a2b3c4d",
  "rackbell policy export": "/rackbell policy export",
  "rackbell protect lift": "/rackbell unprotect web-1",
};

test("a member who is no admin is refused each value of a command that only an admin gives", async () => {
  const declared = own.flatMap(({ command, admins }) =>
    Array.isArray(admins) ? admins.map((name) => `${command} ${name}`) : [],
  );
  expect(Object.keys(adminsValues).sort()).toEqual(declared.sort());
  const story = await startStory({ linked: ["ben"], environment: { AGENTS: "on" } });
  for (const typed of Object.values(adminsValues))
    await story.ask(story.ben, typed, "Only an admin of this workspace can do this");
});

test("more of an add-on than the catalogue lets a service have is refused in the form, in the command and before any request", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.link(ana, platform.reseller.keys.ana.key);
  await connect(story, ana);
  platform.clearCalls();
  const set = "/reseller service options set ACME-002 options=";
  await story.ask(ana, `${set}"9 x Extra IPv4 address"`, "can be ordered at most 8 times", "Nothing was charged");
  await story.ask(ana, `${set}"Daily backup, Daily backup"`, "can be ordered only once", "Nothing was charged");
  const row = { id: platform.product("VPS L").options[0]?.id, name: "Daily backup", held: false, max_quantity: 3 };
  const available = { status: 200, body: { success: true, data: { options: [row] } } };
  platform.faults.next({ how: available, path: "/services/{id}/options/available", times: 10 });
  await story.ask(
    ana,
    '/service option add db-1 option="Daily backup" quantity=4',
    "at most 3 times",
    "Nothing changed",
  );
  await ana.type('/order new "VPS L"');
  await story.modal(ana, "How many", '"max_value":"9999"');
  const options = JSON.stringify(await ana.suggest("modal", "Options", ""));
  expect(options).toContain("10 × ");
  expect(options).not.toContain("11 × ");
  await ana.closeModal();
  await ana.type('/reseller order new "VPS S"');
  await story.modal(ana, "How many", '"max_value":"100"');
  const addOns = JSON.stringify(await ana.suggest("modal", "Add-ons", ""));
  expect(addOns).toContain("8 × Extra IPv4");
  expect(addOns).not.toContain("9 × Extra IPv4");
  expect(addOns).not.toContain("2 × Daily backup");
  expect(writes(story)).toEqual([]);
});
