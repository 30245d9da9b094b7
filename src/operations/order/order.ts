import * as z from "#zod";
import { everyProject, listAnswer, listFields } from "../../messages/answers/list.ts";
import type { Json, Step } from "../../operation/answer.ts";
import type { CallContext } from "../../operation/call-context.ts";
import { defineOperation } from "../../operation/define.ts";
import { type Entry, indexedKindOf, noTarget, type TargetKind } from "../../operation/target.ts";
import type { CustomerClient } from "../../platform/customer/client.ts";
import { numberOf } from "../../platform/customer/documents.ts";
import { billingCycles, listOrders, type Order, readOrder } from "../../platform/customer/orders.ts";
import type { ListPage } from "../../platform/http/pages.ts";
import { characters, type PlainText } from "../../process/plain-text.ts";
import { paragraphs } from "../../views/blocks.ts";
import { moment, money } from "../../views/format.ts";
import type { TableCell } from "../../views/table.ts";
import { code, count, dotted, prose } from "../../views/text.ts";
import { stateWords } from "../../views/values.ts";
import { searchWords, unpaidSteps } from "../billing/bill.ts";
import { product } from "../catalog/product.ts";
import { card, firstLines, mostLines } from "../kits/card.ts";
import { pageWords, turns } from "../kits/list.ts";
import { listLines, restBlocks } from "../kits/row-words.ts";

/** Orders of the account. The contract does not name most of their fields. */
export const order: TargetKind<"customer", Order> = {
  noun: "order",
  label: "order",
  foundBy: "number, host name, idempotency key",
  card: "order show",
  inProjects: true,
  list: listOrders,
  read: readOrder,
  find: async (client, name) => {
    const [byHostname, byKey] = await Promise.all([
      listOrders(client, { hostname: name }),
      listOrders(client, { idempotencyKey: name }),
    ]);
    return [...byHostname.rows, ...byKey.rows];
  },
  entry: (row) => ({
    id: row.id,
    name: orderName(row),
    nameless: numberOf(row, "order") === null,
    aliases: [...searchWords(row), ...(row.idempotency_key ? [row.idempotency_key] : [])],
    state: stateOf(row),
    detail: detailOf(row),
    columns: columnsOf(row),
  }),
  identity: {
    project: "The rows of orders do not name their project.",
    address: "The address is of the service that an order makes.",
    hostname: ({ hostname }) => (typeof hostname === "string" ? hostname : null),
    location: "The spec shows no location of an order.",
    apart: "No two orders have one number.",
  },
};

/** The orders that the platform finds by host name or idempotency key. Spec section 4.6. */
function ordersWith({ hostname, key }: { hostname?: string | undefined; key?: string | undefined }): {
  kind: TargetKind<"customer", Order>;
  byStatus: (client: CustomerClient, page: Parameters<typeof listOrders>[1]) => Promise<ListPage<Order>>;
  many: string;
} {
  const about = [hostname && code(hostname, 80), key && `key ${code(key, 80)}`].filter((part) => part).join(", ");
  if (!about) return { kind: order, byStatus: listOrders, many: "orders" };
  const query = { ...(hostname ? { hostname } : {}), ...(key ? { idempotencyKey: key } : {}) };
  return {
    kind: {
      ...order,
      noun: `order with ${JSON.stringify(query)}`,
      label: `order for ${about}`,
      list: (client, page) => listOrders(client, { ...page, ...query }),
    },
    byStatus: (client, page) => listOrders(client, { ...page, ...query }),
    many: `orders for ${about}`,
  };
}

function stateOf({ status }: Order): string {
  return stateWords(status ?? "of unknown state");
}

function markOf(state: string): string {
  if (/^(active|completed|paid|done)/.test(state)) return ":white_check_mark:";
  if (/(failed|cancelled|refused)$/.test(state)) return ":x:";
  return ":receipt:";
}

/** The cells of an order beside its name, by column heading. */
function columnsOf(row: Order): Record<string, TableCell> {
  const { hostname, total, currency, order_type: type, created_at: created } = row;
  return {
    "Host name": typeof hostname === "string" ? hostname : "",
    Sort: (type ?? "").replaceAll("_", " "),
    Total:
      typeof total === "string" || typeof total === "number"
        ? { text: money(total, typeof currency === "string" ? currency : null), value: Number(total) }
        : "",
    Ordered: typeof created === "string" ? { at: created } : "",
  };
}

function detailOf(row: Order): PlainText {
  const cells = Object.values(columnsOf(row)).map((cell) =>
    typeof cell !== "object" ? cell : "text" in cell ? cell.text : "",
  );
  return dotted([stateOf(row), ...cells]);
}

function orderName(row: Order): PlainText {
  return numberOf(row, "order") ?? `order ${row.id.slice(0, 8)}`;
}

/** "ORD-1003 · web-4.example.com · new · pending · 6.05 EUR · 21 Nov". */
function orderLine(row: Order): string {
  const { hostname, total, currency, created_at: created, order_type: type } = row;
  return dotted([
    `:receipt: ${code(orderName(row), 60)}`,
    typeof hostname === "string" ? code(hostname, 80) : null,
    type ? prose(type, 40) : null,
    `*${prose(stateOf(row), 40)}*`,
    typeof total === "string" || typeof total === "number"
      ? money(total, typeof currency === "string" ? currency : null)
      : null,
    typeof created === "string" ? moment(created) : null,
  ]);
}

export const list = defineOperation({
  command: "order list",
  phrase: "List orders",
  synonyms: ["ls"],
  summary: "List orders, all or by host name, status or idempotency key",
  example: "/order list",
  act: listOrders,
  risk: "read",
  target: noTarget,
  input: z.object({
    hostname: z
      .string()
      .max(250)
      .optional()
      .meta({ title: "Host name", description: "Of the order, its lines or its services" }),
    status: z.string().max(40).optional().meta({ title: "Status", description: "Such as pending or completed" }),
    key: z
      .string()
      .max(255)
      .optional()
      .meta({ title: "Idempotency key", description: "The key that the order was sent with" }),
    project: everyProject,
    page: listFields.page,
    export: listFields.export,
  }),
  positional: "hostname",
  async run(call) {
    const { kind, many, byStatus } = ordersWith(call.input);
    const answer = await listAnswer(call, {
      kind,
      byStatus,
      command: "order list",
      open: "order show",
      many,
      mark: markOf,
    });
    const isFiltered = many !== "orders" || call.input.status !== undefined;
    const all = isFiltered ? [{ label: "All orders", command: "order list", replace: true }] : [];
    const others = (answer.next ?? []).filter(({ label }) => label !== `All ${many}`);
    const fresh = call.may("order new") ? [{ label: "New order…", command: "order new" }] : [];
    return { ...answer, next: [...others, ...all, ...fresh] };
  },
});

/** An order with more lines than this is shown page by page. */
const linesPerPage = 40;

export const show = defineOperation({
  command: "order show",
  synonyms: ["status", "info", "details"],
  summary: "Show an order: its lines, its services and its progress",
  example: "/order show ORD-1000",
  act: readOrder,
  risk: "read",
  target: order,
  input: z.object({ page: listFields.page }),
  async run({ target, input: { page: asked } }) {
    const { services = [], items = [] } = target;
    const currency = typeof target.currency === "string" ? target.currency : null;
    const unpaid = services.some(({ status }) => status === "pending_payment");
    const pages = Math.max(1, Math.ceil(Math.max(items.length, services.length) / linesPerPage));
    const page = Math.min(asked, pages);
    const part = <T>(rows: T[]) => rows.slice((page - 1) * linesPerPage, page * linesPerPage);
    const [heading = "", ...lines] = listLines("Lines", items, currency, part(items));
    return card({
      text: `${code(orderName(target))} is ${target.status ? stateWords(target.status) : "in a state that the platform does not name"}.`,
      title: orderLine(target),
      lines: firstLines(services, serviceLine),
      facts: [],
      details: [
        ...(services.length > mostLines
          ? paragraphs([`*${count(services.length, "service")}*`, ...part(services).map(serviceLine)])
          : []),
        ...(items.length > 0 ? paragraphs([`${heading}${pageWords(page, pages)}`, ...lines]) : []),
        ...restBlocks(target, shownAbove(target), currency),
      ],
      id: `Order ${code(target.id)}`,
      next: [
        ...(unpaid ? unpaidSteps : []),
        ...services.slice(0, 3).map(({ id, name }) => ({
          label: `Show ${typeof name === "string" ? name : "the service"}`,
          command: "service show",
          target: id,
        })),
        ...turns("order show", {}, page, pages).map((step) => ({ ...step, target: target.id })),
        { label: "Refresh", command: "order show", target: target.id, replace: true },
      ],
    });
  },
});

function serviceLine({ id, name, hostname, status }: NonNullable<Order["services"]>[number]): string {
  const called = [name, hostname].find((text) => typeof text === "string");
  return `• ${code(typeof called === "string" ? called : id, 80)} · ${stateWords(status ?? "unknown")}`;
}

const shown = ["id", "status", "order_type", "items", "services", "hostname", "total", "currency", "created_at"];

/** The fields that the answer shows already, and that of its number. */
function shownAbove(target: Order): string[] {
  const number = numberOf(target, "order");
  const isNumber = ([key, value]: [string, unknown]) => value === number && /number$/i.test(key);
  return [...shown, ...Object.entries(target).flatMap((field) => (isNumber(field) ? [field[0]] : []))];
}

const text = z.string().nullish().catch(null);

/** The fields that the spec names for a VPS (section 2.3); rows of other kinds may have them, too. */
const RowSettings = z.object({
  location: text,
  project: z.object({ id: z.string() }).nullish().catch(null),
  instance: z.object({ os: text }).nullish().catch(null),
});

/**
 * A button that orders the same plan again with the same settings. Empty if the catalogue no longer sells the plan, or the key
 * may not order.
 */
export async function anotherSteps(
  { may, listing }: Pick<CallContext<"customer">, "may" | "listing">,
  row: Record<string, unknown>,
): Promise<Step[]> {
  if (!may("order new")) return [];
  // Show the server without this button if the catalogue does not answer.
  const { entries } = await listing(indexedKindOf(product)).catch(() => ({ entries: [] }));
  const plan = planOf(row, entries);
  if (!plan) return [];
  const { location, project, instance } = RowSettings.parse(row);
  const settings = { cycle: cycleOf(row), location, project: project?.id, image: instance?.os };
  const input: Record<string, Json> = { product: plan.id };
  for (const [name, value] of Object.entries(settings)) if (value) input[name] = value;
  return [{ label: "Order another…", command: "order new", input, form: true }];
}

/** Fields about the server itself, not about its plan. */
const ownNames = new Set(["id", "name", "hostname"]);

/** The product on sale that the row names. The contract does not show the field with the product, so all texts are compared. */
function planOf(row: Record<string, unknown>, sold: readonly Entry[]): Entry | undefined {
  const words = new Set(Object.entries(row).flatMap(([key, value]) => (ownNames.has(key) ? [] : wordsIn(value))));
  return sold.find(({ id }) => words.has(id)) ?? sold.find(({ name }) => words.has(characters(name)));
}

/** The billing cycle that the row names, in any field. */
export function cycleOf(row: Record<string, unknown>): string | undefined {
  const words = new Set(Object.values(row).flatMap(wordsIn));
  return billingCycles.find((cycle) => words.has(cycle));
}

/** A text, or the texts of an object's fields. */
function wordsIn(value: unknown): string[] {
  if (typeof value === "string") return [value];
  const settings = z.record(z.string(), z.unknown()).safeParse(value);
  return settings.success ? Object.values(settings.data).filter((one) => typeof one === "string") : [];
}
