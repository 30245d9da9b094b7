import { parse } from "node:querystring";
import * as z from "zod";

/** What every payload is at least: a command, an interaction, or an event in its envelope. */
const Known = z.object({
  command: z.string().optional(),
  type: z.string().optional(),
  event: z.object({ type: z.string() }).optional(),
  actions: z.array(z.object({})).min(1).optional(),
  ssl_check: z.string().optional(),
});
export type Payload = z.infer<typeof Known> & Record<string, unknown>;

/** A verified body by its content type: JSON, a form, or a form around JSON. Null where it is nothing that Slack sends. */
export function readPayload(contentType: string | undefined, body: Buffer): Payload | null {
  const read = isForm(contentType) ? fromForm(body) : fromJson(body.toString());
  return isPayload(read) ? read : null;
}

// Looked at and not copied: all of it goes on as it came.
function isPayload(read: unknown): read is Payload {
  const { success, data } = Known.safeParse(read);
  return success && (data.command ?? data.type ?? data.ssl_check) !== undefined;
}

/**
 * Slack's look at our certificate comes without a signature. It counts as that only where it brings nothing else: with a payload it is
 * somebody's way around the signature.
 */
export function isBareSslCheck(contentType: string | undefined, body: Buffer): boolean {
  if (!isForm(contentType) || body.length > 1_000) return false;
  const fields = new URLSearchParams(body.toString());
  return fields.get("ssl_check") === "1" && [...fields.keys()].every((name) => ["ssl_check", "token"].includes(name));
}

function isForm(contentType = ""): boolean {
  return /^application\/x-www-form-urlencoded\s*(;|$)/i.test(contentType);
}

function fromForm(body: Buffer): unknown {
  const fields = parse(body.toString());
  return typeof fields.payload === "string" ? fromJson(fields.payload) : fields;
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
