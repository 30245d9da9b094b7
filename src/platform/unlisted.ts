import * as z from "#zod";

/**
 * The platform's word for a state that its spec does not list: nothing says what the platform takes in it, or what an act does. A text that
 * a message could read as markup is no such word, and stays off the contract.
 */
const UnlistedState = z
  .string()
  .max(40)
  .regex(/^[a-z][a-z\d]*([ _-][a-z\d]+)*$/i)
  .brand<"state that no spec lists">();
export type UnlistedState = z.infer<typeof UnlistedState>;

/** A state of the list, or another word. One that is new must not hide its resource, and never counts as one of the list. */
export function orUnlisted<S extends z.ZodType>(listed: S) {
  return z.union([listed, UnlistedState]);
}

/** The state itself if its spec does not list it; nothing of one that is listed or not shown. */
export function unlistedIn(listed: z.ZodType, state: string | null | undefined): string[] {
  return state === null || state === undefined || listed.safeParse(state).success ? [] : [state];
}
