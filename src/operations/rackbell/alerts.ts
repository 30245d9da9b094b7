import * as z from "zod";
import { isAdmin } from "../../access/admins.ts";
import { showMute } from "../../alerts/mutes.ts";
import {
  changeRouting,
  type Filter,
  newSubscription,
  readRouting,
  type Subscription,
} from "../../alerts/subscriptions.ts";
import { rowBlocks } from "../../notifications/answers/answers.ts";
import { notify } from "../../notifications/answers/notices.ts";
import type { Offer } from "../../notifications/answers/offer.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import { type InputError, wrongInput } from "../../operation/errors.ts";
import type { Mute } from "../../policy/maintenance-windows/windows.ts";
import { readSettings } from "../../records/settings.ts";
import { paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { channelIdOf, findTypedChannel, mentionedPerson, mentionOf, momentTyped } from "./admin.ts";
import { clears, filterFields, filterOf, filterValues, filterWords } from "./alerts-filter.ts";
import { modeLine, modeStep } from "./alerts-mode.ts";
import { alertsStep, limitsLine, monitoringStep, readingLines, unreadProducts } from "./alerts-reading.ts";
import { mutedName } from "./mute-subject.ts";

const mentionField = z.string().max(100).optional().meta({
  title: "Mention",
  description:
    "Whom to mention for a failure, a suspension or an end. Empty: nobody. For a group, type mention=@oncall",
  format: "person",
});

const hour = 60 * 60_000;
const idInput = z.string().meta({ title: "Id", description: "As /rackbell alerts shows it" });

export const alerts = defineAppOperation({
  command: "rackbell alerts",
  summary: "Show which channels get which alerts, and what polling reads",
  verb: "Show alert channels",
  input: z.object({}),
  async run({ context, actor, now }) {
    const { subscriptions, mutes, modes } = await readRouting(context);
    const silent = mutes.filter(({ until }) => until > now);
    const admin = await isAdmin(context, actor.slackUser);
    const find: Offer = admin ? context.registry.find : () => null;
    const rows = [
      ...subscriptions.flatMap((one) => rowBlocks(subscriptionLine(one), one.id, subscriptionSteps(one), find)),
      ...modes.flatMap((mode) => rowBlocks(modeLine(mode, now), `mode ${mode.channel}`, [modeStep(mode)], find)),
      ...silent.flatMap((mute, at) => rowBlocks(muteLine(mute), `mute ${at}`, muteSteps(mute), find)),
    ];
    const headline = subscriptions.length === 0 ? "No channel gets alerts" : "Alerts by channel";
    const reading = [...(await readingLines(context)), limitsLine(await readSettings(context))];
    return {
      ...headed(headline, [...rows, ...paragraphs(reading)]),
      next: [
        ...(await monitoringStep(context)),
        { label: "Add a channel…", command: "rackbell alerts add" },
        { label: "Try a filter…", command: "rackbell alerts try" },
        { label: "Event log", command: "rackbell alerts log" },
        { label: "Look now", command: "rackbell alerts look" },
        { label: "Settings", command: "rackbell settings" },
      ],
    };
  },
});

export const alertsAdd = defineAppOperation({
  command: "rackbell alerts add",
  summary: "For admins: send alerts about all or some events to a channel",
  admins: true,
  verb: "Add an alert channel",
  input: z.object({
    channel: z.string().meta({ title: "Channel", format: "channel" }),
    mention: mentionField,
    ...filterFields("new"),
  }),
  positional: "channel",
  async preview({ input }) {
    const mention = input.mention ? mentionOf(input.mention) : null;
    return `${subscriptionWords({ ...filterOf(input), channel: channelIdOf(input.channel), mention })}.`;
  },
  async run({ context, actor, note, input }) {
    const channel = await findTypedChannel(context, input.channel);
    const mention = input.mention ? mentionOf(input.mention) : null;
    const added = newSubscription(filterOf(input), { channel, mention, by: actor.slackUser });
    await changeRouting(context, (now) => ({ ...now, subscriptions: [...now.subscriptions, added] }));
    const saved = subscriptionLine(added);
    await note("alert channel added", `${saved}.`);
    const nobody = mention === null ? " It mentions nobody, so a failure at night may be seen in the morning." : "";
    return {
      text: `Saved: ${saved}.${nobody}${await unreadProducts(context, added)}`,
      next: [alertsStep, ...(mention === null ? [mentionStep(added.id)] : [])],
    };
  },
});

export const alertsRemove = defineAppOperation({
  command: "rackbell alerts remove",
  summary: "For admins: stop the alerts in a channel, by the id that /rackbell alerts shows",
  admins: true,
  verb: "Remove alert channel",
  input: z.object({ id: idInput }),
  positional: "id",
  async run({ context, note, input }) {
    const id = input.id.trim();
    const gone = await subscriptionNamed(context, id);
    await changeRouting(context, (now) => ({
      ...now,
      subscriptions: now.subscriptions.filter((one) => one.id !== id),
    }));
    const outcome = `No longer: ${subscriptionLine(gone)}.`;
    await note("alert channel removed", outcome);
    return {
      text: outcome,
      next: [{ label: "The others", command: "rackbell alerts" }],
    };
  },
});

const untilWords =
  'Write a time to come like until=08:00, until="tomorrow 08:00" or until="Nov 28 22:00", at most 30 days ahead.';

export const alertsMute = defineAppOperation({
  command: "rackbell alerts mute",
  synonyms: ["mute"],
  summary: "For admins: mute alerts for some hours, or until a time",
  admins: true,
  verb: "Mute alerts",
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
    until: z.string().trim().max(60).optional().meta({
      title: "Until",
      description: "In place of hours. Such as 08:00, or tomorrow 08:00; at most 30 days ahead",
      format: "moment",
    }),
  }),
  positional: "about",
  async run({ context, actor, note, input, now }) {
    const about = input.about?.trim() || null;
    if (input.hours === 0) return endMute(context, { about, channel: input.channel, now, note });
    const channel = input.channel ? await findTypedChannel(context, input.channel) : null;
    const name = about === null ? null : await mutedName(context, actor.member, about);
    const picked = input.until
      ? momentTyped(input.until, { now, zone: await context.zoneOf(actor.slackUser) }, "until", () => untilWords)
      : null;
    const until = picked ?? now + input.hours * hour;
    const mute: Mute = { channel, about, name: name === about ? null : name, until, by: actor.slackUser };
    await changeRouting(context, (routing) => ({
      ...routing,
      mutes: [...routing.mutes.filter((one) => one.until > now && !isSameScope(one, mute)), mute],
    }));
    await showMute(context, mute);
    await note("alerts muted", muteLine(mute));
    return { text: `${muteLine(mute)} Rackbell still updates the alerts that are already posted.`, next: [alertsStep] };
  },
});

export const alertsUnmute = defineAppOperation({
  command: "rackbell alerts unmute",
  synonyms: ["unmute"],
  summary: "For admins: end a mute of alerts",
  admins: true,
  verb: "Unmute alerts",
  input: z.object({
    about: z.string().max(200).optional().meta({ title: "About", description: "As it was muted. Empty: all alerts" }),
    channel: z
      .string()
      .optional()
      .meta({ title: "In the channel", description: "Empty: wherever it is muted", format: "channel" }),
  }),
  positional: "about",
  run: ({ context, note, input, now }) =>
    endMute(context, { about: input.about?.trim() || null, channel: input.channel ?? "any", now, note }),
});

/** Ends the mutes of a resource in a channel, in all channels together, or ("any") wherever it is muted. */
async function endMute(
  context: AppContext,
  { about, channel: typed, now, note }: EndedMute & { now: number; note: Note },
): Promise<Answer> {
  // A mute can also end in a channel that Rackbell has left since: nothing is posted there then.
  const channel = typed === undefined || typed === "any" ? null : channelIdOf(typed);
  const isMeant = (one: Mute) => isCalled(one, about) && (typed === "any" || one.channel === channel);
  const ended: Mute[] = [];
  const { mutes } = await changeRouting(context, (routing) => {
    const present = routing.mutes.filter((one) => one.until > now);
    ended.splice(0, ended.length, ...present.filter(isMeant));
    return { ...routing, mutes: present.filter((one) => !isMeant(one)) };
  });
  for (const one of ended) await showMute(context, one);
  const scope = `${about === null ? "Alerts" : `Alerts about ${code(about)}`}${channel === null ? "" : ` in <#${channel}>`}`;
  if (ended.length > 0) await note("alerts unmuted", `Unmuted: ${scope}.`);
  const left = mutes.filter((one) => overlaps(one, { about, channel }));
  return unmuted(scope, { removed: ended.length > 0, left, find: context.registry.find });
}

interface EndedMute {
  about: string | null;
  /** As it was typed; "any": wherever it is muted. */
  channel: string | undefined;
}

function isSameScope(one: Mute, other: Mute): boolean {
  return one.channel === other.channel && isSameName(one.about, other.about);
}

/** True for a mute of what is called so, by its id or its name. */
function isCalled({ about, name }: Mute, typed: string | null): boolean {
  return isSameName(about, typed) || (name !== null && isSameName(name, typed));
}

/** Rows of mutes in an answer at most; `/rackbell alerts` has all. */
const mostLeft = 20;

/** The answer after a mute ended. `left`: the mutes that still cover some of the same alerts. */
function unmuted(scope: string, { removed, left, find }: { removed: boolean; left: Mute[]; find: Offer }): Answer {
  if (left.length === 0) {
    const text = removed ? `${scope} are no longer muted.` : `${scope} were not muted. Nothing changed.`;
    return { text, next: [alertsStep] };
  }
  const lead = removed
    ? "That mute has ended. Others of the same alerts go on:"
    : "There is no such mute, so nothing changed. Others go on:";
  const rows = left
    .slice(0, mostLeft)
    .flatMap((mute, at) => rowBlocks(muteLine(mute), `mute ${at}`, [unmuteStep(mute)], find));
  return { text: lead, blocks: [section(lead), ...rows], next: [alertsStep] };
}

function isSameName(one: string | null, other: string | null): boolean {
  return one?.toLowerCase() === other?.toLowerCase();
}

function overlaps(one: Mute, other: Pick<Mute, "about" | "channel">): boolean {
  const inSame = one.channel === null || other.channel === null || one.channel === other.channel;
  return inSame && (one.about === null || other.about === null || isCalled(one, other.about));
}

/** The button that asks whom to mention. */
function mentionStep(id: string): Step {
  return { label: "Mention somebody…", command: "rackbell alerts change", input: { id }, form: true };
}

function subscriptionSteps({ id }: Subscription): Step[] {
  const asks = "The channel gets no more of these alerts.";
  return [
    { label: "Change…", command: "rackbell alerts change", input: { id }, form: true },
    { label: "Remove…", command: "rackbell alerts remove", input: { id }, asks },
  ];
}

function muteSteps(mute: Mute): Step[] {
  // The end itself and no number of hours: the field takes whole hours up to a week, and would stay empty beyond them.
  const until = new Date(mute.until).toISOString();
  return [
    { label: "Change…", command: "rackbell alerts mute", input: { ...scopeOf(mute), until }, form: true },
    unmuteStep(mute),
  ];
}

function unmuteStep(mute: Mute): Step {
  return { label: "Unmute", command: "rackbell alerts mute", input: { ...scopeOf(mute), hours: 0 } };
}

/** The values that name what is muted. */
function scopeOf({ channel, about }: Mute) {
  return { ...(about === null ? {} : { about }), ...(channel === null ? {} : { channel }) };
}

function subscriptionLine(subscription: Subscription): string {
  return `${code(subscription.id)} ${subscriptionWords(subscription)}`;
}

function subscriptionWords(subscription: Filter & Pick<Subscription, "channel" | "mention">): string {
  const { channel, mention } = subscription;
  const called = mention === null ? "" : `, with a mention of ${mention} for failures, suspensions and ends`;
  return `<#${channel}> gets ${filterWords(subscription)}${called}`;
}

function muteLine({ channel, about, name, until, by }: Mute): string {
  const what = about === null ? "All alerts" : `Alerts about ${code(name ?? about)}`;
  return `:mute: ${what} are muted in ${channel === null ? "all channels" : `<#${channel}>`} until ${moment(until)} (<@${by}>).`;
}

const changeInput = z.object({
  id: idInput,
  ...filterFields("changed"),
  mention: mentionField.meta({
    title: "Mention",
    description: "Empty: as it is. By the command also a user group, or nobody: mention=none",
    clearable: true,
    format: "person",
  }),
});

function changed(one: Subscription, input: z.output<typeof changeInput>): Subscription {
  const mention = input.mention && input.mention !== clears ? mentionOf(input.mention) : null;
  return { ...one, ...filterOf(input, one), mention: input.mention ? mention : one.mention };
}

async function subscriptionNamed(context: Pick<AppContext, "store">, id: string): Promise<Subscription> {
  const { subscriptions } = await readRouting(context);
  const found = subscriptions.find((one) => one.id === id);
  if (!found) throw noSubscription();
  return found;
}

function noSubscription(): InputError {
  return wrongInput("id", "There is no such subscription. Type /rackbell alerts to see all.");
}

export const alertsChange = defineAppOperation({
  command: "rackbell alerts change",
  summary: "For admins: change the alerts of a channel, by the id that /rackbell alerts shows; other values stay",
  admins: true,
  verb: "Change alert channel",
  input: changeInput,
  positional: "id",
  async present(context, { id }) {
    const { subscriptions } = await readRouting(context);
    const one = subscriptions.find((each) => each.id === id);
    if (!one) return {};
    // The field takes a person. A group stays out of it, since an empty field leaves the mention as it is.
    const person = one.mention === null ? null : mentionedPerson(one.mention);
    return { ...filterValues(one), ...(person === null ? {} : { mention: person }) };
  },
  async preview({ context, input }) {
    const found = await subscriptionNamed(context, input.id.trim());
    return `${subscriptionWords(changed(found, input))}.`;
  },
  async run({ context, note, input }) {
    const id = input.id.trim();
    const after = await changeRouting(context, (now) => ({
      ...now,
      subscriptions: now.subscriptions.map((one) => (one.id === id ? changed(one, input) : one)),
    }));
    const found = after.subscriptions.find((one) => one.id === id);
    if (!found) throw noSubscription();
    const saved = subscriptionLine(found);
    await note("alert channel changed", `${saved}.`);
    return { text: `Saved: ${saved}.${await unreadProducts(context, found)}`, next: [alertsStep] };
  },
});

export const alertsTest = defineAppOperation({
  command: "rackbell alerts test",
  summary: "For admins: post a test to a channel, in the way in which alerts reach it",
  admins: true,
  verb: "Send a test alert",
  input: z.object({ channel: z.string().meta({ title: "Channel", format: "channel" }) }),
  positional: "channel",
  async run({ context, actor, input }) {
    const channel = await findTypedChannel(context, input.channel);
    const { subscriptions } = await readRouting(context);
    const own = subscriptions.filter((one) => one.channel === channel);
    const mentions = [...new Set(own.flatMap(({ mention }) => mention ?? []))].map((one) => `${one} `).join("");
    const text = `:bell: ${mentions}This is a test of <@${actor.slackUser}>'s: alerts reach this channel. Nothing happened.`;
    await notify(context, { to: { channel }, text });
    const warning = own.length === 0 ? ` <#${channel}> gets no alerts.` : "";
    return { text: `A test is on its way to <#${channel}>.${warning}`, next: [alertsStep] };
  },
});
