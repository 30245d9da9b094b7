import * as z from "zod";
import type { Success } from "./envelope.ts";
import { passIssues } from "./issues.ts";
import type { Parser } from "./parser.ts";

/**
 * The envelope of a success whose `data` is as `schema` says. Spec section 2.1 of both APIs. It is made at each call, and a zod schema
 * that is made anew is compiled anew: a tenth of what a command takes.
 */
export function data<T>(schema: Parser<T>): Parser<{ data: T }> {
  return {
    safeParse(envelope) {
      const sent = typeof envelope === "object" && envelope !== null && "data" in envelope ? envelope.data : undefined;
      const parsed = schema.safeParse(sent);
      if (parsed.success) return { success: true, data: { data: parsed.data } };
      const issues = parsed.error.issues.map((issue) => ({ ...issue, path: ["data", ...issue.path] }));
      return { success: false, error: new z.ZodError(issues) };
    },
  };
}

/** What a parser reads, turned into something else. */
export function turned<T, U>(parser: Parser<T>, turn: (value: T) => U): Parser<U> {
  return {
    safeParse(sent) {
      const parsed = parser.safeParse(sent);
      return parsed.success ? { success: true, data: turn(parsed.data) } : parsed;
    },
  };
}

/** The envelope of a success where the spec leaves open whether the thing is `data` itself or stands in it under its own name. The schema must ask for something that only the thing has. */
export function dataOf<S extends z.ZodType>(name: string, schema: S) {
  return data(itOrIn(name, schema));
}

/** The thing itself, or an object in which it stands under its name. */
export function itOrIn<S extends z.ZodType>(name: string, schema: S) {
  return z.unknown().transform((sent, context): z.output<S> => {
    const own = schema.safeParse(sent);
    if (own.success) return own.data;
    const inner = fieldOf(sent, name);
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

/** What is read by the schema that its own shape asks for. */
export function readAs<S extends z.ZodType>(choose: (sent: unknown) => S) {
  return z.unknown().transform((sent, context): z.output<S> => {
    const read = choose(sent).safeParse(sent);
    if (read.success) return read.data;
    passIssues(context, read.error.issues);
    return z.NEVER;
  });
}

function fieldOf(value: unknown, name: string): unknown {
  if (typeof value !== "object" || value === null) return undefined;
  return Object.entries(value).find(([key]) => key === name)?.[1];
}

/** What such an envelope holds, with the status of the answer. */
export async function dataWithStatus<T>(answer: Promise<Success<{ data: T }>>): Promise<Success<T>> {
  const { status, value } = await answer;
  return { status, value: value.data };
}

/** The envelope of a success of which nothing is used. */
export const done = z.object({});

/** The envelope of a success of which the spec shows nothing: gives `data`, or what stands in its place, or null. To be shown as it comes. */
export const notShown = z.looseObject({}).transform(({ success, ...rest }): unknown => {
  if ("data" in rest) return rest.data ?? null;
  return Object.keys(rest).length > 0 ? rest : null;
});
