import { contextsWithoutMentions, userName } from "../members/slack-user.ts";
import { cardActions, type MenuEntry } from "../messages/answers/card.ts";
import type { Notification, NotificationSource } from "../messages/outbox.ts";
import { findNextWindowMute, type Mute, muteScope } from "../policy/maintenance-windows/windows.ts";
import { readResponsibility } from "../policy/responsibility/responsibility.ts";
import type { MadeStep } from "../policy/responsibility/steps.ts";
import { takeBlocks, takeButton, waitBlocks } from "../policy/responsibility/take-view.ts";
import { type PlainText, plainly } from "../process/plain-text.ts";
import type { StoreApp } from "../storage/foundation.ts";
import { type Block, button, context, textMessage } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { code, listingOf } from "../views/text.ts";
import {
  type Alert,
  alertSlot,
  briefAction,
  readAlert,
  responsibilityOf,
  takeAlertAction,
  unmentionedUnder,
} from "./alert.ts";
import type { AlertsApp } from "./app.ts";
import { isHeld } from "./burst.ts";
import { crossCheckLine, readCrossCheck, resourceToCheck } from "./cross-check.ts";
import { readEvent, searchTermsOf } from "./event-log.ts";
import { aspectOf, latestByAspect } from "./events.ts";
import { notePlace } from "./notes.ts";
import { channelAccepted, channelRefused } from "./notices.ts";
import { channelModeOf, readRouting } from "./subscriptions.ts";
import {
  alertBlock,
  alertMessage,
  alertSteps,
  type DisplayedEvent,
  historyMessage,
  lateMessage,
  loudMessage,
  muteSubjectOf,
  stepMessage,
} from "./view.ts";
import { type AlertMutes, alertWaiting } from "./waiting.ts";

/** Builds an alert's messages from its stored events alone, so that the outbox can build them again at any time. */
export function alertMessages(app: AlertsApp): NotificationSource {
  return {
    notifications: (id, posted) => notificationsOf(app, id, posted),
    async unplaced(id, _slot, reason) {
      const alert = await readAlert(app, id);
      if (!alert) return;
      const { channel, startedAt: since } = alert;
      await channelRefused(app, responsibilityOf(id), { channel, since, noun: "an alert", slot: alertSlot, reason });
    },
    async placed(id, _slot, to) {
      // A direct message does not show that the channel takes alerts.
      if (to.in === "direct") return;
      const alert = await readAlert(app, id);
      if (!alert) return;
      await notePlace(app, id);
      await channelAccepted(app, responsibilityOf(id), alert.channel);
    },
  };
}

async function notificationsOf(
  app: AlertsApp,
  id: string,
  postedSlots: ReadonlySet<string>,
): Promise<Notification[] | null> {
  // Before all that is derived: a window may open meanwhile.
  const now = app.clock.now();
  const alert = await readAlert(app, id);
  const shown = alert ? await readDisplayedEvents(app, id, alert) : [];
  if (!alert || shown.length === 0) return null;
  if (await isHeld(app, id, alert)) return [];
  const routing = await readRouting(app);
  const withoutThread = channelModeOf(routing, alert.channel).mode !== "thread";
  const responsibility = await readResponsibility(app, responsibilityOf(id));
  const waiting = await alertWaiting(app, id);
  const isOver = waiting?.isOver ?? true;
  const take = isOver ? [] : [takeButton(takeAlertAction, id, responsibility)];
  const brief = button("Brief me", briefAction, id);
  const mutes = waiting?.mutes ?? { each: [], whole: null };
  // A maintenance window mutes as well, and has commands of its own.
  const ended = routing.mutes.filter(({ by, until }) => mutes.each.some((one) => by === one.by && until === one.until));
  const menu = muteEntries(muteSubjectOf(shown), ended);
  // All buttons are shown: a member's key is checked when they press one.
  const row = cardActions(alertSteps(shown), app.registry.find, {
    name: "",
    details: null,
    menu,
    more: [...take, brief],
  });
  // The id changes with the alert: Slack keeps what was chosen in a menu of the same id.
  const blockId = `${alertBlock}${alert.events.length}:${responsibility.takenBy?.until ?? ""}`;
  const buttons = withoutThread ? row : row.map((block, at) => ({ ...block, block_id: `${blockId}:${at}` }));
  const waits = [...takeBlocks(responsibility, { isOver }), ...waitBlocks(responsibility, isOver ? null : waiting)];
  const isPosted = postedSlots.has(alertSlot);
  // One that Slack held up is posted after its first steps: whom these notified, it would notify again.
  const quiet = isPosted ? waits : await contextsWithoutMentions(app, waits);
  const foot = [...(await muteBlocks(app, mutes)), ...newerBlocks(shown, alert), ...quiet, ...buttons];
  const { channel, startedAt: since } = alert;
  const place = { in: "channel", channel, otherwise: null, lasting: true } as const;
  const under = { in: "thread", under: alertSlot, user: null } as const;
  const replies = shown.flatMap((one, at): Notification[] => {
    const entry = alert.events.find(({ id }) => id === one.event.id);
    // The alert itself shows the first event.
    if (!entry?.loud || at === 0) return [];
    return [{ slot: `loud:${entry.id}`, to: under, message: loudMessage(one), priority: "alert", since }];
  });
  const itself: Notification = {
    slot: alertSlot,
    to: place,
    message: alertMessage(shown, foot),
    priority: isPosted ? "progress" : "alert",
    since,
    changesAt: await nextMuteChange(app, shown, { after: now, isOver, mutedUntil: mutes.each[0]?.until }),
  };
  const replyPlace = withoutThread ? place : under;
  const late = await lateNotifications(app, alert, replyPlace);
  const steps = responsibility.steps.flatMap((made) => stepNotifications(shown, made, replyPlace));
  if (withoutThread) return [itself, ...late, ...steps];
  const history = [...muteReplies(mutes, { to: under, since }), ...historyNotifications(shown, { to: under, since })];
  // Post what notifies people before edits, which notify nobody.
  const calls = [...replies, ...late, ...steps];
  return isPosted ? [...calls, itself, ...history] : [itself, ...calls, ...history];
}

/** When a mute of the alert ends or, of one that is not over, a maintenance window opens; undefined where neither is known. */
async function nextMuteChange(
  app: AlertsApp,
  shown: readonly DisplayedEvent[],
  { after, isOver, mutedUntil }: { after: number; isOver: boolean; mutedUntil: number | undefined },
): Promise<number | undefined> {
  const about = shown.flatMap(({ event }) => searchTermsOf(event.data));
  const opens = isOver ? null : await findNextWindowMute(app, after, about);
  const times = [mutedUntil, opens].filter((at) => at !== null && at !== undefined);
  return times.length > 0 ? Math.min(...times) : undefined;
}

/** The alert's events, as it shows them. */
export async function readDisplayedEvents(app: StoreApp, id: string, alert: Alert): Promise<DisplayedEvent[]> {
  const read = await Promise.all(
    alert.events.map(async ({ id: event, ...entry }) => ({
      event: await readEvent(app, event),
      ...entry,
      unmentioned:
        entry.mention === null
          ? 0
          : Math.max(entry.unmentioned, await app.store.index(unmentionedUnder(id, event)).size()),
    })),
  );
  const displayed = read.flatMap(({ event, ...entry }) => (event ? [{ event, ...entry }] : []));
  const resources = new Set(displayed.flatMap(({ event }) => resourceToCheck(event) ?? []));
  const found = new Map(
    await Promise.all([...resources].map(async (resource) => [resource, await readCrossCheck(app, resource)] as const)),
  );
  return displayed.map((one) => ({
    ...one,
    crossCheck: crossCheckLine(one.event, found.get(resourceToCheck(one.event) ?? "") ?? null),
  }));
}

/** The mentions that were owed, each as a message of its own: Slack notifies nobody of an edit. */
function lateNotifications(app: AlertsApp, { lateMentions }: Alert, to: Notification["to"]): Promise<Notification[]> {
  return Promise.all(
    lateMentions.map(async ({ subscription, mention, at: since, events, others }) => {
      const read = await Promise.all(events.map(({ id }) => readEvent(app, id)));
      const message = lateMessage(
        read.filter((event) => event !== null),
        { mention, others },
      );
      return { slot: `late:${subscription}:${events.at(-1)?.id}`, to, message, priority: "alert" as const, since };
    }),
  );
}

/**
 * The messages of a step: one that mentions, and a direct message to each who is not in the channel. The message of its event has mentioned
 * the first ones. Its words stay as they were then, since an edit notifies nobody.
 */
function stepNotifications(shown: readonly DisplayedEvent[], made: MadeStep, to: Notification["to"]): Notification[] {
  // The name of a step begins with the event that led to it.
  const named = shown.find(({ event: { id } }) => id === made.about);
  const begin = (named ?? shown.find(({ event: { id } }) => made.name.startsWith(id)))?.event;
  if (!begin) return [];
  // It may have got worse since: the message names the state of its time.
  const until = latestByAspect(shown.flatMap((one) => (one.event.at <= made.at ? [one.event] : [])));
  const event = until.find((one) => aspectOf(one) === aspectOf(begin)) ?? begin;
  const own = { priority: "alert", since: made.at } as const;
  const direct = made.notified.flatMap(({ slackUser, direct: isDirect }): Notification[] =>
    slackUser === null || !isDirect
      ? []
      : [
          {
            ...own,
            slot: `step:${made.name}:${slackUser}`,
            to: { in: "direct", user: slackUser },
            message: stepMessage(event, made, { alone: true }),
          },
        ],
  );
  if (made.kind === "notified") return direct;
  return [{ ...own, slot: `step:${made.name}`, to, message: stepMessage(event, made, { alone: false }) }, ...direct];
}

/** Mutes that an admin chooses in *More…*, and the end of each that is on: it may be one of a customer, or of everything. */
function muteEntries(about: string | null, present: readonly Mute[]): MenuEntry[] {
  const mute = (label: PlainText, input: Record<string, string | number>, form = {}): MenuEntry => ({
    label,
    group: "settings",
    invocation: { command: "rackbell alerts mute", input, ...form },
  });
  const unmute = present.slice(0, mostMuted).map((one) => {
    const named = one.name ?? one.about ?? "all alerts";
    return mute(present.length === 1 ? "Unmute" : plainly`Unmute ${named}`, { ...muteScope(one), hours: 0 });
  });
  if (about === null) return unmute;
  return [
    ...unmute,
    mute("Mute for 1 hour", { about, hours: 1 }),
    mute("Mute for 4 hours", { about, hours: 4 }),
    mute("Mute until tomorrow 08:00", { about, until: "tomorrow 08:00" }),
    mute("Mute until…", { about }, { form: true }),
  ];
}

/** The answers in the thread to the mutes of its resources: they name who pressed them, for all who look. */
function muteReplies({ each }: AlertMutes, { to, since }: Pick<Notification, "to" | "since">): Notification[] {
  return mutedTogether(each).map(({ by, until, names }) => {
    const text = `:mute: <@${by}> muted ${names} until ${moment(until)}. This alert is still updated.`;
    return { slot: `mute:${by}:${until}`, to, message: textMessage(text), priority: "progress", since };
  });
}

/** A message names so many muted resources. */
const mostMuted = 5;

/** The mutes that name a resource: those that somebody set until the same time are one. */
function mutedTogether(mutes: readonly Mute[]): { by: string; until: number; names: string; isOne: boolean }[] {
  const named = mutes.flatMap(({ about, name, ...mute }) => (about === null ? [] : [{ ...mute, name: name ?? about }]));
  return [...Map.groupBy(named, ({ by, until }) => `${by} ${until}`).values()].flatMap((same) => {
    const [first] = same;
    const names = listingOf(
      same.map(({ name }) => code(name)),
      mostMuted,
      "other",
    );
    return first ? [{ by: first.by, until: first.until, names, isOne: same.length === 1 }] : [];
  });
}

/** The history of an alert with more than one event. */
function historyNotifications(
  shown: DisplayedEvent[],
  { to, since }: Pick<Notification, "to" | "since">,
): Notification[] {
  if (shown.length < 2) return [];
  return [{ slot: "history", to, message: historyMessage(shown), priority: "progress", since }];
}

/** The line on an alert that says until when it, or some of its resources, are muted, and by whom: by name, since it may be a new message. */
async function muteBlocks(app: AlertsApp, { each, whole }: AlertMutes): Promise<Block[]> {
  const muted = whole
    ? [{ ...whole, lead: "Muted" }]
    : mutedTogether(each).map((one) => ({ ...one, lead: `${one.names} ${one.isOne ? "is" : "are"} muted` }));
  const lines = muted.map(
    async ({ lead, until, by }) =>
      `:mute: ${lead} until ${moment(until)} by ${code(plainly`@${await userName(app, by)}`)}`,
  );
  return muted.length === 0 ? [] : [context((await Promise.all(lines)).join("\n"))];
}

/** The line on an alert whose present state waits for somebody in a newer one: each loud event of a channel without threads has its own. */
function newerBlocks(shown: DisplayedEvent[], { events }: Alert): Block[] {
  const latest = latestByAspect(shown.map(({ event }) => event));
  const isNewer = latest.some(({ id }) => events.find((one) => one.id === id)?.waits === "newer");
  return isNewer ? [context(":arrow_down: A newer alert in this channel shows this. Take that one.")] : [];
}
