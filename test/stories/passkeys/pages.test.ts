import { expect, test } from "vitest";
import { momentFor } from "../../../src/views/format.ts";
import { pressInDetails, type Story, said, writes } from "../story.ts";
import { createAuthenticator } from "./authenticator.ts";
import {
  addressIn,
  confirm,
  counted,
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
} from "./passkeys.ts";

/** A request of Ana's, and the address at which Caro would approve it. */
async function openPage(command?: string) {
  const all = await protectedStory();
  const { address } = await openRequest(all.story, command);
  return { ...all, address, local: address.replace(site.origin, all.story.app.url) };
}

test("a page takes nothing but what its script sends: no other method, no long or broken body, and each refusal is a sentence", async () => {
  const { story, devices, address, local } = await openPage();
  const head = await fetch(local, { method: "HEAD" });
  expect([head.status, await head.text()]).toEqual([200, ""]);
  for (const method of ["OPTIONS", "PUT", "DELETE"]) {
    const answer = await fetch(local, { method });
    expect([answer.status, answer.headers.get("allow")]).toEqual([405, "GET, POST"]);
    expect(answer.headers.get("access-control-allow-origin")).toBeNull();
  }
  const headers = { origin: site.origin, "content-type": "application/json" };
  for (const body of ["", "{", "null", "[]", '{"key":7}', `{"signed":"${"x".repeat(70_000)}"}`]) {
    const answer = await fetch(local, { method: "POST", headers, body });
    expect([answer.status, await answer.text()]).toEqual([400, expect.stringContaining("Open the link again.")]);
  }
  // A form of another site can send these types, and never our origin.
  const form = { "content-type": "text/plain", "sec-fetch-site": "cross-site", origin: "null" };
  expect((await send(story, address, await signed(story, address, devices.caro), form)).status).toBe(403);
  expect(writes(story)).toEqual([]);
  expect(await send(story, address, await signed(story, address, devices.caro))).toMatchObject({
    title: counted,
  });
});

test("a page shows names as text, and its address is in no line of the log", async () => {
  const evil = '<img src=x onerror="alert(1)">';
  const { story, address, local } = await openPage(
    `/vps cancel web-2 reason="${evil.replaceAll('"', "'")} & ${"x".repeat(200)}"`,
  );
  const { html } = await open(story, address);
  expect(html).toContain("&lt;img src=x onerror=");
  expect(html).not.toContain("<img");
  await fetch(local, { method: "PUT" });
  await send(story, address, { signed: { id: "x" } });
  await send(story, address, { signed: 7 });
  const nonce = address.split("/").at(-1) ?? "";
  expect(story.log.join("\n")).not.toContain(nonce);
});

const time = /\d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/(?:Zurich|Madrid)\)/;

/** The title of a page, and the label of its button. */
async function headOf(story: Story, address: string): Promise<[string, string]> {
  const { html } = await open(story, address);
  expect(html).not.toMatch(/\bnow\b/);
  const [, title = ""] = /<h1>([^<]*)<\/h1>/.exec(html) ?? [];
  const [, button = ""] = /<button[^>]*>([^<]*)<\/button>/.exec(html) ?? [];
  return [title, button];
}

test("the page of a scheduled request says its time in its title and on its button, and every time in its reader's zone, as the message does; one of an override says neither", async () => {
  const { story } = await protectedStory();
  const { card, address } = await openRequest(story, "/vps cancel web-2 in=2h");
  const { html } = await open(story, address);
  const seconds = [...said(card).matchAll(/<!date\^(\d+)\^/g)].map(([, at]) => Number(at));
  const shown = [...html.matchAll(/\d{4}-\d\d-\d\d \d\d:\d\d \(Europe\/Zurich\)/g)].map(([time]) => time);
  expect(shown.length).toBeGreaterThan(2);
  for (const time of shown) expect(seconds.map((at) => momentFor("Europe/Zurich", at * 1_000))).toContain(time);
  expect(html).not.toContain("UTC");
  expect(html).toMatch(new RegExp(`<dt>Runs</dt><dd>${time.source}</dd>`));
  expect(await headOf(story, address)).toEqual([expect.stringMatching(time), expect.stringMatching(time)]);
  await pressInDetails(story, story.caro, card, "Override…");
  await story.modal(story.caro, "Why?");
  await story.caro.fill({ "Why?": "The disk is failing" });
  await story.caro.submit();
  await story.modal(story.caro, "override there");
  const overriding = await headOf(story, addressIn(story.caro.modal()?.blocks ?? []));
  expect(overriding).toEqual(["Cancel web-2?", "Override, and run at once: cancel web-2 at period end"]);
});

test("the page on which a requester confirms a scheduled act of their own says its time, and that it is scheduled", async () => {
  const { story } = await protectedStory({ rule: "demand=confirm risk=destroy passkey=yes" });
  const card = await story.ask(story.ana, "/vps cancel web-2 in=2h", "This needs a passkey");
  const [title, button] = await headOf(story, await pressForLink(story, story.ana, card));
  expect(title).toMatch(time);
  expect(button).toMatch(/^Schedule: cancel web-2 at period end, \d{4}-/);
});

test("the page of several machines lists each with its address, its host name, its project and what it would lose", async () => {
  const { story } = await protectedStory();
  const { address } = await openRequest(story, "/vps cancel web-2 db-1");
  const { html } = await open(story, address);
  for (const name of ["web-2", "db-1"]) {
    const [, line = ""] = new RegExp(`<dt>${name}</dt><dd>([^<]*)</dd>`).exec(html) ?? [];
    const [ip] = story.platform.findVps(name).ip_addresses;
    expect.soft(line).toContain(ip?.address ?? "?");
    expect.soft(line).toMatch(/Production.*\d+ GB/);
  }
});

test("the page names the machine that its signature cancels, character by character", async () => {
  const { story } = await protectedStory();
  const address = {
    address: "2001:db8::beef:1",
    version: 6,
    prefix_length: 64,
    gateway: null,
    subnet_cidr: null,
  } as const;
  const { id } = story.platform.findVps("web-2");
  story.platform.change(id, { name: "web*-1", ip_addresses: [{ ...address, purpose: "primary" }] });
  const page = await openRequest(story, `/vps cancel ${id}`);
  expect(await headOf(story, page.address)).toEqual(["Cancel web*-1?", expect.stringContaining("web*-1")]);
  expect((await open(story, page.address)).html).toContain("<dt>Address</dt><dd>2001:db8::beef:1</dd>");
});

test("the page on which an admin lets a new passkey in names the member by name, Slack id and platform user", async () => {
  const { story } = await protectedStory();
  const { ben, caro } = story;
  await register(story, ben);
  const losing = await linkOf(story, ben, "/rackbell passkey lost");
  await makeWith(story, losing, { key: keyOf(story, ben) }, createAuthenticator());
  const address = await linkOf(story, caro, `/rackbell passkey recover <@${ben.user.id}>`);
  const { html } = await open(story, address);
  expect(html).not.toContain("&lt;@");
  expect(html).toContain(`@${ben.user.name} (${ben.user.id})`);
  expect(html).toMatch(/<dt>New passkey<\/dt><dd>[^<]*\d\d:\d\d \(Europe\/Zurich\)<\/dd>/);
  expect(html).toMatch(/<dt>Platform user<\/dt><dd>[^<]*ben[^<]*@[^<]*<\/dd>/);
});

test("a passkey that Rackbell knows, or knew before, is refused on the page, and the audit log stays whole", async () => {
  const { story, devices } = await protectedStory();
  const { ana, ben, caro } = story;
  const copyOf = ({ id }: { id: string }) => createAuthenticator({ id: Buffer.from(id, "base64url") });
  const ownKey = { key: keyOf(story, ben) };
  const refused = { again: true, text: [expect.stringContaining("Rackbell knows this passkey already")] };
  const first = await linkOf(story, ben, "/rackbell passkey");
  expect(await makeWith(story, first, ownKey, copyOf(devices.ana))).toMatchObject(refused);
  const own = createAuthenticator();
  // The same page takes another one.
  expect(await makeWith(story, first, ownKey, own)).toMatchObject({ title: "Your passkey is ready" });
  const further = await linkOf(story, ben, "/rackbell passkey");
  for (const known of [own, devices.caro])
    expect(await makeWith(story, further, {}, copyOf(known), { by: own })).toMatchObject(refused);
  const lost = await linkOf(story, ben, "/rackbell passkey lost");
  expect(await makeWith(story, lost, ownKey, copyOf(devices.ana))).toMatchObject(refused);
  await confirm(story, await linkOf(story, caro, "/rackbell passkey remove phone"), devices.caro);
  expect(await makeWith(story, further, {}, copyOf(devices.caro), { by: own })).toMatchObject(refused);
  await story.ask(ana, "/rackbell audit verify", "is whole", "4 signatures by passkeys are proven");
});

test("a double press on the page of a registration gives both the same passkey to make, and either makes it", async () => {
  const { story } = await protectedStory();
  const { ben } = story;
  const address = await linkOf(story, ben, "/rackbell passkey", "Make a passkey");
  const key = keyOf(story, ben);
  const begun = await Promise.all([send(story, address, { key }), send(story, address, { key })]);
  const challenges = begun.map(({ make }) => make?.challenge);
  expect(challenges).toEqual([expect.any(String), challenges[0]]);
  const device = createAuthenticator();
  const made = device.make({ ...site, challenge: challenges[0] ?? "" });
  expect(await signFor(story, address, { made, name: "phone" }, device)).toMatchObject({
    title: "Your passkey is ready",
  });
});

test("a member with ten passkeys reads that on the page, and not that the link is used up", async () => {
  const { story } = await protectedStory();
  const { ben } = story;
  const device = createAuthenticator();
  const link = () => linkOf(story, ben, "/rackbell passkey", "Make a passkey");
  await makeWith(story, await link(), { key: keyOf(story, ben) }, device);
  const eleventh = await link();
  for (let at = 2; at <= 10; at += 1) {
    await makeWith(story, await link(), {}, createAuthenticator(), { name: `phone ${at}`, by: device });
  }
  expect(await makeWith(story, eleventh, {}, createAuthenticator(), { by: device })).toMatchObject({
    title: "You have 10 passkeys, and no more are kept",
  });
});

test.each([
  ["a blank at its cut", "Work laptop of the ops office kitchen"],
  ["a letter of two halves at its cut", `${"a".repeat(29)}\u{20000}\u{20001}`],
])("a passkey whose name has %s can be removed by the name that is listed", async (_, typed) => {
  const { story } = await protectedStory();
  const { ben } = story;
  const address = await linkOf(story, ben, "/rackbell passkey", "Make a passkey");
  const made = await makeWith(story, address, { key: keyOf(story, ben) }, createAuthenticator(), { name: typed });
  const name = /^It is called (.*)\.$/.exec(made.text?.[0] ?? "")?.[1] ?? "";
  expect(name.isWellFormed()).toBe(true);
  await linkOf(story, ben, `/rackbell passkey remove ${name}`, "asks for your passkey");
});

test.each([
  ["was made a guest", (story: Story) => story.slack.setRole("caro", "guest")],
  ["was deactivated", (story: Story) => story.slack.deactivate("caro")],
  [
    "left the team at the platform",
    async (story: Story) => {
      story.platform.changeUser("caro", { account: null });
      await story.link(story.caro);
    },
  ],
])("a page of somebody who %s since the press shows nothing of the request", async (_, change) => {
  const { story } = await protectedStory({ rule: "demand=one-approval risk=destroy passkey=yes" });
  const { address } = await openRequest(story);
  expect((await open(story, address)).html).toContain("web-2");
  await change(story);
  // Slack's news of a person takes a moment.
  await expect.poll(async () => (await open(story, address)).html, { timeout: 15_000 }).not.toMatch(/web-2|its disk/);
});

test("a stop waits for the page that approves at that moment: its act ends, and the approver reads that it counted", async () => {
  const { story, devices, address } = await openPage();
  const approval = await signed(story, address, devices.caro);
  story.platform.clearCalls();
  story.platform.faults.hang();
  const sent = send(story, address, approval);
  await expect.poll(() => story.platform.calls().some(({ status }) => status === null)).toBe(true);
  const stopped = story.app.stop();
  await expect.poll(async () => (await fetch(`${story.app.url}/readyz`)).status).toBe(503);
  story.platform.faults.resume();
  expect(await sent).toMatchObject({ title: counted });
  expect(writes(story)).toHaveLength(1);
  await stopped;
});
