import * as z from "zod";
import type { Page } from "../http/pages.ts";
import { rowsIn } from "../http/rows.ts";

const count = z.int().nonnegative();

/** The two shapes of the reseller API: by page, and by offset. Where it stands, the spec does not say. Reseller spec section 2.1. */
const ByPage = z.object({ page: count, limit: count, total: count, totalPages: count.optional() });
const ByOffset = z.object({ total: count, limit: count, offset: count, hasMore: z.boolean().optional() });
const Told = z.union([ByPage, ByOffset]);

/**
 * The envelope of a page: the rows under `name`, or wherever such rows stand. An offset is told as a page, by the limit that the answer
 * itself names. A list that does not say how much of it this is, is off contract: it could be cut in silence.
 */
export function resellerPage<S extends z.ZodType>(name: string, row: S) {
  return z.looseObject({ data: z.unknown() }).transform((envelope, context): Page<z.output<S>> => {
    const found = rowsIn(envelope.data, name, row);
    const told = toldIn(envelope) ?? toldIn(envelope.data);
    if ("problem" in found) {
      context.addIssue({ code: "custom", message: found.problem, path: ["data", ...found.path] });
      return z.NEVER;
    }
    if (!told) {
      context.addIssue({ code: "custom", message: "There is no pagination", path: ["pagination"] });
      return z.NEVER;
    }
    const limit = Math.max(1, told.limit);
    const page = "page" in told ? Math.max(1, told.page) : Math.floor(told.offset / limit) + 1;
    const pages = ("totalPages" in told ? told.totalPages : undefined) ?? Math.ceil(told.total / limit);
    return { rows: found.rows, pagination: { page, limit, total: told.total, pages } };
  });
}

/** Beside the rows, or in an object of its own, whatever that is called. */
function toldIn(value: unknown): z.infer<typeof Told> | undefined {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return undefined;
  const told = [value, ...Object.values(value)].map((part) => Told.safeParse(part)).find((read) => read.success);
  return told?.data;
}
