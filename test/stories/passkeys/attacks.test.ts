import { expect, test } from "vitest";
import { passDays } from "../admins.ts";
import { fileStore, said, withControl, writes } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import {
  addressIn,
  confirm,
  counted,
  dead,
  keyOf,
  linkOf,
  makeWith,
  open,
  openRequest,
  protectedStory,
  register,
  send,
  signed,
  site,
  uncounted,
} from "./passkeys.ts";

test("an assertion for another request does not count, though it is the same member's for the same act", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const first = await openRequest(all.story);
  const other = await openRequest(all.story, "/vps cancel db-1");
  const answer = await signed(story, other.address, devices.caro);
  expect(await send(story, first.address, answer)).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
});

test("an assertion of another member does not count on a link, even one who may approve", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const bens = await register(story, story.ben);
  const { address } = await openRequest(all.story);
  for (const device of [bens, devices.ana])
    expect(await confirm(story, address, device)).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
});

test("an assertion for another decision about the same request does not count", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { card, address } = await openRequest(all.story);
  const { caro } = story;
  const copyFirst = { actionId: "request:passkey-copy" };
  await caro.press(await withControl(caro, card, copyFirst, story.slack.until), copyFirst);
  await story.modal(story.caro, "takes your passkey");
  const other = addressIn(caro.modal()?.blocks ?? []);
  expect(await send(story, address, await signed(story, other, devices.caro))).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
});

test.each([
  ["another origin", { ...site, origin: "https://rackbell.example.evil.test" }],
  ["another host name", { ...site, rpId: "evil.test" }],
  ["plain http", { ...site, origin: "http://rackbell.example" }],
])("an assertion for %s does not count", async (_, elsewhere) => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const { challenge = "" } = (await open(story, address)).options;
  const answer = { signed: devices.caro.sign({ ...elsewhere, challenge }) };
  expect(await send(story, address, answer)).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
});

test("an assertion without verification of the user, or with a counter that was set back, does not count", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  for (const how of [{ userVerified: false }, { counter: 1 }, { counter: 0 }])
    expect(await confirm(story, address, devices.caro, how)).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
});

test("an assertion counts once: replayed, or sent from two tabs at once, it decides nothing more", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  await story.ask(story.ana, "/rackbell policy add demand=peers risk=destroy passkey=yes", "In effect now");
  const { address } = await openRequest(all.story);
  const [first, second] = [await signed(story, address, devices.caro), await signed(story, address, devices.caro)];
  const answers = await Promise.all([first, first, second].map((answer) => send(story, address, answer)));
  expect(answers.filter(({ title }) => title === counted)).toHaveLength(1);
  expect(await send(story, address, first)).toMatchObject({ title: dead });
  expect((await open(story, address)).status).toBe(404);
  const log = said(await story.ask(story.ana, "/rackbell audit web-2 everyone=yes", "Everybody's audit entries"));
  expect(log.match(/\*approved in part\*/g)).toHaveLength(1);
});

test("after the facts changed, the assertion decides nothing: the request is cancelled", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const answer = await signed(story, address, devices.caro);
  story.platform.remove("web-2");
  const { text } = await send(story, address, answer);
  expect(text?.join(" ")).toMatch(/no longer exists|changed since|does not exist/);
  expect(writes(story)).toEqual([]);
});

test("after the rule changed, the assertion does not count", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const answer = await signed(story, address, devices.caro);
  await story.ask(story.ana, "/rackbell policy add demand=peers risk=destroy passkey=yes", "In effect now");
  await story.sees(story.ana, "Two others than");
  expect(await send(story, address, answer)).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
});

test("a link is worth nothing after five minutes, and an unknown one shows the same", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const answer = await signed(story, address, devices.caro);
  story.clock.skip(5 * 60_000);
  expect(await send(story, address, answer)).toMatchObject({ title: dead });
  const unknown = `${site.origin}/approve/${"x".repeat(43)}`;
  const [expired, none] = [await open(story, address), await open(story, unknown)];
  expect([expired.status, none.status, expired.html === none.html]).toEqual([404, 404, true]);
  expect(writes(story)).toEqual([]);
});

test("opening a link uses nothing up, however often scanners and previews do", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const pages = await Promise.all(Array.from({ length: 20 }, () => open(story, address)));
  expect(new Set(pages.map(({ options }) => options.challenge)).size).toBe(1);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
});

test("a page cannot be framed, runs no foreign script, and leaves neither its address nor its content behind", async () => {
  const all = await protectedStory();
  const { address } = await openRequest(all.story);
  const { headers } = await open(all.story, address);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("strict-transport-security")).toContain("max-age=");
});

test("over plain http, or from the page of another site, the app takes and shows nothing", async () => {
  const all = await protectedStory();
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const answer = await signed(story, address, devices.caro);
  const plain = { "x-forwarded-proto": "http" };
  expect((await open(story, address, plain)).status).toBe(403);
  expect((await send(story, address, answer, plain)).status).toBe(403);
  for (const headers of [
    { origin: "https://evil.test" },
    { origin: "null", "sec-fetch-site": "cross-site" },
    { origin: "https://evil.test", "sec-fetch-site": "same-origin" },
  ])
    expect((await send(story, address, answer, headers)).status).toBe(403);
  expect(writes(story)).toEqual([]);
});

test("a page that was loaded before a restart still counts after it, and not once passkeys are off", async () => {
  const all = await protectedStory({ environment: { STORE_URL: fileStore() } });
  const { story, devices } = all;
  const { address } = await openRequest(all.story);
  const other = await openRequest(all.story, "/vps cancel db-1");
  const answers = [await signed(story, address, devices.caro), await signed(story, other.address, devices.caro)];
  await story.restart();
  expect(await send(story, address, answers[0] ?? {})).toMatchObject({ title: counted });
  await story.restart({ PASSKEYS: "off" });
  const response = await fetch(`${story.app.url}${new URL(other.address).pathname}`, { method: "POST" });
  expect(response.status).toBe(404);
});

test("somebody with the Slack session and without the key of the platform makes no passkey", async () => {
  const { story } = await protectedStory();
  const { ben, platform } = story;
  const device = createAuthenticator();
  const address = await linkOf(story, ben, "/rackbell passkey");
  // Another key of the same account, other members' keys, and a guess: each is another key than the one that is linked.
  const wrong = [platform.keys.ana.key, platform.keys.caro.key, platform.keys.dave.key, `${keyOf(story, ben)}x`];
  for (const key of wrong) {
    const answer = await makeWith(story, address, { key }, device);
    expect(answer.text?.join(" ")).toMatch(/not the key that you linked\. (One try is|\d tries are) left/);
  }
  // A passkey without the proof, and the proof of another link.
  expect((await send(story, address, { made: device.make({ ...site, challenge: "" }) })).title).toBe("Make a passkey");
  expect(await makeWith(story, address, { key: platform.keys.ana.key }, device)).toMatchObject({ title: dead });
  expect(await makeWith(story, address, { key: keyOf(story, ben) }, device)).toMatchObject({ title: dead });
  await story.ask(ben, "/rackbell passkey list", "You have no passkey");
});

test("a key that was linked within a day proves no passkey: the thief of the session may have linked it", async () => {
  const { story } = await protectedStory();
  const { dave, platform } = story;
  await story.link(dave);
  await story.ask(dave, "/rackbell passkey", "less than 24 hours ago");
  await passDays(story, 1);
  const address = await linkOf(story, dave, "/rackbell passkey");
  const pause = createAuthenticator();
  // Linked anew while the page is open.
  await story.link(dave);
  expect(await makeWith(story, address, { key: platform.keys.dave.key }, pause)).toMatchObject({
    title: "This key proves no passkey yet",
  });
});

test("a revoked key proves no passkey", async () => {
  const { story } = await protectedStory();
  const { ben, platform } = story;
  const address = await linkOf(story, ben, "/rackbell passkey");
  platform.revoke(platform.keys.ben);
  const answer = await makeWith(story, address, { key: keyOf(story, ben) }, createAuthenticator());
  expect(answer).toMatchObject({ title: "Make a passkey", again: true });
  await story.ask(ben, "/rackbell passkey list", "You have no passkey");
});

test("a link for a passkey is worth nothing after ten minutes, and after the passkey was made", async () => {
  const { story } = await protectedStory();
  const { ben } = story;
  const device = createAuthenticator();
  const late = await linkOf(story, ben, "/rackbell passkey");
  story.clock.skip(10 * 60_000);
  expect(await makeWith(story, late, { key: keyOf(story, ben) }, device)).toMatchObject({ title: dead });
  const address = await linkOf(story, ben, "/rackbell passkey");
  const begun = await send(story, address, { key: keyOf(story, ben) });
  const made = device.make({ ...site, challenge: begun.make?.challenge ?? "" });
  expect(await send(story, address, { made, name: "phone" })).toMatchObject({ title: "Your passkey is ready" });
  expect(await send(story, address, { made, name: "again" })).toMatchObject({ title: dead });
});

test("a further passkey takes an existing one, whatever key is typed", async () => {
  const { story } = await protectedStory();
  const { caro } = story;
  const address = await linkOf(story, caro, "/rackbell passkey", "one of your passkeys first");
  const thief = createAuthenticator();
  expect(await makeWith(story, address, { key: keyOf(story, caro) }, thief)).toMatchObject({ again: true });
  const { proof } = (await open(story, address)).options;
  const forged = { signed: thief.sign({ ...site, challenge: proof?.challenge ?? "" }) };
  expect(await makeWith(story, address, forged, thief)).toMatchObject({ again: true });
  await story.ask(caro, "/rackbell passkey list", "1 passkey of yours");
});

test("a proof of minutes ago makes no passkey once another link made the first one, or the passkey of the proof was removed", async () => {
  const { story } = await protectedStory();
  const { ana, ben } = story;
  const [one, other, device, thief] = [
    await linkOf(story, ben, "/rackbell passkey"),
    await linkOf(story, ben, "/rackbell passkey"),
    createAuthenticator(),
    createAuthenticator(),
  ];
  const key = { key: keyOf(story, ben) };
  const begun = await send(story, other, key);
  expect(await makeWith(story, one, key, device)).toMatchObject({ title: "Your passkey is ready" });
  const late = thief.make({ ...site, challenge: begun.make?.challenge ?? "" });
  expect(await send(story, other, { made: late })).toMatchObject({ title: dead });
  const further = await linkOf(story, ben, "/rackbell passkey", "one of your passkeys first");
  const { proof } = (await open(story, further)).options;
  const proven = await send(story, further, {
    signed: device.sign({ ...site, challenge: proof?.challenge ?? "" }),
  });
  await confirm(story, await linkOf(story, ben, "/rackbell passkey remove phone"), device);
  const made = thief.make({ ...site, challenge: proven.make?.challenge ?? "" });
  expect(await send(story, further, { made })).toMatchObject({ title: dead });
  await story.ask(ben, "/rackbell passkey list", "You have no passkey");
  await story.ask(ana, "/rackbell audit verify", "is whole");
});
