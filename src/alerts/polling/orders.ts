import * as z from "#zod";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import { nullIfRefused } from "../../platform/http/errors.ts";
import { largestPage } from "../../platform/http/pages.ts";
import type { UnreadRow } from "../../platform/http/unread.ts";
import { serviceStage } from "../../platform/service-stage.ts";
import { reportedState } from "../events.ts";
import { type EventCandidate, observe, stateSince } from "./observations.ts";
import { intervals, type PollingRound, type Reader, type ReadersApp, readerMemory, skipPage } from "./reader.ts";

/** Keys of the memory: the ids that each of the two pages had when it was last read. */
const firstPage = "orders of the first page";
const lastPage = "orders of the last page";
/** Orders that are read one by one in a round; the others follow in the next. */
const mostRead = 10;
/** An order that is still not built after this time is given up: it was never paid, or failed for good. */
const pendingForMs = 30 * 24 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

const Cursor = z.object({ step: z.enum(["last page", "orders"]), page: z.number(), ids: z.array(z.string()) });
type Cursor = z.infer<typeof Cursor>;
/** `after`: the order was made after that time, in milliseconds. */
const PendingOrders = z.array(z.object({ id: z.string(), since: z.number(), after: z.number() })).catch([]);
type PendingOrders = z.infer<typeof PendingOrders>;
const OrderIds = z.array(z.string()).nullable().catch(null);

/**
 * Finds new orders in the list, and reads each that is not built yet: the list's rows do not show that.
 * Orders from before the first round are ignored.
 */
export function orderReader(app: ReadersApp): Reader<"customer"> {
  const { clock } = app;
  const memory = readerMemory(app);

  async function pendingOrders(): Promise<PendingOrders> {
    return PendingOrders.parse(await memory.get("watched orders"));
  }

  /** Stores the page's new orders, and returns the number of pages. The spec promises no sort order, so new ones are on the first or the last page. */
  async function readPage(client: CustomerClient, page: number, round: PollingRound): Promise<number> {
    const unread: UnreadRow[] = [];
    const { rows, pagination } = await listOrders(
      client.skipping((row) => unread.push(row)),
      { page, limit: largestPage },
    );
    const [key, otherKey] = page === 1 ? [firstPage, lastPage] : [lastPage, firstPage];
    const known = OrderIds.parse(await memory.get(key));
    const others = OrderIds.parse(await memory.get(otherKey));
    const before = new Set([...(known ?? []), ...(others ?? [])]);
    const fresh =
      round.first || known === null
        ? []
        : rows.filter((row) => !before.has(row.id) && isYoung(row, round.since, page === 1));
    if (fresh.length > 0)
      await memory.set("watched orders", [
        ...(await pendingOrders()),
        ...fresh.map(({ id }) => ({ id, since: clock.now(), after: round.since })),
      ]);
    await memory.set(
      key,
      [...rows, ...unread].flatMap(({ id }) => id ?? []),
    );
    return pagination.pages;
  }

  async function startOrders(): Promise<string | null> {
    const open = (await pendingOrders()).filter(({ since }) => since > clock.now() - pendingForMs);
    // Move those that are read now to the end of the queue, so that the next round reads others.
    await memory.set("watched orders", [...open.slice(mostRead), ...open.slice(0, mostRead)]);
    const ids = open.slice(0, mostRead).map(({ id }) => id);
    return ids.length > 0 ? pack({ step: "orders", page: 0, ids }) : null;
  }

  /** True for an order of an add-on or a change of plan: its services ran before it was made. */
  async function isForOldServices({ id, services = [] }: Order): Promise<boolean> {
    const after = (await pendingOrders()).find((one) => one.id === id)?.after ?? 0;
    const known = await Promise.all(
      services.map((service) =>
        stateSince(app, { resource: `service:${service.id}`, aspect: "billing", state: "active" }),
      ),
    );
    return known.every((since) => since !== null && since < after);
  }

  async function readNext(client: CustomerClient, at: Cursor, round: PollingRound): Promise<string | null> {
    const [id = ""] = at.ids;
    const order = await readOrder(client, id).catch(nullIfRefused(404));
    const state = order && !(await isForOldServices(order)) ? stateOf(order) : "none";
    if (order && (state === "completed" || state === "failed"))
      await observe(
        app,
        `order:${id}`,
        [{ aspect: "building", state, eventFor: () => candidateFor(`order.${state}`, order) }],
        // The order is new even in the reader's first round, so its state is raised as an event.
        { ...round, first: false },
      );
    // The platform may still build what failed.
    if (state !== "open" && state !== "failed")
      await memory.set(
        "watched orders",
        (await pendingOrders()).filter((one) => one.id !== id),
      );
    return afterFirst(at);
  }

  return {
    name: "orders",
    every: intervals.usual,
    async skip(cursor, tries) {
      const at = cursor === "" ? null : Cursor.parse(JSON.parse(cursor));
      if (at?.step !== "orders") return skipPage(tries, startOrders);
      // The order stays among the pending ones, so a later round reads it again.
      return { cursor: afterFirst(at), left: "resource" };
    },
    async step(client, cursor, round) {
      if (cursor === "") {
        const pages = await readPage(client, 1, round);
        return pages > 1 ? pack({ step: "last page", page: pages, ids: [] }) : startOrders();
      }
      const at = Cursor.parse(JSON.parse(cursor));
      if (at.step === "orders") return readNext(client, at, round);
      await readPage(client, at.page, round);
      return startOrders();
    },
  };
}

/** True where the order can be new since the round before. Old orders also appear on a page, when new ones move them there. */
function isYoung(row: Order, since: number, otherwise: boolean): boolean {
  const made = Object.entries(row).find(([name, value]) => /^created/i.test(name) && typeof value === "string")?.[1];
  const at = Date.parse(String(made));
  return Number.isNaN(at) ? otherwise : at > since - dayMs;
}

function afterFirst(at: Cursor): string | null {
  const ids = at.ids.slice(1);
  return ids.length > 0 ? pack({ ...at, ids }) : null;
}

function pack(cursor: Cursor): string {
  return JSON.stringify(cursor);
}

/** The state of the order's services; "none" where it builds none, or they have another end. */
function stateOf({ services = [] }: Order): "open" | "completed" | "failed" | "none" {
  if (services.length === 0) return "none";
  // A state that no spec lists may lead to any of the others.
  if (services.some(({ status }) => [null, "starting"].includes(serviceStage(status)))) return "open";
  if (services.some(({ status }) => status === "provisioning_failed")) return "failed";
  return services.every(({ status }) => status === "active") ? "completed" : "none";
}

function candidateFor(event: "order.completed" | "order.failed", order: Order): EventCandidate {
  const { id, idempotency_key, services: all = [] } = order;
  // The failure is over once each service that it lists has ended or is built.
  const services = all.filter(({ status }) => event === "order.completed" || status === "provisioning_failed");
  return {
    event,
    source: "polling",
    led: reportedState(event),
    data: {
      orderId: id,
      orderNumber: numberOf(order, "order"),
      externalOrderId: idempotency_key ?? null,
      services: services.map((service) => ({
        serviceId: service.id,
        hostname: typeof service.hostname === "string" ? service.hostname : null,
      })),
    },
  };
}
