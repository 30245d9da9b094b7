import * as z from "zod";
import type { Query } from "../../../platform/http/path.ts";
import type { GameBody } from "../../../platform/reseller/game/list.ts";
import { readParams } from "../../service/params.ts";

const Scalars = z.record(z.string(), z.union([z.string(), z.number(), z.boolean()]));

const pairs = "name=value pairs, or a JSON object";

/** What a route takes whose body the spec does not show: the member says it as the game module wants it. Reseller spec section 4. */
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

/** The same where a secret may stand in it: asked for in a form alone, and shown nowhere. */
export const secretBodyField = bodyField.meta({
  title: "What to send",
  writeOnly: true,
  description: `${pairs}, as the supplier's game module wants it. Shown nowhere`,
});

/** What more a reading is asked with; what its query may say, the spec does not show. */
export const queryField = z
  .string()
  .trim()
  .max(1_000)
  .optional()
  .refine((text) => text === undefined || readQuery(text) !== null, `write ${pairs} of texts, numbers, true or false.`)
  .meta({ title: "Query", description: `More to ask with: ${pairs}` });

/** An id as the game module gives it; it stands in a path. */
export function idField(title: string) {
  return z
    .string()
    .trim()
    .min(1)
    .max(200)
    .regex(/^(?!\.{1,2}$)/, "this is no id.")
    .meta({ title });
}

/** The body that a checked text means. */
export function bodyOf(text: string): GameBody {
  return readParams(text) ?? {};
}

/** The query that a checked text means, over what is asked anyhow. */
export function queryOf(text: string | undefined, usual: Query = {}): Query {
  return { ...usual, ...(text === undefined ? {} : readQuery(text)) };
}

function readQuery(text: string): Query | null {
  return text === "" ? {} : (Scalars.safeParse(readParams(text)).data ?? null);
}
