import type { Clock } from "../clock.ts";
import { cardActions, type MenuEntry } from "../notifications/answers/card.ts";
import type { Notification, NotificationSource } from "../notifications/outbox.ts";
import { isTaken, takeAlertAction, takeBlocks, takeButton, takeEndsAt } from "../notifications/take.ts";
import type { Registry } from "../operation/registry.ts";
import type { Alert, AlertStore } from "./alert.ts";
import type { ChannelMonitor } from "./channel-monitor.ts";
import type { CrossCheck } from "./cross-check.ts";
import { crossCheckLine, resourceToCheck } from "./cross-check-result.ts";
import type { EventLog } from "./event-log.ts";
import { channelModeOf, type Subscriptions } from "./subscriptions.ts";
import {
  alertBlock,
  alertMessage,
  alertSteps,
  type DisplayedEvent,
  historyMessage,
  loudMessage,
  muteSubjectOf,
} from "./view.ts";

/** The outbox slot of the alert itself, beside its replies and its history. */
export const alertSlot = "card";

/** Builds an alert's messages from its stored events alone, so that the outbox can build them again at any time. */
export function createAlertMessages({
  alertStore,
  events,
  subscriptions,
  crossCheck,
  registry,
  channelMonitor,
  clock,
}: {
  alertStore: AlertStore;
  events: Pick<EventLog, "entry">;
  subscriptions: Pick<Subscriptions, "read">;
  crossCheck: Pick<CrossCheck, "read">;
  registry: Registry;
  channelMonitor: ChannelMonitor;
  clock: Clock;
}): NotificationSource {
  async function displayedEventsOf(alert: Alert): Promise<DisplayedEvent[]> {
    const read = await Promise.all(
      alert.events.map(async ({ id, ...entry }) => ({ event: await events.entry(id), ...entry })),
    );
    const displayed = read.flatMap(({ event, ...entry }) => (event ? [{ event, ...entry }] : []));
    const resources = new Set(displayed.flatMap(({ event }) => resourceToCheck(event) ?? []));
    const found = new Map(
      await Promise.all([...resources].map(async (resource) => [resource, await crossCheck.read(resource)] as const)),
    );
    return displayed.map((one) => ({
      ...one,
      crossCheck: crossCheckLine(one.event, found.get(resourceToCheck(one.event) ?? "") ?? null),
    }));
  }

  return {
    async notifications(id, postedSlots) {
      const alert = await alertStore.read(id);
      const shown = alert ? await displayedEventsOf(alert) : [];
      if (!alert || shown.length === 0) return null;
      // All buttons are shown: a member's key is checked when they press one.
      const withoutThread = channelModeOf(await subscriptions.read(), alert.channel).mode !== "thread";
      const now = clock.now();
      const { taken } = alert;
      const take = takeButton(takeAlertAction, id, isTaken(taken, now));
      const offer = (command: string) => registry.find(command) ?? null;
      const menu = muteEntries(muteSubjectOf(shown));
      const row = cardActions(alertSteps(shown), offer, { name: "", details: null, menu, more: [take] });
      // The id changes with the alert: Slack keeps what was chosen in a menu of the same id.
      const blockId = `${alertBlock}${alert.events.length}:${taken?.until ?? ""}`;
      const buttons = withoutThread ? row : row.map((block, at) => ({ ...block, block_id: `${blockId}:${at}` }));
      const foot = [...takeBlocks(taken, now), ...buttons];
      const { channel, startedAt: since } = alert;
      const place = { in: "channel", channel, otherwise: null, lasting: true } as const;
      const under = { in: "thread", under: alertSlot, user: null } as const;
      const replies = shown.flatMap((one, at): Notification[] => {
        const entry = alert.events.find(({ id }) => id === one.event.id);
        // The alert itself shows the first event.
        if (!entry?.loud || at === 0) return [];
        return [{ slot: `loud:${entry.id}`, to: under, message: loudMessage(one), priority: "alert", since }];
      });
      const isPosted = postedSlots.has(alertSlot);
      const message = alertMessage(shown, foot);
      const itself: Notification = {
        slot: alertSlot,
        to: place,
        message,
        priority: isPosted ? "progress" : "alert",
        since,
        changesAt: takeEndsAt(taken, now),
      };
      if (withoutThread) return [itself];
      const history = historyNotifications(shown, { to: under, since });
      // Post what notifies people before edits, which notify nobody.
      return isPosted ? [...replies, itself, ...history] : [itself, ...replies, ...history];
    },
    async unplaced(id, _slot, reason) {
      await alertStore.note(id, reason);
      const alert = await alertStore.read(id);
      if (alert) await channelMonitor.refused(alert.channel, reason);
    },
    async placed(id) {
      const alert = await alertStore.read(id);
      if (!alert) return;
      if (alert.unplaced !== null) await alertStore.note(id, null);
      await channelMonitor.taken(alert.channel);
    },
  };
}

/** Mutes that an admin chooses in *More…*. */
function muteEntries(about: string | null): MenuEntry[] {
  if (about === null) return [];
  const mute = (label: string, input: Record<string, string | number>, form = {}): MenuEntry => ({
    ...{ label, group: "settings" },
    invocation: { command: "rackbell alerts mute", input: { about, ...input }, ...form },
  });
  return [
    mute("Mute for 1 hour", { hours: 1 }),
    mute("Mute for 4 hours", { hours: 4 }),
    mute("Mute until tomorrow 08:00", { until: "tomorrow 08:00" }),
    mute("Mute until…", {}, { form: true }),
  ];
}

/** The history of an alert with more than one event. */
function historyNotifications(
  shown: DisplayedEvent[],
  { to, since }: Pick<Notification, "to" | "since">,
): Notification[] {
  if (shown.length < 2) return [];
  return [{ slot: "history", to, message: historyMessage(shown), priority: "progress", since }];
}
