import * as z from "zod";
import { oncePer } from "../../process/once-per.ts";
import type { Success } from "./envelope.ts";
import { passIssues } from "./issues.ts";

/**
 * Parses the envelope of a success whose `data` fits `schema`. It is made once for each schema: a call that made its own left 5 kB of
 * garbage. Spec section 2.1 of both APIs.
 */
export function data<T>(schema: z.ZodType<T>): z.ZodType<{ data: T }>;
export function data(schema: z.ZodType): z.ZodType<{ data: unknown }> {
  return envelopeOf(schema);
}

/** No `z.object`: some schemas are made at each call, and building and compiling one takes 24 kB of garbage. */
const envelopeOf = oncePer((schema: z.ZodType) =>
  z.unknown().transform((envelope, context): { data: unknown } => {
    const parsed = schema.safeParse(fieldOf(envelope, "data"));
    if (parsed.success) return { data: parsed.data };
    passIssues(context, parsed.error.issues, ["data"]);
    return z.NEVER;
  }),
);

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

/** Unwraps `data`, and keeps the HTTP status of the answer. */
export async function dataWithStatus<T>(answer: Promise<Success<{ data: T }>>): Promise<Success<T>> {
  const { status, value } = await answer;
  return { status, value: value.data };
}

/** Parses a success of which the caller uses nothing. */
export const done = z.object({});

/** Parses a success that the spec does not show. Gives `data`, else the other fields, else null; callers show it unchanged. */
export const unspecified = z.looseObject({}).transform(({ success, ...rest }): unknown => {
  if ("data" in rest) return rest.data ?? null;
  return Object.keys(rest).length > 0 ? rest : null;
});
