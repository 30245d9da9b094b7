import { randomUUID } from "node:crypto";
import * as z from "zod";
import { alertTimer, type Outbox } from "../notifications/outbox.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { section } from "../views/blocks.ts";

const kind = "alert-test";
const hour = 60 * 60_000;

const Test = z.object({ channel: z.string(), by: z.string(), mention: z.string().nullable(), at: z.number() });

/** Posts a test in a channel through the outbox, as an alert. `by`: the Slack user who asked; `mention` is notified as by a real alert. */
export type AlertTest = (test: { channel: string; by: string; mention: string | null }) => Promise<void>;

const alertTests = defineKind({ name: "alert test", namespace: "alert-tests", schema: Test, version: 1, ttlMs: hour });

export function createAlertTest({ store, clock }: Foundation, outbox: Outbox): AlertTest {
  const tests = store.keyv(alertTests);
  outbox.source(kind, {
    async notifications(id) {
      const test = await tests.get(id);
      if (!test) return null;
      const { channel, by, mention, at } = test;
      const text = `:bell: ${mention === null ? "" : `${mention} `}This is a test of <@${by}>'s: alerts reach this channel. Nothing happened.`;
      const to = { in: "channel", channel, otherwise: null, lasting: false } as const;
      return [{ slot: "test", to, message: { text, blocks: [section(text)] }, priority: "alert", since: at }];
    },
  });
  return async (test) => {
    const id = randomUUID();
    const at = clock.now();
    await tests.set(id, { ...test, at });
    await store.wakeups.wake(`${alertTimer}${kind}:${id}`, at);
  };
}
