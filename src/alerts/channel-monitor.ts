import * as z from "zod";
import { invocationButton, invokePrefix } from "../notifications/answers/buttons.ts";
import { directNotifications } from "../notifications/direct.ts";
import { type NotificationSource, notificationTimer } from "../notifications/outbox.ts";
import { defineKind } from "../storage/kind.ts";
import { creating } from "../storage/record.ts";
import { actions, type Message, section } from "../views/blocks.ts";
import { replayAlerts } from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { readRouting } from "./subscriptions.ts";

export const channelMonitorKind = "channel-watch";
const day = 24 * 60 * 60_000;

const Refused = z.object({ channel: z.string(), reason: z.string(), at: z.number(), admins: z.array(z.string()) });
type Refused = z.infer<typeof Refused>;

// Notifies the admins when Slack refuses a channel's alerts: once a day at most, until the channel accepts one again.

/** The channels about which the admins were notified within a day. */
const notifiedChannels = defineKind({
  name: "mark of a refused channel",
  namespace: `${channelMonitorKind}-told`,
  schema: z.literal(true),
  ttlMs: day,
});
const refusedChannels = defineKind({
  name: "channel watch",
  namespace: channelMonitorKind,
  schema: Refused,
  version: 1,
  ttlMs: day,
});

/** The messages to the admins. */
export function channelMonitorMessages({ store }: AlertsApp): NotificationSource {
  return {
    async notifications(id) {
      const refused = await store.keyv(refusedChannels).get(id);
      if (!refused) return null;
      return directNotifications(refused.admins, { message: messageOf(refused), since: refused.at });
    },
  };
}

/** To be called after Slack refused an alert in the channel; `reason` is the beginning of a sentence. */
export async function channelRefused(app: AlertsApp, channel: string, reason: string): Promise<void> {
  const { store, clock } = app;
  if (await store.keyv(notifiedChannels).has(channel)) return;
  const { subscriptions } = await readRouting(app);
  const admins = await app.access.admins(subscriptions.filter((one) => one.channel === channel).map(({ by }) => by));
  // Only with admins at hand: while Slack does not answer who they are, the next refused alert must try again.
  if (admins.length === 0) return;
  if (!(await store.transact({ records: [creating(notifiedChannels, channel, true)] }))) return;
  const at = clock.now();
  const id = `${channel}:${at}`;
  await store.keyv(refusedChannels).set(id, { channel, reason, at, admins });
  await store.wakeups.wake(`${notificationTimer}${channelMonitorKind}:${id}`, at);
}

/** To be called after Slack accepted an alert in the channel: posts those that it refused before. */
export async function channelAccepted(app: AlertsApp, channel: string): Promise<void> {
  // The undelivered alerts are posted now, without an admin who presses "Try again".
  if (await app.store.keyv(notifiedChannels).delete(channel)) await replayAlerts(app, channel);
}

function messageOf({ channel, reason }: Refused): Message {
  const text = `:warning: No alert reaches <#${channel}>: ${reason}. Alerts are queued, and are posted once the channel takes them again. *Try again* posts them at once.`;
  const button = (label: string, command: string) =>
    invocationButton(label, `${invokePrefix}${command}`, { command, input: {} }, { operation: undefined });
  const steps = [...button("Try again", "rackbell alerts replay"), ...button("Queued alerts", "rackbell alerts log")];
  return { text, blocks: [section(text), ...actions(steps)] };
}
