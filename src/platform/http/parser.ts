import * as z from "zod";

/** Parses an answer; any zod schema is one. */
export interface Parser<T> {
  safeParse(raw: unknown): { success: true; data: T } | { success: false; error: z.ZodError };
}

/** The same schema, compiled at its first use. Use it for answers read so often that the interpreter's garbage shows in measurements. */
export function compiled<S extends z.ZodType>(schema: S): Parser<z.output<S>> {
  let compiledSchema: S | undefined;
  return {
    safeParse(raw) {
      compiledSchema ??= z.compile(schema);
      return compiledSchema.safeParse(raw);
    },
  };
}
