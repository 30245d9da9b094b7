import { randomUUID } from "node:crypto";
import * as z from "zod";
import { alertTimer, fromRecords, type NotificationSource } from "../notifications/outbox.ts";
import { defineKind } from "../storage/kind.ts";
import { textMessage } from "../views/blocks.ts";
import type { AlertsApp } from "./app.ts";

export const testAlertSubject = "alert-test";
const hour = 60 * 60_000;

const Test = z.object({ channel: z.string(), by: z.string(), mention: z.string().nullable(), at: z.number() });

const alertTests = defineKind({ name: "alert test", namespace: "alert-tests", schema: Test, ttlMs: hour });

/** Posts a test in a channel through the outbox, as an alert. `by`: the Slack user who asked; `mention` is notified as by a real alert. */
export async function postTestAlert(
  { store, clock }: AlertsApp,
  test: { channel: string; by: string; mention: string | null },
): Promise<void> {
  const id = randomUUID();
  const at = clock.now();
  await store.keyv(alertTests).set(id, { ...test, at });
  await store.timers.set(alertTimer(testAlertSubject, id), at);
}

export function testAlertMessages(app: AlertsApp): NotificationSource {
  return fromRecords(app, alertTests, ({ channel, by, mention, at }) => {
    const text = `:bell: ${mention === null ? "" : `${mention} `}This is a test of <@${by}>'s: alerts reach this channel. Nothing happened.`;
    const to = { in: "channel", channel, otherwise: null, lasting: false } as const;
    return [{ slot: "test", to, message: textMessage(text), priority: "alert", since: at }];
  });
}
