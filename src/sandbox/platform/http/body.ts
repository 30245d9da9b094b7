import type { z } from "zod";
import { badRequest, Refusal } from "./refusal.ts";

/** The body as JSON, whatever its shape; an absent one is `{}`. */
export function parseBody(text: string): unknown {
  if (text.trim() === "") return {};
  try {
    return JSON.parse(text);
  } catch {
    throw new Refusal(400, "INVALID_JSON", "The body is not valid JSON");
  }
}

/** The body by `schema`; throws a refusal with each faulty field. Its message is that of the first, if none is given. */
export function checkedBody<T>(text: string, schema: z.ZodType<T>, message?: string): T {
  const parsed = schema.safeParse(parseBody(text));
  if (parsed.success) return parsed.data;
  const details = parsed.error.issues.map((issue) => ({ field: issue.path.join("."), message: issue.message }));
  throw badRequest(message ?? details[0]?.message ?? "The request is not valid", details);
}
