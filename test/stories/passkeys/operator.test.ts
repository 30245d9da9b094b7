import { expect, test } from "vitest";
import { fileStore, said } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import { keyOf, linkOf, makeWith, passkeyButton, protectedStory } from "./passkeys.ts";

test("PASSKEYS=off is an audit entry, is sent to every admin, and lets members remove their passkeys without one", async () => {
  const { story } = await protectedStory({ environment: { STORE_URL: fileStore() } });
  const { ana, caro } = story;
  await story.restart({ PASSKEYS: "off" });
  await story.seesIn("dm", caro, "switched passkeys off");
  await story.seesIn("dm", ana, "switched passkeys off");
  await story.ask(ana, "/rackbell audit everyone=yes", "passkeys off");
  const card = await story.ask(ana, "/vps cancel web-2", "Somebody other than");
  expect(said(card)).not.toContain("needs a passkey");
  await story.ask(caro, "/rackbell passkey remove phone", "Removed the passkey");
  await story.restart({ PASSKEYS: "on" });
  await story.seesIn("dm", caro, "Rules that ask for one ask again");
  await story.ask(caro, "/rackbell passkey list", "You have no passkey");
});

test("another host of PUBLIC_URL is said in the log, in /readyz and to the admins, and its passkeys count no more", async () => {
  const { story } = await protectedStory({ environment: { STORE_URL: fileStore() } });
  const { ana, caro } = story;
  const ready = async () => (await fetch(`${story.app.url}/readyz`)).text();
  expect(await ready()).not.toContain("public address changed");
  await story.restart({ PUBLIC_URL: "https://elsewhere.example" });
  await story.seesIn("dm", caro, "public address changed");
  expect(await ready()).toContain("public address changed");
  expect(story.log.join("")).toContain("Passkeys were made for another host");
  await story.ask(caro, "/rackbell passkey list", "made for another host");
  const card = await story.ask(ana, "/vps cancel web-2", "This needs a passkey");
  await caro.press(card, passkeyButton);
  await story.modal(caro, "you have none");
});

test("the audit log names how each passkey was proven, and no page leaves the typed key anywhere", async () => {
  const { story } = await protectedStory();
  const { ana, ben } = story;
  const address = await linkOf(story, ben, "/rackbell passkey");
  await makeWith(story, address, { key: keyOf(story, ben) }, createAuthenticator());
  await story.ask(ana, "/rackbell audit everyone=yes", "Added the passkey `phone`, proven by the linked key");
  await story.seesIn("dm", ana, `<@${ben.user.id}> made their first passkey`);
  expect(story.log.filter((line) => line.includes(address.split("/").at(-1) ?? ""))).toEqual([]);
});
