import * as z from "#zod";

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
    if (!("issues" in found)) return found.rows;
    passIssues(context, found.issues);
    return z.NEVER;
  });
}

/** The faults of a list, with their paths. */
export interface RowsProblem {
  issues: Pick<z.core.$ZodIssue, "message" | "path">[];
}

const noList: RowsProblem = { issues: [{ message: "There is no list", path: [] }] };

function parsed<T>(schema: z.ZodType<T[]>, value: unknown, at: PropertyKey[]): { rows: T[] } | RowsProblem {
  const read = schema.safeParse(value);
  if (read.success) return { rows: read.data };
  return { issues: read.error.issues.map(({ message, path }) => ({ message, path: [...at, ...path] })) };
}

/** Copies the faults of a part of an answer into its parent, each with its full path. The error then names the field. */
export function passIssues(
  context: z.core.$RefinementCtx,
  issues: readonly Pick<z.core.$ZodIssue, "message" | "path">[],
  at: PropertyKey[] = [],
): void {
  for (const { message, path } of issues) context.addIssue({ code: "custom", message, path: [...at, ...path] });
}
