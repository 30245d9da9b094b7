import * as z from "zod";
import type { Access } from "../access/access.ts";
import { invocationButton, invokePrefix } from "../notifications/answers/buttons.ts";
import { directNotifications } from "../notifications/direct.ts";
import { notificationTimer, type Outbox } from "../notifications/outbox.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { update } from "../storage/update.ts";
import { actions, type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { count } from "../views/text.ts";
import type { LoggedEvent, SetAsideReason } from "./event-log.ts";
import { eventLine } from "./view.ts";

const kind = "aside-watch";
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

/** Notifies the admins of events that reach no channel because of their time: one message an hour, which counts them. */
export type SetAsideMonitor = (events: readonly LoggedEvent[]) => Promise<void>;

const setAsideKind = defineKind({ name: "aside watch", namespace: kind, schema: SetAside, version: 1, ttlMs: week });

export function createSetAsideMonitor(
  { store, clock }: Foundation,
  deps: {
    /** Slack user id of the admin who set the signing secret; null where none is set. */
    setBy: () => Promise<string | null>;
    access: Pick<Access, "admins">;
    outbox: Outbox;
  },
): SetAsideMonitor {
  const { setBy, access, outbox } = deps;
  const records = store.keyv(setAsideKind);

  outbox.source(kind, {
    async notifications(id) {
      const found = await records.get(id);
      if (!found) return null;
      const user = await setBy();
      const admins = await access.admins(user === null ? [] : [user]);
      // The error makes the outbox try again while Slack does not answer who the admins are, for as long as the record is stored.
      if (admins.length === 0) throw new Error("No admin is known who could be notified of events that were set aside");
      return directNotifications(admins, { message: messageOf(found), since: found.since });
    },
  });

  return async (events) => {
    for (const event of events) {
      const id = String(Math.floor(event.at / hour));
      await update(store, setAsideKind, id, (before) => withEvent(before, event));
      await store.wakeups.wake(`${notificationTimer}${kind}:${id}`, clock.now());
    }
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
