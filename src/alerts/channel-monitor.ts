import * as z from "zod";
import type { Access } from "../access/access.ts";
import { invocationButton, invokePrefix } from "../notifications/answers/buttons.ts";
import { directNotifications } from "../notifications/direct.ts";
import { notificationTimer, type Outbox } from "../notifications/outbox.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating } from "../storage/record.ts";
import { actions, type Message, section } from "../views/blocks.ts";
import type { Subscriptions } from "./subscriptions.ts";

const kind = "channel-watch";
const day = 24 * 60 * 60_000;

const Refused = z.object({ channel: z.string(), reason: z.string(), at: z.number(), admins: z.array(z.string()) });
type Refused = z.infer<typeof Refused>;

/** Notifies the admins when Slack refuses a channel's alerts: once a day at most, until the channel accepts one again. */
export interface ChannelMonitor {
  /** Slack refused an alert in the channel; `reason` is the beginning of a sentence. */
  refused(channel: string, reason: string): Promise<void>;
  /** Slack accepted an alert in the channel: posts those that it refused before. */
  taken(channel: string): Promise<void>;
}

/** The channels about which the admins were notified within a day. */
const notifiedChannels = defineKind({
  name: "mark of a refused channel",
  namespace: `${kind}-told`,
  schema: z.literal(true),
  ttlMs: day,
});
const refusedChannels = defineKind({ name: "channel watch", namespace: kind, schema: Refused, version: 1, ttlMs: day });

export function createChannelMonitor(
  { store, clock }: Foundation,
  deps: {
    access: Pick<Access, "admins">;
    subscriptions: Pick<Subscriptions, "read">;
    outbox: Outbox;
    /** Tries again to post the channel's undelivered alerts. */
    again: (channel: string) => Promise<unknown>;
  },
): ChannelMonitor {
  const { access, subscriptions, outbox, again } = deps;
  const records = store.keyv(refusedChannels);
  const notified = store.keyv(notifiedChannels);

  outbox.source(kind, {
    async notifications(id) {
      const refused = await records.get(id);
      if (!refused) return null;
      return directNotifications(refused.admins, { message: messageOf(refused), since: refused.at });
    },
  });

  return {
    async refused(channel, reason) {
      if (await notified.has(channel)) return;
      const { subscriptions: set } = await subscriptions.read();
      const admins = await access.admins(set.filter((one) => one.channel === channel).map(({ by }) => by));
      // Only with admins at hand: while Slack does not answer who they are, the next refused alert must try again.
      if (admins.length === 0) return;
      if (!(await store.transact({ records: [creating(notifiedChannels, channel, true)] }))) return;
      const at = clock.now();
      const id = `${channel}:${at}`;
      await records.set(id, { channel, reason, at, admins });
      await store.wakeups.wake(`${notificationTimer}${kind}:${id}`, at);
    },
    async taken(channel) {
      // The undelivered alerts are posted now, without an admin who presses "Try again".
      if (await notified.delete(channel)) await again(channel);
    },
  };
}

function messageOf({ channel, reason }: Refused): Message {
  const text = `:warning: No alert reaches <#${channel}>: ${reason}. Alerts are queued, and are posted once the channel takes them again. *Try again* posts them at once.`;
  const button = (label: string, command: string) =>
    invocationButton(label, `${invokePrefix}${command}`, { command, input: {} }, { operation: undefined });
  const steps = [...button("Try again", "rackbell alerts replay"), ...button("Queued alerts", "rackbell alerts log")];
  return { text, blocks: [section(text), ...actions(steps)] };
}
