import * as z from "zod";

/** One page of a list. `pages` is worked out where the platform leaves it out. */
export interface Pagination {
  page: number;
  limit: number;
  total: number;
  pages: number;
}

export interface Page<Row> {
  rows: Row[];
  pagination: Pagination;
}

const count = z.int().nonnegative();

const Told = z.object({
  page: count,
  limit: count,
  total: count,
  pages: count.optional(),
  totalPages: count.optional(),
});

/** The envelope of a paged list. Where the rows and the pagination sit differs per endpoint, and the spec does not say it of each. Spec sections 2.1 and 8. */
export function pageOf<S extends z.ZodType>(row: S) {
  return pageWithStats(row).transform(({ rows, pagination }): Page<z.output<S>> => ({ rows, pagination }));
}

/** A page that comes with counts and money totals by status; how they are laid out, the spec does not show. Spec section 2.4. */
export interface PageWithStats<Row> extends Page<Row> {
  stats: unknown;
}

/** The envelope of a paged list with stats. */
export function pageWithStats<S extends z.ZodType>(row: S) {
  return z
    .object({ data: rowsOf(row), pagination: Told.optional() })
    .transform((envelope, context): PageWithStats<z.output<S>> => {
      const told = envelope.pagination ?? envelope.data.pagination;
      if (!told) {
        context.addIssue({ code: "custom", message: "There is no pagination", path: ["pagination"] });
        return z.NEVER;
      }
      const { page, limit, total } = told;
      const pages = told.pages ?? told.totalPages ?? Math.ceil(total / Math.max(1, limit));
      return { rows: envelope.data.rows, pagination: { page, limit, total, pages }, stats: envelope.data.stats };
    });
}

/** One page of a list that came whole. */
export function pageFrom<Row>(rows: Row[], { page, limit }: { page: number; limit: number }): Page<Row> {
  const pagination = { page, limit, total: rows.length, pages: Math.ceil(rows.length / limit) };
  return { rows: rows.slice((page - 1) * limit, page * limit), pagination };
}

/** The envelope of a list that comes whole. */
export function listOf<S extends z.ZodType>(row: S) {
  return z.object({ data: rowsOf(row) }).transform((envelope): z.output<S>[] => envelope.data.rows);
}

/** `data` that is the rows, or an object in which the rows are the one array. */
function rowsOf<S extends z.ZodType>(row: S) {
  return z.preprocess(
    gathered,
    z.object({ rows: z.array(row), pagination: Told.optional(), stats: z.unknown().optional() }),
  );
}

function gathered(data: unknown): unknown {
  if (Array.isArray(data)) return { rows: data };
  if (typeof data !== "object" || data === null) return data;
  const arrays = Object.values(data).filter((value) => Array.isArray(value));
  return arrays.length === 1 ? { ...data, rows: arrays[0] } : data;
}
