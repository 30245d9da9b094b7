import * as z from "#zod";
import { PlainText } from "../../process/plain-text.ts";
import { Amount } from "../amounts.ts";
import { AnyTime, Figure } from "../fields.ts";
import { inData, objectOrField } from "../http/data.ts";
import { type ListPage, type PageQuery, pagedRows } from "../http/pages.ts";
import { orUnlisted } from "../unlisted.ts";
import { endpoint } from "./client.ts";
import { ServiceStatus } from "./states.ts";

const text = z.string().nullish();

/**
 * A resold service. `wholesaleAmount` is per cycle, in the base currency. Its location and port are only on its own page. Reseller spec
 * section 2.4.
 */
export const Service = z.object({
  serviceId: z.string().min(1),
  externalServiceId: text,
  externalCustomerId: text,
  productName: text,
  status: orUnlisted(ServiceStatus),
  serverIp: text,
  hostname: PlainText.nullish(),
  billingCycle: text,
  wholesaleAmount: Amount.nullish(),
  nextDueDate: AnyTime.nullish(),
  createdAt: AnyTime.nullish(),
  serverLocation: text,
  serverPort: z.union([z.number(), z.string()]).nullish(),
});
export type Service = z.infer<typeof Service>;

/** The spec gives no maximum. A platform that refuses more, as the list of customers does, would leave polling blind. */
export const largestServicePage = 100;

/** A page of 20 rows by default. */
export const listServices = endpoint("GET /services", "read", "2.1, 2.4, 4, 8", resellerPage("services", Service), {
  sends: (query?: PageQuery & { status?: string; externalCustomerId?: string }) => ({ query }),
});

export const readService = endpoint(
  "GET /services/{serviceId}",
  "read",
  "2.4",
  inData(objectOrField("service", Service)),
);

const count = Figure.pipe(z.int().nonnegative());

/** The two forms of pagination: by page, and by offset. The spec does not say where in the answer they are. Reseller spec section 2.1. */
const ByPage = z.object({ page: count, limit: count, total: count, totalPages: count.optional() });
const ByOffset = z.object({ total: count, limit: count, offset: count });
const PaginationFields = z.union([ByPage, ByOffset]);

/**
 * Parses the envelope of a page: its rows are under `name`, or in any field whose rows fit. An offset is turned into a page number with
 * the answer's own limit. A list without pagination fails: it could be cut off unnoticed.
 */
export function resellerPage<S extends z.ZodType>(name: string, row: S) {
  return pagedRows(name, row, paginationIn).transform(({ rows, paging }): ListPage<z.output<S>> => {
    const limit = Math.max(1, paging.limit);
    const page = "page" in paging ? Math.max(1, paging.page) : Math.floor(paging.offset / limit) + 1;
    const pages = ("totalPages" in paging ? paging.totalPages : undefined) ?? Math.ceil(paging.total / limit);
    return { rows, pagination: { page, limit, total: paging.total, pages } };
  });
}

/** The pagination is beside the rows, or in an object of its own with any name. */
function paginationIn(value: unknown): z.infer<typeof PaginationFields> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const paging = [value, ...Object.values(value)]
    .map((part) => PaginationFields.safeParse(part))
    .find((read) => read.success);
  return paging?.data;
}
