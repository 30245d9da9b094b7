import * as z from "zod";

/** What every payload is at least: a command, an interaction, or an event in its envelope. */
const Payload = z.looseObject({
  command: z.string().optional(),
  type: z.string().optional(),
  event: z.looseObject({ type: z.string() }).optional(),
  actions: z.array(z.looseObject({})).min(1).optional(),
  ssl_check: z.string().optional(),
});
export type Payload = z.infer<typeof Payload>;

/** A verified body by its content type: JSON, a form, or a form around JSON. Null where it is nothing that Slack sends. */
export function readPayload(contentType: string | undefined, body: Buffer): Payload | null {
  const read = Payload.safeParse(isForm(contentType) ? fromForm(body) : fromJson(body.toString()));
  if (!read.success) return null;
  const { command, type, ssl_check: sslCheck } = read.data;
  return command !== undefined || type !== undefined || sslCheck !== undefined ? read.data : null;
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
  const fields = new URLSearchParams(body.toString());
  const payload = fields.get("payload");
  return payload === null ? Object.fromEntries(fields) : fromJson(payload);
}

function fromJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
