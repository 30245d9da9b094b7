import { expect, test } from "vitest";
import { type Cache, createCache } from "../../../src/messages/chat/cache.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";

test("rights that change while Slack is asked for them are asked for again, in place of the former ones", async () => {
  const cache = createCache<string>({ clock: createSandboxClock(), most: 10, lifeMs: 60_000 });
  const slack = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  const reading = cache.recall("ana", () => {
    asked.resolve();
    return slack.promise;
  });
  await asked.promise;
  await cache.forget("ana");
  slack.resolve("admin");
  await reading;
  expect(await cache.recall("ana", async () => "no admin")).toBe("no admin");
  expect(await cache.recall("ana", async () => "asked again")).toBe("no admin");
});

/** A read that is under way: `answer` ends it, and `value` is what its caller gets. */
async function reading(cache: Cache<string>, options: { fresh?: boolean } = {}) {
  const slack = Promise.withResolvers<string>();
  const asked = Promise.withResolvers<void>();
  const value = cache.recall(
    "ana",
    () => {
      asked.resolve();
      return slack.promise;
    },
    options,
  );
  await asked.promise;
  return { value, answer: slack.resolve, fail: slack.reject };
}

const cacheOf = () => createCache<string>({ clock: createSandboxClock(), most: 10, lifeMs: 60_000 });

test("two who ask at one time share one question to Slack, and its failure", async () => {
  const cache = cacheOf();
  const first = await reading(cache);
  const second = cache.recall("ana", async () => "asked twice");
  first.answer("admin");
  expect([await first.value, await second]).toEqual(["admin", "admin"]);
  await cache.forget("ana");
  const failing = await reading(cache);
  const joined = cache.recall("ana", async () => "asked twice");
  failing.fail(new Error("Slack does not answer"));
  await expect(failing.value).rejects.toThrow("Slack does not answer");
  await expect(joined).rejects.toThrow("Slack does not answer");
  expect(await cache.recall("ana", async () => "asked again")).toBe("asked again");
});

test("rights that must be live are never those of a question that was asked before", async () => {
  const cache = cacheOf();
  const early = await reading(cache);
  expect(await cache.recall("ana", async () => "no admin", { fresh: true })).toBe("no admin");
  early.answer("admin");
  await early.value;
  expect(await cache.recall("ana", async () => "asked again")).toBe("no admin");
});

test("after a change nobody gets the answer to a question from before it", async () => {
  const cache = cacheOf();
  const early = await reading(cache);
  await cache.forget("ana");
  expect(await cache.recall("ana", async () => "no admin")).toBe("no admin");
  early.answer("admin");
  await early.value;
  expect(await cache.recall("ana", async () => "asked again")).toBe("no admin");
});
