import * as z from "#zod";
import { type Notice, type NoticeChange, noticeChange, notify } from "../messages/answers/notices.ts";
import { PlatformRefused } from "../platform/http/errors.ts";
import type { Subject } from "../policy/responsibility/responsibility.ts";
import type { LoggedApp, TimedApp } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import { creating, replacing } from "../storage/record.ts";
import { update } from "../storage/update.ts";
import { moment } from "../views/format.ts";
import { count } from "../views/text.ts";
import type { AlertsApp } from "./app.ts";
import type { LoggedEvent, SetAsideReason } from "./events.ts";
import { readRouting } from "./subscriptions.ts";
import { noteDelivered, noteUndelivered, replayAlerts, replayOnce, type UndeliveredMessage } from "./undelivered.ts";
import { eventLine } from "./view.ts";

// Notifies the admins by direct message when alerts or webhooks do not arrive: a channel refuses alerts, the time of an event is wrong, or
// deliveries are signed with another secret.

const minute = 60_000;
const hour = 60 * minute;
const day = 24 * hour;
const week = 7 * day;

/** The admins, with the one who set the signing secret. */
async function findAdmins(app: AlertsApp): Promise<Notice["to"]> {
  const set = await app.connection.about("signing-secret");
  return { admins: set ? [set.slackUser] : [] };
}

/** The channels about which the admins were notified within a day. */
const notifiedChannels = defineKind({
  name: "mark of a refused channel",
  namespace: "refused-channels",
  schema: z.literal(true),
  ttlMs: day,
});

/**
 * To be called after Slack refused a message of the alerts; `reason` is the beginning of a sentence. Notifies the admins once a day at most,
 * until the channel accepts one again.
 */
export async function channelRefused(app: AlertsApp, subject: Subject, message: UndeliveredMessage): Promise<void> {
  const { channel, reason } = message;
  await noteUndelivered(app, subject, message);
  const { subscriptions } = await readRouting(app);
  const admins = subscriptions.filter((one) => one.channel === channel).map(({ by }) => by);
  // A channel that no longer gets alerts misses none: its old messages are tried again for a month.
  if (admins.length === 0 || (await app.store.keyv(notifiedChannels).has(channel))) return;
  const { records, timers } = await noticeChange(app, {
    to: { admins },
    text: `:warning: No alert reaches <#${channel}>: ${reason}. Alerts are queued, and are posted once the channel takes them again. *Try again* posts them at once.`,
    steps: [
      { label: "Try again", command: "rackbell alerts", input: { do: "replay" } },
      { label: "Queued alerts", command: "rackbell alerts log" },
    ],
  });
  // In one step with the mark: a crash between them would silence the notice for a day.
  await app.store.transact({ records: [creating(notifiedChannels, channel, true), ...records], timers });
}

/** To be called after Slack accepted a message of the alerts in the channel: posts those that it refused before. */
export async function channelAccepted(app: AlertsApp, subject: Subject, channel: string): Promise<void> {
  await noteDelivered(app, subject);
  await app.store.keyv(notifiedChannels).delete(channel);
  await replayOnce(app, channel);
}

/** To be called after the app was let into the channel. Each instance may take it for outside for a minute. */
export async function channelJoined(app: TimedApp, channel: string): Promise<void> {
  await replayAlerts(app, { channel, at: app.clock.now() + minute });
}

/** The events of one hour that were set aside. */
const SetAside = z.object({
  /** The id of the last one, so that an event that is processed again after a crash is counted once. */
  last: z.string(),
  line: z.string(),
  at: z.number(),
  counts: z.record(z.string(), z.number()),
});
type SetAside = z.infer<typeof SetAside>;

const setAsides = defineKind({
  name: "events set aside",
  namespace: "set-aside",
  schema: SetAside,
  ttlMs: week,
});

/** Notifies the admins of events that reach no channel because of their time: one message an hour, which counts them. */
export async function notifySetAside(app: AlertsApp, events: readonly LoggedEvent[]): Promise<void> {
  for (const event of events) {
    const id = String(Math.floor(event.at / hour));
    const found = await update(app.store, setAsides, id, (before) => withEvent(before, event));
    const steps = [{ label: "Show the events", command: "rackbell alerts log" }];
    if (found) await notify(app, { to: await findAdmins(app), text: setAsideWords(found), steps }, `set-aside:${id}`);
  }
}

function withEvent(before: SetAside | undefined, event: LoggedEvent): SetAside | undefined {
  if (event.aside === null || (before && before.last >= event.id)) return undefined;
  const counts = before?.counts ?? {};
  return {
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

function setAsideWords({ counts, line, at }: SetAside): string {
  const all = Object.values(counts).reduce((sum, one) => sum + one, 0);
  const why = Object.entries(reasons).flatMap(([aside, words]) => {
    const times = counts[aside] ?? 0;
    return times > 0 ? [`${count(times, "event is", "events are")} ${words}.`] : [];
  });
  const head = `:warning: Rackbell set aside ${count(all, "event")} because of ${all === 1 ? "its" : "their"} time. No channel was notified.`;
  return [head, ...why, `The last one came ${moment(at)}: ${line}`].join(" ");
}

/** So many wrong signatures in a row, with no right one between, are no accident. */
const run = 3;
const newestKey = "newest";

const WrongSignatures = z.object({
  /** When the admins were notified, in milliseconds since the epoch. */
  at: z.number(),
  count: z.number(),
  /** The result of a signed call since, or of an admin's new secret. */
  found: z.enum(["holds", "rotated", "replaced"]).nullable(),
});
type WrongSignatures = z.infer<typeof WrongSignatures>;

/** There for an hour after the admins were notified. */
const notifiedMark = defineKind({
  name: "mark of wrong signatures",
  namespace: "wrong-signatures-notified",
  schema: z.literal(true),
  ttlMs: hour,
});
const wrongSignatures = defineKind({
  name: "wrong signatures",
  namespace: "wrong-signatures",
  schema: WrongSignatures,
  ttlMs: week,
});

/**
 * Returns a function to be called for each delivery that has a signature (`other`: it was made with another secret than the stored one). It
 * notifies the admins of several such deliveries in a row.
 */
export function createSignatureMonitor(app: AlertsApp): (signature: "right" | "other") => Promise<void> {
  // In memory alone: a flood of forged deliveries must not write to the disk.
  let inARow = 0;
  return async (signature) => {
    inARow = signature === "right" ? 0 : inARow + 1;
    if (inARow >= run) await notifyOfSignatures(app, inARow);
  };
}

async function notifyOfSignatures(app: AlertsApp, times: number): Promise<void> {
  const { store, clock } = app;
  if (await store.keyv(notifiedMark).has("hour")) return;
  const newest: WrongSignatures = { at: clock.now(), count: times, found: null };
  const before = await store.read(wrongSignatures, newestKey);
  const { records, timers } = await secretChange(app, newest, await findAdmins(app));
  const changed = [creating(notifiedMark, "hour", true), replacing(before, newest)];
  await store.transact({ records: [...changed, ...records], timers });
}

/** To be called after each call that was signed with the secret, with the platform's error, if any. Never rejects. */
export async function secretUsed(app: LoggedApp, error?: unknown): Promise<void> {
  const wrong = error instanceof PlatformRefused && error.auth === "signature wrong";
  if (error !== undefined && !wrong) return;
  // The call at the platform has run: a failure here must not make its caller fail.
  await noteSecret(app, wrong ? "rotated" : "holds").catch((failure: unknown) =>
    app.log.warn({ err: failure }, "The admins could not be notified about their signing secret"),
  );
}

/** Brings the newest notice up to date. `replaced`: an admin set another secret. */
export async function noteSecret(app: TimedApp, found: NonNullable<WrongSignatures["found"]>): Promise<void> {
  for (;;) {
    const before = await app.store.read(wrongSignatures, newestKey);
    if (!before.value || before.value.found === found || before.value.found === "replaced") return;
    const newest = { ...before.value, found };
    // Those who have it stay its readers.
    const { records, timers } = await secretChange(app, newest, { admins: [] });
    if (await app.store.transact({ records: [replacing(before, newest), ...records], timers })) return;
  }
}

function secretChange(
  app: TimedApp,
  { at, count: times, found }: WrongSignatures,
  to: Notice["to"],
): Promise<NoticeChange> {
  const words = `${count(times, "delivery", "deliveries")} to the webhook address had a wrong signature and ${times === 1 ? "was" : "were"} refused. The last one came ${moment(at)}.`;
  const { mark, says, steps } = meanings[found ?? "open"];
  return noticeChange(app, { to, text: `${mark} ${words} ${says}`, steps }, `signatures:${at}`);
}

/** Reseller spec section 6: the platform's documents name 5 attempts or 20, and the supplier can change both. */
export const triesWords =
  "The platform sends a refused event again for at least 15 minutes. After that the event may be lost, unless the supplier queues it again.";

const meanings: Record<
  "open" | "holds" | "rotated" | "replaced",
  { mark: string; says: string; steps: NonNullable<Notice["steps"]> }
> = {
  open: {
    mark: ":warning:",
    says: `Somebody rotated the secret in the reseller portal, or somebody else sent them. *Check now* shows which, and so does the next change. ${triesWords}`,
    steps: [
      { label: "Check now", command: "rackbell connect check" },
      { label: "Connect…", command: "rackbell connect" },
    ],
  },
  rotated: {
    mark: ":warning:",
    says: `Somebody rotated the secret: the platform refuses the one that Rackbell has. Until an admin connects the new one, resold services cannot be changed, and no event arrives. ${triesWords}`,
    steps: [{ label: "Connect…", command: "rackbell connect" }],
  },
  holds: {
    mark: ":white_check_mark:",
    says: "The platform accepts Rackbell's secret, so somebody else sent these.",
    steps: [],
  },
  replaced: {
    mark: ":white_check_mark:",
    says: `An admin has connected another secret since. ${triesWords} Check your orders and resold services for changes meanwhile.`,
    steps: [
      { label: "Orders", command: "reseller order list" },
      { label: "Resold services", command: "reseller service list" },
    ],
  },
};
