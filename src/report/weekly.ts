import * as z from "zod";
import type { Access } from "../access/access.ts";
import { stepBlocks } from "../notifications/answers/answers.ts";
import { directNotifications } from "../notifications/direct.ts";
import { notificationTimer, type Outbox } from "../notifications/outbox.ts";
import type { Registry } from "../operation/registry.ts";
import type { Foundation } from "../storage/foundation.ts";
import { defineKind } from "../storage/kind.ts";
import type { LaneHandlers } from "../storage/store.ts";
import { update } from "../storage/update.ts";
import { type Message, section } from "../views/blocks.ts";
import { moment } from "../views/format.ts";
import { sentence } from "../views/text.ts";
import { mostPastReports, PastPrices } from "./prices.ts";
import { isSameDay, nextWeekly, Schedule } from "./schedule.ts";
import { type Lateness, onTime, reportSteps, reportView } from "./view.ts";
import { type ReadWeek, Week } from "./week.ts";

const lane = "report:";
const wake = `${lane}weekly`;
const kind = "weekly-report";
const key = "workspace";
const month = 30 * 24 * 60 * 60_000;
/** A busy process may run the timer this late without calling the report late. */
const punctualMs = 10 * 60_000;

const ReportSchedule = Schedule.extend({
  channel: z.string(),
  /** Slack user id of the admin who set it. */
  by: z.string(),
  /** When the next report is due, in milliseconds since the epoch. */
  nextAt: z.number(),
  /** When the last report was due, if it was not posted on its day; null otherwise. */
  missed: z.number().nullable(),
  /** The end of the time that the last scheduled report covers; null before the first. The next one begins there, however late it is. */
  coveredTo: z.number().nullable().default(null),
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
  /** Why Slack refused it, as the beginning of a sentence, and the admins to notify. */
  unplaced: z.object({ reason: z.string(), admins: z.array(z.string()) }).nullable(),
});
type Report = z.infer<typeof Report>;

const PriceHistory = z.object({ weeks: z.array(PastPrices) });

/** The report that is posted in a channel once a week, at a time that an admin chose. */
export interface WeeklyReport {
  plan(): Promise<ReportSchedule | null>;
  /** Sets channel and time; null ends the reports. Resolves to the new schedule. */
  set(plan: Omit<ReportSchedule, "nextAt" | "missed" | "coveredTo"> | null): Promise<ReportSchedule | null>;
  /** The report as of now; nothing is posted or stored. */
  preview(): Promise<Pick<Message, "text" | "blocks">>;
  /** Posts a report now, beside the scheduled ones; false where no channel is set. */
  post(): Promise<boolean>;
  timers: LaneHandlers;
}

const reportPlan = defineKind({ name: "report plan", namespace: "report-plans", schema: ReportSchedule, version: 1 });
const reportKind = defineKind({
  name: "weekly report",
  namespace: "reports",
  schema: Report,
  version: 1,
  ttlMs: month,
});
const priceHistoryKind = defineKind({
  name: "weekly prices",
  namespace: "report-prices",
  schema: PriceHistory,
  version: 1,
});

export function createWeeklyReport(
  { store, clock, log }: Foundation,
  deps: { readWeek: ReadWeek; access: Pick<Access, "admins">; outbox: Outbox; registry: Registry },
): WeeklyReport {
  const { readWeek, access, outbox, registry } = deps;
  const plans = store.keyv(reportPlan);
  const reports = store.keyv(reportKind);
  const priceHistory = store.keyv(priceHistoryKind);
  const queueReport = (id: string) => store.wakeups.wake(`${notificationTimer}${kind}:${id}`, clock.now());

  const past = async () => (await priceHistory.get(key))?.weeks ?? [];

  /**
   * Stores the report before queueing it: after a crash in between the same report is posted. Resolves to the end of the time that it
   * covers (milliseconds since the epoch).
   */
  async function compose(
    id: string,
    { channel, by }: ReportSchedule,
    manner: Lateness & { since: number | null },
  ): Promise<number> {
    const { since, ...lateness } = manner;
    if (!(await reports.get(id))) {
      const at = clock.now();
      const week = await readWeek(at, since);
      const report: Report = { channel, by, at, week, past: await past(), ...lateness, unplaced: null };
      await update(store, reportKind, id, (before) => (before ? undefined : report));
    }
    const report = await reports.get(id);
    if (report && typeof report.week.estate !== "string")
      await storePrices({ at: report.at, sums: report.week.estate.sums });
    await queueReport(id);
    return report?.week.to ?? clock.now();
  }

  async function storePrices(week: PastPrices): Promise<void> {
    await update(store, priceHistoryKind, key, (before) => {
      const otherWeeks = (before?.weeks ?? []).filter(({ at }) => at !== week.at);
      return { weeks: [...otherWeeks, PastPrices.parse(week)].toSorted((a, b) => a.at - b.at).slice(-mostPastReports) };
    });
  }

  async function postWhenDue(): Promise<number | undefined> {
    const plan = await plans.get(key);
    if (!plan) return undefined;
    const { nextAt: due, zone, missed, coveredTo: since } = plan;
    const now = clock.now();
    if (now < due) return due;
    const today = isSameDay(due, now, zone);
    const dueAt = now - due > punctualMs ? due : null;
    const coveredTo = today ? await compose(String(due), plan, { dueAt, missed, since }) : since;
    const nextAt = nextWeekly(plan, now);
    const after = { nextAt, missed: today ? null : due, coveredTo };
    await update(store, reportPlan, key, (before) => (before?.nextAt === due ? { ...before, ...after } : undefined));
    return nextAt;
  }

  outbox.source(kind, {
    async notifications(id) {
      const report = await reports.get(id);
      if (!report) return null;
      const { channel, at: since, unplaced } = report;
      const place = { in: "channel", channel, otherwise: null, lasting: false } as const;
      const problem = unplaced && problemMessage(report, unplaced.reason, registry);
      return [
        { slot: "report", to: place, message: messageOf(report, registry), priority: "ending", since },
        ...(problem ? directNotifications(unplaced.admins, { message: problem, since, prefix: "admin:" }) : []),
      ];
    },
    async unplaced(id, _slot, reason) {
      const report = await reports.get(id);
      if (!report || report.unplaced) return;
      log.warn({ reason }, "The weekly report could not be posted");
      const admins = await access.admins([report.by]);
      await update(store, reportKind, id, (before) => before && { ...before, unplaced: { reason, admins } });
      await queueReport(id);
    },
  });

  return {
    timers: { [lane]: postWhenDue },
    plan: async () => (await plans.get(key)) ?? null,
    async set(schedule) {
      if (schedule === null) {
        await plans.delete(key);
        return null;
      }
      const coveredTo = (await plans.get(key))?.coveredTo ?? null;
      const plan: ReportSchedule = { ...schedule, nextAt: nextWeekly(schedule, clock.now()), missed: null, coveredTo };
      await plans.set(key, plan);
      await store.wakeups.wake(wake, plan.nextAt);
      return plan;
    },
    preview: async () => reportView(await readWeek(clock.now(), null), await past(), onTime),
    async post() {
      const plan = await plans.get(key);
      if (plan) await compose(`now-${clock.now()}`, plan, { ...onTime, since: null });
      return plan !== undefined;
    },
  };
}

function messageOf({ week, past, dueAt, missed }: Report, registry: Registry): Message {
  const { text, blocks } = reportView(week, past, { dueAt, missed });
  return { text, blocks: [...blocks, ...stepBlocks(reportSteps, (command) => registry.find(command) ?? null)] };
}

function problemMessage({ channel, at }: Report, reason: string, registry: Registry): Message {
  const text = `:warning: The weekly report of ${moment(at)} could not be posted in <#${channel}>. ${sentence(reason)} Put that right and post it, or name another channel with \`/rackbell report\`.`;
  const steps = [{ label: "Post it now", command: "rackbell report post" }];
  return { text, blocks: [section(text), ...stepBlocks(steps, (command) => registry.find(command) ?? null)] };
}
