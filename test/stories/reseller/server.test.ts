import { expect, test } from "vitest";
import { createBackup } from "../../../src/platform/reseller/backups.ts";
import { elsewhere } from "../polled.ts";
import { newPublicKey } from "../public-keys.ts";
import { goAhead, type Message, type Story, said } from "../story.ts";
import { reviewOf } from "./ordering.ts";
import { resellerWrites, startResellerStory } from "./selling.ts";

const keys = "/reseller/services/{serviceId}/ssh-keys";
const add = (key: string, name: string) => `/reseller service sshkey add BOR-002 public="${key}" name=${name}`;

test.each([0, 1])(
  "SSH keys are added for the next reinstall, stored ones too, listed and taken off (%s)",
  async (payload) => {
    const story = await startResellerStory({ linked: ["ana"] });
    const { ana, platform } = story;
    platform.settings.shapes.payload = payload;
    await story.ask(ana, "/reseller service sshkeys BOR-002", "applies no SSH key");
    const done = await story.ask(ana, add(newPublicKey(), "laptop"), "is added to `metal-1.example.test`");
    expect(said(done)).toContain("The next reinstall applies the key. Until then, nothing changes on the server.");
    const ids = /[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}/;
    const [stored] = JSON.stringify(await story.ask(ana, "/sshkey list", "SSH key")).match(ids) ?? [];
    await story.ask(ana, `/reseller service sshkey add BOR-002 stored=${stored}`, "The SSH key is added");
    await story.ask(ana, "/reseller service sshkeys BOR-002", "applies 2 SSH keys", "laptop");
    const removal = await story.ask(ana, "/reseller service sshkey delete BOR-002 sshkey=laptop", "will not accept");
    const off = await story.pressing(ana, removal, goAhead, "is removed from");
    expect(said(off)).toContain("The present system still accepts the key");
    await story.ask(ana, "/reseller service sshkeys BOR-002", "applies 1 SSH key");
  },
);

test("an SSH key that is not given whole opens the form for the rest, and says below the field which is needed", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  for (const words of ["", "name=laptop", `public="${newPublicKey()}"`]) {
    await ana.type(`/reseller service sshkey add BOR-002 ${words}`);
    await story.modal(ana, "Stored key", "Public key", '"submit":{');
    expect(Object.values((await ana.submit()) ?? {})).toMatchObject([
      words.startsWith("public")
        ? { name: "A new key needs a name." }
        : { public: expect.stringContaining("Give a public key") },
    ]);
    await ana.closeModal();
  }
});

const wrongKeys = [
  ["stored=laptop", "this is no id"],
  [
    `public="${newPublicKey()}" name=a stored=7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11`,
    "a stored key or a public key, not both",
  ],
  ["stored=7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11", "It does not exist, or belongs to somebody else"],
] as const;

test("an SSH key that is wrong or somebody else's is refused in a sentence", async () => {
  const story = await startResellerStory();
  for (const [words, sentence] of wrongKeys)
    await story.ask(story.ana, `/reseller service sshkey add BOR-002 ${words}`, sentence);
});

test("a key that the server has already is reported as that", async () => {
  const story = await startResellerStory();
  const key = newPublicKey();
  await story.ask(story.ana, add(key, "laptop"), "The SSH key is added");
  await story.ask(story.ana, add(key, "again"), "already has this key", "Nothing changed");
});

test("a key whose answer got lost is found again by what it is, added or taken off, and neither is done twice", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "500", applied: true, method: "POST", path: keys });
  await story.ask(ana, add(newPublicKey(), "laptop"), "outcome is unknown");
  await story.comesToSee(ana, "It was done after all: the key is there");
  platform.faults.next({ how: "reset", applied: true, method: "DELETE" });
  const removal = await story.ask(ana, "/reseller service sshkey delete BOR-002 sshkey=laptop", "will not accept");
  await story.pressing(ana, removal, goAhead, "I am checking the outcome");
  await story.comesToSee(ana, "It was done after all: the key is gone");
  platform.faults.next({ how: "reset", method: "POST", path: keys });
  await story.ask(ana, add(newPublicKey(), "desk"), "outcome is unknown");
  await story.comesToSee(ana, "It was not done: there is no new key");
  expect(resellerWrites(story)).toHaveLength(3);
});

const run = "/reseller service run BOR-004 action=";

test("an action of a provider's asks first, is run once, and what they answer is shown", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  const page = await story.ask(ana, "/reseller service provider BOR-004", "The provider of", "rebuild-network");
  expect(said(page)).toContain("Run an action…");
  const words = `${run}rebuild-network params='mode=soft'`;
  const request = await story.ask(ana, words, "asks to", "Rackbell does not know its effect", "mode=soft");
  await story.pressing(ana, request, goAhead, "`rebuild-network` was sent for `plugin-1.example.test`");
  expect(resellerWrites(story)).toMatchObject([{ body: { params: { mode: "soft" } }, status: 200 }]);
});

const refusedActions = [
  ["wipe-host", "does not offer this action", "Nothing changed"],
  ["defragment", "Action not found", "Nothing changed"],
] as const;

test("an action that the provider does not know or allow is refused in the provider's words", async () => {
  const story = await startResellerStory();
  for (const [action, ...sentences] of refusedActions) {
    const request = await story.ask(story.ana, `${run}${action}`, "asks to", "may erase data or cost money");
    await story.pressing(story.ana, request, goAhead, ...sentences);
  }
});

test("plain power through the provider is done at once, after a word where it interrupts", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.ask(ana, `${run}start`, "`start` was sent for");
  await story.ask(ana, `${run}restart`, "is interrupted while it restarts");
  expect(resellerWrites(story)).toHaveLength(1);
});

/** Acts on a provider that is switched off, and the words for the member. */
const atProvider: [command: string, first: string][] = [
  ["/reseller service start BOR-004", ""],
  [`${run}start`, ""],
  ["/reseller service backup BOR-004 name=nightly", ""],
  [`${run}rebuild-network`, "asks to"],
];

test("a provider that is switched off is reported as that, whatever is sent there", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.plugin("acme-cloud").reachable = false;
  const words = [
    "A provider behind the platform refused, or is switched off",
    "acme-cloud is switched off",
    "Nothing changed",
  ];
  for (const [command, first] of atProvider) {
    platform.clearCalls();
    if (first === "") await story.ask(ana, command, ...words);
    else await story.pressing(ana, await story.ask(ana, command, first), goAhead, ...words);
    expect(resellerWrites(story), command).toMatchObject([{ status: 503 }]);
  }
});

const unlisted = "The list is also empty while its provider cannot be reached";

test("an unreachable provider's empty list of backups never reads as none, and never as one that is gone", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.plugin("acme-cloud").reachable = false;
  await story.ask(ana, "/reseller service backups BOR-004", "No backups of `plugin-1", unlisted);
  await story.ask(ana, "/reseller service backup delete BOR-004 backup=daily-1", unlisted, "Nothing was done");
  await story.ask(ana, "/reseller service restore BOR-004 backup=daily-1", unlisted, "Nothing was done");
});

const backupsPath = "/reseller/services/{serviceId}/backups";
const lostDelete = { how: "reset", method: "DELETE" } as const;

test.each([
  ["backup delete", lostDelete, "outcome is unknown", ["The outcome stays unknown", "No backups are listed now"]],
  ["backup delete", null, "Deleting", ["The provider accepted the deletion of `daily-1`", unlisted]],
  ["restore", null, "Restoring", ["The provider accepted the restore of `daily-1`"]],
] as const)("a provider that goes down during a %s leaves it in doubt (fault: %j)", async (act, fault, begun, end) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await story.ask(ana, `/reseller service ${act} BOR-004 backup=daily-1`, "asks to");
  if (fault) platform.faults.next(fault);
  await story.pressing(ana, request, goAhead, begun);
  platform.plugin("acme-cloud").reachable = false;
  await story.comesToSee(ana, ...end);
});

const noRows = { status: 200, body: { success: true, data: { backups: [] } } };

test.each([
  ["", "its list does not show the new one"],
  ["reset", "The provider's lists do not show a new backup"],
] as const)("an old backup is no new one because the list before it was empty (fault: %j)", async (how, end) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: noRows, method: "GET", path: backupsPath });
  if (how) platform.faults.next({ how, method: "POST" });
  await ana.type("/reseller service backup BOR-004");
  await story.comesToSee(ana, end);
});

test.each(["ACME-001", "BOR-004"])("a lost backup of %s without a name is not found in another's", async (service) => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "reset", method: "POST", path: backupsPath });
  await story.ask(ana, `/reseller service backup ${service}`, "outcome is unknown");
  const id = platform.find(service === "ACME-001" ? "web-2" : "plugin-1").id;
  await createBackup(elsewhere(story).reseller, id, { name: "theirs" });
  await story.comesToSee(ana, "There is a new backup, `theirs`, but another request may have made it");
});

test("a backup that a provider accepts while it goes down ends in doubt", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  await story.ask(ana, "/reseller service backup BOR-004 name=nightly", "Backing");
  platform.plugin("acme-cloud").reachable = false;
  await story.comesToSee(ana, "The provider accepted the backup. No backups are listed now", unlisted);
});

const capture = "/reseller service capture ACME-001 name=golden";
const captures = "/reseller/services/{serviceId}/capture";

async function captured(story: Story): Promise<Message> {
  const { ana, pressing } = story;
  await pressing(ana, await story.ask(ana, capture, "until somebody deletes the image"), goAhead, "Capturing");
  await story.comesToSee(ana, "`golden` is available");
  return story.ask(ana, "/reseller image delete golden", "asks to", "end its billing");
}

test("a capture is followed until the image is there with the size that is billed; a deletion whose answer got lost is looked up", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const request = await captured(story);
  await story.ask(ana, "/reseller image list", "golden", "billed");
  platform.faults.next({ how: "500", applied: true, method: "DELETE" });
  await story.pressing(ana, request, goAhead, "I am checking the outcome");
  await story.comesToSee(ana, "It was done after all: the image is gone");
  expect(resellerWrites(story).filter(({ method }) => method === "DELETE")).toHaveLength(1);
});

test.each([
  [true, "It was done after all: the image is being captured"],
  [false, "It was not done: there is no such image"],
])(
  "a capture whose answer got lost is looked up by what is new, and paid for once (done: %s)",
  async (applied, words) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    const review = await story.ask(ana, capture, "until somebody deletes the image");
    platform.faults.next({ how: "reset", applied, method: "POST", path: captures });
    await story.pressing(ana, review, goAhead, "I am checking the outcome");
    await story.comesToSee(ana, words);
    if (applied) await story.comesToSee(ana, "`golden` is available");
    expect(resellerWrites(story)).toHaveLength(1);
  },
);

test("a lost capture stays undecided while a new image shows no name", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  const review = await story.ask(ana, capture, "until somebody deletes the image");
  platform.faults.next({ how: "reset", method: "POST", path: captures });
  await ana.press(review, goAhead);
  await story.passes(() => resellerWrites(story).length === 1, "the capture is sent");
  const data = [{ id: "7b6f0d8e-4c35-4a8e-9f4e-0a4f4a3c9b11", status: "capturing" }];
  const how = { status: 200, body: { success: true, data } };
  platform.faults.next({ how, method: "GET", path: "/reseller/images", times: 1_000 });
  await story.comesToSee(ana, "there is a new image, but the platform does not show its name");
});

test("a lost backup is not taken for a colleague's backup of another name, which was made meanwhile", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "reset", method: "POST", path: backupsPath });
  await story.ask(ana, "/reseller service backup ACME-001 name=mine", "outcome is unknown");
  await createBackup(elsewhere(story).reseller, platform.find("web-2").id, { name: "theirs" });
  await story.comesToSee(ana, "It was not done: there is no such backup");
});

test("an image is deleted once it was asked, and billed no more", async () => {
  const story = await startResellerStory();
  await story.pressing(story.ana, await captured(story), goAhead, "is deleted and no longer billed");
  await story.ask(story.ana, "/reseller image delete golden", "golden");
});

test("an image that is still being captured is not deleted, and that is said", async () => {
  const story = await startResellerStory();
  const { ana } = story;
  await story.pressing(ana, await story.ask(ana, capture, "You pay for its full size"), goAhead, "Capturing");
  await story.ask(ana, "/reseller image delete golden", "is still being captured", "Nothing was deleted");
});

test("a capture that fails is reported as failed, and its image can be deleted", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.failedCaptures = "listed";
  platform.failJob("capture", platform.find("web-2").id);
  await story.pressing(ana, await story.ask(ana, capture, "You pay for its full size"), goAhead, "Capturing");
  const failed = await story.comesToSee(ana, "The capture `golden` failed, and the image cannot be used", "Delete it…");
  const request = await story.pressing(ana, failed, "Delete it…", "asks to", "end its billing");
  await story.pressing(ana, request, goAhead, "is deleted and no longer billed");
});

test("a lost capture that failed is found, and is not reported as an image to order from", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.settings.shapes.failedCaptures = "listed";
  const review = await story.ask(ana, capture, "until somebody deletes the image");
  platform.faults.next({ how: "reset", applied: true, method: "POST", path: captures });
  await ana.press(review, goAhead);
  await story.passes(() => resellerWrites(story).length === 1, "the capture is sent");
  platform.changeImage("golden", { status: "error" });
  await story.comesToSee(ana, "It was done after all: the image cannot be used");
  await story.comesToSee(ana, "The capture `golden` failed");
});

test.each(["error", "quarantined"])(
  "an image that reads “%s” is listed and can be deleted, and others are captured and ordered from as before",
  async (status) => {
    const story = await startResellerStory();
    const { ana, platform } = story;
    platform.settings.shapes.failedCaptures = "listed";
    const rewrite = (body: unknown) => JSON.parse(JSON.stringify(body).replace('"error"', JSON.stringify(status)));
    platform.faults.next({ how: { rewrite }, method: "GET", path: "/reseller/images", times: 1_000 });
    const list = said(await story.ask(ana, "/reseller image list", "broken-capture", "golden-web"));
    expect(list).toContain(status);
    expect(list).not.toContain("I leave out");
    await story.ask(ana, "/reseller image delete broken-capture", "asks to", "end its billing");
    const review = await reviewOf(story, ana, '"VPS S"', { details: { System: "golden-web" } });
    expect(said(review)).toContain("Your image `golden-web`");
    await captured(story);
  },
);

test.each([false, true])(
  "a capture with a key that is bound to a customer, and sees no images, is not called failed or undone (lost: %s)",
  async (isLost) => {
    const story = await startResellerStory();
    const { ben, platform } = story;
    await story.link(ben, platform.reseller.keys.bound.key);
    const review = await story.ask(ben, capture, "until somebody deletes the image");
    if (isLost) platform.faults.next({ how: "reset", applied: true, method: "POST", path: captures });
    await ben.press(review, goAhead);
    const ended = await story.comesToSee(ben, "may not see images");
    expect(said(ended)).not.toMatch(/failed|not done/);
  },
);
