import * as z from "zod";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import { listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import { PlatformRefused } from "../../platform/http/errors.ts";
import type { Values } from "../../storage/store.ts";
import { paces, type Reader } from "./reader.ts";
import type { News, Round, Sightings } from "./sightings.ts";

/** Orders that are read one by one in a round: the others have their turn in the next. */
const mostRead = 10;
/** An order that was never paid is given up. */
const watchedMs = 30 * 24 * 60 * 60_000;
const dayMs = 24 * 60 * 60_000;

const Cursor = z.object({ step: z.enum(["last page", "orders"]), page: z.number(), ids: z.array(z.string()) });
type Cursor = z.infer<typeof Cursor>;
/** `after`: it was made after that. */
const Watched = z.array(z.object({ id: z.string(), since: z.number(), after: z.number().default(0) })).catch([]);
type Watched = z.infer<typeof Watched>;
const Known = z.array(z.string()).nullable().catch(null);

/** Reads the newest orders, and those of them that are not built yet one by one: the rows of the list do not tell. Orders from before the first round are left alone. */
export function orderReader(deps: { sightings: Sightings; memory: Values; now: () => number }): Reader<"customer"> {
  const { sightings, memory, now } = deps;

  async function watched(): Promise<Watched> {
    return Watched.parse(await memory.get("watched orders"));
  }

  /** The list's order is nobody's promise: new ones are on its first page, or on its last. */
  async function readPage(client: CustomerClient, page: number, round: Round): Promise<number> {
    const { rows, pagination } = await listOrders(client, { page, limit: 200 });
    const key = page === 1 ? "orders of the first page" : "orders of the last page";
    const known = Known.parse(await memory.get(key));
    const others = Known.parse(await memory.get(page === 1 ? "orders of the last page" : "orders of the first page"));
    const before = new Set([...(known ?? []), ...(others ?? [])]);
    const fresh =
      round.first || known === null
        ? []
        : rows.filter((row) => !before.has(row.id) && isYoung(row, round.since, page === 1));
    if (fresh.length > 0)
      await memory.set("watched orders", [
        ...(await watched()),
        ...fresh.map(({ id }) => ({ id, since: now(), after: round.since })),
      ]);
    await memory.set(
      key,
      rows.map(({ id }) => id),
    );
    return pagination.pages;
  }

  async function startOrders(): Promise<string | null> {
    const open = (await watched()).filter(({ since }) => since > now() - watchedMs);
    // The first of them go to the end of the queue.
    await memory.set("watched orders", [...open.slice(mostRead), ...open.slice(0, mostRead)]);
    const ids = open.slice(0, mostRead).map(({ id }) => id);
    return ids.length > 0 ? pack({ step: "orders", page: 0, ids }) : null;
  }

  /** Add-ons and changes of plan are orders, too: their services ran before they were made. */
  async function isForOldServices({ id, services = [] }: Order): Promise<boolean> {
    const after = (await watched()).find((one) => one.id === id)?.after ?? 0;
    const known = await Promise.all(
      services.map((service) => sightings.isSince(`service:${service.id}`, "billing", "active")),
    );
    return known.every((since) => since !== null && since < after);
  }

  async function readNext(client: CustomerClient, at: Cursor, round: Round): Promise<string | null> {
    const [id = "", ...ids] = at.ids;
    const order = await readOne(client, id);
    const state = order && !(await isForOldServices(order)) ? stateOf(order) : "none";
    if (order && (state === "completed" || state === "failed"))
      await sightings.see(
        `order:${id}`,
        [{ side: "building", state, news: () => newsOf(`order.${state}`, order) }],
        // It was not there in the round before.
        { ...round, first: false },
      );
    if (state !== "open")
      await memory.set(
        "watched orders",
        (await watched()).filter((one) => one.id !== id),
      );
    return ids.length > 0 ? pack({ ...at, ids }) : null;
  }

  return {
    name: "orders",
    every: paces.usual,
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

/** Whether it can have been made since the round before: as others are made, old ones move from page to page. */
function isYoung(row: Order, since: number, otherwise: boolean): boolean {
  const made = Object.entries(row).find(([name, value]) => /^created/i.test(name) && typeof value === "string")?.[1];
  const at = Date.parse(String(made));
  return Number.isNaN(at) ? otherwise : at > since - dayMs;
}

function pack(cursor: Cursor): string {
  return JSON.stringify(cursor);
}

async function readOne(client: CustomerClient, id: string): Promise<Order | null> {
  try {
    return await readOrder(client, id);
  } catch (error) {
    if (error instanceof PlatformRefused && error.status === 404) return null;
    throw error;
  }
}

/** How far its services are; an order that builds none has nothing to tell. */
function stateOf({ services = [] }: Order): "open" | "completed" | "failed" | "none" {
  const under = ["pending_payment", "pending", "installing"];
  if (services.length === 0) return "none";
  if (services.some(({ status }) => status === undefined || under.includes(status))) return "open";
  if (services.some(({ status }) => status === "provisioning_failed")) return "failed";
  return services.every(({ status }) => status === "active") ? "completed" : "none";
}

function newsOf(event: "order.completed" | "order.failed", order: Order): News {
  const { id, idempotency_key, services = [] } = order;
  return {
    event,
    source: "found",
    by: /^(reseller )?order /,
    whenever: true,
    data: {
      ...{ orderId: id, orderNumber: numberOf(order), externalOrderId: idempotency_key ?? null },
      services: services.map((service) => ({
        serviceId: service.id,
        hostname: typeof service.hostname === "string" ? service.hostname : null,
      })),
    },
  };
}
