import { expect, test } from "vitest";
import { createPractice, type Practice, resellerRefusal, sign, success } from "../client.ts";

const nobody = { key: `rsk_${"0".repeat(8)}_${"0".repeat(64)}` };

test.each<[string, Parameters<Practice["resell"]>[1], string]>([
  ["expired", { as: "expired" }, "Invalid API key"],
  ["revoked", { as: "revoked" }, "Invalid API key"],
  ["unknown", { as: nobody }, "Invalid API key"],
  ["malformed", { as: { key: "rsk_short" } }, "Invalid API key format"],
  ["of the other API", { as: { key: `fbk_${"0".repeat(8)}_${"0".repeat(96)}` } }, "Invalid API key format"],
  ["missing", { headers: { authorization: "" } }, "Missing or invalid Authorization header"],
])("a key that is %s is distinguished as the spec does, and nothing more", async (_, request, error) => {
  const { resell } = await createPractice();
  expect(await resell("GET /products", request)).toMatchObject(resellerRefusal(401, error));
});

test.each(["pending", "suspended", "closed"] as const)(
  "while the profile is %s every key is invalid",
  async (status) => {
    const { resell, platform } = await createPractice();
    platform.reseller.setProfile(status);
    expect(await resell("GET /products")).toMatchObject(resellerRefusal(401, "Invalid API key"));
    platform.reseller.setProfile("active");
    expect(await resell("GET /products")).toMatchObject({ status: 200 });
  },
);

test("a programme that is switched off refuses with its code, and still describes itself", async () => {
  const { resell, platform } = await createPractice();
  platform.reseller.settings.feature = false;
  expect(await resell("GET /products", { as: nobody })).toMatchObject({
    status: 403,
    body: { code: "FEATURE_DISABLED" },
  });
  expect(await resell("GET /openapi.json", { as: nobody })).toMatchObject({ status: 200 });
});

const line = "POST /customers";
const body = '{"externalCustomerId": "spaced  out"}';

test("a signature covers the timestamp and the exact bytes; their re-serialised form is still taken", async () => {
  const { resell, platform, clock } = await createPractice();
  const secret = platform.reseller.signingSecret() ?? "";
  expect(await resell(line, { body })).toMatchObject({ status: 201 });
  const seconds = String(Math.floor(clock.now() / 1000));
  const reserialised = sign(secret, seconds, JSON.stringify(JSON.parse(body)));
  expect(await resell(line, { body, headers: { "x-reseller-signature": reserialised } })).toMatchObject({
    status: 200,
  });
  const ms = String(clock.now());
  const headers = { "x-reseller-timestamp": ms, "x-reseller-signature": sign(secret, ms, body) };
  expect(await resell(line, { body, headers })).toMatchObject({ status: 200 });
});

test("a request without a body is signed over nothing, or over an empty object", async () => {
  const { resell, platform, clock } = await createPractice();
  const suspend = "POST /services/{web-1}/suspend";
  expect(await resell(suspend)).toMatchObject({ status: 200 });
  const seconds = String(Math.floor(clock.now() / 1000));
  const signature = sign(platform.reseller.signingSecret() ?? "", seconds, "{}");
  const unsuspend = "POST /services/{web-1}/unsuspend";
  expect(await resell(unsuspend, { headers: { "x-reseller-signature": signature } })).toMatchObject({ status: 200 });
});

test.each<[string, Record<string, string>, number, string]>([
  ["of another form", { "x-reseller-signature": "sha256=abc" }, 400, "Invalid signature format"],
  ["in capitals", { "x-reseller-signature": `hmac-sha256=${"A".repeat(64)}` }, 400, "Invalid signature format"],
  ["of other bytes", { "x-reseller-signature": `hmac-sha256=${"a".repeat(64)}` }, 401, "Invalid signature"],
  ["with a timestamp that is no number", { "x-reseller-timestamp": "now" }, 400, "Invalid X-Reseller-Timestamp"],
  ["over a body without its content type", { "content-type": "text/plain" }, 401, "Invalid signature"],
])("a signature %s is refused, and nothing is run", async (_, headers, status, error) => {
  const { resell } = await createPractice();
  expect(await resell(line, { body, headers })).toMatchObject(resellerRefusal(status, error));
  expect(await resell("GET /customers?search=spaced")).toMatchObject(success({ customers: [] }));
});

test("a timestamp may be off by 300 seconds either way, and no more", async () => {
  const { resell, platform, clock } = await createPractice();
  const secret = platform.reseller.signingSecret() ?? "";
  const now = Math.floor(clock.now() / 1000);
  for (const [offset, status] of [
    [-299, 201],
    [299, 200],
    [-302, 401],
    [302, 401],
  ] as const) {
    const timestamp = String(now + offset);
    const headers = { "x-reseller-timestamp": timestamp, "x-reseller-signature": sign(secret, timestamp, body) };
    const answer = await resell(line, { body, headers });
    expect(answer.status).toBe(status);
    if (status === 401)
      expect(answer).toMatchObject({ body: { error: "Request timestamp outside the allowed window" } });
  }
});

test("a secret that is rotated ends at once; none at all is said", async () => {
  const { resell, platform, clock } = await createPractice();
  const old = platform.reseller.signingSecret() ?? "";
  platform.reseller.rotateSecret();
  const seconds = String(Math.floor(clock.now() / 1000));
  const headers = { "x-reseller-signature": sign(old, seconds, body) };
  expect(await resell(line, { body, headers })).toMatchObject(resellerRefusal(401, "Invalid signature"));
  expect(await resell(line, { body })).toMatchObject({ status: 201 });
  platform.reseller.forgetSecret();
  expect(await resell(line, { body })).toMatchObject(resellerRefusal(400, "Webhook secret not configured"));
});

test("the window slides: every request of the last hour counts, refused ones too, and its end is always an hour ahead", async () => {
  const { resell, platform, clock } = await createPractice();
  platform.reseller.settings.hourlyLimit = 3;
  /** An hour after the answer. A second may begin while it is on its way. */
  function endsInAnHour({ headers }: { headers: Headers }, begun: number): void {
    const end = Number(headers.get("x-ratelimit-reset"));
    expect(end).toBeGreaterThanOrEqual(Math.ceil(begun / 1000) + 3600);
    expect(end).toBeLessThanOrEqual(Math.ceil(clock.now() / 1000) + 3600);
  }
  let begun = clock.now();
  const first = await resell("GET /products");
  expect(first.headers.get("x-ratelimit-limit")).toBe("3");
  expect(first.headers.get("x-ratelimit-used")).toBe("1");
  endsInAnHour(first, begun);
  clock.skip(1_800_000);
  expect(await resell("GET /no-such-route")).toMatchObject({ status: 404 });
  expect((await resell("GET /products")).headers.get("x-ratelimit-remaining")).toBe("0");
  begun = clock.now();
  const over = await resell("GET /products");
  expect(over).toMatchObject(resellerRefusal(429, "Rate limit exceeded"));
  endsInAnHour(over, begun);
  clock.skip(1_800_001);
  expect((await resell("GET /products")).status).toBe(429);
  clock.skip(1_800_001);
  expect((await resell("GET /products")).status).toBe(200);
});

test("all keys of a partner share a ceiling; a key with its own limit has both limits", async () => {
  const { resell, platform } = await createPractice();
  const narrow = platform.reseller.addKey({ hourlyLimit: 1 });
  expect((await resell("GET /products", { as: narrow })).headers.get("x-ratelimit-limit")).toBe("1");
  expect((await resell("GET /products", { as: narrow })).status).toBe(429);
  platform.reseller.settings.hourlyLimit = 3;
  expect((await resell("GET /products")).headers.get("x-ratelimit-used")).toBe("3");
  expect((await resell("GET /products", { as: "ben" })).status).toBe(429);
  expect((await resell("GET /products", { as: "zoe" })).status).toBe(200);
});

test("a partner has at most twenty keys that are not revoked", async () => {
  const { platform } = await createPractice();
  const spare =
    20 -
    Object.values(platform.reseller.keys).filter(({ label, revoked }) => !revoked && !label.startsWith("zoe")).length;
  for (let index = 0; index < spare; index += 1) platform.reseller.addKey({});
  expect(() => platform.reseller.addKey({})).toThrow("at most 20");
});

test("a key for nothing in particular only reads; one that is bound to a customer keeps no account", async () => {
  const { platform } = await createPractice();
  expect(platform.reseller.addKey({}).scopes).toEqual(["read"]);
  expect(platform.reseller.keys.bound.scopes).toEqual(["read", "orders", "services", "destructive"]);
});
