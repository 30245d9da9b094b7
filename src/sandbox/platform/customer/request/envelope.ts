import type { Refusal } from "../../http/refusal.ts";
import { type ApiResponse, json } from "../../http/response.ts";

/** Fields that stand beside `data` in the envelope. */
interface Beside {
  message?: string;
  pagination?: object;
}

/** The customer API's envelope (spec 2.1). */
export function success(status: number, data: unknown, beside: Beside = {}): ApiResponse {
  return json(status, { success: true, data, ...beside });
}

export function ok(data: unknown, beside: Beside = {}): ApiResponse {
  return success(200, data, beside);
}

export function refused(refusal: Refusal): ApiResponse {
  const { status, code, message, extra } = refusal;
  const response = json(status, { success: false, error: message, code, ...extra });
  Object.assign(response.headers, refusal.headers);
  if (extra.retry_after_seconds !== undefined) response.headers["retry-after"] = String(extra.retry_after_seconds);
  return response;
}

/** A payload whose place the spec leaves open: `data` itself, or under `name` within it where the settings say so. */
export function placed(call: { world: { settings: { wrapped: boolean } } }, name: string, value: unknown): ApiResponse {
  return ok(call.world.settings.wrapped ? { [name]: value } : value);
}
