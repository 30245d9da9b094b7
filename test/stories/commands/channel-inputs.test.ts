import { expect, test } from "vitest";
import { fieldsOf } from "../../../src/operation/fields.ts";
import { operations } from "../../../src/operations/index.ts";
import { said, startStory } from "../story.ts";

/** Every command that posts into a channel which it is given, as it is typed for one. */
const posting: Record<string, (channel: string) => string> = {
  "rackbell report": (channel) => `${channel} monday 09:00`,
  "rackbell alerts": (channel) => `do=test channel=${channel}`,
  "rackbell alerts set": (channel) => channel,
  "rackbell settings": (channel) => `approvals=${channel}`,
  "rackbell agent new": (channel) => `claude may=read channel=${channel}`,
};

test("every command that posts into a channel refuses one that Rackbell is not in, in words that Slack shows", async () => {
  const { ana, ask } = await startStory({ linked: ["ana"], environment: { AGENTS: "on" } });
  for (const [command, typed] of Object.entries(posting)) {
    const answer = said(await ask(ana, `/${command} ${typed("#random")}`, "I am not in"));
    expect(answer, command).toContain("/invite @Rackbell");
    expect(answer, command).not.toMatch(/&lt;|&amp;|ˋ/);
  }
});

test("every command that names one channel to post into is tried", () => {
  const naming = operations.filter(({ input }) => fieldsOf(input).some(({ kind }) => kind === "channel"));
  const untried = naming.map(({ command }) => command).filter((command) => !(command in posting));
  // They only stop or silence alerts and end that, so that any channel will do.
  expect(untried).toEqual(["rackbell alerts stop", "rackbell alerts mute"]);
});

/** A hurried operator or an attacker may paste this into any field. */
const wild = "<#C0123456789|x> & `tick` *bold*";

test("no field of any operation escapes what was typed: a form shows it as it is, and a message escapes it once", () => {
  for (const operation of operations)
    for (const { name } of fieldsOf(operation.input)) {
      const accepted = operation.accept({ [name]: wild });
      if ("error" in accepted)
        expect(accepted.error.message, `${operation.command} ${name}`).not.toMatch(/&lt;|&amp;|ˋ/);
    }
});
