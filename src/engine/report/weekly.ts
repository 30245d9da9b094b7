import * as z from "zod";
import type { Registry } from "../../operation/registry.ts";
import { createRecords } from "../../storage/records.ts";
import { type Message, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { sentence } from "../../views/text.ts";
import type { Access } from "../access.ts";
import { stepBlocks } from "../answers/answers.ts";
import type { Foundation } from "../foundation.ts";
import { directTellings } from "../telling/direct.ts";
import { type Outbox, tellWake } from "../telling/outbox.ts";
import { mostPast, Past } from "./prices.ts";
import { isSameDay, nextWeekly, Schedule } from "./schedule.ts";
import { type Manner, reportSteps, reportView, usual } from "./view.ts";
import { type ReadWeek, Week } from "./week.ts";

const lane = "report:";
const wake = `${lane}weekly`;
const kind = "weekly-report";
const key = "workspace";
const month = 30 * 24 * 60 * 60_000;
/** A wake-up may come so much after its time while much else is done. */
const punctualMs = 10 * 60_000;

const Plan = Schedule.extend({
  channel: z.string(),
  /** Who set it. */
  by: z.string(),
  /** When the next one is due, in milliseconds. */
  nextAt: z.number(),
  /** The last one, where it was not posted on its day. */
  missed: z.number().nullable(),
});
export type Plan = z.infer<typeof Plan>;

const Report = z.object({
  channel: z.string(),
  by: z.string(),
  at: z.number(),
  week: Week,
  past: z.array(Past),
  dueAt: z.number().nullable(),
  missed: z.number().nullable(),
  /** Why it stands nowhere, as the beginning of a sentence, and which admins are told. */
  unplaced: z.object({ reason: z.string(), admins: z.array(z.string()) }).nullable(),
});
type Report = z.infer<typeof Report>;

const Remembered = z.object({ weeks: z.array(Past) });

/** What a channel is told once a week, at a time that an admin chose. */
export interface WeeklyReport {
  plan(): Promise<Plan | null>;
  /** From now on there and then; null: no more. */
  set(plan: Omit<Plan, "nextAt" | "missed"> | null): Promise<Plan | null>;
  /** The report as it would be now; nothing is posted or remembered. */
  preview(): Promise<Pick<Message, "text" | "blocks">>;
  /** Posts it now as well; false where no channel is named. */
  post(): Promise<boolean>;
}

export function createWeeklyReport(
  { store, clock, log }: Foundation,
  deps: { readWeek: ReadWeek; access: Pick<Access, "admins">; outbox: Outbox; registry: Registry },
): WeeklyReport {
  const { readWeek, access, outbox, registry } = deps;
  const plans = createRecords(store.values("report-plans"), { name: "report plan", schema: Plan, version: 1, log });
  const reports = createRecords(store.values("reports"), { name: "weekly report", schema: Report, version: 1, log });
  const remembered = createRecords(store.values("report-prices"), {
    ...{ name: "weekly prices", schema: Remembered, version: 1, log },
  });
  const tell = (id: string) => store.wakeups.wake(`${tellWake}${kind}:${id}`, clock.now());

  const past = async () => (await remembered.get(key))?.weeks ?? [];

  /** Kept before it is told: after a crash in between the same one is told. */
  async function compose(id: string, { channel, by }: Plan, manner: Manner): Promise<void> {
    if (!(await reports.get(id))) {
      const at = clock.now();
      const week = await readWeek(at);
      const report: Report = { channel, by, at, week, past: await past(), ...manner, unplaced: null };
      await reports.update(id, (before) => (before ? undefined : report), month);
    }
    const kept = await reports.get(id);
    if (kept && typeof kept.week.estate !== "string") await remember({ at: kept.at, sums: kept.week.estate.sums });
    await tell(id);
  }

  async function remember(week: Past): Promise<void> {
    await remembered.update(key, (before) => {
      const others = (before?.weeks ?? []).filter(({ at }) => at !== week.at);
      return { weeks: [...others, Past.parse(week)].toSorted((a, b) => a.at - b.at).slice(-mostPast) };
    });
  }

  store.wakeups.handle(lane, async () => {
    const plan = await plans.get(key);
    if (!plan) return;
    const { nextAt: due, zone, missed } = plan;
    const now = clock.now();
    if (now < due) return due;
    const today = isSameDay(due, now, zone);
    if (today) await compose(String(due), plan, { dueAt: now - due > punctualMs ? due : null, missed });
    const nextAt = nextWeekly(plan, now);
    const after = { nextAt, missed: today ? null : due };
    await plans.update(key, (before) => (before?.nextAt === due ? { ...before, ...after } : undefined));
    return nextAt;
  });

  outbox.source(kind, {
    async tellings(id) {
      const report = await reports.get(id);
      if (!report) return null;
      const { channel, at: since, unplaced } = report;
      const place = { in: "channel", channel, otherwise: null, lasting: false } as const;
      const problem = unplaced && problemMessage(report, unplaced.reason, registry);
      return [
        { slot: "report", to: place, message: messageOf(report, registry), priority: "ending", since },
        ...(problem ? directTellings(unplaced.admins, { message: problem, since, prefix: "admin:" }) : []),
      ];
    },
    async unplaced(id, _slot, reason) {
      const report = await reports.get(id);
      if (!report || report.unplaced) return;
      log.warn({ reason }, "The weekly report could not be posted");
      const admins = await access.admins([report.by]);
      await reports.update(id, (before) => before && { ...before, unplaced: { reason, admins } }, month);
      await tell(id);
    },
  });

  return {
    plan: async () => (await plans.get(key)) ?? null,
    async set(wanted) {
      if (wanted === null) {
        await plans.delete(key);
        return null;
      }
      const plan: Plan = { ...wanted, nextAt: nextWeekly(wanted, clock.now()), missed: null };
      await plans.set(key, plan);
      await store.wakeups.wake(wake, plan.nextAt);
      return plan;
    },
    preview: async () => reportView(await readWeek(clock.now()), await past(), usual),
    async post() {
      const plan = await plans.get(key);
      if (plan) await compose(`now-${clock.now()}`, plan, usual);
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
