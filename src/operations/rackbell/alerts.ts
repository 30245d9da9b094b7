import * as z from "#zod";
import { showMute } from "../../alerts/after-mute.ts";
import { newestEvents, searchTermsOf } from "../../alerts/event-log.ts";
import { changeRouting, channelModeOf, mentionsOf, type Routing, readRouting } from "../../alerts/subscriptions.ts";
import { resourceName } from "../../alerts/view.ts";
import { knownResources, readResources, withoutRefused } from "../../members/resources/resources.ts";
import { readSettings } from "../../members/settings/settings.ts";
import { isAdmin } from "../../messages/admins.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import { notify } from "../../messages/answers/notices.ts";
import type { Offer } from "../../messages/answers/offer.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { wrongInput } from "../../operation/errors.ts";
import { nearest } from "../../operation/matching.ts";
import { type Entry, indexedKindOf } from "../../operation/target.ts";
import { isForbidden } from "../../platform/http/errors.ts";
import { type Mute, muteScope } from "../../policy/maintenance-windows/windows.ts";
import { characters, plainly } from "../../process/plain-text.ts";
import { incompleteBlocks } from "../../requests/partly-visible.ts";
import { readsChannel } from "../../requests/visibility.ts";
import { type Block, paragraphs, section } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { clip, code, listing, oneLine } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { customer } from "../reseller/customer.ts";
import { channelIdOf, findTypedChannel, momentTyped } from "./admin.ts";
import { type NameTest, unlistedWords } from "./alerts-filter.ts";
import { replay } from "./alerts-log.ts";
import { alertsStep, limitsLine, lookNow, monitoringStep, readingLines } from "./alerts-reading.ts";
import { modeLine, modeStep, subscriptionSteps, subscriptionWords } from "./alerts-set.ts";
import { homeKinds, isAllRead, refusedSentences } from "./home-kinds.ts";

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
  const names = [...subscriptions.flatMap(({ about, notAbout }) => [...about, ...notAbout]), ...silent.map(aboutOf)];
  const { isShown, isIncomplete } = admin ? showsAll : await namesListed(context, actor.member, names);
  const cards = channels.map(async (id) => {
    // The alerts there name these resources to all its readers.
    const isOpen = admin || (await readsChannel(context.requests, id, actor));
    return channelBlocks(routing, id, now, { find, isShown: isOpen ? showsAll.isShown : isShown });
  });
  const rows = [
    ...(await Promise.all(cards)).flat(),
    ...routing.modes
      .filter((mode) => isMeant(mode) && !channels.includes(mode.channel))
      .flatMap((mode) => rowBlocks(modeLine(mode, now), `mode ${mode.channel}`, [modeStep(mode)], find)),
    ...silent.flatMap((mute, at) => rowBlocks(muteLine(mute, isShown), `mute ${at}`, muteSteps(mute), find)),
  ];
  const headline = subscriptions.length === 0 ? "No channel gets alerts" : "Alerts by channel";
  const reading = [...(await readingLines(context)), limitsLine(await readSettings(context))];
  return {
    ...headed(headline, [...rows, ...paragraphs(reading), ...incompleteBlocks({ isIncomplete })]),
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
  { find, isShown }: { find: Offer; isShown: NameTest },
): Block[] {
  const own = routing.subscriptions.filter((one) => one.channel === channel);
  const mode = channelModeOf(routing, channel);
  const test: Step = { label: "Send a test", command: "rackbell alerts", input: { do: "test", channel } };
  const isUsual = mode.mode === "thread";
  return [
    ...own.flatMap((one, at) => {
      const isLast = at === own.length - 1;
      const steps = [...subscriptionSteps(one), ...(isLast && isUsual ? [test] : [])];
      return rowBlocks(`${subscriptionWords(one, isShown)}.`, one.id, steps, find);
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
    const about = input.about?.trim() || null;
    if (input.hours === 0) {
      const names = about === null ? null : await namesOf(context, actor.member, about);
      return endMute(context, { about, names, channel: input.channel, now, note });
    }
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
    await showMute(context, coverageOf(mute));
    await note("alerts muted", muteLine(mute));
    return { text: `${muteLine(mute)} Rackbell still updates the alerts that are already posted.`, next: [alertsStep] };
  },
});

/** Ends the mutes of a resource in a channel, in all channels together, or anywhere. */
async function endMute(
  context: AppContext,
  { about, names, channel: typed, now, note }: EndedMute & { now: number; note: Note },
): Promise<Answer> {
  // A mute can also end in a channel that Rackbell has left since: nothing is posted there then.
  const channel = typed === undefined || typed === anywhere ? null : channelIdOf(typed);
  const isMeant = (one: Mute) => isOf(one, names) && (typed === anywhere || one.channel === channel);
  const ended: Mute[] = [];
  const { mutes } = await changeRouting(context, (routing) => {
    const present = routing.mutes.filter((one) => one.until > now);
    ended.splice(0, ended.length, ...present.filter(isMeant));
    return { ...routing, mutes: present.filter((one) => !isMeant(one)) };
  });
  for (const one of ended) await showMute(context, coverageOf(one));
  // A button of an alert has an id, and people know the name.
  const byId = ended.find((one) => one.about === about);
  const scope = `${about === null ? "Alerts" : `Alerts about ${code(byId ? aboutOf(byId) : about)}`}${channel === null ? "" : ` in <#${channel}>`}`;
  if (ended.length > 0) await note("alerts unmuted", `Unmuted: ${scope}.`);
  const left = mutes.filter((one) => overlaps(one, { names, channel }));
  return unmuted(scope, { removed: ended.length > 0, left, find: context.registry.find });
}

interface EndedMute {
  about: string | null;
  /** All that it is called by, in small letters; null for all alerts. */
  names: ReadonlySet<string> | null;
  /** As it was typed; undefined for all channels together. */
  channel: string | undefined;
}

function coverageOf({ channel, about }: Mute) {
  return { channel, abouts: about === null ? null : [about] };
}

function isSameScope(one: Mute, other: Mute): boolean {
  return one.channel === other.channel && one.about?.toLowerCase() === other.about?.toLowerCase();
}

/** True for a mute of what has one of these names; with null, for a mute of all alerts. */
function isOf({ about, name }: Mute, names: ReadonlySet<string> | null): boolean {
  if (about === null || names === null) return about === names;
  return names.has(about.toLowerCase()) || (name !== null && names.has(name.toLowerCase()));
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

function overlaps(
  one: Mute,
  { names, channel }: { names: ReadonlySet<string> | null; channel: string | null },
): boolean {
  const inSame = one.channel === null || channel === null || one.channel === channel;
  return inSame && (one.about === null || names === null || isOf(one, names));
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

/** Without `isShown`, for admins and for the audit, it has the name. */
function muteLine(mute: Mute, isShown: NameTest = showsAll.isShown): string {
  const { channel, about, until, by } = mute;
  const what =
    about === null ? "All alerts" : `Alerts about ${isShown(aboutOf(mute)) ? code(aboutOf(mute)) : unlistedWords}`;
  return `:mute: ${what} are muted in ${channel === null ? "all channels" : `<#${channel}>`} until ${moment(until)} (<@${by}>).`;
}

/** The name that people know what is muted by; empty for all alerts. */
function aboutOf({ about, name }: Mute): string {
  return name ?? about ?? "";
}

const showsAll = { isShown: () => true, isIncomplete: false };

/** Tells which of these names are those of resources that the member's own keys list, by a name, host name, address or id. */
async function namesListed(
  context: AppContext,
  member: string,
  names: readonly string[],
): Promise<{ isShown: NameTest; isIncomplete: boolean }> {
  if (names.every((name) => name === "")) return showsAll;
  const { failed } = await readResources(context, member, kinds, { olderThan: old });
  const listed = new Set(
    (await knownResources(context, member, kinds)).flatMap(({ entries }) => entries.flatMap(wordsOf)),
  );
  return {
    isShown: (name) => listed.has(name.toLowerCase()),
    isIncomplete: failed.some((error) => !isForbidden(error)),
  };
}

/**
 * All that the typed one is called by, in small letters: an alert's button mutes by the id and the host name, and people type the name. Where
 * several resources are called so, what was typed alone: nobody knows which of them is meant.
 */
async function namesOf(context: AppContext, member: string, typed: string): Promise<ReadonlySet<string>> {
  const words = typed.toLowerCase();
  await readResources(context, member, kinds, { olderThan: old });
  const known = (await knownResources(context, member, kinds)).flatMap(({ entries }) => entries);
  const found = known.filter((entry) => wordsOf(entry).includes(words));
  const isOne = new Set(found.map(({ id }) => id)).size === 1;
  return new Set([words, ...(isOne ? found.flatMap(wordsOf) : [])]);
}

/** All that a resource can be called by, in small letters. */
function wordsOf({ id, name, aliases }: Entry): string[] {
  return [id, name, ...aliases].map((one) => characters(one).toLowerCase());
}

/** Milliseconds after which a list is read again. */
const old = 10 * 60_000;
/** How many of the newest events are searched for a name that is near to a typed one. */
const eventsSearched = 200;

const kinds = { ...homeKinds, reseller: [...homeKinds.reseller, indexedKindOf(customer)] };

/** The name that people know a muted resource by. Throws an InputError for a name that is nothing, with those that are near. */
async function mutedName(context: AppContext, member: string, typed: string): Promise<string> {
  const [event] = await newestEvents(context, { about: typed, limit: 1 });
  if (event) {
    const { serviceId, orderId, orderNumber, documentId, imageId } = event.data;
    // A failure to build may name one service of the order.
    if (typed === orderId && orderNumber) return orderNumber;
    const isId = [serviceId, orderId, documentId, imageId].includes(typed);
    return isId ? (resourceName(event.event, event.data) ?? typed) : typed;
  }
  const { failed, refused } = await readResources(context, member, kinds, { olderThan: old });
  const parts = withoutRefused(await knownResources(context, member, kinds), refused);
  const entries = parts.flatMap((part) => part.entries);
  const words = typed.toLowerCase();
  const found = entries.find((entry) => wordsOf(entry).includes(words));
  if (found) return found.id === typed ? characters(found.name) : typed;
  // Without every list nobody knows that it is nothing.
  if (failed.length > 0 || !isAllRead(parts, [])) return typed;
  const logged = await newestEvents(context, { limit: eventsSearched });
  const names = [...entries.map(({ name }) => characters(name)), ...logged.flatMap(({ data }) => searchTermsOf(data))];
  const near = nearest(typed, names);
  const meant =
    near.length > 0
      ? ` Did you mean ${listing(
          near.map((name) => `“${name}”`),
          "or",
        )}?`
      : "";
  const lacking = refusedSentences(refused).map((words) => `${words} `);
  throw wrongInput(
    "about",
    plainly`Nothing is called “${clip(oneLine(typed), 60)}”: none of your resources, and no event of the last 30 days.${meant} ${lacking.join("")}Nothing was muted.`,
  );
}
