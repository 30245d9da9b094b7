import { parse } from "node:querystring";
import * as z from "zod";
import { parseJson } from "../../platform/http/json.ts";

/** The common fields of all payloads: a command, an interaction, or an event in its envelope. */
const CommonPayload = z.object({
  command: z.string().optional(),
  type: z.string().optional(),
  event: z.object({ type: z.string() }).optional(),
  actions: z.array(z.object({})).min(1).optional(),
  ssl_check: z.string().optional(),
});
export type Payload = z.infer<typeof CommonPayload> & Record<string, unknown>;

/** Parses a verified body by its content type: JSON, a form, or a form around JSON. Null if it is no payload of Slack. */
export function readPayload(contentType: string | undefined, body: Buffer): Payload | null {
  const read = isForm(contentType) ? fromForm(body) : fromJson(body.toString());
  return isPayload(read) ? read : null;
}

// A type guard on the original object: the payload must keep its unknown fields.
function isPayload(read: unknown): read is Payload {
  const { success, data } = CommonPayload.safeParse(read);
  return success && (data.command ?? data.type ?? data.ssl_check) !== undefined;
}

/**
 * True for Slack's unsigned check of our certificate, and only if nothing else is in the body: a payload beside it would bypass the
 * signature.
 */
export function isBareSslCheck(contentType: string | undefined, body: Buffer): boolean {
  if (!isForm(contentType)) return false;
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
    return parseJson(text);
  } catch {
    return undefined;
  }
}
