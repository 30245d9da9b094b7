import * as z from "zod";
import { data, turned } from "./data.ts";
import type { Parser } from "./parser.ts";
import { rowsIn, rowsOf } from "./rows.ts";

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

/** The envelope of a paged list, its rows under `name`. Where the rows and the pagination sit differs per endpoint, and the spec does not say it of each. Spec sections 2.1 and 8. */
export function pageOf<S extends z.ZodType>(name: string, row: S) {
  return pageWithStats(name, row).transform(({ rows, pagination }): Page<z.output<S>> => ({ rows, pagination }));
}

/** A page that comes with counts and money totals by status; how they are laid out, the spec does not show. Spec section 2.4. */
export interface PageWithStats<Row> extends Page<Row> {
  stats: unknown;
}

/** The envelope of a paged list with stats. */
export function pageWithStats<S extends z.ZodType>(name: string, row: S) {
  return z.looseObject({ data: z.unknown() }).transform((envelope, context): PageWithStats<z.output<S>> => {
    const found = rowsIn(envelope.data, name, row);
    const told = toldIn(envelope) ?? toldIn(envelope.data);
    if ("problem" in found || !told) {
      const problem = "problem" in found ? found : null;
      const path = problem ? ["data", ...problem.path] : ["pagination"];
      context.addIssue({ code: "custom", message: problem?.problem ?? "There is no pagination", path });
      return z.NEVER;
    }
    const { page, limit, total } = told;
    const pages = told.pages ?? told.totalPages ?? Math.ceil(total / Math.max(1, limit));
    return { rows: found.rows, pagination: { page, limit, total, pages }, stats: fieldOf(envelope.data, "stats") };
  });
}

/** One page of a list that came whole. */
export function pageFrom<Row>(rows: Row[], { page, limit }: { page: number; limit: number }): Page<Row> {
  const pagination = { page, limit, total: rows.length, pages: Math.ceil(rows.length / limit) };
  return { rows: rows.slice((page - 1) * limit, page * limit), pagination };
}

/** The envelope of a list that comes whole, its rows under `name`. */
export function listOf<S extends z.ZodType>(name: string, row: S): Parser<z.output<S>[]> {
  return turned(data(rowsOf(name, row)), (envelope) => envelope.data);
}

/** The envelope of a list that comes whole, or as one of `pages`; its rows under `name`. */
export function listInPages<S extends z.ZodType>(name: string, row: S) {
  return z.looseObject({ data: z.unknown() }).transform((envelope, context): { rows: z.output<S>[]; pages: number } => {
    const found = rowsIn(envelope.data, name, row);
    const told = toldIn(envelope) ?? toldIn(envelope.data);
    const pages = told ? Math.ceil(told.total / Math.max(1, told.limit)) : 1;
    if (!("problem" in found)) return { rows: found.rows, pages };
    context.addIssue({ code: "custom", message: found.problem, path: ["data", ...found.path] });
    return z.NEVER;
  });
}

function toldIn(value: unknown): z.infer<typeof Told> | undefined {
  return Told.safeParse(fieldOf(value, "pagination")).data;
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([field]) => field === name)?.[1];
}
