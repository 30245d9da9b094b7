import * as z from "zod";

/** What reads an answer: any zod schema does. */
export interface Parser<T> {
  safeParse(sent: unknown): { success: true; data: T } | { success: false; error: z.ZodError };
}

/** The same schema compiled, when it is first used: for an answer that is read so often that what a schema leaves to the collector shows. */
export function compiled<S extends z.ZodType>(schema: S): Parser<z.output<S>> {
  let made: S | undefined;
  return {
    safeParse(sent) {
      made ??= z.compile(schema);
      return made.safeParse(sent);
    },
  };
}
