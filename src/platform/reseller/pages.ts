import * as z from "#zod";
import { type ListPage, pagedRows } from "../http/pages.ts";

const count = z.int().nonnegative();

/** The two forms of pagination: by page, and by offset. The spec does not say where in the answer they are. Reseller spec section 2.1. */
const ByPage = z.object({ page: count, limit: count, total: count, totalPages: count.optional() });
const ByOffset = z.object({ total: count, limit: count, offset: count, hasMore: z.boolean().optional() });
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
