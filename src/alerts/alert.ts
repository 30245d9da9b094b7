import * as z from "zod";
import { pressTake, Take } from "../notifications/take.ts";
import { defineKind } from "../storage/kind.ts";
import { scanIndex } from "../storage/scan-index.ts";
import type { Store } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import type { LoggedEvent } from "./event-log.ts";

const day = 24 * 60 * 60_000;
const month = 30 * day;

const AlertEvent = z.object({
  id: z.string(),
  /** It gets a reply of its own: Slack notifies nobody of an edit. */
  loud: z.boolean(),
  /** Slack user id of the member who requested it through Rackbell. */
  askedBy: z.string().nullable(),
  /** Mentions that are posted with it, in mrkdwn. */
  mention: z.string().nullable().default(null),
});
export type AlertEvent = z.infer<typeof AlertEvent>;

/** A message in a channel about one order, or one other resource, and the events of a day that it shows. */
const Alert = z.object({
  channel: z.string(),
  startedAt: z.number(),
  events: z.array(AlertEvent),
  /** Why Slack did not accept it; null otherwise. */
  unplaced: z.string().nullable(),
  /** The member who looks after it. */
  taken: Take.nullable().default(null),
});
export type Alert = z.infer<typeof Alert>;

const CurrentAlert = z.object({ card: z.string() });

export interface AlertStore {
  read(id: string): Promise<Alert | undefined>;
  /**
   * Adds the event to the current alert of the first of its keys that has one in that channel.
   * `begun`: the alert begins with this event. Null where no alert exists and `starts` is false. `forceNew` ignores the current alert.
   */
  add(
    event: LoggedEvent,
    to: { channel: string; alertKeys: string[]; starts: boolean; entry: AlertEvent; forceNew?: boolean },
  ): Promise<{ id: string; begun: boolean } | null>;
  /** Stores a press of *Take* or *Release*. Resolves with why the press changes nothing, as a sentence; null if it counts. */
  take(id: string, press: Parameters<typeof pressTake>[1]): Promise<string | null>;
  /** Stores why it could not be posted; null: it was posted since. */
  note(id: string, unplaced: string | null): Promise<void>;
  countUnplaced(): Promise<number>;
  /** The first 20 alerts that could not be posted. */
  unplaced(): Promise<{ id: string; card: Alert }[]>;
  /** The ids of all alerts that could not be posted, or of those of one channel. */
  allUnplaced(channel?: string): Promise<string[]>;
}

const alertKind = defineKind({ name: "alert card", namespace: "alert-cards", schema: Alert, version: 1, ttlMs: month });
const currentAlert = defineKind({
  name: "current alert card",
  namespace: "alert-cards-current",
  schema: CurrentAlert,
  version: 1,
  ttlMs: day,
});

export function createAlertStore(deps: {
  store: Store;
  /** Called for each new alert, about which nothing can have been posted. */
  markUnposted: (id: string) => void;
}): AlertStore {
  const { store, markUnposted } = deps;
  const alerts = store.keyv(alertKind);
  const unplacedIds = store.index("alert-cards-unplaced");
  const current = store.keyv(currentAlert);

  /** The current alert there, if it is at most a day old: an older one has scrolled away. */
  async function currentOf(place: string, at: number): Promise<string | null> {
    const id = (await current.get(place))?.card;
    const alert = id === undefined ? undefined : await alerts.get(id);
    return id !== undefined && alert && alert.startedAt > at - day ? id : null;
  }

  return {
    read: (id) => alerts.get(id),
    async add(event, { channel, alertKeys, starts, entry, forceNew = false }) {
      const places = alertKeys.map((alertKey) => `${channel}:${alertKey}`);
      // In a channel without replies a loud event needs a new message: Slack notifies nobody of an edit.
      const currentIds = await Promise.all(places.map((place) => (forceNew ? null : currentOf(place, event.at))));
      const currentId = currentIds.find((id) => id !== null) ?? null;
      if (currentId === null && !starts) return null;
      const id = currentId ?? `${places[0]}:${event.id}`;
      // Store the alert before the pointer to it: after a crash in between, the same event makes the same alert again.
      let isNew = false;
      const alert = await update(store, alertKind, id, (before) => {
        isNew = before === undefined;
        const { events, ...alert } = before ?? {
          channel,
          startedAt: event.at,
          events: [],
          unplaced: null,
          taken: null,
        };
        return events.some((one) => one.id === entry.id) ? undefined : { ...alert, events: [...events, entry] };
      });
      if (isNew) markUnposted(id);
      for (const [at, place] of places.entries()) if (currentIds[at] === null) await current.set(place, { card: id });
      return { id, begun: alert?.events[0]?.id === entry.id };
    },
    async take(id, press) {
      let problem: string | null = "That alert is no longer known. Nothing changed.";
      await update(store, alertKind, id, (alert) => {
        const pressed = alert && pressTake(alert.taken, press);
        problem = pressed && "problem" in pressed ? pressed.problem : alert ? null : problem;
        return alert && pressed && "taken" in pressed ? { ...alert, ...pressed } : undefined;
      });
      return problem;
    },
    async note(id, unplaced) {
      if (unplaced !== null) await unplacedIds.put(id, 0);
      await update(store, alertKind, id, (alert) => alert && { ...alert, unplaced });
      if (unplaced === null) await unplacedIds.remove(id);
    },
    countUnplaced: unplacedIds.size,
    async allUnplaced(channel) {
      const ids: string[] = [];
      for await (const { member } of scanIndex(unplacedIds))
        if (channel === undefined || (await alerts.get(member))?.channel === channel) ids.push(member);
      return ids;
    },
    async unplaced() {
      const { entries } = await unplacedIds.range({ limit: 20 });
      const found = await Promise.all(
        entries.map(async ({ member }) => ({ id: member, card: await alerts.get(member) })),
      );
      return found.flatMap(({ id, card }) => (card && card.unplaced !== null ? [{ id, card }] : []));
    },
  };
}
