import * as z from "zod";
import type { StoreApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { countUnmentioned } from "./alert.ts";
import type { LoggedEvent } from "./events.ts";
import type { Subscription } from "./subscriptions.ts";

const hour = 60 * 60_000;
/** Milliseconds. A subscription mentions once in this time: forty machines that fail together must not call somebody forty times. */
const pauseMs = 5 * 60_000;

/** The last mention of a subscription: its event, when that arrived, and the alert that shows it, once there is one. */
const LastMention = z.object({ event: z.string(), at: z.number(), alert: z.string().nullable() });
const lastMentions = defineKind({
  name: "last mention of a subscription",
  namespace: "alert-mentions",
  schema: LastMention,
  ttlMs: hour,
});

/**
 * The mentions of the event, of subscriptions that have made none for a while. `others`: the last mentions of the others, whose messages
 * count the event. Running it again for the same event gives the same.
 */
export async function takeMentions(
  { store }: StoreApp,
  subscriptions: readonly Subscription[],
  { id, at }: LoggedEvent,
): Promise<{ mentions: string[]; takenBy: string[]; others: { alert: string; event: string }[] }> {
  const mentions: string[] = [];
  const takenBy: string[] = [];
  const others: { alert: string; event: string }[] = [];
  for (const { id: subscription, mention } of subscriptions) {
    if (mention === null) continue;
    const last = await update(store, lastMentions, subscription, (before) => {
      const isRecent = before && before.event !== id && at - before.at >= 0 && at - before.at < pauseMs;
      return before?.event === id || isRecent ? undefined : { event: id, at, alert: null };
    });
    if (last?.event === id) {
      mentions.push(mention);
      takenBy.push(subscription);
    } else if (last?.alert) others.push({ alert: last.alert, event: last.event });
  }
  return { mentions: [...new Set(mentions)], takenBy, others };
}

/** Notes the alert that shows the mention of these subscriptions. */
export async function noteMentions(
  { store }: StoreApp,
  subscriptions: readonly string[],
  { id }: LoggedEvent,
  alert: string,
): Promise<void> {
  for (const subscription of subscriptions)
    await update(store, lastMentions, subscription, (now) => (now?.event === id ? { ...now, alert } : undefined));
}

/** Has the messages with the last mentions count an event that mentions nobody itself. */
export async function countInMentions(
  app: Parameters<typeof countUnmentioned>[0],
  { id }: LoggedEvent,
  others: readonly { alert: string; event: string }[],
): Promise<void> {
  for (const { alert, event } of others) await countUnmentioned(app, alert, { event, counted: id });
}
