import * as z from "zod";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { type WeeklyTime, weekdays, weeklyTimeWords } from "../../report/schedule.ts";
import {
  endSchedule,
  postReport,
  previewReport,
  type ReportSchedule,
  readSchedule,
  setSchedule,
} from "../../report/weekly.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { channelOf, zoneNamed } from "./admin.ts";

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
    if (when !== undefined || zone !== undefined) return setTime(context, actor, note, { when, zone, now });
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
    const before = await readSchedule(context);
    if (!before) return { text: "No channel gets a weekly report, so nothing changed." };
    await endSchedule(context);
    const outcome = `<#${before.channel}> gets no weekly report any more.`;
    await note("weekly report ended", outcome);
    return { text: outcome };
  },
};

async function setTime(
  context: AppContext,
  actor: Actor,
  note: Note,
  { when, zone, now }: { when: string | undefined; zone: string | undefined; now: number },
): Promise<Answer> {
  const { typed, ...given } = readReportTime(when ?? "");
  const before = await readSchedule(context);
  const channel = typed === null ? before?.channel : await channelOf(context, typed);
  if (channel === undefined) throw wrongInput("when", `Name the channel, too, such as #ops monday 09:00.`);
  const schedule: WeeklyTime = {
    day: given.day ?? before?.day ?? weekdays.indexOf("monday"),
    minutes: given.minutes ?? before?.minutes ?? 9 * 60,
    zone: zone === undefined ? (before?.zone ?? (await context.zoneOf(actor.slackUser))) : zoneNamed(zone),
  };
  const plan = await setSchedule(context, { ...schedule, channel, by: actor.slackUser });
  const outcome = planLine(plan);
  await note("weekly report set", outcome);
  const others = before && before.channel !== channel ? ` <#${before.channel}> gets none any more.` : "";
  const reading = (await context.connection.about("customer-reader"))
    ? ""
    : " No customer monitoring key is set, so the report has no due dates and no monthly costs: `/rackbell connect` sets one.";
  return {
    text: `${outcome}${others} Everybody there sees what members did, prices and due dates, and no balance.${reading}`,
    next: now < plan.nextAt ? [preview, postNow, noMore] : [preview],
  };
}

function planLine(plan: ReportSchedule): string {
  return `<#${plan.channel}> gets the weekly report every ${weeklyTimeWords(plan)} (${code(plan.zone)}), the next one ${moment(plan.nextAt)}.`;
}

interface ReportTime {
  /** The typed channel. */
  typed: string | null;
  day: number | null;
  /** Minutes since midnight. */
  minutes: number | null;
}

/** Reads "#ops monday 09:00" in any order, each part at most once. A missing part leaves the setting unchanged. */
function readReportTime(text: string): ReportTime {
  const read: ReportTime = { typed: null, day: null, minutes: null };
  for (const word of text.split(/\s+/).filter((one) => one !== "")) {
    const day = weekdays.findIndex((name) => word.length >= 3 && name.startsWith(word.toLowerCase()));
    const time = /^([01]?\d|2[0-3])[:.]([0-5]\d)$/.exec(word);
    if (word.startsWith("#") && read.typed === null) read.typed = word;
    else if (time && read.minutes === null) read.minutes = Number(time[1]) * 60 + Number(time[2]);
    else if (day >= 0 && read.day === null) read.day = day;
    else throw wrongInput("when", `“${word}” is no channel, day or time. Write it like #ops monday 09:00.`);
  }
  return read;
}
