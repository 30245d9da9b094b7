import * as z from "zod";

/**
 * The rows of a list: `data` itself, its field called `name`, or the one field whose rows fit `row`. Other arrays in the answer are
 * unknown fields, and are ignored.
 */
export function rowsIn<S extends z.ZodType>(
  data: unknown,
  name: string,
  row: S,
): { rows: z.output<S>[] } | RowsProblem {
  const rows = z.array(row);
  if (Array.isArray(data)) return parsed(rows, data, []);
  if (typeof data !== "object" || data === null) return noList;
  const fields = Object.entries(data).filter(([, value]) => Array.isArray(value));
  const named = fields.find(([field]) => field === name);
  if (named) return parsed(rows, named[1], [name]);
  const fitting = fields.map(([, value]) => rows.safeParse(value)).filter((read) => read.success);
  // An empty list fits any schema, so the longest fitting list is taken.
  const [first] = [...fitting].sort((a, b) => b.data.length - a.data.length);
  if (first) return { rows: first.data };
  return fields[0] ? parsed(rows, fields[0][1], [fields[0][0]]) : noList;
}

/** `rowsIn` as a schema of `data`. */
export function rowsOf<S extends z.ZodType>(name: string, row: S) {
  return z.unknown().transform((raw, context): z.output<S>[] => {
    const found = rowsIn(raw, name, row);
    if (!("problem" in found)) return found.rows;
    context.addIssue({ code: "custom", message: found.problem, path: found.path });
    return z.NEVER;
  });
}

/** The fault of a list, and its path. */
interface RowsProblem {
  problem: string;
  path: PropertyKey[];
}

const noList: RowsProblem = { problem: "There is no list", path: [] };

function parsed<T>(schema: z.ZodType<T[]>, value: unknown, at: PropertyKey[]): { rows: T[] } | RowsProblem {
  const read = schema.safeParse(value);
  if (read.success) return { rows: read.data };
  const [issue] = read.error.issues;
  return { problem: issue?.message ?? "It is not a list", path: [...at, ...(issue?.path ?? [])] };
}
