import * as z from "#zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";

/**
 * The rows of a list: `data` itself, its field called `name`, or the field whose rows fit `row` best. Other arrays in the answer are
 * unknown fields, and are ignored. An empty array beside rows that do not fit is no list without rows: their faults are given.
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
  const lists = fields.map(([field, value]) => ({ field, value: [value].flat(), read: rows.safeParse(value) }));
  const fitting = lists.flatMap(({ read }) => (read.success ? [read.data] : []));
  // An empty list fits any schema, so the longest fitting list is taken.
  const [longest] = [...fitting].sort((a, b) => b.length - a.length);
  if (longest && longest.length > 0) return { rows: longest };
  const fits = (value: unknown[]) => value.filter((one) => row.safeParse(one).success).length;
  const filled = lists.filter(({ value }) => value.some((one) => typeof one === "object" && one !== null));
  const [best] = filled.toSorted((a, b) => fits(b.value) - fits(a.value));
  if (best) return parsed(rows, best.value, [best.field]);
  if (longest) return { rows: longest };
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

/**
 * Parses the envelope of a success, and gives its `data` as `schema` parses it, or what is there under `name`. Spec section 2.1 of both
 * APIs.
 */
export function inData<S extends z.ZodType>(schema: S, name?: string) {
  const place = name === undefined ? ["data"] : ["data", name];
  return z.unknown().transform((envelope, context): z.output<S> => {
    const parsed = schema.safeParse(place.reduce(fieldOf, envelope));
    if (parsed.success) return parsed.data;
    passIssues(context, parsed.error.issues, place);
    return z.NEVER;
  });
}

/**
 * Parses the object itself, or an object that has it under `name`; the spec leaves that open. The schema must require a field that only
 * the object has.
 */
export function objectOrField<S extends z.ZodType>(name: string, schema: S) {
  return z.unknown().transform((raw, context): z.output<S> => {
    const own = schema.safeParse(raw);
    if (own.success) return own.data;
    const inner = fieldOf(raw, name);
    if (typeof inner !== "object" || inner === null) {
      passIssues(context, own.error.issues);
      return z.NEVER;
    }
    const within = schema.safeParse(inner);
    if (within.success) return within.data;
    passIssues(context, within.error.issues, [name]);
    return z.NEVER;
  });
}

/** Parses with the schema that `choose` picks by the shape of the value. */
export function parseByShape<S extends z.ZodType>(choose: (raw: unknown) => S) {
  return z.unknown().transform((raw, context): z.output<S> => {
    const read = choose(raw).safeParse(raw);
    if (read.success) return read.data;
    passIssues(context, read.error.issues);
    return z.NEVER;
  });
}

/** The value's own field of this name; undefined if it has none, or is no object. */
export function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.hasOwn(value, name) ? Reflect.get(value, name) : undefined;
}

/** A field that is null if the answer lacks it or it cannot be read: one malformed field must not make the rest unreadable. */
export function ifReadable<S extends z.ZodType>(schema: S) {
  return schema.nullish().catch(null);
}

/** Parses a success of which the caller uses nothing. */
export const done = z.object({}).transform((): void => {});

/** Parses a success that the spec does not show. Gives `data`, else the other fields, else null; callers show it unchanged. */
export const unspecified = z.looseObject({}).transform(({ success, ...rest }): unknown => {
  if ("data" in rest) return rest.data ?? null;
  return Object.keys(rest).length > 0 ? rest : null;
});

/** The same with its secrets separated. */
export const parted = unspecified.transform((answer): Parted => partSecrets(answer));
