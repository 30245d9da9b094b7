import { expect, test } from "vitest";
import { checkExported } from "../../../src/audit/exported.ts";
import { fileStore, said } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import { confirm, keyOf, linkOf, makeWith, passkeyButton, pressForLink, protectedStory } from "./passkeys.ts";

test("PASSKEYS=off is an audit entry, is sent to every admin, and lets members remove their passkeys without one", async () => {
  const { story } = await protectedStory({ environment: { STORE_URL: fileStore() } });
  const { ana, caro } = story;
  await story.restart({ PASSKEYS: "off" });
  await story.seesIn("dm", caro, "switched passkeys off");
  await story.seesIn("dm", ana, "switched passkeys off");
  await story.ask(ana, "/rackbell audit everyone=yes", "passkeys off");
  const card = await story.ask(ana, "/vps cancel web-2", "Somebody other than");
  expect(said(card)).not.toContain("takes a passkey");
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
  const card = await story.ask(ana, "/vps cancel web-2", "This takes a passkey");
  await caro.press(card, passkeyButton);
  await story.modal(caro, "you have none");
});

test("the exported file alone proves who approved; a swapped signature, a key of no entry and a removed key are found", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  for (const name of ["web-2", "db-1"]) {
    const card = await story.ask(ana, `/vps cancel ${name}`, "This takes a passkey");
    await confirm(story, await pressForLink(story, caro, card), devices.caro);
    await story.sees(ana, ":white_check_mark:", `\`${name}\` ends`);
  }
  await ana.type("/rackbell audit everyone=yes export=yes format=json");
  const file = await story.slack.until(
    () => story.slack.state().files.find(({ content }) => content.length > 0),
    "the export",
  );
  const text = Buffer.from(file.content).toString();
  expect(await checkExported(text)).toMatchObject({ fault: null, proven: 2 });
  const lines = text.trim().split("\n");
  const entries = lines.map((line) => JSON.parse(line));
  const [first, second] = entries.flatMap((entry, at) => (entry.what === "approved" ? [at] : []));
  const assertionOf = (at: number | undefined) => entries[at ?? 0].assertion;
  const changed = (at: number | undefined, change: object) =>
    entries.map((entry, line) => JSON.stringify(line === at ? { ...entry, ...change } : entry)).join("\n");
  const faultOf = async (file: string) => (await checkExported(file)).fault?.why ?? null;
  expect(await faultOf(changed(first, { assertion: assertionOf(second) }))).toBe("another's");
  const { signature } = assertionOf(second);
  expect(await faultOf(changed(first, { assertion: { ...assertionOf(first), signature } }))).toBe("not signed");
  expect(await faultOf(changed(first, { assertion: { ...assertionOf(first), text: "x" } }))).toBe("not signed");
  expect(await faultOf(lines.slice(second).join("\n"))).toBe("not registered");
  const removal = {
    what: "passkey removed",
    passkeys: [{ ...entries.find(isCaros(caro)).passkeys[0], is: "removed" }],
  };
  const removed = JSON.stringify({ ...entries[0], assertion: undefined, ...removal });
  expect(await faultOf([...lines.slice(0, first), removed, ...lines.slice(first)].join("\n"))).toBe("not registered");
  const thief = { ...entries.find(isCaros(caro)), assertion: undefined };
  const [own] = thief.passkeys;
  const planted = JSON.stringify({ ...thief, passkeys: [{ ...own, credential: createAuthenticator().id }] });
  expect(await faultOf([...lines.slice(0, first), planted, ...lines.slice(first)].join("\n"))).toBe("not proven");
  expect(await faultOf(`${text}{}`)).toBe("not an entry");
});

function isCaros({ user }: { user: { id: string } }) {
  return (entry: { what: string; slackUser: string }) => entry.what === "passkey added" && entry.slackUser === user.id;
}

test("the audit log names how each passkey was proven, and no page leaves the typed key anywhere", async () => {
  const { story } = await protectedStory();
  const { ana, ben } = story;
  const address = await linkOf(story, ben, "/rackbell passkey");
  await makeWith(story, address, { key: keyOf(story, ben) }, createAuthenticator());
  await story.ask(ana, "/rackbell audit everyone=yes", "Added the passkey `phone`, proven by the linked key");
  await story.seesIn("dm", ana, `<@${ben.user.id}> made their first passkey`);
  expect(story.log.filter((line) => line.includes(address.split("/").at(-1) ?? ""))).toEqual([]);
});
