import { expect, test } from "vitest";
import { createSandboxClock } from "../../../../src/sandbox/clock.ts";
import { createPracticePlatform } from "../../../../src/sandbox/platform/practice-platform.ts";
import { createPractice } from "../client.ts";

test("a fault spoils as many of the matching answers as it is set to", async () => {
  const { ask, platform } = await createPractice();
  platform.faults.next({ how: "500", method: "GET", path: "/vps", times: 2 });
  expect((await ask("GET /account")).status).toBe(200);
  expect(await ask("GET /vps")).toMatchObject({ status: 500, body: { code: "INTERNAL_ERROR" } });
  expect((await ask("GET /vps")).status).toBe(500);
  expect((await ask("GET /vps")).status).toBe(200);
});

test("the platform can do the thing and then answer badly, or not do it", async () => {
  const { ask, platform } = await createPractice();
  const path = "/services/{id}/cancel";
  platform.faults.next({ how: "500", path });
  await ask("POST /services/{web-1}/cancel");
  expect(platform.find("web-1").cancellation).toBeNull();
  platform.faults.next({ how: "500", path, applied: true });
  expect((await ask("POST /services/{web-1}/cancel")).status).toBe(500);
  expect(platform.find("web-1").cancellation).not.toBeNull();
});

test("HTML, half a JSON, nothing, a wrong shape, and an answer of one's own", async () => {
  const { ask, platform } = await createPractice();
  platform.faults.next({ how: "html" });
  expect(await ask("GET /vps")).toMatchObject({ status: 502, body: expect.stringContaining("<html>") });
  platform.faults.next({ how: "half-json", applied: true });
  await expect(ask("GET /vps")).rejects.toThrow(SyntaxError);
  platform.faults.next({ how: "empty" });
  await expect(ask("GET /vps")).rejects.toThrow(SyntaxError);
  platform.faults.next({ how: "wrong-shape" });
  expect(await ask("GET /vps")).toMatchObject({ status: 200, body: { success: true, data: { id: 42 } } });
  platform.faults.next({ how: { status: 418, body: { short: "stout" }, headers: { "x-tea": "yes" } } });
  const teapot = await ask("GET /vps");
  expect(teapot).toMatchObject({ status: 418, body: { short: "stout" } });
  expect(teapot.headers.get("x-tea")).toBe("yes");
});

test("a reset cuts the connection, and the log shows a call without an answer", async () => {
  const { ask, platform } = await createPractice();
  platform.faults.next({ how: "reset" });
  await expect(ask("GET /vps")).rejects.toThrow("fetch failed");
  expect(platform.calls()).toMatchObject([{ path: "/vps", status: null }]);
});

test("a late answer comes when its time has come by the clock", async () => {
  const { ask, platform, clock } = await createPractice();
  platform.faults.next({ how: "late", lateMs: 3_600_000 });
  const late = ask("POST /services/{web-1}/cancel");
  await expect.poll(() => platform.find("web-1").cancellation).not.toBeNull();
  clock.skip(3_600_000);
  expect((await late).status).toBe(200);
});

test("a call that hangs goes on when it is released", async () => {
  const { ask, platform } = await createPractice();
  platform.faults.hang("/vps");
  const hanging = ask("GET /vps");
  expect((await ask("GET /account")).status).toBe(200);
  await expect.poll(() => platform.calls()).toContainEqual(expect.objectContaining({ path: "/vps", status: null }));
  platform.faults.resume();
  expect((await hanging).status).toBe(200);
  expect((await ask("GET /vps")).status).toBe(200);
});

test("closing ends what hangs and what is late", async () => {
  const platform = await createPracticePlatform({ clock: createSandboxClock() });
  const headers = { authorization: `Bearer ${platform.keys.ana.key}` };
  platform.faults.next({ how: "late" });
  platform.faults.hang();
  const cut = [fetch(`${platform.url}/vps`, { headers }), fetch(`${platform.url}/vps`, { headers })];
  const ends = Promise.allSettled(cut);
  await expect.poll(() => platform.calls().length).toBe(2);
  await platform.close();
  expect((await ends).map((end) => end.status)).toEqual(["rejected", "rejected"]);
});

test("a path outside /api/v1 is not found", async () => {
  const { platform } = await createPractice();
  expect((await fetch(platform.url.replace("/api/v1", "/elsewhere"))).status).toBe(404);
});
