import { expect, test } from "vitest";
import { passADay } from "../admins.ts";
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
  pressForLink,
  protectedStory,
  register,
  send,
  signed,
  signFor,
  site,
  uncounted,
} from "./passkeys.ts";

test("an assertion counts for its own request, member, decision and site alone, from a device that verified its user", async () => {
  const { story, devices } = await protectedStory();
  const { ben, caro } = story;
  const bens = await register(story, ben);
  const { card, address } = await openRequest(story);
  const { address: otherRequest } = await openRequest(story, "/vps cancel db-1");
  const copyFirst = { actionId: "request:passkey-copy" };
  await caro.press(await withControl(caro, card, copyFirst, story.slack.until), copyFirst);
  await story.modal(caro, "asks for your passkey");
  const otherDecision = addressIn(caro.modal()?.blocks ?? []);
  const { challenge = "" } = (await open(story, address)).options;
  const at = (elsewhere: object) => ({ signed: devices.caro.sign({ ...site, ...elsewhere, challenge }) });
  const foreign = {
    "another request": await signed(story, otherRequest, devices.caro),
    "another decision": await signed(story, otherDecision, devices.caro),
    "a member who may approve": await signed(story, address, bens),
    "the requester": await signed(story, address, devices.ana),
    "another origin": at({ origin: "https://rackbell.example.evil.test" }),
    "another host name": at({ rpId: "evil.test" }),
    "plain http": at({ origin: "http://rackbell.example" }),
    "no verification": await signed(story, address, devices.caro, { userVerified: false }),
    "a counter set back": await signed(story, address, devices.caro, { counter: 1 }),
    "no counter": await signed(story, address, devices.caro, { counter: 0 }),
  };
  for (const [name, answer] of Object.entries(foreign))
    expect.soft(await send(story, address, answer), name).toMatchObject({ title: uncounted });
  expect(writes(story)).toEqual([]);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
});

test("an assertion counts once: replayed, or sent from two tabs at once, it decides nothing more; after the rule changed it never does", async () => {
  const { story, devices } = await protectedStory();
  const { ana, caro } = story;
  const former = await openRequest(story);
  const old = await signed(story, former.address, devices.caro);
  await story.ask(ana, "/rackbell policy add demand=two-approvals risk=destroy passkey=yes", "In effect now");
  const card = await story.sees(ana, "Two others than");
  expect(await send(story, former.address, old)).toMatchObject({ title: uncounted });
  const address = await pressForLink(story, caro, card);
  const [first, second] = [await signed(story, address, devices.caro), await signed(story, address, devices.caro)];
  const answers = await Promise.all([first, first, second].map((answer) => send(story, address, answer)));
  expect(answers.filter(({ title }) => title === counted)).toHaveLength(1);
  expect(await send(story, address, first)).toMatchObject({ title: dead });
  expect((await open(story, address)).status).toBe(404);
  const log = said(await story.ask(ana, "/rackbell audit web-2 everyone=yes", "Audit entries of everybody"));
  expect(log.match(/\*approved in part\*/g)).toHaveLength(1);
  expect(writes(story)).toEqual([]);
});

test("after the facts changed, the assertion decides nothing, and is not said to count: the request is cancelled", async () => {
  const { story, devices } = await protectedStory();
  const { address } = await openRequest(story);
  const removed = await openRequest(story, "/vps cancel db-1");
  story.platform.change("web-2", { hostname: "other.example" });
  const { title, text } = await confirm(story, address, devices.caro);
  expect([title, text?.join(" ")]).toEqual([uncounted, expect.stringContaining("Something changed")]);
  const answer = await signed(story, removed.address, devices.caro);
  story.platform.remove("db-1");
  const gone = await send(story, removed.address, answer);
  expect(gone.text?.join(" ")).toMatch(/no longer exists|changed since|does not exist/);
  expect(writes(story)).toEqual([]);
});

test("a page cannot be framed, runs no foreign script, leaves nothing behind, and opening it uses nothing up", async () => {
  const { story, devices } = await protectedStory();
  const { address } = await openRequest(story);
  const { headers } = await open(story, address);
  expect(headers.get("x-frame-options")).toBe("DENY");
  expect(headers.get("content-security-policy")).toContain("frame-ancestors 'none'");
  expect(headers.get("content-security-policy")).toMatch(/^default-src 'none'; script-src 'self'; style-src 'self'/);
  expect(headers.get("cache-control")).toBe("no-store");
  expect(headers.get("referrer-policy")).toBe("no-referrer");
  expect(headers.get("strict-transport-security")).toContain("max-age=");
  // Scanners and previews open it, too.
  const pages = await Promise.all(Array.from({ length: 20 }, () => open(story, address)));
  expect(new Set(pages.map(({ options }) => options.challenge)).size).toBe(1);
  expect(await confirm(story, address, devices.caro)).toMatchObject({ title: counted });
});

test("a link is worth nothing over plain http, from another site's page, and after five minutes, when it looks like an unknown one", async () => {
  const { story, devices } = await protectedStory();
  const { address } = await openRequest(story);
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
  story.clock.skip(5 * 60_000);
  expect(await send(story, address, answer)).toMatchObject({ title: dead });
  const unknown = `${site.origin}/approve/${"x".repeat(43)}`;
  const [expired, none] = [await open(story, address), await open(story, unknown)];
  expect([expired.status, none.status, expired.html === none.html]).toEqual([404, 404, true]);
  expect(writes(story)).toEqual([]);
});

test("a page that was loaded before a restart still counts after it, and not once passkeys are off", async () => {
  const { story, devices } = await protectedStory({ environment: { STORE_URL: fileStore() } });
  const { address } = await openRequest(story);
  const other = await openRequest(story, "/vps cancel db-1");
  const answers = [await signed(story, address, devices.caro), await signed(story, other.address, devices.caro)];
  await story.restart();
  expect(await send(story, address, answers[0] ?? {})).toMatchObject({ title: counted });
  await story.restart({ PASSKEYS: "off" });
  const response = await fetch(`${story.app.url}${new URL(other.address).pathname}`, { method: "POST" });
  expect(response.status).toBe(404);
});

test("somebody with the Slack session and without the key of the platform makes no passkey, and a link for one is worth nothing later", async () => {
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
  const late = await linkOf(story, ben, "/rackbell passkey");
  story.clock.skip(10 * 60_000);
  expect(await makeWith(story, late, { key: keyOf(story, ben) }, device)).toMatchObject({ title: dead });
  await story.ask(ben, "/rackbell passkey list", "You have no passkey");
  const again = await linkOf(story, ben, "/rackbell passkey");
  const begun = await send(story, again, { key: keyOf(story, ben) });
  const made = device.make({ ...site, challenge: begun.make?.challenge ?? "" });
  // The device that made it signs for it, and no other.
  const stranger = await signFor(story, again, { made, name: "phone" }, createAuthenticator());
  expect(stranger).toMatchObject({ again: true });
  expect(await signFor(story, again, { made, name: "phone" }, device)).toMatchObject({
    title: "Your passkey is ready",
  });
  expect(await signFor(story, again, { made, name: "again" }, device)).toMatchObject({ title: dead });
});

test("a revoked key proves no passkey, nor one that was linked within a day: the thief of the session may have linked it", async () => {
  const { story } = await protectedStory();
  const { ben, dave, platform } = story;
  const revoked = await linkOf(story, ben, "/rackbell passkey");
  platform.revoke(platform.keys.ben);
  const answer = await makeWith(story, revoked, { key: keyOf(story, ben) }, createAuthenticator());
  expect(answer).toMatchObject({ title: "Make a passkey", again: true });
  await story.ask(ben, "/rackbell passkey list", "You have no passkey");
  await story.link(dave);
  await story.ask(dave, "/rackbell passkey", "less than 24 hours ago");
  await passADay(story);
  const address = await linkOf(story, dave, "/rackbell passkey");
  const pause = createAuthenticator();
  // Linked anew while the page is open.
  await story.link(dave);
  expect(await makeWith(story, address, { key: platform.keys.dave.key }, pause)).toMatchObject({
    title: "This key is too new",
  });
});

test("a further passkey takes an existing one, whatever key is typed, and the proof ends with the passkey that gave it", async () => {
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
  expect(await signFor(story, other, { made: late }, thief)).toMatchObject({ again: true });
  const further = await linkOf(story, ben, "/rackbell passkey", "asks for one of your passkeys");
  expect(await makeWith(story, further, key, thief)).toMatchObject({ again: true });
  await story.ask(ben, "/rackbell passkey list", "1 passkey of yours");
  const begunFurther = await send(story, further, {});
  const made = { made: thief.make({ ...site, challenge: begunFurther.make?.challenge ?? "" }), name: "second" };
  const asked = await send(story, further, made);
  const proven = { ...made, signed: device.sign({ ...site, challenge: asked.sign?.challenge ?? "" }) };
  // The signature is for that one passkey: not for another that was made under the same link.
  const another = { made: createAuthenticator().make({ ...site, challenge: begunFurther.make?.challenge ?? "" }) };
  expect(await send(story, further, { ...proven, ...another })).toMatchObject({ again: true });
  await confirm(story, await linkOf(story, ben, "/rackbell passkey remove phone"), device);
  expect(await send(story, further, proven)).toMatchObject({ again: true });
  await story.ask(ben, "/rackbell passkey list", "You have no passkey");
  await story.ask(ana, "/rackbell audit verify", "is whole");
});
