import * as z from "zod";
import { newSubscription, type Subscription } from "../../alerts/subscriptions.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { InputError } from "../../operation/errors.ts";
import type { Mute } from "../../policy/maintenance-windows/mute.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, listing } from "../../views/text.ts";
import { filterFields, filterOf, mentionField } from "./alert-filter.ts";
import { channelOf, mannerLine, mentionOf } from "./alerting.ts";
import { limitsLine, readingLines, unreadProducts } from "./alerts-reading.ts";
import { requireAdmin } from "./connecting.ts";

const hour = 60 * 60_000;

const addStep = { label: "Add a channel…", command: "rackbell alerts add" };
const tryStep = { label: "Try a filter…", command: "rackbell alerts try" };

export const alerts = defineAppOperation({
  command: "rackbell alerts",
  summary: "Show which channels are told of which events, and what is read in the background",
  verb: "Alerts",
  input: z.object({}),
  async run({ context, now }) {
    const { subscriptions, mutes, manners } = await context.alerts.read();
    const silent = mutes.filter(({ until }) => until > now);
    const lines = [
      ...subscriptions.map(subscriptionLine),
      ...manners.map((manner) => mannerLine(manner, now)),
      ...silent.map(muteLine),
    ];
    const headline = subscriptions.length === 0 ? "No channel is told of any event" : "Who is told of what";
    const reading = [...(await readingLines(context)), limitsLine(await context.settings.read())];
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...paragraphs(lines), ...paragraphs(reading)],
      next: [
        addStep,
        tryStep,
        { label: "What came", command: "rackbell alerts log" },
        { label: "Look now", command: "rackbell alerts look" },
        { label: "Set limits…", command: "rackbell alerts limits" },
      ],
    };
  },
});

export const alertsAdd = defineAppOperation({
  command: "rackbell alerts add",
  summary: "For admins: have a channel told of events, of all or of some: the supplier's, and what is found by reading",
  verb: "Add a channel",
  input: z.object({
    channel: z.string().meta({ title: "Channel", format: "channel" }),
    ...filterFields,
    mention: mentionField,
  }),
  positional: "channel",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const channel = await channelOf(context, input.channel);
    const mention = input.mention ? mentionOf(input.mention) : null;
    const added = newSubscription(filterOf(input), { channel, mention, by: actor.slackUser });
    await context.alerts.change((now) => ({ ...now, subscriptions: [...now.subscriptions, added] }));
    return {
      text: `From now on: ${subscriptionLine(added)}.${await unreadProducts(context, added)}`,
      next: [{ label: "All channels", command: "rackbell alerts" }],
    };
  },
});

export const alertsRemove = defineAppOperation({
  command: "rackbell alerts remove",
  summary: "For admins: tell a channel no more, by the id that /rackbell alerts shows",
  verb: "Remove",
  input: z.object({ id: z.string().meta({ title: "Id", description: "As /rackbell alerts shows it" }) }),
  positional: "id",
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const id = input.id.trim();
    const before = await context.alerts.read();
    const gone = before.subscriptions.find((one) => one.id === id);
    if (!gone) throw new InputError([{ field: "id", message: "There is no such one. `/rackbell alerts` shows them." }]);
    await context.alerts.change((now) => ({
      ...now,
      subscriptions: now.subscriptions.filter((one) => one.id !== id),
    }));
    return {
      text: `No longer: ${subscriptionLine(gone)}.`,
      next: [{ label: "The others", command: "rackbell alerts" }],
    };
  },
});

export const alertsMute = defineAppOperation({
  command: "rackbell alerts mute",
  summary: "For admins: silence alerts for some hours, as during planned work",
  verb: "Mute",
  input: z.object({
    about: z.string().max(200).optional().meta({
      title: "About",
      description: "A customer, an order or a service, by a name or id. Empty: whatever it is about",
    }),
    channel: z
      .string()
      .optional()
      .meta({ title: "In the channel", description: "Empty: in every one", format: "channel" }),
    hours: z.number().min(0).max(168).default(1).meta({ title: "Hours", description: "0 ends the silence" }),
  }),
  positional: "about",
  async run({ context, actor, input, now }) {
    await requireAdmin(context, actor);
    const about = input.about?.trim() || null;
    const channel = input.channel ? await channelOf(context, input.channel) : null;
    const mute: Mute = { channel, about, until: now + input.hours * hour, by: actor.slackUser };
    await context.alerts.change((routing) => {
      const others = routing.mutes.filter(
        (one) => one.until > now && !(one.channel === channel && one.about?.toLowerCase() === about?.toLowerCase()),
      );
      return { ...routing, mutes: input.hours > 0 ? [...others, mute] : others };
    });
    const next = [{ label: "All channels", command: "rackbell alerts" }];
    if (input.hours === 0) return { text: "That silence is over.", next };
    return { text: `${muteLine(mute)} Cards that stand are kept current, and nothing rings.`, next };
  },
});

export function subscriptionLine(subscription: Subscription): string {
  const { id, channel, events, notEvents, about, notAbout, products, notProducts, mention } = subscription;
  const of = events.length === 0 ? "every event" : named(events);
  const parts = [
    notEvents.length > 0 ? `but not ${named(notEvents)}` : "",
    about.length > 0 ? `about ${named(about)} alone` : "",
    notAbout.length > 0 ? `but not about ${named(notAbout)}` : "",
    products.length > 0 ? `of ${named(products)} alone` : "",
    notProducts.length > 0 ? `but not of ${named(notProducts)}` : "",
    mention === null ? "" : `and ${mention} is called by what is loud`,
  ].filter((part) => part !== "");
  return `${code(id)} <#${channel}> is told of ${[of, ...parts].join(", ")}`;
}

function muteLine({ channel, about, until, by }: Mute): string {
  const what = about === null ? "Everything" : `What is about ${code(about)}`;
  return `:mute: ${what} is silent in ${channel === null ? "every channel" : `<#${channel}>`} until ${moment(until)} (<@${by}>).`;
}

function named(list: string[]): string {
  return listing(list.map((word) => code(word)));
}
