import * as z from "#zod";
import { weekdays, weeklyTimeWords } from "../../alerts/report/schedule.ts";
import {
  endSchedule,
  postReport,
  previewReport,
  type ReportSchedule,
  readSchedule,
  setSchedule,
} from "../../alerts/report/weekly.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { findTypedChannel, zoneNamed } from "./admin.ts";

const preview: Step = { label: "Preview", command: "rackbell report", input: { do: "preview" } };
const postNow: Step = { label: "Post it now", command: "rackbell report", input: { do: "post" } };
const noMore: Step = { label: "No more reports", command: "rackbell report", input: { do: "off" } };

const asExample = "`/rackbell report #ops monday 09:00`";

export const report = defineAppOperation({
  command: "rackbell report",
  synonyms: [
    { words: "report preview", input: { do: "preview" } },
    { words: "report post", input: { do: "post" } },
    { words: "report off", input: { do: "off" } },
  ],
  summary:
    "Show when the weekly report is posted; admins set its channel, day and time, preview it, post it, or end it",
  example: "/rackbell report",
  admins: "to change",
  verb: "Set the weekly report",
  input: z
    .object({
      when: z.string().max(120).optional().meta({
        title: "Channel, day and time",
        description: "For admins: such as #ops monday 09:00",
      }),
      zone: z.string().max(60).optional().meta({
        title: "Time zone",
        description: "Such as Europe/Madrid. Empty: the one that you chose in Slack",
      }),
      do: z
        .enum(["preview", "post", "off"])
        .optional()
        .meta({ title: "Do", description: "preview: for you alone; post: now, too; off: no more", byButton: true }),
    })
    .refine((input) => !(input.do && (input.when ?? input.zone)), {
      path: ["do"],
      message: "set its time, or do this, not both.",
    }),
  positional: "when",
  async run({ context, actor, note, input: { do: act, when, zone }, now }) {
    if (act !== undefined) return acts[act](context, note);
    if (when !== undefined || zone !== undefined) {
      const schedule = await scheduleOf(context, actor, { ...readReportTime(when ?? ""), zone }, "when");
      return setReport(context, note, schedule, now);
    }
    const plan = await readSchedule(context);
    if (plan) return { text: planLine(plan), next: [preview, postNow, noMore] };
    return { text: `No channel gets a weekly report. An admin names one, such as ${asExample}.`, next: [preview] };
  },
});

const acts: Record<"preview" | "post" | "off", (context: AppContext, note: Note) => Promise<Answer>> = {
  async preview(context) {
    const next = (await readSchedule(context)) ? [postNow] : [];
    return { ...(await previewReport(context)), next };
  },
  async post(context) {
    const plan = await readSchedule(context);
    if (!plan || !(await postReport(context)))
      throw new Refusal(`No channel gets the weekly report, so nothing was posted. Name one, such as ${asExample}.`);
    return { text: `The report goes to <#${plan.channel}> now. The next one comes ${moment(plan.nextAt)}.` };
  },
  async off(context, note) {
    return { text: await endReport(context, note) };
  },
};

/** Resolves to the sentence about it. */
export async function endReport(context: AppContext, note: Note): Promise<string> {
  const before = await readSchedule(context);
  if (!before) return "No channel gets a weekly report, so nothing changed.";
  await endSchedule(context);
  const outcome = `<#${before.channel}> gets no weekly report any more.`;
  await note("weekly report ended", outcome);
  return outcome;
}

type Schedule = Parameters<typeof setSchedule>[1];

/** The schedule with the given parts; the others stay as they are. `field` is the input that names the channel. */
export async function scheduleOf(
  context: AppContext,
  actor: Actor,
  { channel: typed, day, minutes, zone }: ReportTime & { zone?: string | undefined },
  field: string,
): Promise<Schedule> {
  const before = await readSchedule(context);
  const channel = typed === undefined ? before?.channel : await findTypedChannel(context, typed, field);
  if (channel === undefined) throw wrongInput(field, "Name the channel, too, such as #ops monday 09:00.");
  return {
    channel,
    day: day === undefined ? (before?.day ?? weekdays.indexOf("monday")) : weekdays.indexOf(day),
    minutes: minutes ?? before?.minutes ?? 9 * 60,
    zone: zone === undefined ? (before?.zone ?? (await context.zoneOf(actor.slackUser))) : zoneNamed(zone),
    by: actor.slackUser,
  };
}

export async function setReport(context: AppContext, note: Note, schedule: Schedule, now: number): Promise<Answer> {
  const before = await readSchedule(context);
  const plan = await setSchedule(context, schedule);
  const outcome = planLine(plan);
  await note("weekly report set", outcome);
  const others = before && before.channel !== plan.channel ? ` <#${before.channel}> gets none any more.` : "";
  const reading = (await context.connection.about("customer-reader"))
    ? ""
    : " No customer monitoring key is set, so the report has no due dates and no monthly costs: `/rackbell connect` sets one.";
  return {
    text: `${outcome}${others} Everybody there sees what members did, prices and due dates, and no balance.${reading}`,
    next: now < plan.nextAt ? [preview, postNow, noMore] : [preview],
  };
}

export function planLine(plan: ReportSchedule): string {
  return `<#${plan.channel}> gets the weekly report every ${weeklyTimeWords(plan)} (${code(plan.zone)}), the next one ${moment(plan.nextAt)}.`;
}

/** Parts that are undefined stay as they are. */
interface ReportTime {
  /** The typed channel. */
  channel?: string | undefined;
  day?: (typeof weekdays)[number] | undefined;
  /** Minutes since midnight. */
  minutes?: number | undefined;
}

/** Reads "#ops monday 09:00" in any order, each part at most once. */
function readReportTime(text: string): ReportTime {
  const read: ReportTime = {};
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const day = weekdays.find((name) => word.length >= 3 && name.startsWith(word.toLowerCase()));
    const minutes = minutesIn(word);
    if (word.startsWith("#") && read.channel === undefined) read.channel = word;
    else if (minutes !== null && read.minutes === undefined) read.minutes = minutes;
    else if (day && read.day === undefined) read.day = day;
    else throw wrongInput("when", `“${word}” is no channel, day or time. Write it like #ops monday 09:00.`);
  }
  return read;
}

function minutesIn(word: string): number | null {
  const time = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(word);
  return time && Number(time[1]) * 60 + Number(time[2]);
}

/** A time that was typed by itself, in minutes since midnight. */
export function minutesTyped(typed: string, label: string): number {
  const minutes = minutesIn(typed.trim());
  if (minutes === null) throw wrongInput("time", "this is no time. Write it like 09:00.", label);
  return minutes;
}
