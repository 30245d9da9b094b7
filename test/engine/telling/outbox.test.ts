import { pino } from "pino";
import { expect, onTestFinished, test } from "vitest";
import {
  createOutbox,
  ringWake,
  type Telling,
  type TellingSource,
  tellWake,
} from "../../../src/engine/telling/outbox.ts";
import type { Postman } from "../../../src/engine/telling/postman.ts";
import { createSandboxClock } from "../../../src/sandbox/clock.ts";
import { openStore } from "../../../src/storage/open.ts";

const ref = { channel: "C1", ts: "1" };

async function outboxOf(place: Postman["place"], sources: Record<string, TellingSource["tellings"]>) {
  const clock = createSandboxClock();
  const log = pino({ level: "silent" });
  const store = await openStore({ url: "sqlite::memory:", clock, log });
  onTestFinished(() => store.close());
  const outbox = createOutbox({ store, log, postman: { place } });
  for (const [kind, tellings] of Object.entries(sources)) outbox.source(kind, { tellings });
  await store.wakeups.start();
  return { wake: (id: string) => store.wakeups.wake(id, clock.now()) };
}

function telling(slot: string, text: string): Telling {
  const to = { in: "channel", channel: "C1", otherwise: null, lasting: false } as const;
  return { slot, to, message: { text, blocks: [] }, priority: "alert", since: 0 };
}

test("while hundreds of alerts wait for their turn in Slack, what somebody waits for is told at once", async () => {
  const { promise: never, reject } = Promise.withResolvers<never>();
  const waiting: string[] = [];
  const placed: string[] = [];
  const { wake } = await outboxOf(
    async ({ subject }) => {
      if (subject.startsWith("alert:")) {
        waiting.push(subject);
        return never;
      }
      placed.push(subject);
      return { ref };
    },
    { alert: async () => [telling("card", "an alert")], request: async () => [telling("card", "a request")] },
  );
  // Before the store closes, which waits for what is under way.
  onTestFinished(() => reject(new Error("The test is over")));
  for (let number = 0; number < 300; number += 1) await wake(`${ringWake}alert:${number}`);
  await expect.poll(() => waiting.length).toBeGreaterThan(200);
  await wake(`${tellWake}request:1`);
  await expect.poll(() => placed).toEqual(["request:1"]);
});

test("what changes while a message waits for its turn is in those after it, which need no edit then", async () => {
  let known = 1;
  const placed: string[] = [];
  const { wake } = await outboxOf(
    async ({ slot, message }) => {
      placed.push(`${slot} ${message.text}`);
      known = 2;
      return { ref };
    },
    { alert: async () => [telling("card", `knows ${known}`), telling("history", `knows ${known}`)] },
  );
  await wake(`${ringWake}alert:1`);
  await expect.poll(() => placed).toEqual(["card knows 1", "history knows 2"]);
});
