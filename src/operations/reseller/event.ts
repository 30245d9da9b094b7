import * as z from "#zod";
import { newestEvents } from "../../alerts/event-log.ts";
import { type PostedOutcome, readOutcome } from "../../alerts/event-router.ts";
import { failedServices, isWorthAlerting, type LoggedEvent } from "../../alerts/events.ts";
import { eventLine, sourceMark } from "../../alerts/view.ts";
import { markRejected, requireSession, type Session } from "../../members/access/access.ts";
import { hasScope } from "../../members/identities/link.ts";
import { listFields } from "../../messages/answers/list.ts";
import type { Answer, Json } from "../../operation/answer.ts";
import type { Actor } from "../../operation/call-context.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import { readOrder } from "../../platform/reseller/orders.ts";
import { readService } from "../../platform/reseller/services.ts";
import { requesterFor } from "../../requests/lists.ts";
import { paragraphs, context as small } from "../../views/blocks.ts";
import { moment } from "../../views/format.ts";
import type { TableCell } from "../../views/table.ts";
import { code, count } from "../../views/text.ts";
import { type AppContext, defineAppOperation } from "../app-context.ts";
import { headed } from "../kits/card.ts";
import { pastTimeHint, readPastSpan } from "../kits/past-times.ts";

const timeHint = pastTimeHint("in UTC");

const command = "reseller event list";
/** The limits of one answer. Each service or order costs a call of the member's key, which has about a thousand an hour. */
const pageLimits = { rows: 10, reads: 40 };
const fileLimits = { rows: 1_000, reads: 200 };
const readAtOnce = 20;
const passedAtOnce = 200;

const list = defineAppOperation({
  command,
  verb: "List events",
  summary: "List the platform's events of the last 30 days that your key may see, with the outcome of each",
  example: "/reseller event list",
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
    const session = await requireSession(context, actor.member, "reseller");
    const { from, to } = readPastSpan(input, { now, zone: "UTC" });
    const query: Query = {
      about: input.about,
      from: from ?? 0,
      to: to ?? Number.POSITIVE_INFINITY,
      before: input.before,
    };
    const most = input.export ? fileLimits : pageLimits;
    const seen = await collect(context, createVisibility(session), { query, most }).catch(async (error: unknown) => {
      await markRejected(context, session.link, error);
      throw error;
    });
    const rows = await Promise.all(
      seen.events.map(async (event) => ({ event, became: await visibleOutcome(context, actor, event) })),
    );
    return input.export ? fileOf(rows, seen) : pageOf(rows, seen, input);
  },
});

/** The handling of an event. Leaves out the request that it joined unless the member may see that request. */
async function visibleOutcome(context: AppContext, actor: Actor, { id }: LoggedEvent): Promise<PostedOutcome | null> {
  const became = await readOutcome(context, id);
  const request = became?.request?.id;
  if (!became?.request || !request) return became && { ...became, request: null };
  return (await requesterFor(context.requests, request, actor)) === null ? { ...became, request: null } : became;
}

interface Query {
  about: string | undefined;
  /** Milliseconds since the epoch; both limits are included. */
  from: number;
  to: number;
  before: string | undefined;
}

interface CollectedEvents {
  events: LoggedEvent[];
  /** The event to continue after, if there may be older ones. */
  older: string | null;
}

/** The input as the member typed it. */
interface ListInput {
  about?: string | undefined;
  since?: string | undefined;
  until?: string | undefined;
  before?: string | undefined;
}

interface Row {
  event: LoggedEvent;
  became: PostedOutcome | null;
}

/** The newest events that the key may see. Leaves out events that polling found, since the supplier did not send those. */
async function collect(
  context: AppContext,
  visibility: EventVisibility,
  { query, most }: { query: Query; most: { rows: number; reads: number } },
): Promise<CollectedEvents> {
  const { about, from, to } = query;
  const found: LoggedEvent[] = [];
  let before = query.before;
  let limit = query.to === Number.POSITIVE_INFINITY ? readAtOnce : passedAtOnce;
  for (;;) {
    const page = await newestEvents(context, { about, before, limit });
    const last = page.at(-1);
    if (!last) return { events: found, older: null };
    const inRange = page.filter(({ at, source }) => at >= from && at <= to && source !== "polling");
    const visible = await Promise.all(inRange.map(visibility.canSee));
    found.push(...inRange.filter((_, at) => visible[at]));
    const lastShown = found[most.rows - 1];
    if (lastShown && found.length > most.rows) return { events: found.slice(0, most.rows), older: lastShown.id };
    if (last.at < from) return { events: found, older: null };
    if (visibility.reads() >= most.reads) return { events: found, older: last.id };
    before = last.id;
    if (last.at <= to) limit = readAtOnce;
  }
}

function pageOf(rows: Row[], { older }: CollectedEvents, input: ListInput): Answer {
  const { about: name, since, until, before } = input;
  const filters: Record<string, Json> = {};
  for (const [field, value] of Object.entries({ about: name, since, until })) if (value) filters[field] = value;
  const about = name ? ` about ${code(name)}` : "";
  const headline =
    rows.length === 0 ? `No ${before === undefined ? "" : "older "}event${about}` : `Events${about}, newest first`;
  const lines = rows.map(
    ({ event, became }) => `${moment(event.at)} ${eventLine(event)}${sourceMark(event)}\n${becameWords(event, became)}`,
  );
  return {
    ...headed(headline, [
      ...paragraphs(lines),
      small("Events of the last 30 days about resources that your reseller key can read now."),
    ]),
    next: [
      ...(older === null
        ? []
        : [{ label: "Older", command, input: { ...filters, before: older }, replace: true, turn: "more" as const }]),
      ...(rows.length === 0 ? [] : [{ label: "As a file", command, input: { ...filters, export: "csv" } }]),
    ],
  };
}

function fileOf(rows: Row[], { older }: CollectedEvents): Answer {
  const cut = older === null ? "" : " There may be older events: list them with `until=`.";
  return {
    text: `${count(rows.length, "event")}, as a file.${cut}`,
    file: { name: "events.csv", content: { columns, rows: rows.map(cells) } },
  };
}

const columns = ["time", "event", "order", "service", "customer", "text", "outcome", "order id", "service id", "id"];

function cells({ event, became }: Row): TableCell[] {
  const { data } = event;
  const failed = failedServices(data);
  return [
    ...[{ at: event.at }, event.event, data.orderNumber ?? data.externalOrderId ?? ""],
    data.hostname ?? failed.map(({ hostname }) => hostname ?? "").join(", "),
    ...[data.externalCustomerId ?? "", spoken(`${eventLine(event)}${sourceMark(event)}`)],
    ...[spoken(becameWords(event, became)), data.orderId ?? ""],
    ...[data.serviceId ?? failed.map(({ serviceId }) => serviceId ?? "").join(", "), event.id],
  ];
}

function spoken(words: string): TableCell {
  // Replaces mentions by their bare ids, as in the audit log: a spreadsheet cannot resolve them.
  return { words: words.replaceAll(/<[@#]([A-Z0-9]+)>/g, "$1") };
}

/** Describes the handling of an event in mrkdwn: the request that it joined, and the result in each channel. */
function becameWords(event: LoggedEvent, became: PostedOutcome | null): string {
  const { aside } = event;
  if (aside !== null) return `:warning: set aside and shown in no channel: its time is ${aside}`;
  if (became === null) return "not posted in any channel yet";
  const { request, repeat, channels } = became;
  const words = [
    ...(request ? [joinedWords(request)] : []),
    ...(repeat ? ["found by polling before the webhook arrived"] : []),
    ...channels.map(channelWords),
  ];
  if (words.length > 0) return words.join(" · ");
  return isWorthAlerting(event) ? "no channel is subscribed to it" : "it needs no alert";
}

function joinedWords({ slackUser, expected }: NonNullable<PostedOutcome["request"]>): string {
  return expected
    ? `attached to the request of <@${slackUser}>, as expected`
    : `caused by the request of <@${slackUser}>`;
}

function channelWords({ channel, as, alert, posted, unplaced }: PostedOutcome["channels"][number]): string {
  const where = `<#${channel}>`;
  if (as === "muted") return `muted in ${where}`;
  if (as === "digest") return `for the digest of ${where}`;
  if (alert !== null && unplaced !== null)
    return posted
      ? `:warning: its alert in ${where} could not be updated: ${unplaced}`
      : `:warning: not delivered to ${where}: ${unplaced}`;
  if (!posted) return `being sent to ${where}`;
  return as === "posted" ? `raised an alert in ${where}` : `added to its alert in ${where}, without notification`;
}

/** Decides which events a member may see: those whose service or order the member's key can read now. */
export interface EventVisibility {
  /** False where the platform answers 404; throws other platform errors. */
  canSee(event: LoggedEvent): Promise<boolean>;
  /** The number of services and orders read so far. */
  reads(): number;
}

function createVisibility({ client, links }: Session<"reseller">): EventVisibility {
  const known = new Map<string, Promise<boolean>>();

  function once(resource: string, read: () => Promise<unknown>): Promise<boolean> {
    const before = known.get(resource);
    if (before) return before;
    const found = read().then(isThere, notThere);
    known.set(resource, found);
    return found;
  }

  return {
    async canSee({ data: { serviceId, orderId } }) {
      if (serviceId) return once(`service ${serviceId}`, () => readService(client, serviceId));
      if (orderId) return once(`order ${orderId}`, () => readOrder(client, orderId));
      // An event of the account itself, such as a test event. A key bound to one customer has no account scope.
      return hasScope(links, { api: "reseller", scope: "account" });
    },
    reads: () => known.size,
  };
}

const isThere = () => true;

function notThere(error: unknown): false {
  if (error instanceof PlatformRefused && error.status === 404) return false;
  throw error;
}

/** Operations on the supplier's events. */
export const eventOperations = [list];
