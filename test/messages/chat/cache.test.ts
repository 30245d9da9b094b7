import { expect, test } from "vitest";
import { createCache } from "../../../src/messages/chat/cache.ts";
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
