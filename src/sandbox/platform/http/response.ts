import type { Refusal } from "./refusal.ts";

/** What goes back over the wire, already as text so that a fault can cut it. */
export interface Answer {
  status: number;
  contentType: string;
  text: string;
  headers: Record<string, string>;
}

/** Fields that stand beside `data` in the envelope. */
interface Beside {
  message?: string;
  pagination?: object;
}

export function success(status: number, data: unknown, beside: Beside = {}): Answer {
  return json(status, { success: true, data, ...beside });
}

export function ok(data: unknown, beside: Beside = {}): Answer {
  return success(200, data, beside);
}

export function refused(refusal: Refusal): Answer {
  const { status, code, message, extra } = refusal;
  const answer = json(status, { success: false, error: message, code, ...extra });
  Object.assign(answer.headers, refusal.headers);
  if (extra.retry_after_seconds !== undefined) answer.headers["retry-after"] = String(extra.retry_after_seconds);
  return answer;
}

export function json(status: number, body: unknown): Answer {
  return { status, contentType: "application/json; charset=utf-8", text: JSON.stringify(body), headers: {} };
}

export function plain(status: number, contentType: string, text: string): Answer {
  return { status, contentType, text, headers: {} };
}

/** A payload whose place the spec leaves open: `data` itself, or under `name` within it where the settings say so. */
export function placed(call: { world: { settings: { wrapped: boolean } } }, name: string, value: unknown): Answer {
  return ok(call.world.settings.wrapped ? { [name]: value } : value);
}
