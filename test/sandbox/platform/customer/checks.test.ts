import { expect, test } from "vitest";
import { at, createPractice, type Practice, refusal, success } from "../client.ts";

const nobody = { key: `fbk_${"0".repeat(8)}_${"0".repeat(96)}` };

test("a key tells who it is, what it may do and what is left of its hour", async () => {
  const { ask, platform } = await createPractice();
  const answer = await ask("GET /", { as: "dave" });
  expect(answer).toMatchObject({
    status: 200,
    body: {
      success: true,
      data: {
        version: "1",
        base_url: platform.url,
        user: { name: "dave", email: "dave@example.test" },
        account: { name: "Rackbell Practice", owner: false },
        key: { label: "dave", scopes: ["read"], project: null },
        project: null,
        rate_limit: { limit: 1000, remaining: 999 },
      },
    },
  });
});

test.each<[string, Parameters<Practice["ask"]>[1]]>([
  ["expired", { as: "expired" }],
  ["revoked", { as: "revoked" }],
  ["unknown", { as: nobody }],
  ["malformed", { as: { key: "fbk_short" } }],
  ["missing", { headers: { authorization: "" } }],
])("a key that is %s is a 401 and nothing more", async (_, request) => {
  const { ask } = await createPractice();
  expect(await ask("GET /", request)).toMatchObject(refusal(401, "UNAUTHORIZED"));
});

test("a key is revoked, expires or loses a scope while it is in use", async () => {
  const { ask, platform, clock } = await createPractice();
  platform.revoke(platform.keys.ben);
  expect(await ask("GET /", { as: "ben" })).toMatchObject(refusal(401, "UNAUTHORIZED"));
  platform.setScopes(platform.keys.ana, ["read"]);
  expect(await ask("POST /vps/{web-1}/start")).toMatchObject(refusal(403, "SCOPE_REQUIRED"));
  const brief = platform.addKey({ owner: "caro", expiresAt: clock.now() + 60_000 });
  expect(await ask("GET /", { as: brief })).toMatchObject({ status: 200 });
  clock.skip(60_001);
  expect(await ask("GET /", { as: brief })).toMatchObject(refusal(401, "UNAUTHORIZED"));
});

test("when several things are wrong, the first check of the spec's order is the one that speaks", async () => {
  const { ask, platform, id } = await createPractice({ hourlyLimit: 1000 });
  const target = id("frozen-1");
  platform.change(target, { status: "suspended" });
  const key = platform.addKey({ owner: "ben", scopes: ["read"], allowlist: ["203.0.113.0/24"] });
  platform.changeUser("ben", { permissions: new Set(["services.view"]) });
  const act = (path: string, headers = {}) => ask(`POST ${path}`, { as: key, headers });
  const badProject = { "x-project-id": "no-such" };

  platform.settings.api = false;
  expect(await act("/vps/x/reboot", badProject)).toMatchObject(refusal(403, "FEATURE_DISABLED"));
  platform.settings.api = true;
  key.revoked = true;
  expect(await act("/vps/x/reboot", badProject)).toMatchObject(refusal(401, "UNAUTHORIZED"));
  key.revoked = false;
  expect(await act("/vps/x/reboot", badProject)).toMatchObject(refusal(403, "FORBIDDEN"));
  key.allowlist = [];
  platform.settings.hourlyLimit = 1;
  expect(await act("/vps/x/reboot", badProject)).toMatchObject(refusal(429, "RATE_LIMITED"));
  platform.settings.hourlyLimit = 1000;
  expect(await act("/vps/x/reboot", badProject)).toMatchObject(refusal(400, "UNKNOWN_PROJECT"));
  expect(await act("/vps/x/reboot")).toMatchObject(refusal(400, "BAD_REQUEST", { details: [{ field: "id" }] }));
  expect(await act(`/vps/${target}/reboot`)).toMatchObject(refusal(403, "SCOPE_REQUIRED", { scope: "services" }));
  platform.setScopes(key, ["read", "services"]);
  expect(await act(`/vps/${target}/reboot`)).toMatchObject(
    refusal(403, "FORBIDDEN", { error: "Insufficient permissions" }),
  );
  platform.changeUser("ben", { permissions: new Set(["services.view", "services.power"]) });
  expect(await act(`/vps/${target}/reboot`)).toMatchObject(
    refusal(403, "FORBIDDEN", { error: "The service is suspended" }),
  );
  platform.change(target, { status: "active" });
  expect(await act(`/vps/${target}/reboot`)).toMatchObject(
    refusal(403, "FORBIDDEN", { error: "This power action is not available for this product" }),
  );
  platform.change(target, { capabilities: { actions: ["reboot"] } });
  for (let press = 0; press < 10; press += 1) expect(await act(`/vps/${target}/reboot`)).toMatchObject({ status: 200 });
  platform.settings.hypervisorDown = true;
  expect(await act(`/vps/${target}/reboot`)).toMatchObject(refusal(429, "ACTION_RATE_LIMITED"));
});

test("the hour is counted for each key, refused requests too, and starts anew", async () => {
  const { ask, clock } = await createPractice({ hourlyLimit: 3 });
  const first = await ask("GET /nothing-here");
  expect(first.status).toBe(404);
  expect(first.headers.get("x-ratelimit-limit")).toBe("3");
  expect(first.headers.get("x-ratelimit-remaining")).toBe("2");
  expect(await ask("GET /")).toMatchObject({ status: 200 });
  expect(await ask("GET /")).toMatchObject(success({ rate_limit: { remaining: 0 } }));
  const over = await ask("GET /");
  expect(over).toMatchObject(refusal(429, "RATE_LIMITED"));
  expect(Number(over.headers.get("retry-after"))).toBeGreaterThan(3500);
  expect(over.headers.get("x-ratelimit-remaining")).toBe("0");
  expect(at(over, "retry_after_seconds")).toBeUndefined();
  expect(Number(over.headers.get("x-ratelimit-reset"))).toBeGreaterThan(clock.now() / 1000);
  expect(await ask("GET /", { as: "ben" })).toMatchObject({ status: 200 });
  clock.skip(3_600_000);
  expect(await ask("GET /")).toMatchObject({ status: 200 });
});

test("a request is narrowed to a project by header or query, by id or slug", async () => {
  const { ask, platform } = await createPractice();
  const production = { id: platform.projectId("production"), slug: "production" };
  const byHeader = await ask("GET /", { headers: { "x-project-id": "production" } });
  expect(byHeader).toMatchObject(success({ project: { ...production, bound: false } }));
  expect(await ask(`GET /?project=${production.id}`)).toMatchObject(success({ project: production }));
  const staging = await ask("GET /vps?project=staging&limit=200");
  expect(JSON.stringify(staging.body)).not.toContain('"slug":"production"');
  expect(JSON.stringify(staging.body)).toContain('"slug":"staging"');
});

test("a bound key sees its own project and nothing else", async () => {
  const { ask, platform } = await createPractice();
  expect(await ask("GET /", { as: "bound" })).toMatchObject(
    success({ key: { project: { slug: "production" } }, project: { slug: "production", bound: true } }),
  );
  expect(await ask("GET /vps/{mail}", { as: "bound" })).toMatchObject(refusal(404, "NOT_FOUND"));
  expect(await ask("GET /vps", { as: "bound", headers: { "x-project-id": "staging" } })).toMatchObject(
    refusal(403, "PROJECT_SCOPE_MISMATCH"),
  );
  expect(await ask(`GET /projects/${platform.projectId("staging")}`, { as: "bound" })).toMatchObject(
    refusal(404, "NOT_FOUND"),
  );
});

test("somebody else's server is as unknown as one that never was", async () => {
  const { ask } = await createPractice();
  const theirs = await ask("GET /vps/{outsider-1}");
  const none = await ask("GET /vps/00000000-0000-4000-a000-000000000000");
  expect(theirs).toMatchObject(refusal(404, "NOT_FOUND"));
  expect(theirs.body).toEqual(none.body);
  expect(await ask("GET /vps/{outsider-1}", { as: "zoe" })).toMatchObject({ status: 200 });
});

test("a suspended customer may look and not act", async () => {
  const { ask, platform } = await createPractice();
  platform.suspendAccount("ana");
  expect(await ask("GET /vps", { as: "ben" })).toMatchObject({ status: 200 });
  expect(await ask("POST /vps/{web-1}/reboot", { as: "ben" })).toMatchObject(refusal(403, "ACCOUNT_SUSPENDED"));
});

test("a member who left the account reaches only what is their own", async () => {
  const { ask, platform } = await createPractice();
  platform.changeUser("ben", { account: null });
  expect(await ask("GET /vps", { as: "ben" })).toMatchObject(success([]));
  expect(await ask("GET /projects", { as: "ben" })).toMatchObject(success([{ slug: "default" }]));
});

test("the log of calls names the key by its label and holds no secret", async () => {
  const { ask, platform } = await createPractice();
  await ask("POST /vps/{web-1}/password", { as: "ben", body: { password: "open sesame" } });
  const [call] = platform.calls();
  expect(call).toMatchObject({ method: "POST", key: "ben", status: 200, body: { password: "[secret]" } });
  await ask("POST /services/{web-1}/cancel", { body: { reason: `leaked ${platform.keys.ben.key}` } });
  expect(JSON.stringify(platform.calls())).not.toMatch(/sesame|fbk_/);
  platform.clearCalls();
  expect(platform.calls()).toEqual([]);
});
