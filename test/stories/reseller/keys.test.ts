import { randomBytes } from "node:crypto";
import { expect, test } from "vitest";
import { fileStore, goAhead, peer, said, startStory } from "../story.ts";
import { connect, resellerWrites, startResellerStory } from "./selling.ts";

test("a reseller key is linked with its scopes, which Rackbell finds out without changing anything", async () => {
  const story = await startStory();
  const { ana, dave, platform } = story;
  await story.link(ana, platform.reseller.keys.ana.key);
  const linked = said(await story.sees(ana, "Your reseller key", "is linked"));
  expect(
    platform.calls().filter(({ path }) => path !== "/reseller/openapi.json" && path.startsWith("/reseller/")),
  ).toHaveLength(8);
  for (const scope of ["read", "orders", "services", "destructive", "customers", "account"])
    expect(linked).toContain(`\`${scope}\``);
  expect(linked).not.toContain("It lacks");
  await story.link(dave, platform.reseller.keys.dave.key);
  await story.sees(dave, "It lacks `orders`, `services`, `destructive`, `customers` and `account`");
  expect(resellerWrites(story).filter(({ status }) => status !== null && status < 400)).toEqual([]);
});

test("a key that is bound to one customer is recognised, and says which", async () => {
  const story = await startStory();
  await story.link(story.ben, story.platform.reseller.keys.bound.key);
  await story.sees(story.ben, "bound to the customer `Acme Bakery`");
});

test("a reseller key without the scope to read is linked, and the answer names the missing scope", async () => {
  const story = await startStory();
  const key = story.platform.reseller.addKey({ scopes: ["orders"] });
  await story.link(story.ana, key.key);
  await story.sees(story.ana, "Scopes: `orders`", "It lacks `read`");
  await story.ask(story.ana, "/reseller customer list", "needs the scope `read`");
});

test("a reseller key that is revoked or expired is refused", async () => {
  const story = await startStory();
  const { ana, platform } = story;
  for (const which of ["revoked", "expired"] as const) {
    await ana.type("/rackbell link");
    await story.modal(ana, "API key");
    await ana.fill({ "API key": platform.reseller.keys[which].key });
    const fault = expect.stringMatching(/refuses this reseller key.*profile is not active.*Nothing was linked/);
    expect(await ana.submit(), which).toMatchObject({ errors: { key: fault } });
    await ana.closeModal();
  }
});

test("both keys are linked side by side: each command takes its own, and one can be unlinked alone", async () => {
  const story = await startStory({ linked: ["ana"] });
  const { ana, platform } = story;
  await story.ask(ana, "/reseller customer list", "not linked a reseller key yet");
  await story.link(ana, platform.reseller.keys.ana.key);
  await story.ask(ana, "/rackbell whoami", "You act as", "You manage resold services");
  platform.clearCalls();
  await story.ask(ana, "/service list", "services");
  await story.ask(ana, "/reseller service list", "resold services");
  expect(platform.calls().map(({ path }) => path)).toEqual(["/services", "/reseller/services"]);
  await story.ask(ana, "/rackbell unlink reseller force=yes", "reseller key", "is erased here");
  await story.ask(ana, "/reseller service list", "not linked a reseller key yet");
  await story.ask(ana, "/service list", "services");
});

test("a member with only a reseller key is no second person for peer approval; a member with both kinds is", async () => {
  const story = await startResellerStory({
    partners: ["ana", "ben", "caro"],
    linked: ["ana", "caro"],
    environment: peer,
  });
  const { ana, ben, caro } = story;
  const request = await story.ask(ana, "/reseller service terminate ACME-002", "asks to", "Somebody other than");
  await story.pressing(ben, request, goAhead, "Your only linked key is a reseller key");
  await story.pressing(caro, request, goAhead, "is terminated");
});

test("a suspended partner profile is named as a possible cause of the refusal, and the key is kept", async () => {
  const story = await startResellerStory();
  const { ana, platform } = story;
  platform.reseller.setProfile("suspended");
  await story.ask(ana, "/reseller service list", "no longer accepts your key", "profile is not active");
  platform.reseller.setProfile("active");
  await story.ask(ana, "/reseller service list", "resold services");
});

test("the secret that is set survives a new encryption key, and signs on", async () => {
  const story = await startResellerStory({ environment: { STORE_URL: fileStore() } });
  const former = story.environment.ENCRYPTION_KEY ?? "";
  const rotated = { ENCRYPTION_KEY: randomBytes(32).toString("base64"), ENCRYPTION_KEY_PREVIOUS: former };
  await story.restart(rotated);
  await story.ask(story.ana, "/reseller service suspend ACME-002 force=yes", "is suspended");
  await story.restart({ ENCRYPTION_KEY: rotated.ENCRYPTION_KEY });
  await story.ask(story.ana, "/reseller service unsuspend ACME-002", "no longer suspended");
});

test("before an admin has connected the account, a change opens no form and sends nothing", async () => {
  const story = await startResellerStory({ connected: false });
  const { ana, platform } = story;
  platform.clearCalls();
  await story.ask(
    ana,
    "/reseller service suspend ACME-002 force=yes",
    "not connected to the reseller account yet",
    "Nothing was sent",
  );
  expect(platform.calls()).toEqual([]);
  await story.ask(ana, "/rackbell status", "The reseller account is not connected");
  await connect(story, ana);
  await story.ask(ana, "/reseller service suspend ACME-002 force=yes", "is suspended", "still billed to you");
  await story.ask(ana, "/rackbell status", "The reseller account is connected");
});
