import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Actor, fileStore, goAhead, type Story, said, tell } from "./story.ts";

const hex = (bytes: number) => randomBytes(bytes).toString("hex");

async function tryKey(story: Story, actor: Actor, key: string, ...texts: string[]) {
  story.secrets.add(key);
  await actor.type("/rackbell link");
  await story.modal(actor, "API key");
  await actor.fill({ "API key": key });
  await actor.submit();
  return story.sees(actor, ...texts);
}

test("a key that the platform does not know is refused, and nothing is linked", async () => {
  const story = await tell();
  const { ana } = story;
  await tryKey(story, ana, `fbk_${hex(4)}_${hex(48)}`, "does not know this key", "Nothing was linked");
  await story.ask(ana, "/vps list", "You have not linked a key yet");
});

test.each(["revoked", "expired"] as const)("a key that is %s is refused", async (which) => {
  const story = await tell();
  await tryKey(story, story.ana, story.platform.keys[which].key, "revoked, has expired", "Nothing was linked");
});

test("a reseller key that is not whole, and what is no key at all, are not sent anywhere", async () => {
  const story = await tell();
  await tryKey(story, story.ana, `rsk_${hex(4)}_${hex(48)}`, "not a key of the platform", "Nothing was linked");
  await tryKey(
    story,
    story.ben,
    `correct-horse-${hex(8)}`,
    "not a key of the platform",
    "If it is a password of yours",
  );
  expect(story.platform.calls().filter(({ path }) => path === "/")).toHaveLength(0);
});

test.each([
  ["customer key", () => `fbk_${hex(4)}_${hex(48)}`],
  ["reseller key", () => `rsk_${hex(4)}_${hex(48)}`],
  ["password", () => `password=${hex(9)}`],
])("a %s typed into a command is not used, and the member is told to change it", async (kind, make) => {
  const story = await tell();
  const secret = make();
  story.secrets.add(secret.replace("password=", ""));
  const answer = await story.ask(story.ana, `/rackbell link ${secret}`, "looks like a secret", "did not use it");
  expect(said(answer)).toContain(kind);
  expect(story.platform.calls().filter(({ path }) => path === "/")).toHaveLength(0);
  await story.ask(story.ana, "/rackbell whoami", "not linked a key yet");
});

test("one key links to one member", async () => {
  const story = await tell({ linked: ["ana"] });
  await tryKey(story, story.ben, story.platform.keys.ana.key, "linked by somebody else", "Nothing was linked");
  await story.ask(story.ana, "/vps list", "VPSes*");
});

test("guests and members of other organisations can do nothing, not even read the help", async () => {
  const story = await tell();
  await story.ask(story.gus, "/rackbell help", "Guests of this workspace cannot use Rackbell");
  await story.askIn("#shared-partner", story.zed, "/vps list", "Members of other organisations");
  await tryKey(story, story.gus, story.platform.keys.ana.key, "Guests of this workspace");
  await story.link(story.ana);
});

test("the read-only member is refused early, with the scope named, and is offered no button that would be refused", async () => {
  const story = await tell({ linked: ["dave"] });
  const { dave, platform } = story;
  const card = await story.ask(dave, "/vps show web-1", "is running");
  expect(said(card)).not.toContain("Reboot");
  platform.clearCalls();
  await story.ask(dave, "/vps reboot web-1 force=yes", "needs the scope `services`", "Nothing was sent");
  expect(platform.calls()).toHaveLength(0);
  const help = await story.ask(dave, "/vps help", "more with the scope");
  expect(said(help)).not.toContain("/vps reinstall");
});

test("a key that was revoked is noticed, said and not erased; a new one takes over", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.revoke(platform.keys.ana);
  await story.ask(ana, "/vps list", "no longer accepts your key", "Nothing changed");
  await ana.openHome();
  await story.slack.until(
    () => JSON.stringify(ana.home() ?? {}).includes("refused this key"),
    "the Home tab to say it",
  );
  await story.ask(ana, "/rackbell whoami", "no longer accepts your key", "Nothing was erased");
  const fresh = platform.addKey({ owner: "ana", label: "ana-2" });
  story.secrets.add(fresh.key);
  await story.link(ana, fresh.key);
  await story.ask(ana, "/vps list", "VPSes*");
});

test("a key that has lost a scope is noticed at the first refusal, and what is offered follows", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.setScopes(platform.keys.ana, ["read"]);
  await story.ask(ana, "/vps reboot web-1 force=yes", "no longer has", "`services`");
  const card = await story.ask(ana, "/vps show web-1", "is running");
  expect(said(card)).not.toContain("Reboot");
});

test("whoami says which scopes came and went since", async () => {
  const story = await tell({ linked: ["ana"] });
  story.platform.setScopes(story.platform.keys.ana, ["read", "services"]);
  await story.ask(story.ana, "/rackbell whoami", "It has lost", "`destructive`");
});

test("unlinking erases the key, voids what waits and ends what is followed with a word", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana } = story;
  await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/vps reboot web-2 force=yes", "Rebooting");
  await story.ask(ana, "/rackbell unlink force=yes", "is erased here", "revoke it in the panel");
  await story.sees(ana, "was unlinked", "Nothing was done");
  await story.sees(ana, "can no longer follow this");
  await story.ask(ana, "/vps list", "not linked a key yet");
});

test("linking another key voids what was asked with the one before", async () => {
  const story = await tell({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  const fresh = platform.addKey({ owner: "ana", label: "ana-2" });
  story.secrets.add(fresh.key);
  await story.link(ana, fresh.key);
  await story.sees(ana, "was replaced", "Nothing was done");
  await story.pressing(ana, request, goAhead, "was replaced");
  expect(platform.calls().filter(({ method }) => method === "DELETE")).toHaveLength(0);
});

test("a deactivated member's key is erased and their requests are void", async () => {
  const story = await tell({ linked: ["ana", "ben"] });
  const { ana, ben, slack, platform } = story;
  const request = await story.ask(ben, "/vps cancel web-1", "asks to");
  slack.deactivate("ben");
  await story.sees(ana, "was deactivated", "Nothing was done");
  // The key is free again: nothing of it is kept.
  await story.link(ana, platform.keys.ben.key);
  await story.pressing(ana, request, goAhead, "was deactivated");
});

test("a platform that cannot be asked about a key links nothing", async () => {
  const story = await tell();
  story.platform.faults.next({ how: "html", path: "/", times: 3 });
  await tryKey(story, story.ana, story.platform.keys.ana.key, "contract does not allow", "nothing changed");
  await story.ask(story.ana, "/rackbell whoami", "not linked a key yet");
});

test("keys sealed with the previous encryption key are opened and sealed anew", async () => {
  const story = await tell({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const former = story.environment.ENCRYPTION_KEY ?? "";
  const rotated = { ENCRYPTION_KEY: randomBytes(32).toString("base64"), ENCRYPTION_KEY_PREVIOUS: former };
  await story.restart(rotated);
  await story.ask(story.ana, "/vps list", "VPSes*");
  await story.restart({ ENCRYPTION_KEY: rotated.ENCRYPTION_KEY });
  await story.ask(story.ana, "/vps show web-1", "is running");
});
