import * as z from "#zod";
import { stepBlocks } from "../../messages/answers/answers.ts";
import { notify } from "../../messages/answers/notices.ts";
import { fromRecords, type NotificationSource, notificationTimer } from "../../messages/outbox.ts";
import type { Registry } from "../../operation/registry.ts";
import type { StoreApp, TimedApp } from "../../storage/foundation.ts";
import { defineKind } from "../../storage/kind.ts";
import { update } from "../../storage/update.ts";
import type { Message } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { sentence } from "../../views/text.ts";
import { mostPastReports, PastPrices } from "./prices.ts";
import { nextWeekly, WeeklyTime } from "./schedule.ts";
import { type Lateness, onTime, reportSteps, reportView } from "./view.ts";
import { type ReportApp, readWeek, Week } from "./week.ts";

export const reportTimer = "report:";
export const reportSubject = "weekly-report";
const key = "workspace";
const month = 30 * 24 * 60 * 60_000;
/** A busy process may run the timer this late without calling the report late. */
const punctualMs = 10 * 60_000;
/** A later report is left out, and the next one covers its time. A day, so that no midnight cuts it short. */
const latestMs = 24 * 60 * 60_000;

const ReportSchedule = WeeklyTime.extend({
  channel: z.string(),
  /** Slack user id of the admin who set it. */
  by: z.string(),
  /** When the next report is due, in milliseconds since the epoch. */
  nextAt: z.number(),
  /** When the last report was due, if it was not posted within a day; null otherwise. */
  missed: z.number().nullable(),
  /** The end of the time that the last scheduled report covers; null before the first. The next one begins there, however late it is. */
  coveredTo: z.number().nullable(),
});
export type ReportSchedule = z.infer<typeof ReportSchedule>;

const Report = z.object({
  channel: z.string(),
  by: z.string(),
  at: z.number(),
  week: Week,
  past: z.array(PastPrices),
  dueAt: z.number().nullable(),
  missed: z.number().nullable(),
});
type Report = z.infer<typeof Report>;

const PriceHistory = z.object({ weeks: z.array(PastPrices) });

// The report that is posted in a channel once a week, at a time that an admin chose.

const reportSchedules = defineKind({
  name: "report plan",
  namespace: "report-schedules",
  schema: ReportSchedule,
});
const reports = defineKind({
  name: "weekly report",
  namespace: "reports",
  schema: Report,
  ttlMs: month,
});
const priceHistory = defineKind({
  name: "weekly prices",
  namespace: "report-prices",
  schema: PriceHistory,
});

export async function readSchedule({ store }: StoreApp): Promise<ReportSchedule | null> {
  return (await store.keyv(reportSchedules).get(key)) ?? null;
}

/** Sets channel and time, and resolves to the new schedule. */
export async function setSchedule(
  app: TimedApp,
  schedule: Omit<ReportSchedule, "nextAt" | "missed" | "coveredTo">,
): Promise<ReportSchedule> {
  const { store, clock } = app;
  const coveredTo = (await readSchedule(app))?.coveredTo ?? null;
  const next: ReportSchedule = { ...schedule, nextAt: nextWeekly(schedule, clock.now()), missed: null, coveredTo };
  await store.keyv(reportSchedules).set(key, next);
  await store.timers.set(`${reportTimer}weekly`, next.nextAt);
  return next;
}

export async function endSchedule({ store }: StoreApp): Promise<void> {
  await store.keyv(reportSchedules).delete(key);
}

/** The report as of now; nothing is posted or stored. */
export async function previewReport(app: ReportApp): Promise<Pick<Message, "text" | "blocks">> {
  return reportView(await readWeek(app, app.clock.now(), null), await pastPrices(app), onTime);
}

/** Posts a report now, beside the scheduled ones; false where no channel is set. */
export async function postReport(app: ReportApp): Promise<boolean> {
  const schedule = await readSchedule(app);
  if (schedule) await compose(app, `now-${app.clock.now()}`, schedule, { ...onTime, since: null });
  return schedule !== null;
}

/** The timer's run. Resolves to the time of the next report (milliseconds since the epoch). */
export async function postWhenDue(app: ReportApp): Promise<number | undefined> {
  const schedule = await readSchedule(app);
  if (!schedule) return undefined;
  const { nextAt: due, missed, coveredTo: since } = schedule;
  const now = app.clock.now();
  if (now < due) return due;
  const isLost = now - due > latestMs;
  const dueAt = now - due > punctualMs ? due : null;
  const coveredTo = isLost ? since : await compose(app, String(due), schedule, { dueAt, missed, since });
  const nextAt = nextWeekly(schedule, now);
  const after = { nextAt, missed: isLost ? due : null, coveredTo };
  await update(app.store, reportSchedules, key, (before) =>
    before?.nextAt === due ? { ...before, ...after } : undefined,
  );
  return nextAt;
}

function queueReport({ store, clock }: ReportApp, id: string): Promise<void> {
  return store.timers.set(notificationTimer(reportSubject, id), clock.now());
}

async function pastPrices({ store }: ReportApp): Promise<PastPrices[]> {
  return (await store.keyv(priceHistory).get(key))?.weeks ?? [];
}

/**
 * Stores the report before queueing it: after a crash in between the same report is posted. Resolves to the end of the time that it
 * covers (milliseconds since the epoch).
 */
async function compose(
  app: ReportApp,
  id: string,
  { channel, by }: ReportSchedule,
  { since, ...lateness }: Lateness & { since: number | null },
): Promise<number> {
  const { store, clock } = app;
  const stored = store.keyv(reports);
  if (!(await stored.get(id))) {
    const at = clock.now();
    const week = await readWeek(app, at, since);
    const report: Report = { channel, by, at, week, past: await pastPrices(app), ...lateness };
    await update(store, reports, id, (before) => (before ? undefined : report));
  }
  const report = await stored.get(id);
  if (report && typeof report.week.estate !== "string")
    await storePrices(app, { at: report.at, sums: report.week.estate.sums });
  await queueReport(app, id);
  return report?.week.to ?? clock.now();
}

async function storePrices({ store }: ReportApp, week: PastPrices): Promise<void> {
  await update(store, priceHistory, key, (before) => {
    const otherWeeks = (before?.weeks ?? []).filter(({ at }) => at !== week.at);
    return { weeks: [...otherWeeks, PastPrices.parse(week)].toSorted((a, b) => a.at - b.at).slice(-mostPastReports) };
  });
}

export function reportMessages(app: ReportApp): NotificationSource {
  const { store, registry } = app;
  return {
    ...fromRecords(app, reports, (report) => {
      const { channel, at: since } = report;
      const place = { in: "channel", channel, otherwise: null, lasting: false } as const;
      return [{ slot: "report", to: place, message: messageOf(report, registry), priority: "ending", since }];
    }),
    async unplaced(id, _slot, reason) {
      const report = await store.keyv(reports).get(id);
      if (!report) return;
      app.log.warn({ reason }, "The weekly report could not be posted");
      const { channel, by, at } = report;
      const text = `:warning: The weekly report of ${moment(at)} could not be posted in <#${channel}>. ${sentence(reason)} Put that right and post it, or name another channel with \`/rackbell report\`.`;
      const steps = [{ label: "Post it now", command: "rackbell report", input: { do: "post" } }];
      await notify(app, { to: { admins: [by] }, text, steps }, `report:${id}`);
    },
  };
}

function messageOf({ week, past, dueAt, missed }: Report, registry: Registry): Message {
  const { text, blocks } = reportView(week, past, { dueAt, missed });
  return { text, blocks: [...blocks, ...stepBlocks(reportSteps, registry.find)] };
}
