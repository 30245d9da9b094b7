import { expect, test } from "vitest";
import { listServices } from "../../../src/platform/reseller/services.ts";
import { testWebhook } from "../../../src/platform/reseller/webhook.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { connect, failure, json, makeResellerKey, startServer } from "../server.ts";
import { refuse, secret } from "./call.ts";
import { serviceRow } from "./rows.ts";

test("a reseller key's window slides: its end is always an hour ahead, and it is forgotten an hour after the last call", async () => {
  const start = Date.UTC(2026, 10, 20);
  const clock = createSandboxClock(start);
  let used = 0;
  const rate = () => {
    used += 1;
    return {
      "x-ratelimit-limit": "1000",
      "x-ratelimit-remaining": String(1000 - used),
      "x-ratelimit-used": String(used),
      "x-ratelimit-reset": String(Math.floor(clock.now() / 1000) + 3600),
    };
  };
  const page = { services: [serviceRow()], pagination: { page: 1, limit: 20, total: 1, totalPages: 1 } };
  const { url } = await startServer((response, { headers }) =>
    headers["x-reseller-signature"]
      ? refuse(429, "Rate limit exceeded", {}, rate())(response)
      : json(response, 200, { success: true, data: page }, rate()),
  );
  const practice = connect(url, { clock });
  const key = makeResellerKey();
  const client = practice.reseller({ key, signingSecret: secret });
  const other = practice.reseller({ key: makeResellerKey(), signingSecret: null });

  expect(client.budget()).toBeUndefined();
  await listServices(client);
  expect(client.budget()).toEqual({ api: "reseller", limit: 1000, remaining: 999, resetAt: start + 3_600_000 });

  clock.skip(1_800_000);
  expect(await failure(testWebhook(client))).toMatchObject({ status: 429 });
  expect(client.budget()).toEqual({ api: "reseller", limit: 1000, remaining: 998, resetAt: start + 5_400_000 });
  expect(other.budget()).toBeUndefined();
  expect(practice.client.budget()).toBeUndefined();

  clock.skip(3_600_000);
  expect(client.budget()).toBeUndefined();
});
