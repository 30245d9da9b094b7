import * as z from "#zod";
import {
  mostDays,
  mostWatches,
  readWatches,
  type Threshold,
  usualDays,
  type Watch,
} from "../../alerts/watches/watch.ts";
import { startWatch, stopWatch } from "../../alerts/watches/watches.ts";
import {
  addFavourite,
  type Favourite,
  mostFavourites,
  readFavourites,
  removeFavourite,
  resourceText,
} from "../../members/resources/favourites.ts";
import { findResource } from "../../members/resources/finder.ts";
import { findStored, withNamesNow } from "../../members/resources/stored-names.ts";
import { rowBlocks } from "../../messages/answers/answers.ts";
import { rowButton } from "../../messages/answers/buttons.ts";
import type { Offer } from "../../messages/answers/offer.ts";
import type { Answer } from "../../operation/answer.ts";
import { Refusal, wrongInput } from "../../operation/errors.ts";
import { type Block, section, context as small } from "../../views/blocks.ts";
import { moment, momentAgo } from "../../views/format.ts";
import { code, count, prose } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { clears } from "./alerts-filter.ts";

/** The name of a resource of any kind, as typed. */
export const resourceInput = z
  .string()
  .min(1)
  .max(300)
  .meta({ title: "What", description: "Its name, host name or id; its kind first where that is not plain: vps web-1" });

const favouritesStep = { label: "My favourites", command: "rackbell star" };

export const star = defineAppOperation({
  command: "rackbell star",
  synonyms: [
    ...["favourite", "favorite", "favourites", "favorites", "stars"],
    ...["favourite remove", "favorite remove", "unstar"].map((words) => ({ words, input: { remove: "yes" } })),
  ],
  summary: "Keep a machine, a service, an order or an image among your favourites on the Home tab; alone, list them",
  example: "/rackbell star web-1",
  verb: "Keep a favourite",
  routes: [],
  input: z
    .object({
      thing: resourceInput.optional(),
      remove: z.boolean().optional().meta({ title: "Remove it", description: "It is no favourite any more" }),
    })
    .refine(({ thing, remove }) => thing !== undefined || !remove, {
      path: ["thing"],
      message: "name the favourite that you remove.",
    }),
  positional: "thing",
  run({ context, actor: { member }, input: { thing, remove } }): Promise<Answer> {
    if (thing === undefined) return listFavourites(context, member);
    return remove ? unstar(context, member, thing) : keep(context, member, thing);
  },
});

async function keep(context: AppContext, member: string, thing: string): Promise<Answer> {
  const { bound, id, entry } = await findResource(context, member, thing);
  const { name } = entry;
  const added = await addFavourite(context, member, { card: bound.operation.target?.card ?? "", id, name });
  const input = { thing, remove: true };
  const next = [{ label: "Remove it again", command: "rackbell star", input }, favouritesStep];
  if (added === "known") return { text: `${code(name)} is among your favourites already. Nothing changed.`, next };
  if (added === "full")
    throw new Refusal(
      `You have ${mostFavourites} favourites, and there is no room for more. Nothing changed. Take one away first.`,
      [favouritesStep],
    );
  return { text: `:star: ${code(name)} is among your favourites now: the Home tab shows how it is.`, next };
}

async function unstar(context: AppContext, member: string, thing: string): Promise<Answer> {
  const kept = await findStored(context, member, await readFavourites(context, member), thing);
  const next = [favouritesStep];
  if (!kept || !(await removeFavourite(context, member, kept.id)))
    return { text: "That is not among your favourites, or not any more. Nothing changed.", next };
  const { card, id, name } = kept;
  const back = { label: "Add it again", command: "rackbell star", input: { thing: resourceText(card, id) } };
  return { text: `${code(name)} is no favourite of yours any more.`, next: [back, ...next] };
}

async function listFavourites(context: AppContext, member: string): Promise<Answer> {
  const all = await withNamesNow(context, member, await readFavourites(context, member));
  if (all.length === 0)
    return { text: "You have no favourites yet. Press *Add to favourites* on a card, or type `/rackbell star web-1`." };
  const text = `*${count(all.length, "favourite")}*`;
  return {
    text,
    blocks: [section(text), ...all.flatMap(favouriteBlocks), small("The Home tab shows how they are.")],
  };
}

function favouriteBlocks({ card, id, name }: Favourite): Block[] {
  const input = { thing: resourceText(card, id), remove: true };
  return [
    section(`:star: ${code(name, 80)}`, rowButton("Open", { command: card, target: id }, id)),
    {
      type: "actions",
      block_id: `favourite:${id}`.slice(0, 255),
      elements: [rowButton("Take away", { command: "rackbell star", input }, id)],
    },
  ];
}

const days = z
  .number()
  .int()
  .min(1)
  .max(mostDays)
  .default(usualDays)
  .meta({ title: "For so many days", description: `At most ${mostDays}` });

/** The routes that a watch polls. */
const routes = [
  ...["GET /vps/{id}", "GET /dedicated/{id}", "GET /services/{id}", "GET /orders/{id}", "GET /custom-images/{id}"],
  ...["GET /invoices/{id}", "GET /proformas/{id}"],
];
const watchesStep = { label: "My watches", command: "rackbell watch" };

export const watch = defineAppOperation({
  command: "rackbell watch",
  synonyms: [
    ...["watches", "watching"],
    // The words promise a limit: without one its form opens, and no plain watch begins.
    { words: "watch usage", input: { figure: "cpu" } },
    ...["watch stop", "unwatch"].map((words) => ({ words, input: { stop: "yes" } })),
  ],
  summary:
    "Get a direct message when something changes state, fails, is due or passes a limit of use; alone, list your watches",
  example: "/rackbell watch web-1",
  verb: "Watch a resource",
  routes: [...routes, "GET /services/{serviceId}", "GET /services/{serviceId}/stats"],
  input: z
    .object({
      thing: resourceInput.optional(),
      days,
      figure: z
        .enum(["cpu", "memory", "disk", clears])
        .optional()
        .meta({
          title: "Figure",
          description: "Of a resold VPS. Empty or none: no limit of use",
          labels: { [clears]: "No limit" },
          clearable: true,
        }),
      above: z
        .number()
        .int()
        .min(1)
        .max(100)
        .optional()
        .meta({ title: "Limit in percent", description: "Of that figure, from 1 to 100" }),
      stop: z.boolean().optional().meta({ title: "Stop watching it", byButton: true }),
    })
    .refine(({ thing, figure, above, stop }) => thing !== undefined || !(figure || above || stop), {
      path: ["thing"],
      message: "name what you mean.",
    })
    .refine(({ figure, above }) => figure === undefined || figure === clears || above !== undefined, {
      path: ["above"],
      message: "give the limit of the figure, or none as the figure.",
    })
    .refine(({ figure, above }) => above === undefined || figure !== undefined, {
      path: ["figure"],
      message: "choose the figure that the limit is about.",
    }),
  positional: "thing",
  run({ context, actor: { member }, input: { thing, days: length, figure, above, stop }, now }): Promise<Answer> {
    if (thing === undefined) return listWatches(context, member, now);
    if (stop) return end(context, member, thing);
    if (figure === clears) return begin(context, member, { thing, days: length, limit: null });
    return begin(context, member, { thing, days: length, ...(figure && above ? { limit: { figure, above } } : {}) });
  },
});

/** `limit`: null ends the limit of use; without it, that of a present watch stays. */
async function begin(
  context: AppContext,
  member: string,
  { thing, days, limit }: { thing: string; days: number; limit?: Omit<Threshold, "label"> | null },
): Promise<Answer> {
  const found = await findResource(context, member, thing);
  const label = limit && found.bound.operation.target?.usage?.labels[limit.figure];
  if (limit && !label)
    throw wrongInput(
      "thing",
      "The platform gives no usage figures for this kind of resource, so Rackbell cannot watch them. A resold VPS has some.",
    );
  const threshold = limit && label ? { ...limit, label } : null;
  const begun = await startWatch(context, found, { days, ...(limit === undefined ? {} : { threshold }) });
  const input = { thing: resourceText(begun.card, begun.target.id) };
  const figures = begun.threshold ? `, ${thresholdWords(begun.threshold)}` : "";
  const without = limit === null ? " It has no limit of use." : "";
  return {
    text: `:eyes: I watch ${code(begun.target.name)} for you until ${moment(begun.endsAt)}: you get a direct message when it changes state, fails or is due${figures}.${without} Your own acts through Rackbell send no message.`,
    next: [{ label: "Stop watching", command: "rackbell watch", input: { ...input, stop: true } }, watchesStep],
  };
}

function thresholdWords({ label, above }: Threshold): string {
  return `and when ${label} is at ${above} % or more`;
}

async function end(context: AppContext, member: string, thing: string): Promise<Answer> {
  const meant = await findStored(context, member, (await readWatches(context, member)).map(watched), thing);
  if (!meant || !(await stopWatch(context, member, meant.id)))
    return { text: "You do not watch that, or not any more. Nothing changed.", next: [watchesStep] };
  const again = { thing: resourceText(meant.card, meant.id) };
  return {
    text: `I no longer watch ${code(meant.name)}.`,
    next: [{ label: "Watch it again", command: "rackbell watch", input: again }, watchesStep],
  };
}

function watched({ card, target }: Watch) {
  return { card, ...target };
}

async function listWatches(context: AppContext, member: string, now: number): Promise<Answer> {
  const stored = await readWatches(context, member);
  const names = await withNamesNow(context, member, stored.map(watched));
  const all = stored.map((one, at) => ({ ...one, target: { ...one.target, ...names[at] } }));
  if (all.length === 0) return { text: "You watch nothing. Press *Watch* on a card, or type `/rackbell watch web-1`." };
  const text = `*You watch ${count(all.length, "resource")}* of at most ${mostWatches}`;
  return {
    text,
    blocks: [section(text), ...all.flatMap((each) => watchBlocks(each, now, context.registry.find)), small(paceWords)],
  };
}

const paceWords =
  "I read each about every 5 minutes with your own key, and more slowly if you watch many. All of it uses under a fifth of the key's hourly calls.";

const dayMs = 24 * 60 * 60_000;

function watchBlocks(one: Watch, now: number, find: Offer): Block[] {
  const { card, target, threshold } = one;
  const input = { thing: resourceText(card, target.id) };
  const lines = [watchLine(one), ...(threshold ? [thresholdWords(threshold)] : [])];
  const left = { ...input, days: Math.min(mostDays, Math.max(1, Math.ceil((one.endsAt - now) / dayMs))) };
  const limit = threshold ? { figure: threshold.figure, above: threshold.above } : {};
  const steps = [
    { label: "Open", command: card, target: target.id },
    { label: "Change…", command: "rackbell watch", input: { ...left, ...limit }, form: true as const },
    { label: "Stop watching", command: "rackbell watch", input: { ...input, stop: true } },
  ];
  return rowBlocks(lines.join("\n"), target.id, steps, find);
}

/** "`web-1` running · read 02:14 (3 minutes ago) · until Nov 29". */
export function watchLine({ target, seen, endsAt }: Watch): string {
  const state = prose(seen.trouble ?? seen.state, 60);
  return `:eyes: ${code(target.name, 60)} ${state} · read ${momentAgo(seen.at)} · until ${moment(endsAt)}`;
}
