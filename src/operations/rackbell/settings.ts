import * as z from "#zod";
import { weekdays, weeklyClock } from "../../alerts/report/schedule.ts";
import { readSchedule } from "../../alerts/report/weekly.ts";
import { changeSettings, readSettings, type Settings } from "../../members/settings/settings.ts";
import type { Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { wrongInput } from "../../operation/errors.ts";
import { placeProblem } from "../../requests/audience.ts";
import { paragraphs } from "../../views/blocks.ts";
import { sentence } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { channelIdOf } from "./admin.ts";
import { requireAgents, switchAgents } from "./agents.ts";
import { clears } from "./alerts-filter.ts";
import { limitsLine } from "./alerts-reading.ts";
import { endReport, minutesTyped, planLine, scheduleOf, setReport } from "./report.ts";

const days = z.number().int().min(0).max(90).optional();

const settingsInput = z.object({
  approvals: z.string().optional().meta({
    title: "Channel of approvals",
    description: "Requests to destroy are posted there. Empty: where they are typed",
    format: "channel",
    clearable: true,
  }),
  group: z
    .string()
    .regex(/^(none|@?S[A-Z0-9]{5,})$/, {
      error: "choose the group from Slack's list as you type the command: /rackbell settings group=@oncall.",
    })
    .optional()
    .meta({
      title: "User group that approves",
      description: "It is mentioned when somebody must approve. Empty: members who could do it are",
      format: "group",
      clearable: true,
    }),
  due: days.meta({ title: "Documents: days before they are due", description: "An alert comes then" }),
  renewal: days.meta({ title: "Renewals: days before", description: "An alert comes then" }),
  balance: z.string().max(20).optional().meta({
    title: "Balance: under this amount",
    description: "Such as 50, or none. Only the owner of the customer monitoring key gets this alert",
  }),
  agents: z.enum(["on", "off"]).optional().meta({ title: "All agents", description: "off: their calls are refused" }),
  report: z.string().optional().meta({
    title: "Channel of the weekly report",
    description: "Empty: no report",
    format: "channel",
    clearable: true,
  }),
  day: z.enum(weekdays).optional().meta({ title: "Day of the report" }),
  time: z.string().max(5).optional().meta({ title: "Time of the report", description: "Such as 09:00" }),
  zone: z.string().max(60).optional().meta({ title: "Time zone of the report", description: "Such as Europe/Madrid" }),
});
type SettingsInput = z.output<typeof settingsInput>;

interface SettingsCall {
  context: AppContext;
  actor: Actor;
  note: Note;
  input: SettingsInput;
  now: number;
}

/** Writes one setting with its audit entry, and resolves to the sentence about it. */
type Write = () => Promise<string>;

export const settings = defineAppOperation({
  command: "rackbell settings",
  synonyms: [
    { words: "approvals channel", positional: "approvals", renamed: { channel: "approvals" } },
    { words: "approvals group", positional: "group" },
    "alerts limits",
  ],
  summary: "Show the settings: approvals, limits of alerts, agents, weekly report; admins change them",
  example: "/rackbell settings",
  admins: "to change",
  verb: "Change settings",
  input: settingsInput,
  async present(context) {
    const { approvalsChannel, approverGroup, dueDays, renewalDays, balanceBelow, agentsOff } =
      await readSettings(context);
    const plan = await readSchedule(context);
    return {
      approvals: approvalsChannel,
      group: approverGroup,
      due: dueDays,
      renewal: renewalDays,
      balance: balanceBelow ?? clears,
      ...(context.agentsUrl === null ? {} : { agents: agentsOff ? "off" : "on" }),
      ...(plan ? { report: plan.channel, day: weekdays[plan.day], time: weeklyClock(plan), zone: plan.zone } : {}),
    };
  },
  async run(call) {
    // All values are checked before the first is written: a wrong one must not leave half of a form behind.
    const writes = await Promise.all(parts.map((part) => part(call)));
    const lines: string[] = [];
    for (const write of writes) if (write) lines.push(await write());
    if (lines.length > 0) return { text: lines.join("\n"), next: [settingsStep] };
    return { ...headed("Settings", paragraphs(await settingLines(call.context))), next: [changeStep] };
  },
});

const settingsStep = { label: "All settings", command: "rackbell settings" };
const changeStep: Step = { label: "Change…", command: "rackbell settings", form: true };

async function settingLines(context: AppContext): Promise<string[]> {
  const set = await readSettings(context);
  const plan = await readSchedule(context);
  return [
    approvalsLine(set),
    groupLine(set),
    limitsLine(set),
    ...(context.agentsUrl === null ? [] : [`All agents are switched ${set.agentsOff ? "off" : "on"}.`]),
    plan ? planLine(plan) : "No channel gets a weekly report.",
  ];
}

function approvalsLine({ approvalsChannel: id }: Pick<Settings, "approvalsChannel">): string {
  return id === null
    ? "Requests appear in the channel where they are typed."
    : `Requests to destroy are posted in <#${id}>.`;
}

function groupLine({ approverGroup: id }: Pick<Settings, "approverGroup">): string {
  return id === null
    ? "No user group approves: a request mentions members who could approve it."
    : `<!subteam^${id}> is mentioned when somebody must approve.`;
}

const parts: ((call: SettingsCall) => Promise<Write | null>)[] = [
  async ({ context, note, input: { approvals } }) => {
    if (approvals === undefined) return null;
    const id = approvals === clears ? null : channelIdOf(approvals, "approvals");
    return async () => {
      const outcome = approvalsLine(await changeSettings(context, { approvalsChannel: id }));
      await note("approvals channel set", outcome);
      const problem = id && (await placeProblem(context.requests.people, id));
      return problem ? `${outcome} As it is, none can be posted there: ${sentence(problem)}` : outcome;
    };
  },
  async ({ context, note, input: { group } }) => {
    if (group === undefined) return null;
    return async () => {
      const approverGroup = group === clears ? null : group.replace(/^@/, "");
      const outcome = groupLine(await changeSettings(context, { approverGroup }));
      await note("approver group set", outcome);
      return outcome;
    };
  },
  async ({ context, note, input: { due, renewal, balance } }) => {
    const change = {
      ...(due === undefined ? {} : { dueDays: due }),
      ...(renewal === undefined ? {} : { renewalDays: renewal }),
      ...(balance === undefined ? {} : { balanceBelow: balanceOf(balance) }),
    };
    if (Object.keys(change).length === 0) return null;
    return async () => {
      const outcome = limitsLine(await changeSettings(context, change));
      await note("alert limits set", outcome);
      return outcome;
    };
  },
  async ({ context, note, input: { agents } }) => {
    if (agents === undefined) return null;
    requireAgents(context);
    return () => switchAgents(context, note, agents);
  },
  async ({ context, actor, note, input: { report, day, time, zone }, now }) => {
    if (report === clears) return () => endReport(context, note);
    if ([report, day, time, zone].every((value) => value === undefined)) return null;
    const given = {
      channel: report,
      day,
      minutes: time === undefined ? undefined : minutesTyped(time, "Time of the report"),
      zone,
    };
    const schedule = await scheduleOf(context, actor, given, "report");
    return async () => (await setReport(context, note, schedule, now)).text;
  },
];

function balanceOf(typed: string): string | null {
  const text = typed.trim();
  if (text.toLowerCase() === clears) return null;
  if (/^\d{1,12}(\.\d{1,2})?$/.test(text)) return text;
  throw wrongInput("balance", "an amount such as 50 or 12.50, without the currency, or none.", "Balance");
}
