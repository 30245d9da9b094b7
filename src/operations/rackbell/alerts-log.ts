import * as z from "#zod";
import { countQueued } from "../../alerts/alert.ts";
import { newestEvents } from "../../alerts/event-log.ts";
import { isWorthAlerting } from "../../alerts/events.ts";
import { storedProducts } from "../../alerts/products.ts";
import { type Filter, filtersByProduct, passesFilter } from "../../alerts/subscriptions.ts";
import { listUndelivered, replayAlert, replayAlerts, type UndeliveredMessage } from "../../alerts/undelivered.ts";
import { eventLine, sourceMark } from "../../alerts/view.ts";
import { rowButton } from "../../messages/answers/buttons.ts";
import type { Answer } from "../../operation/answer.ts";
import { paragraphs, section, context as small } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { capital, code, count, listing } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { filterOf } from "./alerts-filter.ts";

const perPage = 20;

export const alertsLog = defineAppOperation({
  command: "rackbell alerts log",
  summary: "For admins: show the events of 30 days, what was refused, what waits, and what could not be delivered",
  example: "/rackbell alerts log web-1",
  admins: true,
  verb: "Show the event log",
  input: z.object({
    about: z.string().optional().meta({
      title: "About",
      description: "An event, a customer, an order or a service, by a name or id",
    }),
    before: z.string().optional().meta({ title: "Older than" }),
  }),
  positional: "about",
  async run({ context, input }) {
    const { about, before } = input;
    const found = await newestEvents(context, { about, before, limit: perPage + 1 });
    const shown = found.slice(0, perPage);
    const lost = await listUndelivered(context);
    const headline = shown.length === 0 ? "No events in the last 30 days" : "Events, newest first";
    const lines = shown.map(
      (event) =>
        `${moment(event.at)} ${eventLine(event)}${sourceMark(event)}${event.aside === null ? "" : ` · :warning: set aside, its time is ${event.aside}`}`,
    );
    const last = shown.at(-1);
    return {
      text: headline,
      blocks: [
        section(`*${headline}${about ? ` about ${code(about)}` : ""}*`),
        ...paragraphs(lines),
        ...lost.map((message) =>
          section(
            lostWords(message),
            rowButton(
              "Replay",
              { command: "rackbell alerts", input: { do: "replay", alert: message.key } },
              message.key,
            ),
          ),
        ),
        small(waitingWords(await countQueued(context))),
        small(deliveryWords(context.deliveries)),
      ],
      next: [
        ...(lost.length > 1 ? [{ label: "Replay all", command: "rackbell alerts", input: { do: "replay" } }] : []),
        ...(found.length > perPage && last
          ? [
              {
                label: "Older",
                command: "rackbell alerts log",
                input: { ...(about ? { about } : {}), before: last.id },
                replace: true,
              },
            ]
          : []),
      ],
    };
  },
});

function waitingWords(waiting: number): string {
  return waiting === 0
    ? "No alert is queued."
    : `${count(waiting, "alert is", "alerts are")} queued until Slack accepts them.`;
}

/** The number of deliveries by outcome: two outcomes are accepted, the others are refusals with a reason each. */
function deliveryWords({ since, outcomes }: AppContext["deliveries"]): string {
  const words = [...outcomes].sort(([, a], [, b]) => b - a).map(([outcome, times]) => `${outcome} ${times}`);
  if (words.length === 0) return `No webhook delivery since ${moment(since)}.`;
  return `Webhook deliveries here since ${moment(since)}: ${listing(words)}. Rackbell refused all but \`kept\` and \`known\`.`;
}

/** Tries again to post an alert that could not be delivered, or all of them. */
export async function replay(context: AppContext, alert: string | undefined): Promise<Answer> {
  const next = [{ label: "Event log", command: "rackbell alerts log" }];
  const still = "`/rackbell alerts log` shows what still cannot be posted.";
  if (alert === undefined) {
    const tried = await replayAlerts(context);
    if (tried === 0) return { text: "No alert is undelivered.", next };
    return { text: `Rackbell tries again to post ${count(tried, "message")} of alerts. ${still}`, next };
  }
  if (!(await replayAlert(context, alert))) return { text: "This alert is not undelivered any more.", next };
  return { text: `Rackbell tries again to post it now. ${still}`, next };
}

function lostWords({ channel, noun, reason, posted }: UndeliveredMessage & { posted: boolean }): string {
  const what = posted ? `in <#${channel}> could not be updated` : `for <#${channel}> could not be posted`;
  return `:warning: ${capital(noun)} ${what}: ${reason}. Rackbell keeps it.`;
}

const eventsRead = 200;
const mostLines = 20;

/** Those of the last events that the filter lets through. Events of a product that nobody knows pass every filter on products. */
async function tryFilter(context: AppContext, filter: Filter) {
  // Events set aside and events of members' own requests never become alerts, with any filter.
  const last = (await newestEvents(context, { limit: eventsRead })).filter(
    (one) => one.aside === null && isWorthAlerting(one),
  );
  const needsProducts = filtersByProduct(filter);
  const tried = await Promise.all(
    last.map(async (event) => ({ event, known: needsProducts ? await storedProducts(context, event) : null })),
  );
  const passed = tried.filter(({ event, known: product }) => passesFilter(filter, event, product));
  const unknown = needsProducts ? passed.filter(({ known: product }) => product === null).length : 0;
  const headline =
    last.length === 0
      ? "No event has come yet, so there is nothing to try this filter on"
      : `This filter would have let ${passed.length} of the last ${count(last.length, "event")} through`;
  return { headline, through: passed.map(({ event }) => event), unknown };
}

/** The same in a sentence. */
export async function triedWords(context: AppContext, filter: Filter): Promise<string> {
  const { headline, unknown } = await tryFilter(context, filter);
  return unknown > 0 ? `${headline}. ${unknownWords(unknown)}` : `${headline}.`;
}

/** The same with the events; nothing is set. */
export async function triedAnswer(
  context: AppContext,
  { try: _try, ...input }: Parameters<typeof filterOf>[0] & { try?: boolean | undefined },
): Promise<Answer> {
  const { headline, through, unknown } = await tryFilter(context, filterOf(input));
  const given = Object.fromEntries(Object.entries(input).flatMap(([name, words]) => (words ? [[name, words]] : [])));
  const lines = through.slice(0, mostLines).map((event) => `${moment(event.at)} ${eventLine(event)}`);
  const more = through.length - lines.length;
  return {
    ...headed(headline, [
      ...paragraphs(lines),
      ...(unknown > 0 ? [small(unknownWords(unknown))] : []),
      ...(more > 0 ? [small(`And ${more} before these.`)] : []),
    ]),
    next: [{ label: "Send these to a channel…", command: "rackbell alerts set", input: given, form: true }],
  };
}

function unknownWords(unknown: number): string {
  return `The product of ${unknown} of these is unknown, so a filter on products lets them through.`;
}
