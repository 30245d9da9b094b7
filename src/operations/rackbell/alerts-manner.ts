import * as z from "zod";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { type Manner, modes } from "../../engine/cards/subscriptions.ts";
import { InputError } from "../../operation/errors.ts";
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
      description: "Such as Europe/Madrid. Empty: UTC",
    }),
  }),
  positional: "channel",
  async run({ context, actor, input, now }) {
    await requireAdmin(context, actor);
    const channel = await channelOf(context, input.channel);
    const { how: mode } = input;
    const hours = mode === "digest" ? (input.hours ?? []).map(hourOf) : [];
    const zone = zoneOf(input.zone);
    const manner: Manner = { channel, mode, zone, hours: mode === "digest" && hours.length === 0 ? usualHours : hours };
    await context.alerts.change((routing) => {
      const others = routing.manners.filter((one) => one.channel !== channel);
      return { ...routing, manners: mode === "thread" ? others : [...others, manner] };
    });
    await context.alerts.planDigest(channel);
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

function zoneOf(typed: string | undefined): string {
  const zone = typed?.trim() || "UTC";
  if (isZone(zone)) return zone;
  throw new InputError([{ field: "zone", message: "Time zone: there is none of that name. Europe/Madrid is one." }]);
}

function isZone(zone: string): boolean {
  try {
    return new Intl.DateTimeFormat("en", { timeZone: zone }) !== null;
  } catch {
    return false;
  }
}
