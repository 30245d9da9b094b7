import { describe, expect, test } from "vitest";
import * as z from "zod";
import { SigningSecretMissing } from "../../../src/platform/http/client.ts";
import { done, inData } from "../../../src/platform/http/data.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { connect, failure, json, makeResellerKey, ok, startServer } from "../server.ts";
import { isSigned, refuse, secret } from "./call.ts";

const key = makeResellerKey();

async function open(reply: Parameters<typeof startServer>[0], options: { signingSecret?: string | null } = {}) {
  const server = await startServer(reply);
  const clock = createSandboxClock();
  const practice = connect(server.url, { clock });
  const { signingSecret = secret } = options;
  return { server, clock, practice, client: practice.reseller({ key, signingSecret }) };
}

describe("a write", () => {
  test("is signed over the very bytes that arrive, with a timestamp and its content type", async () => {
    const { server, client } = await open(ok({ id: "1" }));
    await client.send("POST /customers", "/customers", inData(z.object({ id: z.string() })), {
      externalCustomerName: "Ümlaut 🚀",
    });
    const [seen] = server.seen;
    expect(seen).toMatchObject({ method: "POST", url: "/api/v1/reseller/customers" });
    expect(seen?.headers).toMatchObject({ authorization: `Bearer ${key}`, "content-type": "application/json" });
    expect(seen && isSigned(seen)).toBe(true);
  });

  test("without a body is signed as well, and bears no content type", async () => {
    const { server, client } = await open(ok({}));
    await client.send("POST /services/1/unsuspend", "/services/1/unsuspend", done);
    const [seen] = server.seen;
    expect(seen?.text).toBe("");
    expect(seen?.headers["content-type"]).toBeUndefined();
    expect(seen && isSigned(seen)).toBe(true);
  });

  test("is not sent where the workspace has no signing secret", async () => {
    const { server, client } = await open(ok({}), { signingSecret: null });
    expect(await failure(client.send("DELETE /services/1", "/services/1", done))).toBeInstanceOf(SigningSecretMissing);
    expect(server.seen).toHaveLength(0);
  });

  test("keeps the status where that means something", async () => {
    const { client } = await open((response) => json(response, 202, { success: true, data: {} }));
    expect((await client.send("PUT /services/1/options", "/services/1/options", done, { options: [] })).status).toBe(
      202,
    );
  });
});

describe("a clock that is off", () => {
  const outside = "Request timestamp outside the allowed window";

  test("is mended by the platform's own time, once: nothing was run before", async () => {
    const theirs = Date.parse("2026-11-21T03:00:00Z");
    const { server, client } = await open((response, seen) =>
      seen.headers["x-reseller-timestamp"] === String(theirs / 1000)
        ? ok({})(response)
        : refuse(401, outside, {}, { date: new Date(theirs).toUTCString() })(response),
    );
    await client.send("POST /services/1/suspend", "/services/1/suspend", done);
    expect(server.seen).toHaveLength(2);
    expect(server.seen.every(isSigned)).toBe(true);
  });

  test("that the platform's time does not mend is said, with the platform's time", async () => {
    const theirs = Date.parse("2026-11-21T03:00:00Z");
    const { server, client } = await open(refuse(401, outside, {}, { date: new Date(theirs).toUTCString() }));
    expect(await failure(client.send("POST /services/1/suspend", "/services/1/suspend", done))).toMatchObject({
      auth: "clock off",
      answeredAt: theirs,
    });
    expect(server.seen).toHaveLength(2);
  });
});

describe("a refusal", () => {
  test.each([
    [401, "Missing or invalid Authorization header", "key rejected"],
    [401, "Invalid API key format", "key rejected"],
    [401, "Invalid API key", "key rejected"],
    [401, "Something that the spec does not know", "key rejected"],
    [401, "Request signature required for this operation. Include X-Reseller-Signature header.", "signature missing"],
    [400, "Invalid signature format", "signature malformed"],
    [401, "Invalid signature", "signature wrong"],
    [400, "Webhook secret not configured", "secret not configured"],
    [400, "Invalid X-Reseller-Timestamp", "signature malformed"],
    [401, "Request timestamp outside the allowed window", "clock off"],
    [400, "Product is not sold on the 'hourly' billing cycle", undefined],
  ])("with %i %s is about: %s", async (status, error, auth) => {
    const { client } = await open(refuse(status, error));
    const thrown = await failure(client.send("POST /orders", "/orders", done, {}));
    expect(thrown).toMatchObject({ name: "PlatformRefused", api: "reseller", status, reason: error, code: undefined });
    expect(thrown).toHaveProperty("auth", auth);
  });

  test("names the scope that is missing", async () => {
    const { client } = await open(refuse(403, "API key is missing the required scope: destructive"));
    expect(await failure(client.send("DELETE /services/1", "/services/1", done))).toMatchObject({
      scope: "destructive",
    });
  });

  test("may be an object with what is wrong in which field", async () => {
    const details = [{ field: "quantity", message: "1 to 100" }];
    const { client } = await open(refuse(400, { message: "Validation failed", details }));
    expect(await failure(client.send("POST /orders", "/orders", done, {}))).toMatchObject({
      reason: "Validation failed",
      details,
    });
  });

  test.each([402, 502])("with %i keeps its body, which carries the order, and no secret with it", async (status) => {
    const body = { data: { charge: { orderId: "o-1" } }, echo: `Bearer ${key} ${secret}` };
    const { client, practice } = await open(refuse(status, "The charge failed", body));
    const thrown = await failure(client.send("PUT /services/1/options", "/services/1/options", done, { options: [] }));
    expect(thrown).toHaveProperty("body.data.charge.orderId", "o-1");
    expect(thrown).toHaveProperty("body.echo", "Bearer [removed] [removed]");
    expect(JSON.stringify(thrown)).not.toContain("o-1");
    expect(practice.lines.join("")).not.toContain(secret);
  });

  test("of another shape is off the contract", async () => {
    const { client } = await open(refuse(400, 17));
    expect(await failure(client.get("/orders", done))).toMatchObject({ name: "PlatformOffContract" });
  });
});

describe("a file", () => {
  test("comes as its bytes, with its name", async () => {
    const bytes = Buffer.from([0, 159, 146, 150, 255]);
    const { client } = await open((response) =>
      response
        .writeHead(200, { "content-type": "application/zip", "content-disposition": 'attachment; filename="../w.zip"' })
        .end(bytes),
    );
    const file = await client.download("/services/1/game/files/download", { path: "/w.zip" });
    expect(file).toEqual({ content: bytes, contentType: "application/zip", name: "w.zip" });
  });

  test("that is larger than what is taken is refused, and one that is refused says why", async () => {
    const big = await startServer((response) => response.writeHead(200).end(Buffer.alloc(5_000)));
    const small = connect(big.url, { limits: { answerBytes: 1_000 } }).reseller({ key, signingSecret: secret });
    expect(await failure(small.download("/x"))).toMatchObject({ name: "PlatformOffContract" });
    const { client } = await open(refuse(404, "Not found"));
    expect(await failure(client.download("/x"))).toMatchObject({ name: "PlatformRefused", status: 404 });
  });
});
