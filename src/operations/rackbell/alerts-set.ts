import { isDeepStrictEqual } from "node:util";
import * as z from "#zod";
import { rescheduleDigest } from "../../alerts/digest.ts";
import {
  type ChannelMode,
  changeRouting,
  channelModeOf,
  type Filter,
  modes,
  newSubscription,
  nextHour,
  type Routing,
  readRouting,
  type Subscription,
} from "../../alerts/subscriptions.ts";
import { joinedPeople, peopleText, peopleWords } from "../../members/people/people-list.ts";
import { peopleAt } from "../../members/people/resolve-people.ts";
import { readPeopleList } from "../../members/people/typed-people.ts";
import type { Answer, Step } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { lengthText } from "../../operation/schedule-input.ts";
import { duration, moment, timeOfDay } from "../../views/format.ts";
import { code, listing, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation, type Note } from "../app-context.ts";
import { channelIdOf, findTypedChannel, zoneNamed } from "./admin.ts";
import { old, readSubjectLists, wordsOfEvents } from "./alert-subjects.ts";
import {
  clears,
  filterFields,
  filterOf,
  filterValues,
  filterWords,
  listTyped,
  type NameOf,
  storedName,
} from "./alerts-filter.ts";
import { triedAnswer, triedWords } from "./alerts-log.ts";
import { alertsStep, unreadProducts } from "./alerts-reading.ts";
import { length, stepsOf } from "./step-input.ts";

// A channel has one subscription for all that its alerts are about: `about` without anything means everything.

const usualHours = [8, 17];

const setInput = z
  .object({
    channel: z.string().optional().meta({ title: "Channel", format: "channel" }),
    mention: z.string().max(1_000).optional().meta({
      title: "Mention",
      description: "Whom to mention for a failure, a suspension or an end: people and groups, such as @oncall",
      format: "people",
      clearable: true,
    }),
    // biome-ignore lint/suspicious/noThenProperty: the word that people type; nobody awaits a schema of inputs.
    then: z.string().max(1_000).optional().meta({
      title: "Then notify",
      description: "Others, if nobody took the alert after the time below. A digest has no such steps",
      format: "people",
      clearable: true,
    }),
    after: length.meta({ title: "After", description: "Such as 20m" }),
    then2: z.string().max(1_000).optional().meta({
      title: "And then",
      description: "Others, after the time below",
      format: "people",
    }),
    after2: length.meta({ title: "After that", description: "From the alert on, such as 1h" }),
    ...filterFields,
    how: z.enum(modes).optional().meta({
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
    instead: z
      .array(z.string().max(200))
      .max(20)
      .optional()
      .meta({ title: "In place of the alerts about", description: "none: about everything", byButton: true }),
    try: z.boolean().optional().meta({
      title: "Only try it",
      description: "Lists which of the last events the filter lets through, and sets nothing",
      byButton: true,
    }),
  })
  .refine((input) => input.channel !== undefined || input.try, { path: ["channel"], message: "choose the channel." })
  .refine((input) => !input.try || Object.keys(filterFields).some((name) => Reflect.get(input, name) !== undefined), {
    path: ["events"],
    message: "fill in at least one of these. Without a filter, every event raises an alert.",
  });
type SetInput = z.output<typeof setInput>;

export const alertsSet = defineAppOperation({
  command: "rackbell alerts set",
  synonyms: [...["alerts add", "alerts change", "alerts mode"], { words: "alerts try", input: { try: "yes" } }],
  summary:
    "For admins: set which alerts a channel gets, whom they mention, and how they come; what you leave out stays",
  example: "/rackbell alerts set #ops",
  admins: true,
  verb: "Set the alerts",
  input: setInput,
  positional: "channel",
  async present({ store }, typed) {
    const input = setInput.safeParse(typed).data;
    if (input?.channel === undefined) return {};
    const routing = await readRouting({ store });
    const channel = channelIdOf(input.channel);
    const { mode, hours, zone } = channelModeOf(routing, channel);
    const found = subscriptionIn(routing, channel, keyOf(input));
    return {
      ...(found ? filterValues(found) : {}),
      ...(found?.mention ? { mention: peopleText(found.mention) } : {}),
      ...(found ? stepValues(found) : {}),
      how: mode,
      ...(mode === "digest" ? { hours, zone } : {}),
    };
  },
  async preview({ context, actor, input }) {
    const tried = await triedWords(context, filterOf(input));
    if (input.channel === undefined) return tried;
    const channel = channelIdOf(input.channel);
    const before = subscriptionIn(await readRouting(context), channel, keyOf(input));
    const people = await peopleTyped(context, input);
    const after = changed(before ?? newSubscription(filterOf({}), blankIn(channel, actor)), input, people);
    return `${subscriptionWords(after)}. ${await triedWords(context, after)}`;
  },
  async run({ context, actor, note, input, now }) {
    if (input.try) return triedAnswer(context, input);
    const channel = await findTypedChannel(context, input.channel ?? "");
    const mode = isOfMode(input) ? await modeTyped(context, actor, channel, input) : null;
    const answers = [
      ...(isOfMode(input) && !isOfFilter(input) ? [] : [await subscribe(context, actor, note, { channel, input })]),
      ...(mode ? [await setMode(context, note, mode, now)] : []),
    ];
    return {
      text: answers.map(({ text }) => text).join("\n"),
      next: answers.flatMap(({ next = [] }) => next).concat(alertsStep),
    };
  },
});

function isOfMode({ how, hours, zone }: SetInput): boolean {
  return [how, hours, zone].some((value) => value !== undefined);
}

/** False if nothing is typed of what the channel gets: the way alone in which its alerts come subscribes no channel. */
function isOfFilter(input: SetInput): boolean {
  const { channel: _channel, instead: _instead, how: _how, hours: _hours, zone: _zone, ...filter } = input;
  return Object.values(filter).some((value) => value !== undefined);
}

function blankIn(channel: string, { slackUser }: Actor) {
  return { channel, mention: null, later: [], by: slackUser };
}

/** The resources that the alerts which are set are about, or those in whose place they come. */
function keyOf({ instead, about }: Pick<SetInput, "instead" | "about">): readonly string[] {
  return listTyped(instead ?? about ?? []);
}

/** The subscription of a channel about these resources, by any writing of them; undefined if there is none. */
function subscriptionIn(
  { subscriptions }: Routing,
  channel: string,
  about: readonly string[],
): Subscription | undefined {
  const written = (names: readonly string[]) => names.map((name) => name.toLowerCase()).sort();
  return subscriptions.find((one) => one.channel === channel && isDeepStrictEqual(written(one.about), written(about)));
}

/** The people of the input. Those that were left out stay as they are. */
type TypedPeople = Partial<Pick<Subscription, "mention" | "later">>;

async function peopleTyped(context: AppContext, input: SetInput): Promise<TypedPeople> {
  const { mention, then, after, then2, after2 } = input;
  const isOfSteps = [then, after, then2, after2].some((value) => value !== undefined);
  return {
    ...(mention
      ? { mention: mention === clears ? null : await readPeopleList(context, mention, { field: "mention" }) }
      : {}),
    ...(isOfSteps ? { later: then === clears ? [] : await stepsOf(input, context) } : {}),
  };
}

function changed(one: Subscription, input: SetInput, people: TypedPeople): Subscription {
  const after = { ...one, ...filterOf(input, one), ...people };
  if (after.mention !== null || after.later.length === 0) return after;
  throw wrongInput("mention", "Name first whom an alert mentions: the others are notified if they do not take it.");
}

/** The steps of a subscription as the form has them. */
function stepValues({ later: [first, second] }: Pick<Subscription, "later">): Record<string, string> {
  return {
    // biome-ignore lint/suspicious/noThenProperty: the word that people type; nobody awaits these values.
    ...(first ? { then: peopleText(first.to), after: lengthText(first.after) } : {}),
    ...(second ? { then2: peopleText(second.to), after2: lengthText(second.after) } : {}),
  };
}

async function subscribe(
  context: AppContext,
  actor: Actor,
  note: Note,
  { channel, input: typed }: { channel: string; input: SetInput },
): Promise<Answer> {
  const { input, unknown } = await readFilterWords(context, actor, typed);
  const people = await peopleTyped(context, input);
  const fresh = newSubscription(filterOf({}), blankIn(channel, actor));
  let before: Subscription | undefined;
  let after = fresh;
  await changeRouting(context, (routing) => {
    before = subscriptionIn(routing, channel, keyOf(input));
    after = changed(before ?? fresh, input, people);
    // Of two subscriptions that would be about the same, the changed one stays.
    const same = subscriptionIn(routing, channel, after.about);
    const others = routing.subscriptions.filter((one) => one.id !== same?.id || one.id === before?.id);
    const subscriptions = before ? others.map((one) => (one.id === after.id ? after : one)) : [...others, after];
    return { ...routing, subscriptions };
  });
  const saved = subscriptionWords(after);
  if (before && isDeepStrictEqual(before, after)) return { text: `${saved}. Nothing changed.` };
  await note(before ? "alert channel changed" : "alert channel added", `${saved}.`);
  const isQuiet = after.mention === null && !before;
  const lists = [...(after.mention ? [after.mention] : []), ...after.later.map(({ to }) => to)];
  const meant = await peopleAt(context, joinedPeople(lists), context.clock.now());
  const nobody = isQuiet ? " It mentions nobody, so a failure at night may be seen in the morning." : "";
  return {
    text: `${[`Saved: ${saved}.`, ...unknown.map((one) => prose(one)), ...meant.unread, ...meant.leftOut].join(" ")}${nobody}${await unreadProducts(context, after)}`,
    next: isQuiet ? [{ ...changeStep(after), label: "Mention somebody…" }] : [],
  };
}

/** The input with the words of its resources as events have them. A word that covers nothing would leave a channel without its alerts. */
async function readFilterWords(context: AppContext, { member }: Actor, input: SetInput) {
  const fields = (["about", "except"] as const).filter((field) => listTyped(input[field] ?? []).length > 0);
  if (fields.length === 0) return { input, unknown: [] };
  const lists = await readSubjectLists(context, member, { olderThan: old });
  const read = await Promise.all(
    fields.map(async (field) => ({
      field,
      ...(await wordsOfEvents(context, lists, { typed: input[field] ?? [], field })),
    })),
  );
  const words = Object.fromEntries(read.map((one) => [one.field, one.words]));
  return { input: { ...input, ...words }, unknown: read.flatMap((one) => one.unknown) };
}

export const alertsStop = defineAppOperation({
  command: "rackbell alerts stop",
  synonyms: ["alerts remove"],
  summary: "For admins: stop the alerts in a channel, all or those about some resources",
  example: "/rackbell alerts stop #ops",
  admins: true,
  verb: "Stop the alerts",
  input: z.object({
    channel: z.string().meta({ title: "Channel", format: "channel" }),
    about: filterFields.about.meta({
      title: "About",
      description: "As they were set; none: those about everything. Empty: all of the channel",
    }),
  }),
  positional: "channel",
  async run({ context, note, input: { channel: typed, about } }) {
    // Alerts can also be stopped in a channel that Rackbell has left since.
    const channel = channelIdOf(typed);
    let gone: Subscription[] = [];
    await changeRouting(context, (routing) => {
      const named = about && subscriptionIn(routing, channel, listTyped(about));
      gone = about
        ? [named].flatMap((one) => one ?? [])
        : routing.subscriptions.filter((one) => one.channel === channel);
      return { ...routing, subscriptions: routing.subscriptions.filter((one) => !gone.includes(one)) };
    });
    if (gone.length === 0) throw new Refusal(`<#${channel}> gets no such alerts. Nothing changed.`, [alertsStep]);
    const outcome = gone.map((one) => `No longer: ${subscriptionWords(one)}.`).join("\n");
    await note("alert channel removed", outcome);
    return { text: outcome, next: [alertsStep] };
  },
});

/** The buttons of a subscription: its form, and its end. */
export function subscriptionSteps(one: Subscription): Step[] {
  const about = one.about.length > 0 ? one.about : [clears];
  const asks = { act: "Stop these alerts", loss: "The channel gets no more of these alerts." };
  return [
    changeStep(one),
    { label: "Stop…", command: "rackbell alerts stop", input: { channel: one.channel, about }, asks },
  ];
}

function changeStep({ channel, about }: Subscription): Step {
  const instead = about.length > 0 ? about : [clears];
  return { label: "Change…", command: "rackbell alerts set", input: { channel, instead }, form: true };
}

/** In a sentence. Without `nameOf`, for the audit, it has the stored names. */
export function subscriptionWords(
  subscription: Filter & Pick<Subscription, "channel" | "mention" | "later">,
  nameOf: NameOf = storedName,
): string {
  const { channel, mention, later } = subscription;
  const called =
    mention === null ? "" : `, with a mention of ${peopleWords(mention)} for failures, suspensions and ends`;
  const next = later.map(({ to, after }) => `${peopleWords(to)} after ${duration(after)}`);
  const steps = next.length === 0 ? "" : `; if nobody takes one, Rackbell notifies ${listing(next)}`;
  return `<#${channel}> gets ${filterWords(subscription, nameOf)}${called}${steps}`;
}

/** The way that was typed. What was left out of a digest stays as it is. */
async function modeTyped(
  context: AppContext,
  { slackUser }: Actor,
  channel: string,
  { how: typed, hours: typedHours, zone: typedZone }: SetInput,
): Promise<ChannelMode> {
  const now = channelModeOf(await readRouting(context), channel);
  const mode = typed ?? now.mode;
  if (mode !== "digest" && typed === undefined)
    throw wrongInput("how", "Choose digest: only a digest has hours.", "How");
  const known = now.mode === "digest" ? now : { hours: usualHours, zone: await context.zoneOf(slackUser) };
  const hours = typedHours?.length ? [...new Set(typedHours.map(hourOf))] : known.hours;
  return {
    channel,
    mode,
    zone: typedZone?.trim() ? zoneNamed(typedZone) : known.zone,
    hours: mode === "digest" ? hours : [],
  };
}

async function setMode(context: AppContext, note: Note, mode: ChannelMode, now: number): Promise<Answer> {
  await changeRouting(context, (routing) => {
    const others = routing.modes.filter((one) => one.channel !== mode.channel);
    return { ...routing, modes: mode.mode === "thread" ? others : [...others, mode] };
  });
  await rescheduleDigest(context, mode.channel);
  const outcome = modeLine(mode, now);
  await note("alert format set", outcome);
  return { text: outcome };
}

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
  return { label: "Change…", command: "rackbell alerts set", input, form: true };
}
