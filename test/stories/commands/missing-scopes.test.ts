import { expect, test } from "vitest";
import { operations } from "../../../src/operations/index.ts";
import { startResellerStory } from "../reseller/selling.ts";

test("each command that a key's scopes do not allow is refused with the scope, before any form, question or call", async () => {
  const story = await startResellerStory({ linked: ["ana", "dave"], partners: ["ana", "dave"] });
  const { dave, platform } = story;
  const forbidden = operations.filter(({ scope }) => scope !== null && scope !== "read");
  expect(forbidden.length).toBeGreaterThan(90);
  for (const { example, scope } of forbidden) {
    const typed = example.replace(" force=yes", "");
    const answer = await story.ask(dave, typed, `needs the scope \`${scope}\``, "Nothing was sent");
    expect(answer.ephemeralTo, typed).toBe(dave.user.id);
    expect(dave.modal(), typed).toBeUndefined();
  }
  expect(platform.calls()).toEqual([]);
});
