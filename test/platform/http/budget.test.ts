import { expect, test } from "vitest";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { connect, failure, json, makeKey, refusal, Sample, startServer } from "../server.ts";

test("the budget is each key's own, as last answered, and forgotten when its window has ended", async () => {
  const clock = createSandboxClock(Date.UTC(2026, 10, 20));
  const reset = String(Date.UTC(2026, 10, 20, 1) / 1000);
  const rate = (remaining: string) => ({
    "x-ratelimit-limit": "1000",
    "x-ratelimit-remaining": remaining,
    "x-ratelimit-reset": reset,
  });
  const poor = makeKey();
  const server = await startServer((response, { headers }) =>
    headers.authorization === `Bearer ${poor}`
      ? refusal(401, "UNAUTHORIZED", {}, rate("3"))(response)
      : json(response, 200, { success: true, data: { n: 1 } }, rate("900")),
  );
  const { client, withKey, budgets } = connect(server.url, { clock });

  expect(client.budget()).toBeUndefined();
  await client.get("/things", Sample);
  await failure(withKey(poor).get("/things", Sample));

  const resetAt = Date.UTC(2026, 10, 20, 1);
  expect(client.budget()).toEqual({ api: "customer", limit: 1000, remaining: 900, resetAt });
  expect(client.in("web").budget()).toEqual({ api: "customer", limit: 1000, remaining: 900, resetAt });
  expect(withKey(poor).budget()).toEqual({ api: "customer", limit: 1000, remaining: 3, resetAt });
  expect(budgets().map(({ remaining }) => remaining)).toEqual([900, 3]);
  clock.skip(3_600_000);
  expect(budgets()).toEqual([]);
  expect(client.budget()).toBeUndefined();
});

test.each([
  ["words and a negative figure", { "x-ratelimit-limit": "many", "x-ratelimit-remaining": "-1" }],
  [
    "an end in three thousand years",
    { "x-ratelimit-limit": "1000", "x-ratelimit-remaining": "0", "x-ratelimit-reset": "99999999999" },
  ],
])("a budget that makes no sense is not believed: %s", async (_, headers) => {
  const server = await startServer((response) => json(response, 200, { success: true, data: { n: 1 } }, headers));
  const { client } = connect(server.url);

  await client.get("/things", Sample);

  expect(client.budget()).toBeUndefined();
});
