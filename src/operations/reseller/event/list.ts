import * as z from "zod";
import { listFields } from "../../../engine/answers/list.ts";
import type { AppContext } from "../../../engine/app-context.ts";
import { defineAppOperation } from "../../../engine/app-operation.ts";
import type { Became } from "../../../engine/cards/alerts.ts";
import type { KeptEvent } from "../../../engine/cards/event-log.ts";
import { eventLine, sourceMarks } from "../../../engine/cards/view.ts";
import type { Answer, Json } from "../../../operation/answer.ts";
import { paragraphs, section, context as small } from "../../../views/blocks.ts";
import { csvOf } from "../../../views/csv.ts";
import { moment } from "../../../views/format.ts";
import type { Cell } from "../../../views/table.ts";
import { code, count, oneLine, unmarked } from "../../../views/text.ts";
import { becameWords } from "./became.ts";
import { createSight, type Sight } from "./sight.ts";
import { timeHint, timeOf } from "./time.ts";

const command = "reseller event list";
/** Each thing is one call with the member's key, of the thousand or so that it has in an hour. */
const ofPage = { rows: 10, reads: 40 };
const ofFile = { rows: 1_000, reads: 200 };
const readAtOnce = 20;
const passedAtOnce = 200;

export const list = defineAppOperation({
  command,
  summary: "List the supplier's events of 30 days that your key may see, and what became of each",
  routes: ["GET /services/{serviceId}", "GET /orders/{orderId}"],
  needs: "reseller",
  input: z.object({
    about: z.string().max(250).optional().meta({
      title: "About",
      description: "An order, a service, a customer (your own id) or an event, by a whole name or id",
    }),
    since: z.string().max(40).optional().meta({ title: "Since", description: timeHint }),
    until: z.string().max(40).optional().meta({ title: "Until", description: timeHint }),
    export: listFields.export,
    before: z.string().optional().meta({ title: "Older than" }),
  }),
  positional: "about",
  async run({ context, actor, input, now }) {
    const session = await context.access.session(actor.member, "reseller");
    const query: Query = {
      about: input.about,
      from: input.since === undefined ? 0 : timeOf(input.since, "since", now),
      to: input.until === undefined ? Number.POSITIVE_INFINITY : timeOf(input.until, "until", now),
      before: input.before,
    };
    const most = input.export ? ofFile : ofPage;
    const seen = await collect(context, createSight(session), { query, most }).catch(async (error: unknown) => {
      await context.access.markRejected(actor.member, error);
      throw error;
    });
    const rows = await Promise.all(
      seen.events.map(async (event) => ({ event, became: await context.alerts.becameOf(event.id) })),
    );
    return input.export ? fileOf(rows, seen) : pageOf(rows, seen, input);
  },
});

interface Query {
  about: string | undefined;
  /** Milliseconds since the epoch, both included. */
  from: number;
  to: number;
  before: string | undefined;
}

interface Seen {
  events: KeptEvent[];
  /** Where to go on from, if there may be older ones. */
  older: string | null;
}

/** What was typed. */
interface Asked {
  about?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  before?: string | undefined;
}

interface Row {
  event: KeptEvent;
  became: Became | null;
}

/** The newest events that the key may see. What was found by reading one's own account is no event of the supplier's. */
async function collect(
  { events }: AppContext,
  sight: Sight,
  { query, most }: { query: Query; most: { rows: number; reads: number } },
): Promise<Seen> {
  const { about, from, to } = query;
  const found: KeptEvent[] = [];
  let before = query.before;
  let limit = query.to === Number.POSITIVE_INFINITY ? readAtOnce : passedAtOnce;
  for (;;) {
    const page = await events.newest({ about, before, limit });
    const last = page.at(-1);
    if (!last) return { events: found, older: null };
    const asked = page.filter(({ at, source }) => at >= from && at <= to && source !== "found");
    const visible = await Promise.all(asked.map(sight.sees));
    found.push(...asked.filter((_, at) => visible[at]));
    const lastShown = found[most.rows - 1];
    if (lastShown && found.length > most.rows) return { events: found.slice(0, most.rows), older: lastShown.id };
    if (last.at < from) return { events: found, older: null };
    if (sight.reads() >= most.reads) return { events: found, older: last.id };
    before = last.id;
    if (last.at <= to) limit = readAtOnce;
  }
}

function pageOf(rows: Row[], { older }: Seen, asked: Asked): Answer {
  const { about: name, since, until, before } = asked;
  const kept: Record<string, Json> = {};
  for (const [field, value] of Object.entries({ about: name, since, until })) if (value) kept[field] = value;
  const about = name ? ` about ${code(name)}` : "";
  const headline =
    rows.length === 0 ? `No ${before === undefined ? "" : "older "}event${about}` : `Events${about}, newest first`;
  const lines = rows.map(
    ({ event, became }) =>
      `${moment(event.at)} ${eventLine(event)}${sourceMarks[event.source]}\n${becameWords(event, became)}`,
  );
  return {
    text: headline,
    blocks: [
      section(`*${headline}*`),
      ...paragraphs(lines),
      small("Of the last 30 days, and only of what your reseller key can read now."),
    ],
    next: [
      ...(older === null
        ? []
        : [{ label: "Older ▶", command, input: { ...kept, before: older }, replace: true, turn: "more" as const }]),
      ...(rows.length === 0 ? [] : [{ label: "As a file", command, input: { ...kept, export: "csv" } }]),
    ],
  };
}

function fileOf(rows: Row[], { older }: Seen): Answer {
  const cut = older === null ? "" : " There may be older ones: ask for them with `until=`.";
  return {
    text: `${count(rows.length, "event")}, as a file.${cut}`,
    file: { name: "events.csv", content: csvOf({ columns, rows: rows.map(cells) }) },
  };
}

const columns = [
  "time",
  "event",
  "order",
  "service",
  "customer",
  "what",
  "what became of it",
  "order id",
  "service id",
  "id",
];

function cells({ event, became }: Row): Cell[] {
  const { data } = event;
  return [
    ...[{ at: event.at }, event.event, data.orderNumber ?? data.externalOrderId ?? "", data.hostname ?? ""],
    ...[data.externalCustomerId ?? "", plain(`${eventLine(event)}${sourceMarks[event.source]}`)],
    ...[plain(becameWords(event, became)), data.orderId ?? "", data.serviceId ?? "", event.id],
  ];
}

function plain(words: string): string {
  // People and channels by their ids, as in the record of who did what.
  return oneLine(unmarked(words.replaceAll(/<[@#]([A-Z0-9]+)>/g, "$1")));
}
