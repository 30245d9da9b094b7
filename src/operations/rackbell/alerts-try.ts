import * as z from "zod";
import { isWorthAlerting } from "../../alerts/latest.ts";
import { filtersByProduct, passesFilter } from "../../alerts/subscriptions.ts";
import { eventLine } from "../../alerts/view.ts";
import { defineAppOperation } from "../../engine/app-operation.ts";
import { paragraphs, section, context as small } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import { count } from "../../views/text.ts";
import { filterFields, filterOf } from "./alert-filter.ts";
import { requireAdmin } from "./connecting.ts";

const eventsRead = 200;
const mostLines = 20;

export const alertsTry = defineAppOperation({
  command: "rackbell alerts try",
  summary: "For admins: show which of the last events a filter would have let through; nothing is set",
  verb: "Try",
  input: z.object(filterFields).refine((input) => Object.values(input).some((value) => value !== undefined), {
    path: ["events"],
    error: "fill in at least one of these. Without a filter every event rings.",
  }),
  async run({ context, actor, input }) {
    await requireAdmin(context, actor);
    const filter = filterOf(input);
    const given = Object.fromEntries(Object.entries(input).flatMap(([name, words]) => (words ? [[name, words]] : [])));
    // Events set aside and events of members' own requests never become alerts, with any filter.
    const last = (await context.events.newest({ limit: eventsRead })).filter(
      (one) => one.aside === null && isWorthAlerting(one),
    );
    const needsProducts = filtersByProduct(filter);
    const tried = await Promise.all(
      last.map(async (event) => ({ event, known: needsProducts ? await context.alerts.products.of(event) : null })),
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
      text: headline,
      blocks: [
        section(`*${headline}*`),
        ...paragraphs(lines),
        ...(unknown > 0 ? [small(unknownWords(unknown))] : []),
        ...(more > 0 ? [small(`And ${more} before these.`)] : []),
      ],
      next: [{ label: "Tell a channel of these…", command: "rackbell alerts add", input: given }],
    };
  },
});

function unknownWords(unknown: number): string {
  return `Of ${unknown} of these nobody has read the product, so that a filter on products lets them through.`;
}
