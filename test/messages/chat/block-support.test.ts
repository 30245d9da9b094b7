import { expect, test } from "vitest";
import { SlackRefused } from "../../../src/messages/chat/errors.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { alert, type Message, section } from "../../../src/views/blocks.ts";
import { supportFor } from "./callers.ts";

const warning = (text: string): Message => ({ text, blocks: [section(text), alert(text, "warning")] });

/** Slack, which refuses the messages of `faulty`, and the kinds of block that it was sent. */
async function slackRefusing(faulty: string[]) {
  const support = await supportFor(createSandboxClock());
  const sent: string[] = [];
  const send = (text: string) =>
    support.send(warning(text), async ({ blocks }) => {
      const kind = blocks.some(({ type }) => type === "alert") ? "alert" : "plain";
      sent.push(`${text} ${kind}`);
      if (kind === "alert" && faulty.includes(text)) throw new SlackRefused("chat.postMessage", "invalid_blocks");
    });
  return { send, sent };
}

test("one faulty message, however often it is sent, makes no other message plain", async () => {
  const { send, sent } = await slackRefusing(["faulty"]);
  for (const text of ["faulty", "faulty", "right", "faulty", "right"]) await send(text);
  expect(sent.filter((one) => one.startsWith("right"))).toEqual(["right alert", "right alert"]);
  expect(sent.filter((one) => one === "faulty plain")).toHaveLength(3);
});

test("a kind of block that Slack refuses in two messages is not tried in the next one", async () => {
  const { send, sent } = await slackRefusing(["one", "two", "three"]);
  for (const text of ["one", "two", "three"]) await send(text);
  expect(sent).toEqual(["one alert", "one plain", "two alert", "two plain", "three plain"]);
});

test("a message that Slack refuses once long after another, with right ones between them, makes none plain", async () => {
  const { send, sent } = await slackRefusing(["one", "two"]);
  for (const text of ["one", "right", "two", "right"]) await send(text);
  expect(sent.at(-1)).toBe("right alert");
});
