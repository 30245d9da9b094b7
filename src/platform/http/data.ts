import * as z from "#zod";
import { type Parted, partSecrets } from "../../process/secret-parts.ts";
import { passIssues } from "./rows.ts";

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
