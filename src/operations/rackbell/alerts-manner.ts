import * as z from "zod";
import { type ChannelMode, modes } from "../../alerts/subscriptions.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { InputError } from "../../operation/errors.ts";
import { isZone } from "../../operation/zone.ts";
import { channelOf, mannerLine } from "./alerting.ts";
import { requireAdmin } from "./connecting.ts";

const usualHours = [8, 17];

export const alertsMode = defineAppOperation({
  command: "rackbell alerts mode",
  summary: "For admins: have a channel told by cards with threads, by cards alone, or by a digest at chosen hours",
  verb: "Choose how",
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
  async run({ context, actor, input, now }) {
    await requireAdmin(context, actor);
    const channel = await channelOf(context, input.channel);
    const { how: mode } = input;
    const hours = mode === "digest" ? (input.hours ?? []).map(hourOf) : [];
    const zone = zoneNamed(input.zone) ?? (await context.zoneOf(actor.slackUser));
    const manner: ChannelMode = {
      channel,
      mode,
      zone,
      hours: mode === "digest" && hours.length === 0 ? usualHours : hours,
    };
    await context.alerts.change((routing) => {
      const others = routing.manners.filter((one) => one.channel !== channel);
      return { ...routing, manners: mode === "thread" ? others : [...others, manner] };
    });
    await context.alerts.rescheduleDigest(channel);
    return { text: mannerLine(manner, now), next: [{ label: "All channels", command: "rackbell alerts" }] };
  },
});

function hourOf(typed: string): number {
  const found = /^(\d{1,2})(:00)?$/.exec(typed.trim());
  const hour = Number(found?.[1]);
  if (!found || hour > 23)
    throw new InputError([{ field: "hours", message: "Hours: give whole hours from 0 to 23, such as 8,17." }]);
  return hour;
}

/** The typed zone; null if there was none. */
function zoneNamed(typed: string | undefined): string | null {
  const zone = typed?.trim() ?? "";
  if (zone === "") return null;
  if (isZone(zone)) return zone;
  throw new InputError([{ field: "zone", message: "Time zone: there is none of that name. Europe/Madrid is one." }]);
}
