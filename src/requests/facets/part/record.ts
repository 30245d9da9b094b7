import { createHash } from "node:crypto";
import * as z from "#zod";

/** The facet of a request that does a part of another one. `of` is the other one's id. */
export const PartOf = z.object({
  of: z.string(),
  /** When to try again after the platform refused for now (milliseconds since the epoch). */
  again: z.number().nullable(),
  /** Rackbell died while it ran, so its outcome says nothing about the platform. */
  interrupted: z.boolean(),
  /** The refusal is about the requester, their key or the rules: it would meet every other target as well. */
  stops: z.boolean(),
});

/** Derives the id of a part. The same try always has the same id, so that no crash makes it run twice. */
export function partId(of: string, part: string, tries = 0): string {
  const hex = createHash("sha256").update(`${of} ${part} ${tries}`).digest("hex");
  // The platform wants a UUID as idempotency key, so a version and a variant are set.
  return `${hex.slice(0, 8)}-${hex.slice(8, 12)}-8${hex.slice(13, 16)}-a${hex.slice(17, 20)}-${hex.slice(20, 32)}`;
}
