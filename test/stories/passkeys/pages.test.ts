import { expect, test } from "vitest";
import { writes } from "../story.ts";
import { counted, open, openRequest, protectedStory, send, signed, site } from "./passkeys.ts";

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
