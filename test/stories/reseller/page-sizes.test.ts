import { expect, test } from "vitest";
import { connect, startResellerStory } from "./selling.ts";

test("resold services are polled in pages that a platform with the smallest maximum of its spec takes", async () => {
  const story = await startResellerStory({ connected: false });
  const { reseller, calls } = story.platform;
  const secret = {
    "Signing secret": reseller.signingSecret() ?? "",
    "Reseller monitoring key": reseller.keys.reader.key,
  };
  await connect(story, story.ana, secret);
  const pages = () => calls().filter(({ path }) => path === "/reseller/services");
  await story.passes(
    () => pages().some(({ query }) => query.status === undefined),
    "the polling of the services",
    30_000,
  );
  for (const { query } of pages()) expect(Number(query.limit)).toBeLessThanOrEqual(100);
});
