import * as z from "#zod";
import { showMute } from "../../alerts/after-mute.ts";
import type { EventSubject } from "../../alerts/event-log.ts";
import { changeRouting, channelModeOf, mentionsOf, type Routing, readRouting } from "../../alerts/subscriptions.ts";
import { readSettings } from "../../members/settings/settings.ts";
import { isAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import { notify } from "../../messages/answers/notices.ts";
import type { Offer } from "../../messages/answers/offer.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { wrongInput } from "../../operation/errors.ts";
import { type Mute, muteScope } from "../../policy/maintenance-windows/windows.ts";
import { plainly } from "../../process/plain-text.ts";
import { incompleteBlocks } from "../../requests/partly-visible.ts";
import { readsChannel } from "../../requests/visibility.ts";
import { type Block, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { channelIdOf, findTypedChannel, momentTyped } from "./admin.ts";
import {
  findStoredSubject,
  findSubject,
  isAddress,
  isListed,
  nameNow,
  nothingCalledSo,
  old,
  readSubjectLists,
  subjectOfId,
} from "./alert-subjects.ts";
import { type NameOf, storedName, subjectsOf, unlistedWords } from "./alerts-filter.ts";
import { replay } from "./alerts-log.ts";
import { alertsStep, limitsLine, lookNow, monitoringStep, readingLines } from "./alerts-reading.ts";
import { modeLine, modeStep, subscriptionSteps, subscriptionWords } from "./alerts-set.ts";

const hour = 60 * 60_000;

/** The acts of the buttons below the list. */
const does = ["look", "replay", "test"] as const;

export const alerts = defineAppOperation({
  command: "rackbell alerts",
  synonyms: [
    ...["alerts look", "poll"].map((words) => ({ words, input: { do: "look" } })),
    { words: "alerts test", input: { do: "test" } },
    { words: "alerts replay", positional: "alert", input: { do: "replay" }, renamed: { card: "alert" } },
  ],
  summary: "Show which channels get which alerts, and what polling reads; admins poll, test and replay them here",
  example: "/rackbell alerts",
  admins: ["do"],
  verb: "Show alert channels",
  input: z
    .object({
      channel: z.string().optional().meta({ title: "Channel", description: "Empty: all", format: "channel" }),
      do: z.enum(does).optional().meta({
        title: "Do",
        description: "look: poll now; replay: try again to post what could not be delivered; test: post a test",
      }),
      alert: z.string().optional().meta({
        title: "Alert",
        description: "As the button of /rackbell alerts log says. Empty: all undelivered alerts",
        byButton: true,
      }),
    })
    .refine((input) => input.do !== "test" || input.channel !== undefined, {
      path: ["channel"],
      message: "choose the channel of the test.",
    }),
  positional: "channel",
  run({ context, actor, input: { do: act, channel, alert }, now }): Promise<Answer> {
    if (act === "look") return lookNow(context);
    if (act === "replay") return replay(context, alert);
    if (act === "test") return postTest(context, actor, channel ?? "");
    return listAlerts(context, actor, { channel: channel === undefined ? null : channelIdOf(channel), now });
  },
});

/** All channels, or one, with what they get and how; and what polling reads. */
async function listAlerts(
  context: AppContext,
  actor: Actor,
  { channel, now }: { channel: string | null; now: number },
): Promise<Answer> {
  const routing = await readRouting(context);
  const isMeant = (one: { channel: string | null }) =>
    channel === null || one.channel === null || one.channel === channel;
  const subscriptions = routing.subscriptions.filter(isMeant);
  const silent = routing.mutes.filter((mute) => mute.until > now && isMeant(mute));
  const admin = await isAdmin(context, actor.slackUser);
  const find: Offer = admin ? context.registry.find : () => null;
  const channels = [...new Set(subscriptions.map((one) => one.channel))];
  const subjects = [...subscriptions.flatMap(subjectsOf), ...silent.flatMap((mute) => subjectOf(mute) ?? [])];
  const { names, isIncomplete } = await readNames(context, actor.member, subjects);
  const nameOf = admin ? names.all : names.listed;
  const cards = channels.map(async (id) => {
    // The alerts there name these resources to all its readers.
    const isOpen = admin || (await readsChannel(context.requests, id, actor));
    return channelBlocks(routing, id, now, { find, nameOf: isOpen ? names.all : names.listed });
  });
  const rows = [
    ...(await Promise.all(cards)).flat(),
    ...routing.modes
      .filter((mode) => isMeant(mode) && !channels.includes(mode.channel))
      .flatMap((mode) => rowBlocks(modeLine(mode, now), `mode ${mode.channel}`, [modeStep(mode)], find)),
    ...silent.flatMap((mute, at) => rowBlocks(muteLine(mute, nameOf), `mute ${at}`, muteSteps(mute), find)),
  ];
  const headline = subscriptions.length === 0 ? "No channel gets alerts" : "Alerts by channel";
  const reading = [...(await readingLines(context, { named: admin })), limitsLine(await readSettings(context))];
  return {
    ...headed(headline, [
      ...rows,
      ...paragraphs(reading),
      ...incompleteBlocks({ isIncomplete: isIncomplete && !admin }),
    ]),
    next: [
      ...(await monitoringStep(context)),
      { label: "Add a channel…", command: "rackbell alerts set", form: true },
      { label: "Event log", command: "rackbell alerts log" },
      { label: "Look now", command: "rackbell alerts", input: { do: "look" } },
      { label: "Settings", command: "rackbell settings" },
    ],
  };
}

/** One card of a channel: what it gets, a line with buttons each, and how the alerts come. */
function channelBlocks(
  routing: Routing,
  channel: string,
  now: number,
  { find, nameOf }: { find: Offer; nameOf: NameOf },
): Block[] {
  const own = routing.subscriptions.filter((one) => one.channel === channel);
  const mode = channelModeOf(routing, channel);
  const test: Step = { label: "Send a test", command: "rackbell alerts", input: { do: "test", channel } };
  const isUsual = mode.mode === "thread";
  return [
    ...own.flatMap((one, at) => {
      const isLast = at === own.length - 1;
      const steps = [...subscriptionSteps(one), ...(isLast && isUsual ? [test] : [])];
      return rowBlocks(`${subscriptionWords(one, nameOf)}.`, one.id, steps, find);
    }),
    ...(isUsual ? [] : rowBlocks(modeLine(mode, now), `mode ${channel}`, [modeStep(mode), test], find)),
  ];
}

async function postTest(context: AppContext, actor: Actor, typed: string): Promise<Answer> {
  const channel = await findTypedChannel(context, typed);
  const { subscriptions } = await readRouting(context);
  const own = subscriptions.filter((one) => one.channel === channel);
  const mentions = (await mentionsOf(context, own, context.clock.now())).map((one) => `${one} `).join("");
  const text = `:bell: ${mentions}This is a test of <@${actor.slackUser}>'s: alerts reach this channel. Nothing happened.`;
  await notify(context, { to: { channel }, text });
  const warning = own.length === 0 ? ` <#${channel}> gets no alerts.` : "";
  return { text: `A test is on its way to <#${channel}>.${warning}`, next: [alertsStep] };
}

const untilWords =
  'Write a time to come like until=08:00, until="tomorrow 08:00" or until="Nov 28 22:00", at most 30 days ahead.';

/** The word with which an end means each mute of a resource. */
const anywhere = "any";

export const alertsMute = defineAppOperation({
  command: "rackbell alerts mute",
  synonyms: [
    "mute",
    ...["alerts unmute", "unmute"].map((words) => ({ words, input: { hours: "0", channel: anywhere } })),
  ],
  summary: "For admins: mute alerts for some hours, or until a time; /rackbell unmute ends that",
  example: "/rackbell alerts mute web-1",
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
    const typed = input.about?.trim() || null;
    if (input.hours === 0) return endMute(context, actor, { typed, channel: input.channel, now, note });
    const channel = input.channel ? await findTypedChannel(context, input.channel) : null;
    const subject =
      typed === null ? { about: null, name: null } : await mutedSubject(context, actor.member, typed, now);
    const picked = input.until
      ? momentTyped(input.until, { now, zone: await context.zoneOf(actor.slackUser) }, "until", () => untilWords)
      : null;
    const mute: Mute = { channel, ...subject, until: picked ?? now + input.hours * hour, by: actor.slackUser };
    await changeRouting(context, (routing) => ({
      ...routing,
      mutes: [...routing.mutes.filter((one) => one.until > now && !isSameScope(one, mute)), mute],
    }));
    await showMute(context, coverageOf(mute));
    await note("alerts muted", muteLine(mute));
    return { text: `${muteLine(mute)} Rackbell still updates the alerts that are already posted.`, next: [alertsStep] };
  },
});

/** Ends the mutes of a resource in a channel, in all channels together, or anywhere. */
async function endMute(
  context: AppContext,
  { member }: Actor,
  { typed, channel: typedChannel, now, note }: EndedMute & { now: number; note: Note },
): Promise<Answer> {
  // A mute can also end in a channel that Rackbell has left since: nothing is posted there then.
  const channel = typedChannel === undefined || typedChannel === anywhere ? null : channelIdOf(typedChannel);
  const found = typed === null ? null : await findMuted(context, member, typed, now);
  const isOf = ({ about }: Mute) => (typed === null ? about === null : isSame(about, found?.about ?? typed));
  const isMeant = (one: Mute) => isOf(one) && (typedChannel === anywhere || one.channel === channel);
  const ended: Mute[] = [];
  const { mutes } = await changeRouting(context, (routing) => {
    const present = routing.mutes.filter((one) => one.until > now);
    ended.splice(0, ended.length, ...present.filter(isMeant));
    return { ...routing, mutes: present.filter((one) => !isMeant(one)) };
  });
  for (const one of ended) await showMute(context, coverageOf(one));
  // A button of an alert has an id, and people know the name.
  const words = found !== null && isSame(found.about, typed) ? storedName(found) : (typed ?? "");
  const scope = `${typed === null ? "Alerts" : `Alerts about ${code(words)}`}${channel === null ? "" : ` in <#${channel}>`}`;
  if (ended.length > 0) await note("alerts unmuted", `Unmuted: ${scope}.`);
  const left = mutes.filter((one) => {
    const isInSame = one.channel === null || channel === null || one.channel === channel;
    return isInSame && (one.about === null || typed === null || isOf(one));
  });
  return unmuted(scope, { removed: ended.length > 0, left, find: context.registry.find });
}

interface EndedMute {
  /** Null for all alerts. */
  typed: string | null;
  /** As it was typed; undefined for all channels together. */
  channel: string | undefined;
}

/** The muted resource that a member typed; null for none. */
async function findMuted(
  context: AppContext,
  member: string,
  typed: string,
  now: number,
): Promise<EventSubject | null> {
  const lists = await readSubjectLists(context, member, { olderThan: old });
  return findStoredSubject(lists, await mutedSubjects(context, now), { typed, field: "about" });
}

async function mutedSubjects(context: AppContext, now: number): Promise<EventSubject[]> {
  const { mutes } = await readRouting(context);
  return mutes.filter(({ until }) => until > now).flatMap((mute) => subjectOf(mute) ?? []);
}

function coverageOf({ channel, about }: Mute) {
  return { channel, abouts: about === null ? null : [about] };
}

function isSameScope(one: Mute, other: Mute): boolean {
  return one.channel === other.channel && isSame(one.about, other.about);
}

function isSame(about: string | null, other: string | null): boolean {
  return about?.toLowerCase() === other?.toLowerCase();
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

function muteSteps(mute: Mute): Step[] {
  // The end itself and no number of hours: the field takes whole hours up to a week, and would stay empty beyond them.
  const until = new Date(mute.until).toISOString();
  return [
    { label: "Change…", command: "rackbell alerts mute", input: { ...muteScope(mute), until }, form: true },
    unmuteStep(mute),
  ];
}

function unmuteStep(mute: Mute): Step {
  return { label: "Unmute", command: "rackbell alerts mute", input: { ...muteScope(mute), hours: 0 } };
}

/** Without `nameOf`, for the audit, it has the stored name. */
function muteLine(mute: Mute, nameOf: NameOf = storedName): string {
  const { channel, until, by } = mute;
  const subject = subjectOf(mute);
  const name = subject && nameOf(subject);
  const what = subject === null ? "All alerts" : `Alerts about ${name === null ? unlistedWords : code(name)}`;
  return `:mute: ${what} are muted in ${channel === null ? "all channels" : `<#${channel}>`} until ${moment(until)} (<@${by}>).`;
}

/** The muted resource; null for all alerts. */
function subjectOf({ about, name }: Mute): EventSubject | null {
  return about === null ? null : { about, name };
}

/** The names of these resources by the member's own lists: of `all`, or of those alone that the lists have, since others may not be named. */
async function readNames(
  context: AppContext,
  member: string,
  subjects: readonly EventSubject[],
): Promise<{ names: { all: NameOf; listed: NameOf }; isIncomplete: boolean }> {
  if (subjects.length === 0) return { names: { all: storedName, listed: storedName }, isIncomplete: false };
  const lists = await readSubjectLists(context, member, { olderThan: old });
  const all = (subject: EventSubject) => nameNow(lists, subject);
  const listed = (subject: EventSubject) => (isListed(lists, subject) ? all(subject) : null);
  return { names: { all, listed }, isIncomplete: lists.isIncomplete };
}

/** The resource that was typed. Throws an InputError for several, and for a name that is nothing, with those that are near. */
async function mutedSubject(context: AppContext, member: string, typed: string, now: number): Promise<EventSubject> {
  const given = await subjectOfId(context, typed);
  if (given) return given;
  // A list in memory may have the name of another resource.
  const lists = await readSubjectLists(context, member, { olderThan: 0 });
  const stored = await mutedSubjects(context, now);
  const found =
    (await findSubject(context, lists, { typed, field: "about" })) ?? stored.find(({ about }) => isSame(about, typed));
  if (found) return found;
  // Without every list nobody knows that it is nothing.
  if (!lists.isWhole && !isAddress(typed)) return { about: typed, name: null };
  throw wrongInput("about", plainly`${await nothingCalledSo(context, lists, typed)} Nothing was muted.`);
}
