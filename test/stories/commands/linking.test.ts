import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { type Actor, fileStore, goAhead, type Story, said, startStory } from "../story.ts";

const hex = (bytes: number) => randomBytes(bytes).toString("hex");

/** The error at the field once the key is sent; the form stays open. */
async function tryKey(story: Story, actor: Actor, key: string, ...texts: string[]) {
  story.secrets.add(key);
  await actor.type("/rackbell link");
  await story.modal(actor, "API key");
  await actor.fill({ "API key": key });
  const submitted = await actor.submit();
  for (const text of texts) expect(submitted).toMatchObject({ errors: { key: expect.stringContaining(text) } });
  expect(actor.modal()).toBeDefined();
  await actor.closeModal();
}

test("a key that is not whole, revoked, expired or unknown is refused at its field, and nothing is linked", async () => {
  const story = await startStory();
  const { ana, ben, platform } = story;
  await tryKey(story, ana, `rsk_${hex(4)}_${hex(48)}`, "not a key of the platform", "Nothing was linked");
  const words = ["not a key of the platform", "If it is a password of yours"];
  await tryKey(story, ben, `correct-horse-${hex(8)}`, ...words);
  // These are not sent to the platform.
  expect(platform.calls().filter(({ path }) => path === "/")).toHaveLength(0);
  for (const name of ["revoked", "expired"] as const)
    await tryKey(story, ana, platform.keys[name].key, "revoked, has expired", "Nothing was linked");
  await tryKey(story, ana, `fbk_${hex(4)}_${hex(48)}`, "does not know this key", "Nothing was linked");
  await story.ask(ana, "/vps list", "You have not linked a key yet");
});

test("a platform that cannot be asked about a key links nothing, and its fault is shown whole below the field", async () => {
  const story = await startStory();
  const { ana, platform } = story;
  platform.faults.next({ how: "500", method: "GET", path: /./, times: 9 });
  await tryKey(story, ana, platform.keys.ana.key, "The platform had a fault of its own (500): ");
  platform.faults.resume();
  platform.faults.next({ how: "html", path: "/", times: 3 });
  await tryKey(story, ana, platform.keys.ana.key, "does not follow its contract");
  await story.ask(ana, "/rackbell whoami", "not linked a key yet");
});

test("a secret typed into a command is not used, and the answer warns the member of it", async () => {
  const story = await startStory();
  const { ana, platform, secrets } = story;
  for (const [kind, secret] of [
    ["customer key", `fbk_${hex(4)}_${hex(48)}`],
    ["reseller key", `rsk_${hex(4)}_${hex(48)}`],
    ["password", `password=${hex(9)}`],
  ] as const) {
    secrets.add(secret.replace("password=", ""));
    const answer = await story.ask(ana, `/rackbell link ${secret}`, "looks like a secret", "did not use it");
    expect(said(answer)).toContain(kind);
  }
  expect(platform.calls().filter(({ path }) => path === "/")).toHaveLength(0);
  await story.ask(ana, "/rackbell whoami", "not linked a key yet");
});

test("one key links to one member", async () => {
  const story = await startStory({ linked: ["ana"] });
  await tryKey(story, story.ben, story.platform.keys.ana.key, "linked by somebody else", "Nothing was linked");
  await story.ask(story.ana, "/vps list", "VPSes");
});

test("guests and members of other organisations can do nothing, not even read the help", async () => {
  const story = await startStory();
  await story.ask(story.gus, "/rackbell help", "Guests of this workspace cannot use Rackbell");
  await story.askIn("#shared-partner", story.zed, "/vps list", "Members of other organisations");
  // Refused before anybody pastes a key.
  await story.ask(story.gus, "/rackbell link", "Guests of this workspace");
  await story.gus.openHome();
  await story.slack.until(() => JSON.stringify(story.gus.home() ?? "").includes("Guests of this"), "Home to say so");
  expect(JSON.stringify(story.gus.home())).not.toContain("Link a key");
  expect(story.gus.modal()).toBeUndefined();
  await story.link(story.ana);
});

test("a key that was revoked is reported and not erased, and a new key replaces it", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.revoke(platform.keys.ana);
  await story.ask(ana, "/vps list", "no longer accepts your key");
  await ana.openHome();
  await story.slack.until(
    () => JSON.stringify(ana.home() ?? {}).includes("refused this key"),
    "the Home tab to say it",
  );
  await story.ask(ana, "/rackbell whoami", "no longer accepts your key", "Nothing was erased");
  const fresh = platform.addKey({ owner: "ana", label: "ana-2" });
  story.secrets.add(fresh.key);
  await story.link(ana, fresh.key);
  await story.ask(ana, "/vps list", "VPSes");
});

test("whoami says which scopes a key has lost; the first refusal notices it, and cards no longer offer acts that need the scope", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  platform.setScopes(platform.keys.ana, ["read", "services"]);
  await story.ask(ana, "/rackbell whoami", "It has lost", "`destructive`");
  platform.setScopes(platform.keys.ana, ["read"]);
  await story.ask(ana, "/vps reboot web-1 force=yes", "no longer has", "`services`");
  const card = await story.ask(ana, "/vps show web-1", "is running");
  expect(said(card)).not.toContain("Reboot");
});

test("unlinking erases the key, cancels open requests and ends the tracking, each with a message; a late press runs nothing", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  await story.ask(ana, "/vps reboot web-2 force=yes", "Rebooting");
  const question = await story.ask(ana, "/rackbell unlink", "cancels your open requests");
  await story.ask(ana, "/vps list", "VPSes");
  await story.pressing(ana, question, "Unlink a key", "is erased here.", "revoke it in the panel");
  await story.sees(ana, "was unlinked", "Nothing was done");
  await story.sees(ana, "can no longer track this");
  await story.ask(ana, "/vps list", "not linked a key yet");
  await story.pressing(ana, request, goAhead, "was unlinked", "Nothing was done");
  expect(platform.calls().filter(({ method }) => method === "DELETE")).toHaveLength(0);
});

test("a rejected key is a line of whoami, beside the other key", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.link(ana, platform.reseller.keys.ana.key);
  platform.revoke(platform.keys.ana);
  await story.ask(ana, "/rackbell whoami", "no longer accepts your key", "You manage resold services");
});

test("keys that were sealed with the previous encryption key are sealed with the new one at the next start", async () => {
  const story = await startStory({ linked: ["ana"], environment: { STORE_URL: fileStore() } });
  const former = story.environment.ENCRYPTION_KEY ?? "";
  const rotated = { ENCRYPTION_KEY: randomBytes(32).toString("base64"), ENCRYPTION_KEY_PREVIOUS: former };
  await story.restart(rotated);
  await expect.poll(() => story.log.join("")).toContain("All linked keys are sealed with the new ENCRYPTION_KEY");
  await story.restart({ ENCRYPTION_KEY: rotated.ENCRYPTION_KEY });
  await story.ask(story.ana, "/vps show web-1", "is running");
});

test("a key that is unlinked while an outcome is unknown is used to check that outcome, and for no command", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  const request = await story.ask(ana, "/vps cancel web-1", "asks to");
  platform.faults.next({ how: "reset", method: "DELETE", applied: true });
  await ana.press(request, goAhead);
  await story.sees(ana, "Do not ask again until");
  await story.ask(ana, "/rackbell unlink force=yes", "is erased here", "still checking the outcome");
  await story.ask(ana, "/vps list", "not linked a key yet");
  await story.comesToSee(ana, "It was done after all");
});

test("a key that the platform checks slowly closes the form, and its result follows as a message", async () => {
  const story = await startStory();
  const { ana, platform, clock } = story;
  const key = `fbk_${hex(4)}_${hex(48)}`;
  story.secrets.add(key);
  await ana.type("/rackbell link");
  await story.modal(ana, "API key");
  await ana.fill({ "API key": key });
  platform.faults.hang();
  const submitted = ana.submit();
  await expect.poll(() => platform.calls().length).toBeGreaterThan(0);
  clock.skip(2_100);
  expect(await submitted).not.toHaveProperty("errors");
  platform.faults.resume();
  await story.sees(ana, "Nothing was linked");
});

test("the form leads to the panel's page of keys, and cards to the machine's own, where their addresses are known", async () => {
  const story = await startStory({
    environment: {
      PANEL_KEYS_URL: "https://panel.example.com/keys",
      PANEL_SERVICE_URL: "https://panel.example.com/services/{id}",
    },
    linked: ["ana"],
  });
  const { ana, platform } = story;
  const card = await story.ask(ana, "/vps show web-1", "is running");
  await ana.press(card, "Details");
  await story.modal(ana, `https://panel.example.com/services/${platform.findVps("web-1").id}`);
  await ana.press("modal", "Open in panel");
  await ana.closeModal();
  expect(JSON.stringify((await story.ask(ana, "/billing balance", "250.00 EUR")).blocks)).not.toContain(
    "Open in panel",
  );
  await ana.type("/rackbell link");
  await story.modal(ana, "<https://panel.example.com/keys|Your API keys in the panel>");
  expect(ana.sees().some((message) => said(message).includes("older version"))).toBe(false);
});

test("an act that the account does not permit is neither offered nor requested until the account permits it", async () => {
  const story = await startStory();
  const { ben, platform, clock } = story;
  platform.changeUser("ben", { permissions: new Set(["services.view", "services.power", "invoices.view"]) });
  await story.link(ben);
  await story.sees(ben, "It can view and operate. The account does not permit you to order, pay or cancel.");
  const card = said(await story.ask(ben, "/vps show web-2", "is running"));
  expect(card).toContain("Reboot");
  expect(card).not.toContain("Cancel");
  await story.ask(
    ben,
    "/vps cancel web-2",
    "Your account does not permit you",
    "`services.cancel`",
    "Nothing was sent",
  );
  expect(ben.sees("#ops").some((message) => said(message).includes("asks to"))).toBe(false);
  platform.changeUser("ben", { permissions: new Set(["services.view", "services.cancel"]) });
  clock.skip(61_000);
  await story.ask(ben, "/vps cancel web-2", "asks to");
});

test("an act that the account no longer permits is refused before a request is posted", async () => {
  const story = await startStory({ linked: ["ben"] });
  const { ben, platform, clock } = story;
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  clock.skip(61_000);
  await story.ask(ben, "/vps cancel web-2", "Your account does not permit you", "Nothing was sent");
  expect(story.ana.sees().some((message) => said(message).includes("asks to"))).toBe(false);
});
