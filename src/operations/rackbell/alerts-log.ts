import * as z from "zod";
import { type Alert, countQueued, replayAlert, replayAlerts, undeliveredAlerts } from "../../alerts/alert.ts";
import { newestEvents } from "../../alerts/event-log.ts";
import { isWorthAlerting } from "../../alerts/events.ts";
import { storedProducts } from "../../alerts/products.ts";
import { filtersByProduct, passesFilter } from "../../alerts/subscriptions.ts";
import { eventLine, sourceMark } from "../../alerts/view.ts";
import { rowButton } from "../../notifications/answers/buttons.ts";
import { paragraphs, section, context as small } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { code, count, listing } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { filterFields, filterOf } from "./alerts-filter.ts";

const perPage = 20;

export const alertsLog = defineAppOperation({
  command: "rackbell alerts log",
  summary: "For admins: show the events of 30 days, what was refused, what waits, and what could not be delivered",
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
    const lost = await undeliveredAlerts(context);
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
        ...lost.map(({ id, alert, posted }) =>
          section(
            lostWords(alert, posted),
            rowButton("Replay", { command: "rackbell alerts replay", input: { card: id } }, id),
          ),
        ),
        small(waitingWords(await countQueued(context))),
        small(deliveryWords(context.deliveries)),
      ],
      next: [
        ...(lost.length > 1 ? [{ label: "Replay all", command: "rackbell alerts replay" }] : []),
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

export const alertsReplay = defineAppOperation({
  command: "rackbell alerts replay",
  summary: "For admins: try again to post an alert that could not be delivered, or all of them",
  admins: true,
  verb: "Replay events",
  input: z.object({
    card: z.string().optional().meta({
      title: "Alert",
      description: "As the button of /rackbell alerts log says. Empty: all undelivered alerts",
    }),
  }),
  positional: "card",
  async run({ context, input }) {
    const next = [{ label: "Event log", command: "rackbell alerts log" }];
    const still = "`/rackbell alerts log` shows what still cannot be posted.";
    if (input.card === undefined) {
      const tried = await replayAlerts(context);
      if (tried === 0) return { text: "No alert is undelivered.", next };
      return { text: `Rackbell tries again to post ${count(tried, "alert")}. ${still}`, next };
    }
    if (!(await replayAlert(context, input.card))) return { text: "There is no such alert any more." };
    return { text: `Rackbell tries again to post it now. ${still}`, next };
  },
});

function lostWords({ channel, unplaced }: Alert, posted: boolean): string {
  const what = posted
    ? `An alert in <#${channel}> could not be updated`
    : `An alert for <#${channel}> could not be posted`;
  return `:warning: ${what}: ${unplaced}. Rackbell keeps it.`;
}

const eventsRead = 200;
const mostLines = 20;

export const alertsTry = defineAppOperation({
  command: "rackbell alerts try",
  summary: "For admins: show which of the last events a filter would have let through; nothing is set",
  admins: true,
  verb: "Try a filter",
  input: z.object(filterFields("new")).refine((input) => Object.values(input).some((value) => value !== undefined), {
    path: ["events"],
    error: "fill in at least one of these. Without a filter, every event raises an alert.",
  }),
  async run({ context, input }) {
    const filter = filterOf(input);
    const given = Object.fromEntries(Object.entries(input).flatMap(([name, words]) => (words ? [[name, words]] : [])));
    // Events set aside and events of members' own requests never become alerts, with any filter.
    const last = (await newestEvents(context, { limit: eventsRead })).filter(
      (one) => one.aside === null && isWorthAlerting(one),
    );
    const needsProducts = filtersByProduct(filter);
    const tried = await Promise.all(
      last.map(async (event) => ({ event, known: needsProducts ? await storedProducts(context, event) : null })),
    );
    const passed = tried.filter(({ event, known: product }) => passesFilter(filter, event, product));
    const through = passed.map(({ event }) => event);
    const unknown = needsProducts ? passed.filter(({ known: product }) => product === null).length : 0;
    const headline =
      last.length === 0
        ? "No event has come yet, so there is nothing to try this filter on"
        : `This filter would have let ${through.length} of the last ${count(last.length, "event")} through`;
    const lines = through.slice(0, mostLines).map((event) => `${moment(event.at)} ${eventLine(event)}`);
    const more = through.length - lines.length;
    return {
      ...headed(headline, [
        ...paragraphs(lines),
        ...(unknown > 0 ? [small(unknownWords(unknown))] : []),
        ...(more > 0 ? [small(`And ${more} before these.`)] : []),
      ]),
      next: [{ label: "Send these to a channel…", command: "rackbell alerts add", input: given }],
    };
  },
});

function unknownWords(unknown: number): string {
  return `The product of ${unknown} of these is unknown, so a filter on products lets them through.`;
}
