import { randomUUID } from "node:crypto";
import { expect, test } from "vitest";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { registry } from "../../../src/operations/index.ts";
import { answerWith, showNothingNew } from "../nothing-new.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const password = "correct horse battery";

/** Opens the form of a command, fills it in, and gives the request that it makes. */
async function openRequest(story: Story, command: string, given: Record<string, string> = {}): Promise<Message> {
  const { ana } = story;
  await ana.type(command);
  await story.modal(ana, '"submit":{');
  await ana.fill(given);
  await ana.submit();
  return story.sees(ana, "asks to");
}

test("a VPS is reinstalled after asking, which names the loss and whose it is, and is followed to its end", async () => {
  const story = await startResellerStory();
  story.platform.settings.shapes.payload = 0;
  story.secrets.add(password);
  const request = await openRequest(story, "/reseller service reinstall ACME-001", {
    System: "Debian 13",
    "New root password": password,
  });
  expect(said(request)).toContain("sold to `acme-bakery`");
  expect(said(request)).toContain("This cannot be undone");
  await story.pressing(story.ana, request, goAhead, "Reinstalling `web-2.example.test`");
  await story.comesToSee(story.ana, "is reinstalled");
});

/** From now on the platform shows this state of the installation of a service, whatever happens to it. */
function keepInstallation({ platform }: Story, kind: "vps" | "dedicated", name: string, state: string | null): void {
  const data = {
    kind,
    serviceId: platform.find(name).id,
    service: { hostname: `${name}.example.test`, status: "active" },
    features: {},
    [kind]: { os_installation: state },
  };
  const how = { status: 200, body: { success: true, data } };
  platform.faults.next({ how, method: "GET", path: "/reseller/services/{serviceId}/document", times: 500 });
}

/** The acts that install, and how long the platform may leave an installation unshown, in minutes. */
const installing = [
  ["reinstall ACME-001", "vps", "web-2", 2],
  ["reinstall BOR-002", "dedicated", "metal-1", 30],
  ["password BOR-002", "dedicated", "metal-1", 30],
] as const;
const leftOver = ["completed", "failed", "deployed", null];

test.each(installing.flatMap((act) => leftOver.map((state) => [...act, state] as const)))(
  "/reseller service %s: what the %s %s still shows of an earlier installation ends nothing for %i min, and then leaves it in doubt: %s",
  async (words, kind, name, minutes, state) => {
    const story = await startResellerStory();
    const { ana, clock } = story;
    const given = words === "reinstall BOR-002" || kind === "vps" ? { System: "Debian 13" } : {};
    const request = await openRequest(story, `/reseller service ${words}`, given);
    keepInstallation(story, kind, name, state);
    await story.pressing(ana, request, goAhead, `Reinstalling \`${name}.example.test\``);
    const began = clock.now();
    const ended = await story.comesToSee(ana, "shows no new installation", "Check its system before you try again");
    expect(clock.now() - began).toBeGreaterThan(minutes * 60_000);
    expect(said(ended)).toContain(":grey_question:");
    expect(ana.sees().map(said).join()).not.toMatch(/is reinstalled|is lost|It took/);
  },
);

test.each([0, 1])("a dedicated server makes a password of its own, which is shown once (%s)", async (payload) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.payload = payload;
  const request = await story.ask(ana, '/reseller service reinstall BOR-002 system="Debian 13"', "asks to");
  expect(said(request)).toContain("The server makes its own root password");
  expect(said(request)).not.toContain("(secret)");
  await story.pressing(ana, request, goAhead, "The server made its own root password");
  const offer = await story.seesIn("dm", ana, "only you can open it");
  await ana.press(offer, "Reveal");
  await story.modal(ana, "Root password of metal-1.example.test");
  await story.comesToSee(ana, "is reinstalled");
});

test("a new password of a dedicated server is asked as the erasure that it is", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const request = await openRequest(story, "/reseller service password BOR-002");
  expect(said(request)).toContain("erase all data on its disks");
  await story.pressing(
    ana,
    request,
    goAhead,
    "Reinstalling `metal-1.example.test`",
    "It is in the requester's direct messages with me",
  );
});

test.each(["", password])("a dedicated server that is chosen in the form is sent no password (%j)", async (typed) => {
  const story = await startResellerStory();
  const { ana } = story;
  if (typed !== "") story.secrets.add(typed);
  await ana.type("/reseller service password");
  await story.modal(ana, "New root password");
  await ana.choose("modal", "target", "metal-1.example.test");
  await ana.fill({ "New root password": typed });
  await ana.submit();
  const request = await story.sees(ana, "The server makes the new one. The requester alone gets it, once.");
  await story.pressing(ana, request, goAhead, "The server made its own root password");
  const [sent] = resellerWrites(story);
  expect(sent?.body ?? {}).not.toHaveProperty("password");
  await ana.press(await story.seesIn("dm", ana, "only you can open it"), "Reveal");
  await story.modal(ana, "Root password of metal-1.example.test");
  expect(JSON.stringify(ana.modal())).not.toContain("New root password");
});

test("in both wings every password can be left empty, and is generated then", () => {
  const named = registry.all.flatMap(({ command, input }) =>
    fieldsOf(input)
      .filter(({ name, label }) => /passw/i.test(`${name} ${label}`))
      .map(({ kind }) => [command, kind]),
  );
  expect(named.length).toBeGreaterThan(5);
  for (const [command, kind] of named) expect([command, kind]).toEqual([command, "password"]);
});

test("a VPS's password is replaced without its disk being touched, and what was typed stands nowhere", async () => {
  const story = await startResellerStory();
  story.secrets.add(password);
  const request = await openRequest(story, "/reseller service password ACME-001", { "New root password": password });
  expect(said(request)).toContain("will set a new root password");
  await story.pressing(story.ana, request, goAhead, "accepted the new password");
});

test("a provider's service is reinstalled by its own name of a system", async () => {
  const story = await startResellerStory();
  story.secrets.add(password);
  const request = await openRequest(story, "/reseller service reinstall BOR-004", {
    System: "ubuntu-26.04-docker",
    "New root password": password,
  });
  await story.pressing(story.ana, request, goAhead, "Reinstalling");
  expect(resellerWrites(story)).toMatchObject([{ path: expect.stringContaining("/reinstall"), status: 200 }]);
});

const refusedForms = [
  ["reinstall suspended-1", "is suspended"],
  ["reinstall gone-1", "is terminated"],
  ["reinstall arena-1", "No reachable platform runs"],
  ["reinstall no-power", "switched off"],
  ["password suspended-1", "is suspended"],
] as const;

test("a reinstall or a password that a service does not take is refused in the form, before anything is asked for", async () => {
  const story = await startResellerStory();
  for (const [words, sentence] of refusedForms) {
    await story.ana.type(`/reseller service ${words}.example.test`);
    await story.modal(story.ana, sentence);
    await story.ana.closeModal();
  }
  expect(resellerWrites(story)).toEqual([]);
});

const refusedBackups = [
  ["backup metal-1", "switched off, or this kind of service has none"],
  ["backup suspended-1", "is suspended"],
  ["backups gone-1", "The platform said no"],
] as const;

test("a backup that a service does not take is refused before anybody is asked", async () => {
  const story = await startResellerStory();
  for (const [words, sentence] of refusedBackups)
    await story.ask(story.ana, `/reseller service ${words}.example.test`, sentence);
  expect(resellerWrites(story)).toEqual([]);
});

test.each([
  ["reinstall ACME-001", "web-2", "Reinstalling `web-2.example.test`", { System: "Debian 13" }],
  ["password ACME-001", "web-2", "accepted the new password of `web-2.example.test`"],
  ["reinstall BOR-004", "plugin-1", "Reinstalling", { System: "ubuntu-26.04-docker" }],
  ["password BOR-004", "plugin-1", "accepted the new password"],
])(
  "an empty password is generated, sent, and shown once to the requester: %s",
  async (words, name, text, given?: Record<string, string>) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    const request = await openRequest(story, `/reseller service ${words}`, given ?? {});
    await story.pressing(ana, request, goAhead, text);
    await ana.press(await story.seesIn("dm", ana, "only you can open it"), "Reveal");
    await story.modal(ana, "New root password");
    const [, shown = ""] = /```(.+?)```/.exec(JSON.stringify(ana.modal())) ?? [];
    expect(shown).toMatch(/^[a-zA-Z2-9]{20}$/);
    expect(platform.passwordOf(name)).toBe(shown);
  },
);

test("a snapshot of a VPS is taken, listed with what it would destroy, restored after asking, and deleted", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service backup ACME-001 name=before-move", "Backing up `web-2.example.test`");
  await story.comesToSee(ana, "`before-move` is taken");
  const list = said(await story.ask(ana, "/reseller service backups ACME-001", "snapshots"));
  expect(list).toContain("Restoring it destroys `before-move`");
  const request = await story.ask(
    ana,
    "/reseller service restore ACME-001 backup=clean",
    "asks to",
    "`before-move` will be destroyed as well",
  );
  await story.pressing(ana, request, goAhead, "Restoring");
  await story.comesToSee(ana, "The disk is as it was in `clean`");
  const removal = await story.ask(
    ana,
    "/reseller service backup delete ACME-001 backup=clean",
    "asks to",
    "erase the backup",
  );
  await story.pressing(ana, removal, goAhead, "Deleting");
  await story.comesToSee(ana, "The backup `clean` is deleted");
});

test.each([
  ["restore", "Restoring", "the restore of `clean`", "The disk is as it was|could not"],
  ["backup delete", "Deleting", "the deletion of `clean`", "is deleted|could not be deleted"],
])(
  "the %s of a snapshot that the platform never shows to run is in doubt, and is called neither done nor failed",
  async (verb, doing, job, end) => {
    const story = await startResellerStory();
    const { ana } = story;
    showNothingNew(story, "/reseller/services/{serviceId}/backups");
    answerWith(story, "/reseller/services/{serviceId}/backups/{backupId}/restore", {});
    const request = await story.ask(ana, `/reseller service ${verb} ACME-001 backup=clean`, "asks to");
    await story.pressing(ana, request, goAhead, doing);
    await story.comesToSee(ana, ":grey_question:", `accepted ${job}, and does not show whether it ran`);
    expect(ana.sees().map(said).join()).not.toMatch(new RegExp(end));
  },
);

test("a restore that ends before the first look at it is done, where the platform's answer shows it running", async () => {
  const story = await startResellerStory({ pace: 60 });
  const { ana } = story;
  const request = await story.ask(ana, "/reseller service restore ACME-001 backup=clean", "asks to");
  await story.pressing(ana, request, goAhead, "Restoring");
  await story.comesToSee(ana, "The disk is as it was in `clean`");
});

test("a provider's backup is made and restored as far as they answer", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, "/reseller service backup BOR-004 name=nightly", "Backing");
  await story.comesToSee(ana, "`nightly` is in the provider's list");
  story.clock.skip(10 * 60_000);
  const request = await story.ask(
    ana,
    "/reseller service restore BOR-004 backup=nightly",
    "asks to",
    "since that backup will be lost",
  );
  await story.pressing(ana, request, goAhead, "Restoring");
  await story.comesToSee(ana, "does not show when it has ended");
});

test("a snapshot that somebody else takes while the answer is lost is not the member's backup", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const path = "/reseller/services/{serviceId}/backups";
  platform.faults.next({ how: "500", applied: false, method: "POST", path });
  await story.ask(ana, "/reseller service backup ACME-001 name=before-move", "outcome is unknown");
  const [, service = ""] = /services\/([^/]+)\/backups/.exec(resellerWrites(story)[0]?.path ?? "") ?? [];
  const { snapshots } = platform.findVps(service);
  const theirs = snapshots.map((one) => ({ ...one, id: randomUUID(), name: "theirs" }));
  platform.change(service, { snapshots: [...snapshots, ...theirs] });
  await story.comesToSee(ana, "It was not done: there is no such backup");
});

test("no form asks for a password that may be left out when all else is typed: Rackbell makes it, for its requester alone", async () => {
  const story = await startResellerStory();
  const { ana, ben } = story;
  await story.link(ana);
  for (const typed of [
    '/reseller service reinstall ACME-001 system="Debian 13"',
    '/vps reinstall web-1 image="Debian 13"',
    '/service reinstall db-1 image="Debian 13"',
  ]) {
    await ana.type(typed);
    const request = await story.comesToSee(ana, "asks to", "generated by Rackbell");
    expect(ana.modal(), typed).toBeUndefined();
    await story.pressing(ana, request, goAhead, "Reinstalling");
  }
  const offer = await story.seesIn("dm", ana, "only you can open it");
  await ana.press(offer, "Reveal");
  await story.modal(ana, /[Rr]oot password/);
  expect(ben.sees().map(said).join()).not.toContain("only you can open it");
});
