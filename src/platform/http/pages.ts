import * as z from "#zod";
import { fieldOf, inData, passIssues, rowsIn, rowsOf } from "./data.ts";
import type { RouteCall } from "./endpoint.ts";
import { type ApiName, PlatformOffContract } from "./errors.ts";
import type { Query, Values } from "./path.ts";
import { lacksRows } from "./unread.ts";

/** The most rows of a page, where a list has no smaller limit of its own. Section 8 of both specs. */
export const largestPage = 200;

/** The query of a list that comes in pages. */
export interface PageQuery extends Query {
  page?: number;
  limit?: number;
}

/** Of a route that takes such a query alone. */
export const inPages = { sends: (query?: PageQuery) => ({ query }) };

/** One page of a list. `pages` is computed where the platform leaves it out. */
export interface Pagination {
  page: number;
  limit: number;
  total: number;
  pages: number;
}

export interface ListPage<Row> {
  rows: Row[];
  pagination: Pagination;
}

const count = z.int().nonnegative();

const PaginationFields = z.object({
  page: count,
  limit: count,
  total: count,
  pages: count.optional(),
  totalPages: count.optional(),
});

/** The fault of a list without its pagination: it could be cut off unnoticed. */
const noPagination = { message: "There is no pagination", path: ["pagination"] };
/** The fault of a page that has none of the rows that it counts: they would be missing unnoticed. */
const noRows = { message: "It counts rows, and has none", path: ["pagination"] };

/**
 * Parses the envelope of a paged list with its rows under `name`. Rows and pagination sit in different places per endpoint, and the spec
 * does not show all. Spec sections 2.1 and 8.
 */
export function pageOf<S extends z.ZodType>(name: string, row: S) {
  return pageWithStats(name, row).transform(({ rows, pagination }): ListPage<z.output<S>> => ({ rows, pagination }));
}

/** A page with counts and money totals by status. The spec does not show the layout of `stats`. Spec section 2.4. */
export interface PageWithStats<Row> extends ListPage<Row> {
  stats: unknown;
}

/** Parses the envelope of a paged list with stats. */
export function pageWithStats<S extends z.ZodType>(name: string, row: S) {
  return pagedRows(name, row, paginationIn).transform(({ rows, paging, body }): PageWithStats<z.output<S>> => {
    const { page, limit, total } = paging;
    const pages = paging.pages ?? paging.totalPages ?? Math.ceil(total / Math.max(1, limit));
    return { rows, pagination: { page, limit, total, pages }, stats: fieldOf(body, "stats") };
  });
}

/** Parses the rows under `name` and the pagination, which `read` finds in the envelope or in its data. Both must be there, and must agree. */
export function pagedRows<S extends z.ZodType, P extends Counted>(
  name: string,
  row: S,
  read: (value: unknown) => P | undefined,
) {
  return z.unknown().transform((envelope, context) => {
    const data = fieldOf(envelope, "data");
    const found = rowsIn(data, name, row);
    const paging = read(envelope) ?? read(data);
    if ("issues" in found || !paging) {
      passIssues(context, "issues" in found ? found.issues : [], ["data"]);
      if (!paging) passIssues(context, [noPagination]);
      return z.NEVER;
    }
    const { rows } = found;
    const first = firstOf(paging);
    if (rows.length === 0 && first < paging.total && !lacksRows(envelope)) passIssues(context, [noRows]);
    // A row that is there counts, whatever the total says.
    const total = rows.length === 0 ? paging.total : Math.max(paging.total, first + rows.length);
    return { rows, paging: { ...paging, total }, body: data };
  });
}

/** The figures of a page by which its rows are counted. */
interface Counted {
  limit: number;
  total: number;
  page?: number;
  offset?: number;
}

/** How many rows come before the page. */
function firstOf({ page = 1, limit, offset = Math.max(0, page - 1) * limit }: Counted): number {
  return offset;
}

/** Pages of one list that are read at the same time. */
const atOnce = 4;

/** So many pages of a list are read: a fifth of a million rows, which take all calls of an hour. A larger count is no list's. */
const mostPages = 1_000;
const tooManyPages = { message: "It counts more pages than any list has", path: ["pagination"] };

/**
 * Reads a whole list; its pages come in their order. The first page says how many there are, and the others are read four at a time: the
 * platform limits calls an hour and not calls at once (customer spec section 8), and a member waits. `onPage` gets each page as it comes.
 * Rejects with PlatformOffContract where there are too many to read.
 */
export async function readAllPages<Row>(
  { api }: { api: ApiName },
  read: (page: number) => Promise<ListPage<Row>>,
  onPage: (rows: Row[]) => void = () => {},
): Promise<Row[][]> {
  const found: Row[][] = [];
  async function readOne(page: number): Promise<number> {
    const { rows, pagination } = await read(page);
    found[page - 1] = rows;
    onPage(rows);
    if (pagination.pages > mostPages)
      throw new PlatformOffContract({ api, method: "GET", path: "(a list)" }, { problem: tooManyPages.message });
    return pagination.pages;
  }
  let pages = await readOne(1);
  let next = 2;
  async function readOn(): Promise<void> {
    while (next <= pages) {
      const page = next;
      next += 1;
      pages = Math.max(pages, await readOne(page));
    }
  }
  await Promise.all(Array.from({ length: atOnce }, readOn));
  return found;
}

/**
 * The reads of a kind whose list comes whole. Readers of all rows take it as one page: of several, each would be a call that brings the
 * whole list again.
 */
export function inOnePage<C, Row>(read: (client: C) => Promise<Row[]>) {
  return {
    pageSize: Number.MAX_SAFE_INTEGER,
    list: async (client: C, query: { page: number; limit: number }) => pageFrom(await read(client), query),
  };
}

/** Cuts one page from a list that came whole. */
function pageFrom<Row>(rows: Row[], { page, limit }: { page: number; limit: number }): ListPage<Row> {
  const pagination = { page, limit, total: rows.length, pages: Math.ceil(rows.length / limit) };
  return { rows: rows.slice((page - 1) * limit, page * limit), pagination };
}

/** Parses the envelope of a list that comes whole, its rows under `name`. */
export function listOf<S extends z.ZodType>(name: string, row: S) {
  return inData(rowsOf(name, row));
}

/**
 * Makes the calls that read every row of a list. The spec leaves open whether such a list comes whole or in pages. `asks`: the query of
 * each page, from the arguments of the call. Spec sections 4 and 8.
 */
export function everyRow<S extends z.ZodType, More extends unknown[] = []>(
  name: string,
  row: S,
  asks: (...more: More) => Query = () => ({}),
) {
  const schema = listInPages(name, row);
  return async <Route extends string>(
    call: RouteCall<Route>,
    values: Values<Route>,
    ...more: More
  ): Promise<z.output<S>[]> => {
    const query = asks(...more);
    const { rows, pages } = await call.envelope(values, schema, { query });
    for (let page = 2; page <= pages; page += 1)
      rows.push(...(await call.envelope(values, schema, { query: { ...query, page } })).rows);
    return rows;
  };
}

/** Parses the envelope of a list that comes whole, or as one of `pages`; its rows are under `name`. */
function listInPages<S extends z.ZodType>(name: string, row: S) {
  return z.looseObject({ data: z.unknown() }).transform((envelope, context): { rows: z.output<S>[]; pages: number } => {
    const found = rowsIn(envelope.data, name, row);
    const paging = paginationIn(envelope) ?? paginationIn(envelope.data);
    const pages = paging ? Math.ceil(paging.total / Math.max(1, paging.limit)) : 1;
    const faults = pages > mostPages ? [tooManyPages] : [];
    if (!("issues" in found) && faults.length === 0) return { rows: found.rows, pages };
    passIssues(context, faults);
    if ("issues" in found) passIssues(context, found.issues, ["data"]);
    return z.NEVER;
  });
}

function paginationIn(value: unknown): z.infer<typeof PaginationFields> | undefined {
  return PaginationFields.safeParse(fieldOf(value, "pagination")).data;
}
