import * as z from "zod";
import { rescheduleDigest } from "../../alerts/digest.ts";
import { type ChannelMode, changeRouting, modes, nextHour } from "../../alerts/subscriptions.ts";
import type { Step } from "../../operation/answer.ts";
import { wrongInput } from "../../operation/errors.ts";
import { moment, timeOfDay } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { defineAppOperation } from "../app-context.ts";
import { findTypedChannel, zoneNamed } from "./admin.ts";
import { alertsStep } from "./alerts-reading.ts";

const usualHours = [8, 17];

export const alertsMode = defineAppOperation({
  command: "rackbell alerts mode",
  summary: "For admins: choose alerts with threads, alerts alone, or a digest at chosen hours for a channel",
  admins: true,
  verb: "Choose the alert format",
  input: z.object({
    channel: z.string().meta({ title: "Channel", format: "channel" }),
    how: z.enum(modes).meta({
      title: "How",
      description: "thread: a card with its history; card: a card alone; digest: all in one message at chosen hours",
    }),
    hours: z.array(z.string()).max(24).optional().meta({
      title: "Hours of the digest",
      description: "0 to 23, with commas between: 8,17. Empty: 8 and 17",
    }),
    zone: z.string().max(60).optional().meta({
      title: "Time zone of these hours",
      description: "Such as Europe/Madrid. Empty: yours",
    }),
  }),
  positional: "channel",
  async run({ context, actor, note, input, now }) {
    const channel = await findTypedChannel(context, input.channel);
    const { how } = input;
    const hours = how === "digest" ? [...new Set((input.hours ?? []).map(hourOf))] : [];
    const zone = input.zone?.trim() ? zoneNamed(input.zone) : await context.zoneOf(actor.slackUser);
    const mode: ChannelMode = {
      channel,
      mode: how,
      zone,
      hours: how === "digest" && hours.length === 0 ? usualHours : hours,
    };
    await changeRouting(context, (routing) => {
      const others = routing.modes.filter((one) => one.channel !== channel);
      return { ...routing, modes: how === "thread" ? others : [...others, mode] };
    });
    await rescheduleDigest(context, channel);
    const outcome = modeLine(mode, now);
    await note("alert format set", outcome);
    return { text: outcome, next: [alertsStep] };
  },
});

function hourOf(typed: string): number {
  const found = /^(\d{1,2})(:00)?$/.exec(typed.trim());
  const hour = Number(found?.[1]);
  if (!found || hour > 23) throw wrongInput("hours", "give whole hours from 0 to 23, such as 8,17.", "Hours");
  return hour;
}

/** The way in which a channel gets its alerts, in a sentence. */
export function modeLine(channelMode: ChannelMode, now: number): string {
  const { channel, mode, hours, zone } = channelMode;
  if (mode === "thread") return `<#${channel}> gets one alert per order or service, with its history in the thread.`;
  if (mode === "card")
    return `<#${channel}> gets cards alone, without threads; a failure, a suspension or an end begins a new card.`;
  // Give the next moment of each hour: Slack shows it in the reader's zone.
  const times = hours.map((hour) => nextHour({ hours: [hour], zone }, now));
  const at = listing(times.toSorted((a, b) => a - b).map(timeOfDay));
  return `<#${channel}> gets all in one message each day at ${at}, by the clocks of ${code(zone)}. The next one comes ${moment(nextHour(channelMode, now))}.`;
}

/** The button that changes it. */
export function modeStep({ channel, mode, hours, zone }: ChannelMode): Step {
  const input = { channel, how: mode, ...(mode === "digest" ? { hours: hours.map(String), zone } : {}) };
  return { label: "Change…", command: "rackbell alerts mode", input, form: true };
}
