import * as z from "zod";
import { eventNames } from "../../alerts/events.ts";
import {
  type ChannelMode,
  type Filter,
  modes,
  newSubscription,
  nextHour,
  type Subscription,
} from "../../alerts/subscriptions.ts";
import { wrongInput } from "../../operation/errors.ts";
import type { Mute } from "../../policy/maintenance-windows/mute.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment, timeOfDay } from "../../views/format.ts";
import { clip, code, listing } from "../../views/text.ts";
import { defineAppOperation } from "../app-operation.ts";
import { channelOf, mentionOf, zoneNamed } from "./admin.ts";
import { limitsLine, readingLines, unreadProducts } from "./alerts-reading.ts";

const words = z.array(z.string().max(200)).max(20).optional();
/** Names of events, separated by commas or spaces. `alone` is a word with a meaning of its own, if it is the only one. */
function eventsField(alone: string | null = null) {
  return words
    .transform((given) => given?.flatMap((one) => one.split(/\s+/).filter((word) => word !== "")))
    .superRefine((given = [], context) => {
      if (given.length === 1 && given[0] === alone) return;
      const unknown = given.filter((word) => !isEventWord(word));
      if (unknown.length > 0) context.addIssue({ code: "custom", message: unknownWords(unknown) });
    });
}

function unknownWords(unknown: string[]): string {
  const none = listing(
    unknown.slice(0, 5).map((word) => `“${clip(word, 60)}”`),
    "or",
  );
  return `there is no event ${none}. Give names such as service.suspended, or service.* for all that begin so. The events: ${eventNames.join(", ")}.`;
}

export const filterFields = {
  events: eventsField().meta({ title: "Events", description: "Such as service.*, order.payment_failed. Empty: all" }),
  not: eventsField().meta({ title: "But not these events", description: "Such as service.provisioned" }),
  about: words.meta({
    title: "About",
    description: "Customers, orders or services, by a name or id, with commas. Empty: any",
  }),
  except: words.meta({ title: "But not about", description: "Customers, orders or services" }),
  product: words.meta({
    title: "Products",
    description: "By name, such as VPS M or VPS *. Events of an unknown product pass as well. Empty: any",
  }),
  "except-product": words.meta({ title: "But not these products", description: "By name, such as VPS M or VPS *" }),
};
const mentionField = z.string().max(100).optional().meta({
  title: "Mention",
  description: "The person to mention for a failure, a suspension or an end. For a user group, type mention=@oncall",
  format: "person",
});

/** The filter from its inputs. */
export function filterOf(input: z.output<z.ZodObject<typeof filterFields>>): Filter {
  const { events = [], not = [], about = [], except = [], product = [], "except-product": notProducts = [] } = input;
  return { events, notEvents: not, about, notAbout: except, products: product, notProducts };
}

function isEventWord(word: string): boolean {
  const wanted = word.toLowerCase();
  return wanted.endsWith("*")
    ? eventNames.some((name) => name.startsWith(wanted.slice(0, -1)))
    : eventNames.some((name) => name === wanted);
}

const hour = 60 * 60_000;

const addStep = { label: "Add a channel…", command: "rackbell alerts add" };
const tryStep = { label: "Try a filter…", command: "rackbell alerts try" };

export const alerts = defineAppOperation({
  command: "rackbell alerts",
  summary: "Show which channels get which alerts, and what polling reads",
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
    const headline = subscriptions.length === 0 ? "No channel gets alerts" : "Alerts by channel";
    const reading = [...(await readingLines(context)), limitsLine(await context.settings.read())];
    return {
      text: headline,
      blocks: [section(`*${headline}*`), ...paragraphs(lines), ...paragraphs(reading)],
      next: [
        addStep,
        tryStep,
        { label: "Event log", command: "rackbell alerts log" },
        { label: "Look now", command: "rackbell alerts look" },
        { label: "Set limits…", command: "rackbell alerts limits" },
      ],
    };
  },
});

export const alertsAdd = defineAppOperation({
  command: "rackbell alerts add",
  summary: "For admins: send alerts about all or some events to a channel",
  admins: true,
  verb: "Add a channel",
  input: z.object({
    channel: z.string().meta({ title: "Channel", format: "channel" }),
    ...filterFields,
    mention: mentionField,
  }),
  positional: "channel",
  async run({ context, actor, input }) {
    const channel = await channelOf(context, input.channel);
    const mention = input.mention ? mentionOf(input.mention) : null;
    const added = newSubscription(filterOf(input), { channel, mention, by: actor.slackUser });
    await context.alerts.change((now) => ({ ...now, subscriptions: [...now.subscriptions, added] }));
    return {
      text: `Saved: ${subscriptionLine(added)}.${await unreadProducts(context, added)}`,
      next: [{ label: "All channels", command: "rackbell alerts" }],
    };
  },
});

export const alertsRemove = defineAppOperation({
  command: "rackbell alerts remove",
  summary: "For admins: stop the alerts in a channel, by the id that /rackbell alerts shows",
  admins: true,
  verb: "Remove",
  input: z.object({ id: z.string().meta({ title: "Id", description: "As /rackbell alerts shows it" }) }),
  positional: "id",
  async run({ context, input }) {
    const id = input.id.trim();
    const before = await context.alerts.read();
    const gone = before.subscriptions.find((one) => one.id === id);
    if (!gone) throw wrongInput("id", "There is no such subscription. Type /rackbell alerts to see all.");
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
  synonyms: ["mute"],
  summary: "For admins: mute alerts for some hours",
  admins: true,
  verb: "Mute",
  input: z.object({
    about: z.string().max(200).optional().meta({
      title: "About",
      description: "A customer, an order or a service, by a name or id. Empty: all alerts",
    }),
    channel: z
      .string()
      .optional()
      .meta({ title: "In the channel", description: "Empty: in every one", format: "channel" }),
    hours: z.number().min(0).max(168).default(1).meta({ title: "Hours", description: "0 ends the silence" }),
  }),
  positional: "about",
  async run({ context, actor, input, now }) {
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
    if (input.hours === 0) return { text: "Alerts are no longer muted.", next };
    return { text: `${muteLine(mute)} Present alerts stay current.`, next };
  },
});

function subscriptionLine(subscription: Subscription): string {
  const { id, channel, events, notEvents, about, notAbout, products, notProducts, mention } = subscription;
  const of = events.length === 0 ? "every event" : named(events);
  const parts = [
    notEvents.length > 0 ? `but not ${named(notEvents)}` : "",
    about.length > 0 ? `about ${named(about)} alone` : "",
    notAbout.length > 0 ? `but not about ${named(notAbout)}` : "",
    products.length > 0 ? `of ${named(products)} alone` : "",
    notProducts.length > 0 ? `but not of ${named(notProducts)}` : "",
    mention === null ? "" : `with a mention of ${mention} for failures, suspensions and ends`,
  ].filter((part) => part !== "");
  return `${code(id)} <#${channel}> gets ${[of, ...parts].join(", ")}`;
}

function muteLine({ channel, about, until, by }: Mute): string {
  const what = about === null ? "All alerts" : `Alerts about ${code(about)}`;
  return `:mute: ${what} are muted in ${channel === null ? "all channels" : `<#${channel}>`} until ${moment(until)} (<@${by}>).`;
}

function named(list: string[]): string {
  return listing(list.map((word) => code(word)));
}

const allStep = { label: "All channels", command: "rackbell alerts" };
const clears = "none";

/** Empty leaves a value unchanged; the word "none" clears it. */
const changedWords = z.array(z.string().max(200)).max(20).optional();

export const alertsChange = defineAppOperation({
  command: "rackbell alerts change",
  summary: "For admins: change the alerts of a channel, by the id that /rackbell alerts shows; other values stay",
  admins: true,
  verb: "Change",
  input: z.object({
    id: z.string().meta({ title: "Id", description: "As /rackbell alerts shows it" }),
    events: eventsField(clears).meta({ title: "Events", description: "Empty: as they are; none: all" }),
    not: eventsField(clears).meta({
      title: "But not these events",
      description: "Empty: as it is; none: no such",
    }),
    about: changedWords.meta({ title: "About", description: "Empty: as it is; none: about everything" }),
    except: changedWords.meta({ title: "But not about", description: "Empty: as it is; none: no such" }),
    product: changedWords.meta({ title: "Products", description: "Empty: as it is; none: any product" }),
    "except-product": changedWords.meta({
      title: "But not these products",
      description: "Empty: as it is; none: no such",
    }),
    mention: mentionField.meta({
      title: "Mention",
      description: "Empty: as it is. By the command also a user group, or nobody: mention=none",
      format: "person",
    }),
  }),
  positional: "id",
  async run({ context, input }) {
    const mention = input.mention && input.mention !== clears ? mentionOf(input.mention) : null;
    const id = input.id.trim();
    const change = (one: Subscription): Subscription => ({
      ...one,
      events: listOf(input.events, one.events),
      notEvents: listOf(input.not, one.notEvents),
      about: listOf(input.about, one.about),
      notAbout: listOf(input.except, one.notAbout),
      products: listOf(input.product, one.products),
      notProducts: listOf(input["except-product"], one.notProducts),
      mention: input.mention ? mention : one.mention,
    });
    const after = await context.alerts.change((now) => ({
      ...now,
      subscriptions: now.subscriptions.map((one) => (one.id === id ? change(one) : one)),
    }));
    const found = after.subscriptions.find((one) => one.id === id);
    if (!found) throw wrongInput("id", "There is no such subscription. Type /rackbell alerts to see all.");
    return { text: `Saved: ${subscriptionLine(found)}.${await unreadProducts(context, found)}`, next: [allStep] };
  },
});

export const alertsTest = defineAppOperation({
  command: "rackbell alerts test",
  summary: "For admins: post a test to a channel, in the way in which alerts reach it",
  admins: true,
  verb: "Test",
  input: z.object({ channel: z.string().meta({ title: "Channel", format: "channel" }) }),
  positional: "channel",
  async run({ context, actor, input }) {
    const channel = await channelOf(context, input.channel);
    const { subscriptions } = await context.alerts.read();
    const own = subscriptions.filter((one) => one.channel === channel);
    const mentions = new Set(own.flatMap(({ mention }) => mention ?? []));
    await context.alerts.test({ channel, by: actor.slackUser, mention: [...mentions].join(" ") || null });
    const told = own.length === 0 ? ` <#${channel}> gets no alerts.` : "";
    return { text: `A test is on its way to <#${channel}>.${told}`, next: [allStep] };
  },
});

function isNone(given: string[] | undefined): boolean {
  return given?.length === 1 && given[0] === clears;
}

function listOf(given: string[] | undefined, before: string[]): string[] {
  if (given === undefined || given.length === 0) return before;
  return isNone(given) ? [] : given;
}

const usualHours = [8, 17];

export const alertsMode = defineAppOperation({
  command: "rackbell alerts mode",
  summary: "For admins: choose alerts with threads, alerts alone, or a digest at chosen hours for a channel",
  admins: true,
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
    const channel = await channelOf(context, input.channel);
    const { how: mode } = input;
    const hours = mode === "digest" ? (input.hours ?? []).map(hourOf) : [];
    const zone = input.zone?.trim() ? zoneNamed(input.zone) : await context.zoneOf(actor.slackUser);
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
  if (!found || hour > 23) throw wrongInput("hours", "Hours: give whole hours from 0 to 23, such as 8,17.");
  return hour;
}

/** The way in which a channel gets its alerts, in a sentence. */
function mannerLine(manner: ChannelMode, now: number): string {
  const { channel, mode, hours, zone } = manner;
  if (mode === "thread") return `<#${channel}> gets one alert per order or service, with its history in the thread.`;
  if (mode === "card")
    return `<#${channel}> gets cards alone, without threads; a failure, a suspension or an end begins a new card.`;
  // Give the next moment of each hour: Slack shows it in the reader's zone.
  const times = hours.map((hour) => nextHour({ hours: [hour], zone }, now));
  const at = listing(times.toSorted((a, b) => a - b).map(timeOfDay));
  return `<#${channel}> gets all in one message each day at ${at}, by the clocks of ${code(zone)}. The next one comes ${moment(nextHour(manner, now))}.`;
}
