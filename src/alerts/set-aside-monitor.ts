import * as z from "zod";
import { invocationButton, invokePrefix } from "../notifications/answers/buttons.ts";
import { directNotifications } from "../notifications/direct.ts";
import { type NotificationSource, notificationTimer } from "../notifications/outbox.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { actions, type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { count } from "../views/text.ts";
import type { AlertsApp } from "./app.ts";
import type { LoggedEvent, SetAsideReason } from "./events.ts";
import { eventLine } from "./view.ts";

export const setAsideKind = "aside-watch";
const hour = 60 * 60_000;
const week = 7 * 24 * hour;

/** The events of one hour that were set aside. */
const SetAside = z.object({
  /** When the first of them arrived, in milliseconds. */
  since: z.number(),
  /** The id of the last one, so that an event that is processed again after a crash is counted once. */
  last: z.string(),
  line: z.string(),
  at: z.number(),
  counts: z.record(z.string(), z.number()),
});
type SetAside = z.infer<typeof SetAside>;

const setAsides = defineKind({
  name: "aside watch",
  namespace: setAsideKind,
  schema: SetAside,
  version: 1,
  ttlMs: week,
});

/** Notifies the admins of events that reach no channel because of their time: one message an hour, which counts them. */
export async function notifySetAside({ store, clock }: AlertsApp, events: readonly LoggedEvent[]): Promise<void> {
  for (const event of events) {
    const id = String(Math.floor(event.at / hour));
    await update(store, setAsides, id, (before) => withEvent(before, event));
    await store.wakeups.wake(`${notificationTimer}${setAsideKind}:${id}`, clock.now());
  }
}

export function setAsideMessages({ store, access, secretSetBy }: AlertsApp): NotificationSource {
  return {
    async notifications(id) {
      const found = await store.keyv(setAsides).get(id);
      if (!found) return null;
      const user = await secretSetBy();
      const admins = await access.admins(user === null ? [] : [user]);
      // The error makes the outbox try again while Slack does not answer who the admins are, for as long as the record is stored.
      if (admins.length === 0) throw new Error("No admin is known who could be notified of events that were set aside");
      return directNotifications(admins, { message: messageOf(found), since: found.since });
    },
  };
}

function withEvent(before: SetAside | undefined, event: LoggedEvent): SetAside | undefined {
  if (event.aside === null || (before && before.last >= event.id)) return undefined;
  const counts = before?.counts ?? {};
  return {
    since: before?.since ?? event.at,
    last: event.id,
    line: eventLine(event),
    at: event.at,
    counts: { ...counts, [event.aside]: (counts[event.aside] ?? 0) + 1 },
  };
}

const reasons: Record<SetAsideReason, string> = {
  "ahead of our clock": "more than 5 minutes ahead of this machine's clock. Check this machine's clock",
  "too old": "more than 30 days old. Somebody may have sent old events again",
};

function messageOf({ counts, line, at }: SetAside): Message {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const why = Object.entries(reasons).flatMap(([aside, words]) => {
    const times = counts[aside] ?? 0;
    return times > 0 ? [`${count(times, "event is", "events are")} ${words}.`] : [];
  });
  const head = `:warning: Rackbell set aside ${count(all, "event")} because of ${all === 1 ? "its" : "their"} time. No channel was notified.`;
  const text = [head, ...why, `The last one came ${moment(at)}: ${line}`].join(" ");
  const look = invocationButton(
    "Show the events",
    `${invokePrefix}rackbell alerts log`,
    { command: "rackbell alerts log", input: {} },
    { operation: undefined },
  );
  return { text, blocks: [section(text), ...actions(look)] };
}
