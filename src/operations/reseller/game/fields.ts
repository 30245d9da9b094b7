import * as z from "zod";
import type { Query } from "../../../platform/http/path.ts";
import type { GameBody } from "../../../platform/reseller/game/list.ts";
import { readParams } from "../../service/params.ts";

const Scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const pairs = "name=value pairs, or a JSON object";

/** The body of a route whose body the spec does not show: the member types it for the game module. Reseller spec section 4. */
export const bodyField = z
  .string()
  .trim()
  .min(1)
  .max(3_000)
  .refine((text) => readParams(text) !== null, `write ${pairs}.`)
  .meta({
    title: "What to send",
    format: "lines",
    description: `${pairs}, as the supplier's game module wants it. No secrets: they are shown`,
  });

/** A body that may contain a secret: only a form takes it, and nothing shows it again. */
export const secretBodyField = bodyField.meta({
  title: "What to send",
  writeOnly: true,
  description: `${pairs}, as the supplier's game module wants it. Shown nowhere`,
});

/** Additional query values for a read whose query the spec does not show. */
export const queryField = z
  .string()
  .trim()
  .max(1_000)
  .optional()
  .refine((text) => text === undefined || readQuery(text) !== null, `write ${pairs} of texts, numbers, true or false.`)
  .meta({ title: "Query", description: `More to ask with: ${pairs}` });

/** An id from the game module; it becomes a path segment, so "." and ".." are refused. */
export function idField(title: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!\.{1,2}$)/, "this is no id.")
    .meta({ title });
}

/** Parses a body that `bodyField` has checked. */
export function parseBody(text: string): GameBody {
  return readParams(text) ?? {};
}

/** Merges a checked query over the usual values of the read. */
export function mergeQuery(text: string | undefined, defaults: Query = {}): Query {
  return { ...defaults, ...(text === undefined ? {} : readQuery(text)) };
}

function readQuery(text: string): Query | null {
  return text === "" ? {} : (Scalars.safeParse(readParams(text)).data ?? null);
}
