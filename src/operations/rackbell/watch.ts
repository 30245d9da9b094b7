import * as z from "zod";
import type { AppContext } from "../../engine/app-context.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { stepBlocks } from "../../notifications/answers/answers.ts";
import { rowButton } from "../../notifications/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { InputError } from "../../operation/errors.ts";
import { resourceText } from "../../resources/resource-text.ts";
import { mostDays, mostWatches, type Threshold, usualDays, type Watch } from "../../resources/watches/watch.ts";
import { type Block, context, section } from "../../views/blocks.ts";
import { moment, momentAgo } from "../../views/format.ts";
import { code, count, prose } from "../../views/text.ts";
import { findStored, resourceInput } from "./resource-input.ts";

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
const listStep = { label: "What I watch", command: "rackbell watching" };

export const watch = defineAppOperation({
  command: "rackbell watch",
  summary: "Get a direct message when something changes state, fails or is due, for some days",
  verb: "Watch",
  routes,
  input: z.object({ thing: resourceInput, days }),
  positional: "thing",
  run: ({ context, actor, input }) => begin(context, actor.member, { ...input, threshold: null }),
});

export const watchUsage = defineAppOperation({
  command: "rackbell watch usage",
  summary: "The same, and when a VPS that you sell on uses more than a share of its CPU, memory or disk",
  verb: "Watch usage",
  routes: ["GET /services/{serviceId}", "GET /services/{serviceId}/stats"],
  needs: "reseller",
  input: z.object({
    thing: resourceInput,
    figure: z.enum(["cpu", "memory", "disk"]).meta({ title: "What of it" }),
    above: z.number().int().min(1).max(100).meta({ title: "Told at so many percent", description: "From 1 to 100" }),
    days,
  }),
  positional: "thing",
  run: ({ context, actor, input: { figure, above, ...rest } }) =>
    begin(context, actor.member, { ...rest, threshold: { figure, above } }),
});

async function begin(
  { finder, watches }: AppContext,
  member: string,
  said: { thing: string; days: number; threshold: Omit<Threshold, "label"> | null },
): Promise<Answer> {
  const found = await finder.thing(member, said.thing);
  const label = said.threshold && found.bound.operation.target?.usage?.labels[said.threshold.figure];
  if (said.threshold && !label)
    throw new InputError([
      {
        field: "thing",
        message:
          "The platform names no figures of use for this kind of thing, so none can be watched. A VPS that you sell on has some.",
      },
    ]);
  const threshold = said.threshold && label ? { ...said.threshold, label } : null;
  const begun = await watches.start(found, { days: said.days, threshold });
  const input = { thing: resourceText(begun.card, begun.target.id) };
  const figures = begun.threshold ? `, ${thresholdWords(begun.threshold)}` : "";
  return {
    text: `:eyes: I watch ${code(begun.target.name)} for you until ${moment(begun.endsAt)}: you get a direct message when it changes state, fails or is due${figures}. What you do to it through me yourself rings no second time.`,
    next: [{ label: "Stop watching", command: "rackbell watch stop", input }, listStep],
  };
}

function thresholdWords({ label, above }: Threshold): string {
  return `and when ${label} is at ${above} % or more`;
}

export const watchStop = defineAppOperation({
  command: "rackbell watch stop",
  summary: "Stop watching something",
  verb: "Stop watching",
  input: z.object({ thing: resourceInput }),
  positional: "thing",
  async run({ context: { watches }, actor: { member }, input }): Promise<Answer> {
    const own = (await watches.of(member)).map(({ card, target }) => ({ card, ...target }));
    const meant = findStored(own, input.thing);
    const stopped = meant && (await watches.stop(member, meant.id));
    if (!stopped) return { text: "You do not watch that, or not any more. Nothing changed.", next: [listStep] };
    const again = { thing: resourceText(stopped.card, stopped.target.id) };
    return {
      text: `I no longer watch ${code(stopped.target.name)}.`,
      next: [{ label: "Watch it again", command: "rackbell watch", input: again }, listStep],
    };
  },
});

export const watching = defineAppOperation({
  command: "rackbell watching",
  summary: "List what you watch, how it was when it was last looked at, and until when",
  verb: "Watching",
  input: z.object({}),
  async run({ context: { watches, registry }, actor: { member } }): Promise<Answer> {
    const all = await watches.of(member);
    if (all.length === 0)
      return { text: "You watch nothing. Press *Watch* on a card, or type `/rackbell watch web-1`." };
    const text = `*You watch ${count(all.length, "thing")}* of ${mostWatches} that you may`;
    const find = (command: string) => registry.find(command) ?? null;
    return { text, blocks: [section(text), ...all.flatMap((each) => rowBlocks(each, find)), context(paceWords)] };
  },
});

const paceWords =
  "Each is looked at about every 5 minutes, with your own key; more slowly where there are many, so that all of it takes under a fifth of the key's hour.";

function rowBlocks(one: Watch, find: Parameters<typeof stepBlocks>[1]): Block[] {
  const { card, target, threshold } = one;
  const input = { thing: resourceText(card, target.id) };
  const lines = [watchLine(one), ...(threshold ? [thresholdWords(threshold)] : [])];
  const [stop] = stepBlocks([{ label: "Stop watching", command: "rackbell watch stop", input }], find);
  return [
    section(lines.join("\n"), rowButton("Open", { command: card, target: target.id }, target.id)),
    ...(stop ? [{ ...stop, block_id: `watch:${target.id}`.slice(0, 255) }] : []),
  ];
}

/** "`web-1` running · looked at 02:14 (3 minutes ago) · until Nov 29". */
export function watchLine({ target, seen, endsAt }: Watch): string {
  const state = prose(seen.trouble ?? seen.state, 60);
  return `:eyes: ${code(target.name, 60)} ${state} · looked at ${momentAgo(seen.at)} · until ${moment(endsAt)}`;
}
